package cfamily

import (
	"bytes"
	"strings"

	"benchmill/internal/treesitter"
)

// Mend is a tree of the same text in which macros that stand for attributes are taken
// for blanks, so that the grammar understands the declarations around them:
// EXPORT in "class EXPORT A {", ALIGNED in "ALIGNED(class) A {", INLINE in
// "INLINE A *f() {". Such a macro is told by its capital letters and by what it stands
// next to. Where there are none, or the text cannot be parsed then, it is t itself.
func Mend(t *treesitter.Tree, limits treesitter.Limits) *treesitter.Tree {
	m := mender{src: t.Source}
	m.split()
	if !m.blank() {
		return t
	}
	mended, err := treesitter.Parse(m.out, t.Grammar, nil, limits)
	if err != nil || mended.ErrorBytes > t.ErrorBytes {
		return t
	}
	mended.Source = t.Source // of the same length
	return mended
}

// mender looks for such macros.
type mender struct {
	src, out []byte
	words    []word
	classes  map[string]bool // names after class or struct
}

// word is a name, or a sign with the kind that is its byte.
type word struct {
	start, end int32
	kind       byte
}

// Kinds of words beside signs.
const (
	nameWord    = 'a'
	capitalWord = 'A' // a name without small letters
	keyWord     = 'k' // begins declarations
	classWord   = 'c' // class, struct, union, enum
	afterWord   = 'q' // const, noexcept, override, final
	noWord      = 0
)

var wordKinds = map[string]byte{
	"class": classWord, "struct": classWord, "union": classWord, "enum": classWord,
	"const": afterWord, "noexcept": afterWord, "override": afterWord, "final": afterWord,
	"inline": keyWord, "static": keyWord, "explicit": keyWord, "virtual": keyWord, "template": keyWord, "friend": keyWord, "void": keyWord,
	"bool": keyWord, "int": keyWord, "float": keyWord, "double": keyWord, "unsigned": keyWord, "char": keyWord, "long": keyWord, "short": keyWord,
	"constexpr": keyWord, "typename": keyWord, "extern": keyWord, "auto": keyWord, "typedef": keyWord,
}

// split finds the words outside of comments, literals and directives.
func (m *mender) split() {
	src := m.src
	fresh := true // nothing but blanks in this line so far
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c <= ' ':
			i++
			continue
		case c == '#' && fresh:
			i = directiveEnd(src, i)
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			i = lineEnd(src, i)
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			if n := bytes.Index(src[i+2:], []byte("*/")); n >= 0 {
				i += n + 4
			} else {
				i = len(src)
			}
			continue
		}
		fresh = false
		start := i
		switch {
		case c == '"' || c == '\'':
			i = literalEnd(src, i)
			m.words = append(m.words, word{int32(start), int32(i), '"'})
		case isWord(c):
			capitals := false
			small := false
			for ; i < len(src) && isWord(src[i]); i++ {
				capitals = capitals || src[i] >= 'A' && src[i] <= 'Z'
				small = small || src[i] >= 'a' && src[i] <= 'z'
			}
			kind := wordKinds[string(src[start:i])]
			if kind == noWord {
				kind = nameWord
				if capitals && !small && i-start > 2 && c > '9' {
					kind = capitalWord
				}
			}
			m.words = append(m.words, word{int32(start), int32(i), kind})
		default:
			i++
			m.words = append(m.words, word{int32(start), int32(i), c})
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func lineEnd(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// directiveEnd is the end of a line that may go on in others.
func directiveEnd(src []byte, i int) int {
	for {
		end := lineEnd(src, i)
		if end == len(src) || !bytes.HasSuffix(bytes.TrimRight(src[i:end], "\r"), []byte(`\`)) {
			return end
		}
		i = end + 1
	}
}

// literalEnd is the end of a literal in quotes, at the latest that of its line.
func literalEnd(src []byte, i int) int {
	quote := src[i]
	for i++; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(src))
}

// kind is that of a word, which may be past the ends.
func (m *mender) kind(i int) byte {
	if i < 0 || i >= len(m.words) {
		return noWord
	}
	return m.words[i].kind
}

// is reports whether a word is this text.
func (m *mender) is(i int, text string) bool {
	return i >= 0 && i < len(m.words) && m.text(i) == text
}

func (m *mender) text(i int) string { return string(m.src[m.words[i].start:m.words[i].end]) }

// blank writes blanks over the macros, and reports whether there are any.
func (m *mender) blank() bool {
	m.classes = map[string]bool{}
	for i := range m.words {
		if k := m.kind(i - 1); m.words[i].kind == nameWord && (k == classWord || (k == ')' || k == capitalWord) && m.kind(i-2) == classWord) {
			m.classes[m.text(i)] = true
		}
	}
	for i := range m.words {
		if m.words[i].kind != capitalWord {
			continue
		}
		switch {
		case m.kind(i+1) == '(' && m.kind(i+2) == classWord && m.kind(i+3) == ')':
			m.hide(i)
			m.hide(i + 1)
			m.hide(i + 3)
		case m.kind(i-1) == classWord:
			m.ofClass(i)
		case m.kind(i+1) == '(' && m.kind(i+3) == ')' && m.kind(i+4) == nameWord && strings.IndexByte(";[=", m.kind(i+5)) >= 0 &&
			(m.kind(i+2) == nameWord || m.kind(i+2) == keyWord):
			m.hide(i) // ALIGNED(A) a;
			m.hide(i + 1)
			m.hide(i + 3)
		case m.attribute(i):
			m.hide(i)
		}
	}
	return m.out != nil
}

// ofClass hides a macro between class and the name of one with a body.
func (m *mender) ofClass(i int) {
	last := i
	if m.kind(i+1) == '(' {
		for last = i + 2; last < i+8 && m.kind(last) != ')'; last++ {
		}
	}
	if k := m.kind(last + 1); k != nameWord && k != capitalWord {
		return
	}
	if k := m.kind(last + 2); k == '{' || k == ':' && m.kind(last+3) != ':' || k == afterWord {
		for j := i; j <= last; j++ {
			m.hide(j)
		}
	}
}

// attribute reports whether a macro is one of a function or variable, by what stands
// around it.
func (m *mender) attribute(i int) bool {
	before, next := m.kind(i-1), m.kind(i+1)
	switch {
	case (before == ')' || before == afterWord) && (next == '{' || before == afterWord && next == ';'):
		return true // f() const MACRO {
	case before == '.' || before == '>' && m.kind(i-2) == '-' || before == ':' && m.kind(i-2) == ':' || m.is(i-1, "operator"):
		return false
	case next == keyWord || next == classWord:
		return true
	case next == capitalWord || m.is(i+1, "const"):
		return m.kind(i+2) == nameWord || m.kind(i+2) == capitalWord || m.kind(i+2) == keyWord
	case next != nameWord:
		return false
	case m.kind(i+2) == '(': // before a constructor
		return before != keyWord && m.classes[m.text(i+1)] || m.is(i-1, "explicit")
	}
	j := i + 2
	for j < i+12 && m.kind(j) == ':' && m.kind(j+1) == ':' && m.kind(j+2) == nameWord { // of a qualified type
		j += 3
	}
	if m.kind(j) == '<' {
		return true // of a template
	}
	for m.kind(j) == '*' || m.kind(j) == '&' {
		j++
	}
	return m.kind(j) == nameWord || m.kind(j) == capitalWord
}

// hide writes blanks over a word.
func (m *mender) hide(i int) {
	if m.out == nil {
		m.out = bytes.Clone(m.src)
	}
	for k := m.words[i].start; k < m.words[i].end; k++ {
		m.out[k] = ' '
	}
}
