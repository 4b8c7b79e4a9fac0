package extractive

import (
	"regexp"
	"strings"
)

// step is one thing a function does.
type step struct {
	when string // "" or a clause that begins with "when" or "otherwise"
	does string // a verb phrase
}

// nested writes a step inside another sentence.
func (s step) nested() string {
	switch {
	case s.when == "":
		return s.does
	case s.when == "otherwise":
		return "otherwise " + s.does
	}
	return s.does + " " + s.when
}

var (
	loopWord   = regexp.MustCompile(`^(?:'?\w+:\s*)?(?:async\s+)?(?:for|foreach|while|loop|until|repeat|do)\b|\.for_?[eE]ach\(`)
	ifWord     = regexp.MustCompile(`^(?:\}?\s*)(?:else if|elif|elsif|elseif|if|unless)\b`)
	elseWord   = regexp.MustCompile(`^else\b`)
	elseIfWord = regexp.MustCompile(`^(?:else if|elif|elsif|elseif)\b`)
	choiceWord = regexp.MustCompile(`(?:^|=\s*|return\s+)(?:switch|match|when|select)\b[^=]*$`)
	caseWord   = regexp.MustCompile(`^(?:case\b|default\b)|=>`)
	returnWord = regexp.MustCompile(`^(?:return|co_return)\b`)
	yieldWord  = regexp.MustCompile(`^(?:yield|co_yield)\b`)
	raiseWord  = regexp.MustCompile(`^(?:raise|throw|panic!?|abort|bail!?|(?:return )?Err\b|return .*(?:errors\.New|fmt\.Errorf)\()`)
	catchWord  = regexp.MustCompile(`^(?:except|catch|rescue)\b`)
	skipWord   = regexp.MustCompile(`^continue\b`)
	breakWord  = regexp.MustCompile(`^break\b`)
	counting   = regexp.MustCompile(`\brange\(|\.\.|^for\s*\([^;]*;|^for [^;{]*;`)
	iterated   = regexp.MustCompile(`\bin\s+(.*)$|\brange\s+([^({\s].*)$|\bof\s+(.*)\)$|:\s*([^:]*)\)$`)
	header     = regexp.MustCompile(`^(?:\}?\s*)(?:else if|elif|elsif|elseif|if|unless|while|until)\b`)
)

func isLoop(text string) bool {
	return loopWord.MatchString(text) && !strings.HasPrefix(text, "do_") && !strings.HasPrefix(text, "for_")
}

// deepest is the nesting below which steps are not told.
const deepest = 5

// steps puts statements into words, in order.
func (r reader) steps(list []*statement, depth int) []step {
	if depth > deepest {
		return nil
	}
	var out []step
	add := func(s step) {
		if s.does == "" || len(out) > 0 && out[len(out)-1] == s {
			return
		}
		out = append(out, s)
	}
	for i, st := range list {
		text := st.text
		switch {
		case isLoop(text):
			add(step{does: r.loop(st, depth)})
		case ifWord.MatchString(text):
			add(r.branch(st, "when "+r.condition(header.ReplaceAllString(text, "")), depth))
		case elseWord.MatchString(text):
			add(r.branch(st, "otherwise", depth))
		case catchWord.MatchString(text):
			add(r.branch(st, "when "+r.noun("that fails", "that goes wrong"), depth))
		case choiceWord.MatchString(text) && len(st.inner) > 0:
			add(step{does: r.choice(st)})
		case raiseWord.MatchString(text):
			add(step{does: r.failing(text)})
		case returnWord.MatchString(text), yieldWord.MatchString(text):
			add(step{does: r.returning(st)})
		case skipWord.MatchString(text):
			add(step{does: r.say("skips to the next round", "passes on to another round", "goes on")})
		case breakWord.MatchString(text):
			add(step{does: r.say("leaves the loop", "ends the repetition", "stops going on")})
		case depth == 0 && i == len(list)-1 && r.tail(st):
			add(step{does: r.returning(st)})
		default:
			for _, does := range r.actions(text) {
				add(step{does: does})
			}
			for _, inner := range r.steps(st.inner, depth+1) {
				add(inner)
			}
		}
	}
	return out
}

var assignment = regexp.MustCompile(`^[^(=]*[^=!<>+\-*/|&%^]=[^=>]|:=|^(?:let|var|const|auto|val)\b`)

// tail reports whether the last statement of a function is the value it gives:
// an expression that nothing ends and nothing takes.
func (r reader) tail(st *statement) bool {
	return r.gives && st.bare && !assignment.MatchString(st.text) && !hasPrefix(st.text, "try", "with", "defer", "del ", "assert", "pass", "import", "using", "unsafe", "go ") &&
		!strings.HasSuffix(st.text, ":")
}

func (r reader) returning(st *statement) string {
	value := r.result(st)
	verb := "hands back "
	if yieldWord.MatchString(st.text) {
		verb = "hands out, piece by piece, "
	}
	if chain := r.chain(st.text); chain != "" {
		return r.noun(chain+" and hands back the outcome", chain)
	}
	return r.noun(verb+value, "gives "+value, "ends with "+value)
}

// branch is the step of an alternative: what it does, and when.
func (r reader) branch(st *statement, when string, depth int) step {
	inner := r.steps(st.inner, depth+1)
	if len(inner) == 0 && when != "otherwise" {
		return step{when: when, does: r.say("takes a further step", "does something more")}
	}
	if len(inner) == 0 {
		return step{}
	}
	return step{when: when, does: nested(inner, depth)}
}

