package lang

import (
	"bytes"
	"slices"
	"sort"

	"benchmill/internal/treesitter"
)

const blanks = " \t\r\n\f\v"

// End is where the statement ends that a program writes on at cursor, a byte
// offset of a whole tree ([Language.ParseWhole]); see [Ends.At].
func (s *Statements) End(t *treesitter.Tree, cursor int) (int, bool) {
	return s.Ends(t).At(cursor)
}

// Ends knows where the statements of one file end. It is safe for concurrent use,
// and each question costs little, however long lines and statements are.
type Ends struct {
	source []byte
	nodes  []treesitter.Node
	byMark bool
	marks  []int // ends of the marks

	leaves    []int32 // in source order, none empty
	code      []int32 // those that are no comments
	bodies    []int32
	starts    []int32 // all statements, in source order
	statement []int32 // of each node: the innermost one that it is of, not in a body of
}

// Ends prepares the file for questions.
func (s *Statements) Ends(t *treesitter.Tree) *Ends {
	e := &Ends{source: t.Source, nodes: t.Nodes, byMark: s.Marks != ""}
	if e.byMark {
		for at, rest := 0, t.Source; ; {
			i := bytes.IndexAny(rest, s.Marks)
			if i < 0 {
				break
			}
			at, rest = at+i+1, rest[i+1:]
			e.marks = append(e.marks, at)
		}
	}
	e.statement = make([]int32, len(t.Nodes))
	for i := range t.Nodes {
		i, n := int32(i), &t.Nodes[i]
		kind := t.Kind(i)
		body := slices.Contains(s.Bodies, kind)
		if body {
			e.bodies = append(e.bodies, i)
		}
		switch {
		case slices.Contains(s.Nodes, kind), !body && s.listed(t, i):
			e.statement[i] = i
			e.starts = append(e.starts, i)
		case body, n.Parent == treesitter.NoNode:
			e.statement[i] = treesitter.NoNode
		default:
			e.statement[i] = e.statement[n.Parent]
		}
		if n.Next == i+1 && n.Start < n.End {
			e.leaves = append(e.leaves, i)
			if !IsComment(t, i) {
				e.code = append(e.code, i)
			}
		}
	}
	return e
}

// listed reports whether a node is a statement for where it stands.
func (s *Statements) listed(t *treesitter.Tree, i int32) bool {
	n := &t.Nodes[i]
	return n.Parent != treesitter.NoNode && n.Named() && slices.Contains(s.Lists, t.Kind(n.Parent)) && !IsComment(t, i)
}

// At is where the statement ends that is written on at a cursor. Among blanks the
// cursor stands before what follows them. There is no end where no statement holds
// the cursor.
//
// With Marks it is the end of the first mark, in strings and comments too: that
// is how completions are cut, and they cannot be parsed. With Nodes it is the end
// of the node's last token before the first body that follows the cursor, so that
// neither a body nor a comment before it belongs to the statement.
func (e *Ends) At(cursor int) (int, bool) {
	if cursor < 0 || cursor >= len(e.source) {
		return 0, false
	}
	if e.byMark {
		i := sort.SearchInts(e.marks, cursor+1)
		if i == len(e.marks) {
			return 0, false
		}
		return e.marks[i], true
	}
	at := uint32(len(e.source) - len(bytes.TrimLeft(e.source[cursor:], blanks)))
	leaf := sort.Search(len(e.leaves), func(i int) bool { return e.nodes[e.leaves[i]].End > at })
	if leaf == len(e.leaves) {
		return 0, false
	}
	statement := e.statement[e.leaves[leaf]]
	if statement == treesitter.NoNode || e.nodes[statement].Start > at {
		return 0, false
	}
	limit, head := e.before(e.bodies, statement, at, e.nodes[statement].End)
	if head {
		limit, _ = e.before(e.starts, statement, at, limit)
	}
	last := e.startingAt(e.code, limit) - 1
	if last < 0 || e.nodes[e.code[last]].End <= at {
		return 0, false
	}
	return int(e.nodes[e.code[last]].End), true
}

// before is where the first node of a list starts that is below a statement and
// not before a place, or limit if there is none; and whether the statement itself
// is of the list.
func (e *Ends) before(list []int32, statement int32, at, limit uint32) (uint32, bool) {
	inside, found := slices.BinarySearch(list, statement)
	if found {
		inside++
	}
	if b := max(inside, e.startingAt(list, at)); b < len(list) && list[b] < e.nodes[statement].Next {
		limit = min(limit, e.nodes[list[b]].Start)
	}
	return limit, found
}

// PastComment is the end of a comment that follows an end on the same line, else
// that end itself.
func (e *Ends) PastComment(end int) int {
	at := uint32(len(e.source) - len(bytes.TrimLeft(e.source[end:], " \t")))
	next := e.startingAt(e.leaves, at)
	if next == len(e.leaves) || e.nodes[e.leaves[next]].Start != at {
		return end
	}
	leaf := e.leaves[next]
	if code := e.startingAt(e.code, at); code < len(e.code) && e.code[code] == leaf {
		return end
	}
	return int(e.nodes[leaf].End)
}

// startingAt is the index of the first node in a list in source order that starts
// at a byte or later.
func (e *Ends) startingAt(list []int32, at uint32) int {
	return sort.Search(len(list), func(i int) bool { return e.nodes[list[i]].Start >= at })
}
