package extractive

import (
	"regexp"
	"strings"
	"unicode"
)

// function is a subject, read.
type function struct {
	reader
	code      scanned
	body      []*statement
	doc       prose
	signature string
	returns   string // the result's type, "" when it is not written
	method    bool   // it belongs to an object
	shape     shape
}

// Describe describes the function of a subject; see the keys above.
func Describe(subject map[string]string) Description {
	f := read(subject)
	d := Description{Purpose: f.purpose(), Input: f.input()}
	d.Output, d.Procedure = f.output(d.Purpose), f.procedure()
	d.Purpose = f.guard(d.Purpose, "Carries out one well-defined piece of work", "Performs a single job")
	d.Input = f.guard(d.Input, "What the caller supplies", "Whatever is supplied")
	d.Output = f.guard(d.Output, "Whatever follows from the work it does", "An outcome")
	d.Procedure = f.guard(d.Procedure, "It runs through a few plain statements", "A handful of plain instructions")
	return d
}

// plainText drops control characters other than those that part words and lines.
func plainText(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' {
		return ' '
	}
	return r
}

func read(raw map[string]string) function {
	subject := make(map[string]string, len(raw))
	for key, text := range raw {
		subject[key] = strings.Map(plainText, strings.ToValidUTF8(text, "\uFFFD"))
	}
	params := list(subject[KeyParams])
	kept := params[:0:0]
	identifiers := []string{subject[KeyName]}
	for _, p := range params {
		whole := p
		words := strings.Fields(strings.TrimLeft(p, "*&. "))
		if len(words) == 0 {
			continue
		}
		if p = words[len(words)-1]; p != "self" && p != "this" && p != "cls" && p != "_" {
			kept = append(kept, p)
			identifiers = append(identifiers, whole)
		}
	}
	identifiers = append(identifiers, list(subject[KeyLocals])...)
	identifiers = append(identifiers, list(subject[KeyAvoid])...)

	f := function{
		reader:    reader{writer: writer{newBanned(identifiers...), subject[KeyName], kept}},
		code:      scan(subject[KeyCode]),
		signature: subject[KeySignature],
		returns:   strings.TrimSpace(subject[KeyReturns]),
	}
	if f.signature == "" {
		f.signature = f.code.header
	}
	if f.returns == "" {
		f.returns = returnType(f.signature)
	}
	f.returns = strings.TrimSpace(strings.TrimLeft(f.returns, "->: "))
	if m := receiver.FindStringSubmatch(f.signature); m != nil {
		f.code.body = regexp.MustCompile(`\b`+m[1]+`\b`).ReplaceAllString(f.code.body, "self")
	}
	f.indented = f.code.indented
	f.gives = f.returns != "" && f.typePhrase(f.returns) != f.value("None") || strings.HasSuffix(strings.TrimSpace(f.code.header), "=>")
	f.body = statements(f.code)
	f.doc = readProse(subject[KeyDoc], kept)
	f.method = ownReceiver.MatchString(f.signature) || ownUse.MatchString(f.code.body)
	f.shape = f.measure()
	return f
}

var (
	ownReceiver = regexp.MustCompile(`\(\s*(?:&(?:'\w+\s+)?(?:mut\s+)?)?(?:mut\s+)?(?:self|cls)\b|^\s*func\s*\(`)
	receiver    = regexp.MustCompile(`^\s*func\s*\(\s*([A-Za-z_]\w*)\s`)
	ownUse      = regexp.MustCompile(`\b(?:self|this|cls|Self)\b\s*(?:\.|->|::)`)
)

// shape counts what the text of a function holds.
type shape struct {
	loops, nested, branches, exits, failures int
	recursive, changesOwn, yields            bool
	values                                   []string // what it hands back, distinct, in order
}

// ownCall finds calls that are not made on another object.
var ownCall = regexp.MustCompile(`(?:^|[^\w.>:$]|\b(?:self|this|cls|Self)(?:\.|->|::))([A-Za-z_$][\w$]*)\s*\(`)

func (f function) measure() shape {
	var s shape
	seen := map[string]bool{}
	give := func(st *statement) {
		if v := f.result(st); !seen[v] {
			seen[v] = true
			s.values = append(s.values, v)
		}
	}
	each(f.body, func(st *statement, loops int, inner bool) {
		text := st.text
		switch {
		case inner && (returnWord.MatchString(text) || yieldWord.MatchString(text)):
		case isLoop(text):
			s.loops++
			if loops > 0 {
				s.nested++
			}
		case ifWord.MatchString(text), caseWord.MatchString(text) && !strings.HasPrefix(text, "default"):
			s.branches++
		case raiseWord.MatchString(text):
			s.failures++
		case returnWord.MatchString(text):
			s.exits++
			give(st)
		case yieldWord.MatchString(text):
			s.yields = true
			give(st)
		}
		if ownAssign.MatchString(text) {
			s.changesOwn = true
		}
		for _, m := range ownCall.FindAllStringSubmatch(text, -1) {
			// Beside its methods an object's module may have a function of the same name.
			own := !ownReceiver.MatchString(f.signature) || ownUse.MatchString(m[0])
			s.recursive = s.recursive || own && m[1] == f.name && f.name != ""
		}
	})
	if n := len(f.body); n > 0 && !returnWord.MatchString(f.body[n-1].text) && f.tail(f.body[n-1]) &&
		!isLoop(f.body[n-1].text) && !ifWord.MatchString(f.body[n-1].text) && !choiceWord.MatchString(f.body[n-1].text) {
		give(f.body[n-1])
	}
	s.recursive = s.recursive && s.loops+s.branches > 0 // else it calls a namesake
	return s
}

// guard is the last look at a part: sentences with a banned word fall away, and a
// part that lost all of them gets the first fallback that can be said. The very
// last one is made of words that are never banned.
func (f function) guard(part string, fallbacks ...string) string {
	var kept []string
	for _, s := range strings.SplitAfter(part, ". ") {
		if strings.Trim(s, ". ") != "" && !f.banned.hasAny(s) {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	if len(kept) > 0 {
		return strings.Join(kept, " ")
	}
	for _, s := range fallbacks {
		if s, ok := f.rephrase(s, false); ok {
			return s + "."
		}
	}
	return "It is what it is."
}

// period ends a sentence and begins it with a capital.
func period(s string) string {
	s = strings.TrimSpace(strings.TrimRight(s, ".,;: "))
	if s == "" {
		return ""
	}
	s = upperFirst(s)
	if strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

func paragraph(sentences ...string) string {
	var out []string
	for _, s := range sentences {
		if s = period(s); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}
