package extractive

import (
	"regexp"
	"slices"
	"strings"
)

var (
	ownAssign   = regexp.MustCompile(`^(?:self|this|@)(?:\.|->)?([A-Za-z_]\w*)(?:\.\w+|\[[^\]]*\])*\s*(?:[-+*/|&^%]|<<|>>)?=[^=]`)
	entryAssign = regexp.MustCompile(`^[A-Za-z_$][\w$.>-]*\[[^=]*\]\s*=[^=]`)
	derefAssign = regexp.MustCompile(`^\*\w+\s*(?:[-+*/|&^%])?=[^=]`)
)

// kinds of plain statements, the most telling first.
var actionKinds = []struct {
	pattern *regexp.Regexp
	says    []string
}{
	{regexp.MustCompile(`\b(?:open|fopen|ReadFile|readFile|WriteFile|writeFile|read_?[tT]ext|write_?[tT]ext|read_to_string|ifstream|ofstream)\(`), []string{"works with a file", "accesses a document"}},
	{regexp.MustCompile(`\bawait\b|\.await\b|\.get\(\)\.join\(|<-\s*\w+`), []string{"waits for work under way", "pauses for something under way"}},
	{regexp.MustCompile(`\b(?:lock|acquire|Lock|synchronized|mutex)\b`), []string{"takes a lock", "guards against others"}},
	{regexp.MustCompile(`\b(?:print\w*|println|eprintln|Println|Printf|puts|cout|console|log\w*|logger|warn\w*)!?\s*(?:\.\w+)?\s*[(<]`), []string{"writes a message out", "reports something", "issues a notice"}},
	{regexp.MustCompile(`\bre\.\w+\(|[rR]eg[eE]x|\bPattern\b|\bregexp\.|\.(?:fullmatch|findall|matcher|search)\(`), []string{"searches a text by pattern", "hunts through a string by pattern", "applies a pattern"}},
	{regexp.MustCompile(`\.(?:split\w*|partition|tokenize|lines)\(|strings\.(?:Split|Fields)`), []string{"takes a text apart", "divides a string", "divides something"}},
	{regexp.MustCompile(`\.join\(|strings\.Join|\bconcat\(`), []string{"joins pieces of text", "concatenates strings", "connects pieces"}},
	{regexp.MustCompile(`\.(?:strip\w*|trim\w*|lstrip|rstrip)\(|strings\.Trim`), []string{"trims a text at its ends", "cuts needless characters off", "tidies a string"}},
	{regexp.MustCompile(`\.replace\w*\(|\.sub\(`), []string{"replaces one thing by another", "substitutes one thing for another", "exchanges something"}},
	{regexp.MustCompile(`\.(?:lower|upper|to_?lower\w*|to_?upper\w*|casefold|title|capitalize)\(|strings\.To(?:Lower|Upper)`), []string{"changes the case of letters", "switches between small and capital letters"}},
	{regexp.MustCompile(`\b(?:divmod)\(|\.(?:div_euclid|rem_euclid|divmod)\(`), []string{"divides with a remainder", "works out a quotient and what is over"}},
	{regexp.MustCompile(`\b(?:sqrt|pow|exp|log2|log10|sin|cos|tan|hypot)\(`), []string{"does some mathematics", "computes with real numbers"}},
	{regexp.MustCompile(`\b(?:min|max|clamp)\(|\.(?:min|max|clamp)\(`), []string{"keeps a number within bounds", "takes the smaller or larger of two", "limits a quantity"}},
	{regexp.MustCompile(`\.(?:append|push\w*|emplace\w*|add|insert|extend|enqueue|offer)\(|\bappend\(`), []string{"adds to a collection", "puts another item into a group", "appends something"}},
	{regexp.MustCompile(`\.(?:pop\w*|remove\w*|erase|discard|clear|drain|dequeue|poll|shift)\(|^del(?:ete)?\b`), []string{"takes something out of a collection", "drops something", "discards an item"}},
	{regexp.MustCompile(`\+\+|\+=\s*1\b`), []string{"counts one up", "raises a counter", "increments something"}},
	{regexp.MustCompile(`--|-=\s*1\b`), []string{"counts one down", "lowers a counter", "decrements something"}},
	{regexp.MustCompile(`\+=\s*[fF]?""`), []string{"extends a text", "lengthens a string", "lengthens something"}},
	{regexp.MustCompile(`\+=`), []string{"adds to a running result", "accumulates an outcome", "accumulates something"}},
	{regexp.MustCompile(`[-*/|&^%]=[^=]|<<=|>>=`), []string{"updates a running number", "alters a running quantity"}},
	{regexp.MustCompile(`[\w)] (?:<<|>>>?|&|\^) [\w(]`), []string{"works on single bits", "works on binary digits"}},
	{regexp.MustCompile(`\bassert\w*!?[\s(]`), []string{"makes sure that something holds", "verifies something"}},
	{regexp.MustCompile(`=\s*(?:\[\]|\{\}|dict\(\)|list\(\)|set\(\)|vec!\[\]|Vec::new|Vec::with_capacity|HashMap::new|new (?:Array|Hash|Tree|Linked)\w*|make\()`), []string{"starts with an empty collection", "prepares an empty group", "begins with something empty"}},
	{regexp.MustCompile(`=[^=].*\s\?\s.*\s:\s|=[^=].*\bif\b.*\belse\b`), []string{"chooses between two values by a condition", "picks either of two things"}},
}

// actions puts a plain statement into words: what kind of work it is, and which
// helper does it. Many statements say nothing.
func (r reader) actions(text string) []string {
	var out []string
	take := func(phrase string) {
		if phrase != "" && !slices.Contains(out, phrase) {
			out = append(out, phrase)
		}
	}
	take(r.chain(text))
	if m := ownAssign.FindStringSubmatch(text); m != nil {
		take(r.named(m[1], "updates the object's %", r.say("changes the object itself", "alters its own state")))
	} else if entryAssign.MatchString(text) {
		take(r.say("stores an entry under its key or position", "records something at its place"))
	} else if derefAssign.MatchString(text) {
		take(r.say("changes something in place", "alters something in place"))
	}
	for _, k := range actionKinds {
		// A word of the function's own that looks like a known one means something else.
		if at := k.pattern.FindString(text); len(out) == 0 && at != "" && !r.banned.hasAny(at) {
			take(r.say(k.says...))
		}
	}
	if assignment.MatchString(text) {
		_, right, _ := strings.Cut(text, "=")
		if comprehension.MatchString(trim(right)) {
			take(r.say("builds a collection from the members of another one", "assembles a group from another"))
		}
	}
	if name := r.helper(text); name != "" && len(out) < 2 {
		if at := strings.Index(text, name); construction.MatchString(name+"(") && (r.indented || strings.HasSuffix(text[:at], "new ")) {
			take(r.named(name, "creates a new % object", ""))
		} else {
			take(r.handing(name, text))
		}
	}
	return out
}

// handing says that a helper is called, and with which argument of the function.
func (r reader) handing(name, text string) string {
	at := strings.Index(text, name)
	inside := text[at+len(name):]
	inside = strings.TrimLeft(inside, "! ")
	if end := matching(inside); end > 0 {
		for _, arg := range topLevel(inside[1:end], ",") {
			root := identifier.FindString(trim(arg))
			if slices.Contains(r.params, root) && trim(arg) == root {
				return r.named(name, "hands "+r.place(root)+" to the % helper", "")
			}
		}
	}
	return r.named(name, "calls the % helper", "")
}
