package crosscodeeval

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/schemas"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// farthest is how many tokens a cursor can stand before its name. References of so
// many are too long for any filter, but lines of a megabyte exist.
const farthest = 256

// Cut parts a file into prompt, reference and right context: the reference runs
// from Cursor to End, in bytes.
type Cut struct{ Cursor, End int }

// Source is a file that can be cut.
type Source struct {
	rule   rule
	text   []byte
	tokens []lang.Token
	ends   *lang.Ends
}

// NewSource parses a file. compat is that of [ExamplesConfig].
func NewSource(l *lang.Language, path, text, compat string, limits treesitter.Limits) (*Source, error) {
	if l.Statements == nil {
		return nil, fmt.Errorf("%s: nothing says where statements end", l.Title)
	}
	t, err := l.ParseWhole(path, []byte(text), limits)
	if err != nil {
		return nil, err
	}
	return &Source{ruleOf(l.Name, compat), t.Source, lang.Tokens(t), l.Statements.Ends(t)}, nil
}

// End is where the reference ends whose cursor is given.
func (s *Source) End(cursor int) (int, bool) {
	end, ok := s.ends.At(cursor)
	if ok && s.rule.Comment {
		end = s.ends.PastComment(end)
	}
	return end, ok
}

// Cuts lists the cuts that ask for a name, ascending by cursor: the cursor is one
// of the language's rule, on the line of the name, and the statement from there
// holds all of it. reason is why there are none.
func (s *Source) Cuts(u schemas.CrossFileUse) (cuts []Cut, reason string) {
	start, end := int(u.Start), int(u.End)
	if start < 0 || end <= start || end > len(s.text) {
		return nil, reasonNoToken
	}
	name, ok := slices.BinarySearchFunc(s.tokens, start, func(t lang.Token, at int) int { return cmp.Compare(t.Start, at) })
	if !ok {
		return nil, reasonNoToken
	}
	for _, cursor := range s.cursors(u, name) {
		if to, ok := s.End(cursor); ok && to >= end {
			cuts = append(cuts, Cut{cursor, to})
		}
	}
	if len(cuts) == 0 {
		return nil, reasonNoStatement
	}
	return cuts, ""
}

// cursors are the places the rule allows for a name, which is a token by its index.
func (s *Source) cursors(u schemas.CrossFileUse, name int) []int {
	start := s.tokens[name].Start
	line := bytes.LastIndexByte(s.text[:start], '\n') + 1
	last := name
	switch s.rule.Cursor {
	case cursorName:
		return []int{start}
	case cursorLine:
		return []int{line}
	case cursorBefore:
		last--
		if u.Kind == bind.KindMember {
			last--
		}
	}
	var out []int
	for i := last; i >= max(0, name-farthest) && s.tokens[i].Start >= line; i-- {
		out = append(out, s.tokens[i].Start)
	}
	if len(out) == 0 { // nothing stands before the name
		return []int{start}
	}
	slices.Reverse(out)
	return out
}
