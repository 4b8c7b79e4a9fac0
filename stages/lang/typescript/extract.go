package typescript

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

var reference = regexp.MustCompile(`^///\s*<reference\s+path\s*=\s*(?:"([^"]+)"|'([^']+)')`)

// Bounds on hostile files.
const (
	maxSpecifier = 1 << 10 // bytes; longer ones are not imports
	maxImports   = 1 << 16 // of a file
)

// extract lists imports: Path is the specifier, Kind how it was written
// ("import", "export", "require", "dynamic" or "reference").
func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	type found struct {
		at uint32
		im lang.Import
	}
	var all []found
	add := func(kind string, at int32, specifier string) {
		if specifier != "" && len(specifier) <= maxSpecifier {
			all = append(all, found{t.Nodes[at].Start, lang.Import{Kind: kind, Path: specifier}})
		}
	}
	for _, i := range m["import"] {
		if s := t.Child(i, "source"); s != treesitter.NoNode {
			add("import", s, literal(t.Text(s)))
			continue
		}
		for c := range t.Children(i) { // import x = require("...")
			if s := t.Child(c, "source"); s != treesitter.NoNode {
				add("require", s, literal(t.Text(s)))
			}
		}
	}
	for _, s := range m["export"] {
		add("export", s, literal(t.Text(s)))
	}
	for _, s := range m["argument"] {
		switch callee(t.Source[:t.Nodes[s].Start], f.Comments) {
		case "require":
			add("require", s, literal(t.Text(s)))
		case "import":
			add("dynamic", s, literal(t.Text(s)))
		}
	}
	for _, c := range m["comment"] {
		if bytes.HasPrefix(t.Source[t.Nodes[c].Start:], []byte("///")) {
			if r := reference.FindStringSubmatch(t.Text(c)); r != nil {
				add("reference", c, r[1]+r[2])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	for _, one := range all[:min(len(all), maxImports)] {
		f.Imports = append(f.Imports, one.im)
	}
}

// literal is the text of a string or template, "" where more than reading it is
// needed to know its value.
func literal(quoted string) string {
	if len(quoted) < 2 || strings.ContainsAny(quoted, "\\\n") || strings.Contains(quoted, "${") {
		return ""
	}
	return quoted[1 : len(quoted)-1]
}

// callee is "require" or "import" when before ends in a call of it and a
// parenthesis, so that its first argument comes next.
func callee(before []byte, comments []lang.Span) string {
	before = withoutBlanks(before, comments)
	before, ok := bytes.CutSuffix(before, []byte("("))
	if !ok {
		return ""
	}
	before = withoutBlanks(before, comments)
	for _, word := range []string{"require", "import"} {
		if rest, ok := bytes.CutSuffix(before, []byte(word)); ok && !endsInWord(rest) {
			return word
		}
	}
	return ""
}

// endsInWord reports whether a word right after the text would be a part of
// another one, or a property. Three dots are a spread.
func endsInWord(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	b := text[len(text)-1]
	return b == '_' || b == '$' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' ||
		b == '.' && !bytes.HasSuffix(text, []byte("..."))
}

// withoutBlanks cuts blanks and comments off the end.
func withoutBlanks(text []byte, comments []lang.Span) []byte {
	for {
		text = bytes.TrimRight(text, " \t\r\n")
		i, _ := slices.BinarySearchFunc(comments, len(text), func(c lang.Span, end int) int { return c.Start - end })
		if i == 0 || comments[i-1].End < len(text) {
			return text
		}
		text = text[:comments[i-1].Start]
	}
}
