package extractive

import (
	"regexp"
	"slices"
	"strings"
)

// reader puts pieces of code into words.
type reader struct {
	writer
	indented bool // a capital letter means a constructor, as functions begin small
	gives    bool // an expression at the end is the result
}

var (
	identifier  = regexp.MustCompile(`^[A-Za-z_$][\w$]*`)
	number      = regexp.MustCompile(`^-?(?:\d[\d_]*(?:\.\d+)?|0x[0-9A-Fa-f]+)[uUlLfF]*$`)
	cast        = regexp.MustCompile(`^\((?:unsigned )?(?:byte|char|int|long|short|float|double|void|\w+_t|\w+\s*\*+)\s*\**\)\s*`)
	ownObject   = regexp.MustCompile(`^(?:\*|&)?(?:self|this|cls|@)(?:\.|->|::)?([A-Za-z_]\w*)?`)
	attribute   = regexp.MustCompile(`^[A-Za-z_$][\w$]*(?:\.|->)([A-Za-z_]\w*)`)
	lengthOf    = regexp.MustCompile(`^(?:len|size|count|strlen)\((.*)\)$|^(.*?)(?:\.|->)(?:len|size|length|count)(?:\(\))?$`)
	callee      = regexp.MustCompile(`([A-Za-z_$][\w$]*)!?\s*(?:::<[^>]*>)?\(`)
	leading     = regexp.MustCompile(`^(?:&mut |&|\*|await |mut |new |return )+`)
	trivialCall = set(`if for while switch match return catch and or not in is sizeof typeof len range str int float
		bool list dict tuple print super self this cls ok err some none new get let pub val const var auto static struct enum dyn move ref mut unsafe yield default iter true false into string vec box unwrap clone
		to_string tostring as_str as_ref as_mut format repr type isinstance append push add put set map filter collect
		enumerate zip sorted min max abs sum any all join split strip trim replace lower upper make cap copy error
		errorf println printf sprintf fprintf main init func fn def function lambda elif except with async await
		hasattr getattr items keys values extend insert remove pop first last next cloned copied rev size length
		is_some is_none is_empty isempty empty contains push_back emplace_back begin end find then data of from
		group rjust ljust rfind sub match search fullmatch compile span start startswith endswith starts_with ends_with
		encode decode to_vec as_slice as_bytes borrow borrow_mut at c_str substr substring charat slice splice concat
		indexof index equals hashcode valueof parseint tofixed tolowercase touppercase popitem setdefault update copy
		unwrap_or unwrap_or_default unwrap_or_else expect ok_or ok_or_else map_err and_then or_else iter_mut chars bytes
		with_capacity option result iterator item impl arc rc byte char integer object vector assert
		assert_eq assert_ne debug_assert static_cast reinterpret_cast const_cast dynamic_cast decltype cap panic`)
)

// maxExpression bounds, in bytes, how much of an expression is looked at.
const maxExpression = 400

// trim takes brackets around a whole expression and marks in front of it off.
func trim(e string) string {
	if len(e) > maxExpression {
		e = e[:maxExpression]
	}
	for {
		before := e
		e = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(e), ";,"))
		e = cast.ReplaceAllString(leading.ReplaceAllString(e, ""), "")
		if strings.HasPrefix(e, "(") && matching(e) == len(e)-1 {
			e = e[1 : len(e)-1]
		}
		if e == before {
			return e
		}
	}
}