func (r reader) loop(st *statement, depth int) string {
	head := r.loopHead(st.text)
	inner := r.steps(st.inner, depth+1)
	if len(inner) == 0 || depth > 2 {
		return head
	}
	return head + ": each time it " + nested(inner, depth)
}

// nested tells the first steps of a block, fewer the deeper it lies.
func nested(steps []step, depth int) string {
	var does []string
	for i, s := range steps {
		if i == max(4-depth, 1) {
			break
		}
		does = append(does, s.nested())
	}
	return enumerate(does, "and")
}

func (r reader) loopHead(text string) string {
	switch {
	case strings.HasPrefix(text, "while") && !hasPrefix(strings.TrimLeft(text[5:], " ("), "true", "True", "1"):
		return r.noun("repeats as long as "+r.condition(header.ReplaceAllString(text, "")), "keeps going as long as a condition holds", "iterates")
	case counting.MatchString(text) && !strings.Contains(text, "enumerate"):
		if p := r.measured(text); p != "" {
			return r.noun("goes through "+p+" position by position", "walks over "+p+" place by place", "walks over "+p)
		}
		return r.noun("counts through a range of numbers", "steps through a span of figures", "iterates over consecutive numbers", "iterates")
	}
	m := iterated.FindStringSubmatch(text)
	if m == nil {
		if test := strings.TrimSpace(strings.TrimPrefix(text, "for ")); test != text && test != "" {
			return r.noun("repeats as long as "+r.condition(test), "keeps going as long as a condition holds", "iterates")
		}
		return r.noun("repeats until it is told to stop", "keeps going until something stops it", "iterates")
	}
	over := trim(strings.TrimRight(m[1]+m[2]+m[3]+m[4], ":{ "))
	how := ""
	switch {
	case strings.Contains(over, "enumerate"):
		how = r.say(", keeping count of the position", ", counting along")
	case strings.Contains(over, "sorted(") || strings.Contains(over, ".sort"):
		how = r.say(", in sorted order", ", in order")
	case strings.Contains(over, "rev()") || strings.Contains(over, "reversed("):
		how = r.say(", backwards")
	case strings.Contains(over, "zip("):
		how = r.say(", side by side with another collection", ", pairwise")
	}
	subject := r.subject(over)
	if subject == r.something() {
		subject = r.noun("a collection", "a series of things", "several things")
	}
	return r.noun("goes through "+subject+how, "walks over "+subject+how, "iterates over "+subject+how, "iterates"+how)
}

// measured is the argument whose length a loop counts up to, "" for none.
func (r reader) measured(text string) string {
	for _, p := range r.params {
		for _, form := range []string{"len(" + p + ")", p + ".len", p + ".size", p + ".count"} {
			if strings.Contains(text, form) {
				return r.place(p)
			}
		}
	}
	return ""
}

func (r reader) choice(st *statement) string {
	n := 0
	for _, s := range st.inner {
		if arms := strings.Count(s.text, "=>"); arms > 0 {
			n += arms
		} else if caseWord.MatchString(s.text) {
			n++
		}
	}
	n = max(n, 2)
	return r.noun("tells "+countWord(n)+" cases apart and treats each in its own way", "decides between "+countWord(n)+" alternatives")
}

// links are the steps of a chain of calls on a collection, in the words for each.
var links = []struct {
	pattern *regexp.Regexp
	says    []string
}{
	{regexp.MustCompile(`\.(?:filter|retain|where|filter_map|Where)\(`), []string{"keeps the members that pass a test", "drops what does not fit"}},
	{regexp.MustCompile(`\.(?:map|flat_map|flatMap|Select|transform|filter_map)\(`), []string{"turns every member into something else", "converts every item"}},
	{regexp.MustCompile(`\.(?:fold|reduce|sum|product|aggregate)\(|\bsum\(`), []string{"boils all members down to a single amount", "adds everything up", "combines everything"}},
	{regexp.MustCompile(`\.(?:min|max)(?:_by|_by_key|By)?\(`), []string{"picks the extreme member", "picks the smallest or largest"}},
	{regexp.MustCompile(`\.(?:find|position|find_map|findIndex|indexOf|index)\(`), []string{"looks for the first member that fits", "hunts for a fitting one"}},
	{regexp.MustCompile(`\.(?:any|all|some|every|anyMatch|allMatch)\(|\b(?:any|all)\(`), []string{"asks whether the members pass a test", "examines every one"}},
	{regexp.MustCompile(`\.(?:zip)\(|\bzip\(`), []string{"pairs members with those of another collection", "pairs things up"}},
	{regexp.MustCompile(`\.(?:chunks|windows|partition|group_by|groupBy)\(`), []string{"cuts the members into groups", "forms groups"}},
	{regexp.MustCompile(`\.count\(\)`), []string{"counts what is left", "tallies the rest"}},
	{regexp.MustCompile(`\.rev\(\)|\breversed\(|\.reverse\(`), []string{"turns the order around", "goes backwards"}},
	{regexp.MustCompile(`\bsorted\(|\.sort\w*\(|\bsort\w*[.(]`), []string{"puts members in order", "sorts things", "arranges things"}},
}

// chain names the links found in a statement, in the order of their places.
func (r reader) chain(text string) string {
	type found struct {
		at   int
		says string
	}
	var all []found
	for _, l := range links {
		if at := l.pattern.FindStringIndex(text); at != nil {
			if says := r.say(l.says...); says != "" {
				all = append(all, found{at[0], says})
			}
		}
	}
	var says []string
	for len(all) > 0 {
		first := 0
		for i := range all {
			if all[i].at < all[first].at {
				first = i
			}
		}
		says = append(says, all[first].says)
		all = append(all[:first], all[first+1:]...)
	}
	return enumerate(says, "and")
}
