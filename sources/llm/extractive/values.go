package extractive

import (
	"regexp"
	"strings"
)

var (
	truth         = regexp.MustCompile(`^(?:True|False|true|false)$`)
	nothing       = regexp.MustCompile(`^(?:None|null|nil|undefined|nullptr|NULL|\(\))?$`)
	wrapped       = regexp.MustCompile(`^(?:Ok|Some|Promise\.resolve|Optional\.of|Just|Right|make_optional)\((.*)\)$`)
	failure       = regexp.MustCompile(`\bErr\(|errors\.New\(|fmt\.Errorf\(|\b(?:raise|throw|panic|abort|bail)\b`)
	failureName   = regexp.MustCompile(`\b(?:raise|throw new|throw|Err\()\s*([A-Za-z_][\w:.]*)`)
	comprehension = regexp.MustCompile(`^[\[{(].*\bfor\b.*\bin\b`)
	construction  = regexp.MustCompile(`^(?:new\s+)?((?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*)\s*(?:\(|$|::new\()`)
	composedText  = regexp.MustCompile(`^[fF]""|\bformat!?\(|[sS]printf\(|\.join\(|strings\.Join\(|\.to_?[sS]tring\(|^""\s*\+|\+\s*""`)
	orderedCopy   = regexp.MustCompile(`^(?:sorted|reversed)\(`)
	arithmetic    = regexp.MustCompile(`[\w)\]]\s*(?:\+|-|\*|/|%|<<|>>)\s*[\w(]`)
	testOf        = regexp.MustCompile(`==|!=|<=|>=|&&|[\w)\]]\s*\|\||\s[<>]\s|^not\s|^!|\band\b|\bor\b|\bin\b|\.(?:any|all|contains|is_\w+|has_\w+|starts_?with|ends_?with)\(\)$|^(?:any|all|isinstance)\(`)
	emptyThing    = regexp.MustCompile(`^(?:\[\]|\{\}|\(\)|vec!\[\]|dict\(\)|list\(\)|set\(\)|new \w+(?:<[^>]*>)?\(\)|\w+::new\(\))$`)
)

// value is a noun phrase for what an expression gives back.
func (r reader) value(e string) string {
	raw := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(e), ";"))
	if made := construction.FindStringSubmatch(raw); made != nil && !wrapped.MatchString(raw) && strings.HasPrefix(raw, "new ") {
		return r.newObject(made[1])
	}
	e = trim(raw)
	if m := wrapped.FindStringSubmatch(e); m != nil {
		return r.value(m[1])
	}
	switch {
	case nothing.MatchString(e):
		return r.noun("nothing", "no result", "none")
	case truth.MatchString(e):
		if strings.EqualFold(e, "true") {
			return r.noun("yes", "a positive answer", "assent")
		}
		return r.noun("no", "a negative answer")
	case number.MatchString(e) && len(e) < 20:
		return r.noun("the number "+e, "the figure "+e, e)
	case emptyThing.MatchString(e):
		return r.noun("an empty collection", "a container without members", "something empty")
	case comprehension.MatchString(e):
		return r.noun("a collection built from the members of another one", "a freshly built collection", "a new group")
	case orderedCopy.MatchString(e):
		return r.noun("a sorted copy", "the members in order")
	case composedText.MatchString(e):
		return r.noun("a text put together from pieces", "a composed string", "some composed writing")
	case len(topLevel(e, ",")) > 1:
		n := countWord(len(topLevel(e, ",")))
		return r.noun(n+" values", n+" items", "several things together")
	}
	if test, yes, no, ok := choice(e); ok {
		return r.either(test, yes, no)
	}
	if made := construction.FindStringSubmatch(e); made != nil && strings.ToUpper(made[1]) != made[1] &&
		(r.indented || !strings.Contains(e, "(") || strings.Contains(e, "::new(")) {
		return r.newObject(made[1])
	}
	flat := outermost(e)
	if testOf.MatchString(flat) {
		return r.noun("whether "+r.condition(e), "the answer of a test", "a truth value")
	}
	if identifier.FindString(e) == e || attribute.FindString(e) == e || ownObject.FindString(e) == e {
		if s := r.subject(e); s != r.something() {
			return s
		}
		return r.noun("what it has worked out", "the result", "the outcome")
	}
	if name := r.helper(e); name != "" {
		return r.named(name, "what the % helper gives", r.noun("what a helper gives", "what another routine supplies"))
	}
	if arithmetic.MatchString(flat) {
		return r.noun("a calculated number", "a computed amount", "a worked-out figure")
	}
	return r.noun("what it has worked out", "the result", "the outcome")
}

// choice takes a conditional expression apart, in either notation.
func choice(e string) (test, yes, no string, ok bool) {
	if head, rest, found := strings.Cut(e, "?"); found {
		if parts := topLevel(rest, ":"); len(parts) == 2 && !strings.HasPrefix(rest, ".") {
			return head, parts[0], parts[1], true
		}
	}
	if parts := topLevel(e, " if "); len(parts) == 2 {
		if rest := topLevel(parts[1], " else "); len(rest) == 2 {
			return rest[0], parts[0], rest[1], true
		}
	}
	return "", "", "", false
}

// either is the phrase for a conditional expression.
func (r reader) either(test, yes, no string) string {
	plain := r.noun("one of two values, depending on a condition", "either of two outcomes")
	if _, _, _, nested := choice(no); nested {
		return plain
	}
	a, b, when := r.value(yes), r.value(no), r.condition(test)
	if a == b || when == r.holds() {
		return plain
	}
	return r.noun("either "+a+" or "+b+", depending on whether "+when, plain)
}

// result is the noun phrase for what a statement hands back.
func (r reader) result(st *statement) string {
	e := strings.TrimSpace(yieldWord.ReplaceAllString(returnWord.ReplaceAllString(st.text, ""), ""))
	if e == "" && len(st.inner) > 0 {
		return r.noun("a record of several fields", "something with several parts")
	}
	if r.chain(e) != "" {
		return r.value("it")
	}
	return r.value(e)
}

// outermost is an expression without what its brackets hold.
func outermost(e string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(e); i++ {
		closes := strings.IndexByte(")]}", e[i]) >= 0
		if closes {
			depth--
		}
		if depth <= 0 {
			b.WriteByte(e[i])
		}
		if strings.IndexByte("([{", e[i]) >= 0 {
			depth++
		}
	}
	return b.String()
}

func (r reader) newObject(name string) string {
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == ':' || c == '.' })
	plain := r.noun("a new object", "a fresh instance", "something fresh")
	if len(parts) == 0 {
		return plain
	}
	return r.named(parts[len(parts)-1], "a new % object", plain)
}

// failing says how a statement fails.
func (r reader) failing(e string) string {
	plain := r.noun("signals an error", "signals a failure", "breaks off")
	m := failureName.FindStringSubmatch(e)
	if m == nil {
		return plain
	}
	parts := strings.FieldsFunc(m[1], func(c rune) bool { return c == ':' || c == '.' })
	if len(parts) == 0 || len(parts[len(parts)-1]) < 4 {
		return plain
	}
	return r.named(parts[len(parts)-1], "fails with %", plain)
}