// matching is where the bracket s begins with is closed, or -1.
func matching(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// spoken turns an identifier into the words that may be said of it, "" when
// none is left.
func (r reader) spoken(id string) string {
	var words []string
	for _, part := range splitIdentifier(id) {
		part = strings.ToLower(part)
		if len(part) > 1 && !r.banned.has(part) && !slices.Contains([]string{"get", "do", "impl", "fn", "the"}, part) {
			words = append(words, part)
		}
	}
	if text := strings.Join(words, " "); len(text) > 2 && len(words) <= 4 {
		return text
	}
	return ""
}

// named is a phrase about something with a name: with for %, or without.
func (r reader) named(id, with, without string) string {
	if words := r.spoken(id); words != "" {
		if out := r.say(strings.ReplaceAll(with, "%", "“"+words+"”")); out != "" {
			return out
		}
	}
	return without
}

// subject is a noun phrase for an expression.
func (r reader) subject(e string) string {
	e = trim(e)
	if number.MatchString(e) && len(e) < 20 {
		return e
	}
	if m := lengthOf.FindStringSubmatch(e); m != nil && m[1]+m[2] != "" {
		of := r.subject(m[1] + m[2])
		return r.noun("the length of "+of, "the size of "+of, "a size")
	}
	if arithmetic.MatchString(outermost(e)) {
		if root := identifier.FindString(e); slices.Contains(r.params, root) {
			place := r.place(root)
			return r.noun("a number calculated from "+place, "something computed from "+place, "something worked out from "+place)
		}
		return r.something()
	}
	if m := ownObject.FindStringSubmatch(e); m != nil && hasPrefix(strings.TrimLeft(e, "*&"), "self", "this", "cls", "@") {
		if !r.isCall(e) && m[1] != "" {
			return r.named(m[1], "the object's %", r.noun("a part of the object", "a piece of the object", "a part of the whole"))
		}
		if m[1] == "" {
			return r.noun("the object itself", "the thing itself")
		}
	}
	root := identifier.FindString(e)
	if root != "" && slices.Contains(r.params, root) {
		place := r.place(root)
		if m := attribute.FindStringSubmatch(e); m != nil && !r.isCall(e) {
			return r.named(m[1], "the % of "+place, r.noun("a part of "+place, place))
		}
		if r.isCall(e) && len(e) > len(root) && (e[len(root)] == '.' || e[len(root)] == '-') {
			return r.noun("something taken from "+place, "something out of "+place, place)
		}
		if len(e) > len(root) && e[len(root)] == '[' {
			return r.noun("a member of "+place, "an entry of "+place, place)
		}
		return place
	}
	if name := r.helper(e); name != "" {
		return r.named(name, "the outcome of the % helper", r.something())
	}
	switch {
	case strings.HasPrefix(e, `""`):
		return r.noun("a fixed text", "a constant")
	case root == e && root != "" && strings.ToUpper(root) == root && len(root) > 2:
		return r.named(root, "the constant %", r.noun("a constant", "a fixed number"))
	}
	return r.something()
}

func (r reader) something() string {
	return r.noun("an intermediate result", "an intermediate value", "something worked out before", "something")
}

func (r reader) isCall(e string) bool { return strings.HasSuffix(e, ")") }

// helper is the first function called in e whose name says something.
func (r reader) helper(e string) string {
	for _, m := range callee.FindAllStringSubmatch(e, -1) {
		if name := m[1]; name != r.name && !trivialCall[strings.ToLower(name)] && r.spoken(name) != "" {
			return name
		}
	}
	return ""
}

// topLevel splits e at a separator outside all brackets.
func topLevel(e, separator string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(e); i++ {
		switch e[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 && strings.HasPrefix(e[i:], separator) {
			out = append(out, e[start:i])
			start = i + len(separator)
			i = start - 1
		}
	}
	return append(out, e[start:])
}

// condition says when a test holds, as a clause: "the first argument is absent".
func (r reader) condition(e string) string {
	e = strings.TrimRight(trim(e), ":{ ")
	if parts := topLevel(e, ";"); len(parts) > 1 { // a statement in front of the test
		e = parts[len(parts)-1]
	}
	e = trim(e)
	for _, joint := range [][2]string{{" and ", "and"}, {"&&", "and"}, {" or ", "or"}, {"||", "or"}} {
		parts := topLevel(e, joint[0])
		if len(parts) < 2 {
			continue
		}
		a, b := r.condition(parts[0]), r.condition(parts[1])
		switch {
		case len(parts) == 2 && a != b && a != r.holds() && b != r.holds():
			return a + " " + joint[1] + " " + b
		case joint[1] == "or":
			return r.noun("at least one of "+countWord(len(parts))+" tests holds", "one of the tests holds")
		}
		return r.noun(countWord(len(parts))+" tests hold together", "several checks succeed together", "everything needed holds")
	}
	if out := r.relation(e); out != "" {
		return out
	}
	return r.holds()
}

func (r reader) holds() string {
	return r.noun("a condition holds", "a test succeeds", "a requirement is met")
}

var (
	absence    = regexp.MustCompile(`^(.*?)\s*(?:is|==|===)\s*(?:None|null|nil|undefined|nullptr|NULL)$`)
	presence   = regexp.MustCompile(`^(.*?)\s*(?:is not|!=|!==)\s*(?:None|null|nil|undefined|nullptr|NULL)$`)
	unwrapped  = regexp.MustCompile(`^let\s+(?:Some|Ok)\s*\(.*?\)\s*=\s*(.*)$`)
	failed     = regexp.MustCompile(`^let\s+Err\b`)
	emptiness  = regexp.MustCompile(`^(.*?)(?:\.|->)(?:is_?empty|empty|isEmpty)\(\)$`)
	kindCheck  = regexp.MustCompile(`isinstance\(([^,]*),|^(?:typeof\s+)?(.*?)\s+instanceof\b|^typeof\s+(\w+)`)
	notIn      = regexp.MustCompile(`^(.*?)\s+not in\s+(.*)$`)
	within     = regexp.MustCompile(`^(.*?)\s+in\s+(.*)$`)
	beginsWith = regexp.MustCompile(`^(.*?)\.(?:starts_?with|startsWith|has_?prefix|hasPrefix)\(`)
	endsWith   = regexp.MustCompile(`^(.*?)\.(?:ends_?with|endsWith|has_?suffix|hasSuffix)\(`)
	multiple   = regexp.MustCompile(`^([^%]*?)\s*%\s*(\d{1,9})\s*(==|!=)=?\s*0$`)
	comparison = regexp.MustCompile(`^(.*?[^<>=!-])\s*(===?|!==?|<=|>=|<|>)\s*([^<>=].*)$`)
	errorName  = regexp.MustCompile(`(?i)^(?:\w*err(?:or)?|exc?)$`)
)

var relations = map[string]string{
	"==": "equals", "===": "equals", "!=": "differs from", "!==": "differs from",
	"<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least",
}

// relation is [reader.condition] for a single test.
func (r reader) relation(e string) string {
	clause := func(of, says string) string { return r.say(r.subject(of)+" "+says, "it "+says) }
	if m := absence.FindStringSubmatch(e); m != nil {
		return clause(m[1], "is absent")
	}
	if m := presence.FindStringSubmatch(e); m != nil {
		if errorName.MatchString(trim(m[1])) {
			return r.noun("an error came up", "a failure came up", "something went wrong", "there is a fault")
		}
		return clause(m[1], "is present")
	}
	if m := unwrapped.FindStringSubmatch(e); m != nil {
		return clause(m[1], "is present")
	}
	if failed.MatchString(e) {
		return r.noun("an error came up", "a failure came up", "something went wrong")
	}
	if m := kindCheck.FindStringSubmatch(e); m != nil {
		return clause(m[1]+m[2]+m[3], "is of a certain type")
	}
	negated := false
	if rest, ok := strings.CutPrefix(e, "not "); ok {
		e, negated = trim(rest), true
	} else if strings.HasPrefix(e, "!") && !strings.HasPrefix(e, "!=") {
		e, negated = trim(e[1:]), true
	}
	no := func(says, saysNot string) string {
		if negated {
			return saysNot
		}
		return says
	}
	if m := emptiness.FindStringSubmatch(e); m != nil {
		return clause(m[1], no("is empty", "is not empty"))
	}
	if m := beginsWith.FindStringSubmatch(e); m != nil {
		return clause(m[1], no("begins with a certain text", "does not begin with a certain text"))
	}
	if m := endsWith.FindStringSubmatch(e); m != nil {
		return clause(m[1], no("ends in a certain text", "does not end in a certain text"))
	}
	if m := notIn.FindStringSubmatch(e); m != nil {
		return clause(m[1], "is not among the members of a collection")
	}
	if m := within.FindStringSubmatch(e); m != nil && !strings.Contains(m[1], " for ") {
		return clause(m[1], no("is among the members of a collection", "is not among the members of a collection"))
	}
	if m := multiple.FindStringSubmatch(e); m != nil && !negated {
		if m[3] == "==" {
			return clause(m[1], "is a multiple of "+m[2])
		}
		return clause(m[1], "is no multiple of "+m[2])
	}
	if m := comparison.FindStringSubmatch(e); m != nil && !negated {
		left, right := r.subject(m[1]), r.subject(m[3])
		if right == "0" && strings.HasPrefix(m[2], "==") && lengthOf.MatchString(trim(m[1])) {
			inner := lengthOf.FindStringSubmatch(trim(m[1]))
			return clause(inner[1]+inner[2], "is empty")
		}
		if left == right {
			right = r.noun("another one", "something else")
		}
		return r.say(left + " " + relations[m[2]] + " " + right)
	}
	if strings.HasSuffix(e, ")") {
		if name := r.helper(e); name != "" {
			return r.named(name, no("the % check succeeds", "the % check does not succeed"), "")
		}
	}
	if identifier.FindString(e) == e || attribute.FindString(e) == e || ownObject.FindString(e) == e {
		return clause(e, no("is set", "is empty or not set"))
	}
	return ""
}

func countWord(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return "many"
}
