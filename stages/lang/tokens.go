package lang

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
)

// Grammars name nodes alike: a comment's kind says "comment", a string's
// "string", code inside a string is an "interpolation" or a "substitution". The
// functions here rely on it, and a test holds every registered language to it.

// IsComment reports whether a node is a comment.
func IsComment(t *treesitter.Tree, i int32) bool {
	return t.Nodes[i].Named() && strings.Contains(t.Kind(i), "comment")
}

func isString(t *treesitter.Tree, i int32) bool {
	kind := t.Kind(i)
	return t.Nodes[i].Named() && (strings.Contains(kind, "string") || kind == "char_literal" || kind == "character_literal" || kind == "regex")
}

func isEmbeddedCode(t *treesitter.Tree, i int32) bool {
	kind := t.Kind(i)
	return kind == "interpolation" || strings.HasSuffix(kind, "_substitution") || strings.HasPrefix(kind, "interpolated_")
}

// Token is the smallest part of a program, by its bytes.
type Token struct {
	Span
	String bool // a string literal
}

// Tokens lists the tokens of a whole tree ([Language.ParseWhole]), by their
// starts. Comments are none. A string literal is one token, and tokens of code
// embedded in it follow it, although they lie inside.
func Tokens(t *treesitter.Tree) []Token {
	var out []Token
	inString := make([]bool, len(t.Nodes)) // the node is text of a string
	after := int32(0)                      // the end of a comment's nodes
	for i := range t.Nodes {
		i, n := int32(i), &t.Nodes[i]
		if i < after {
			continue
		}
		inString[i] = n.Parent != treesitter.NoNode && inString[n.Parent]
		isText := isString(t, i)
		switch {
		case !isText && isEmbeddedCode(t, i):
			inString[i] = false
			if n.Next == i+1 && n.Start < n.End { // a name alone
				out = append(out, Token{Span{int(n.Start), int(n.End)}, false})
			}
		case inString[i]:
		case IsComment(t, i):
			after = n.Next
		case n.Start == n.End: // made up by the parser
		case isText:
			inString[i] = true
			out = append(out, Token{Span{int(n.Start), int(n.End)}, true})
		case n.Next == i+1:
			out = append(out, Token{Span{int(n.Start), int(n.End)}, false})
		}
	}
	return out
}

// ImportLines lists the lines, 0-based and ascending, that imports stand on.
func (l *Language) ImportLines(path string, src []byte, limits treesitter.Limits) ([]int, error) {
	t, s, err := l.Parse(path, src, limits)
	if err != nil {
		return nil, err
	}
	var out []int
	s.query.Matches(t, func(m treesitter.Match) {
		if i, ok := m.Get("import"); ok {
			n := &t.Nodes[i]
			end := n.EndRow
			if n.EndCol == 0 && end > n.StartRow {
				end-- // the node ends with the break of its last line
			}
			for row := n.StartRow; row <= end; row++ {
				out = append(out, int(row))
			}
		}
	})
	slices.Sort(out)
	return slices.Compact(out), nil
}
