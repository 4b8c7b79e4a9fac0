package callgraph

import (
	"cmp"
	"slices"

	"benchmill/internal/treesitter"
)

// definitionAt is where a function with a body stands.
type definitionAt struct {
	start, body, end int32
	first            int   // its first token
	node             int32 // of the tree, or NoNode where the grammar could not read it
}

// definitions finds the functions of the file: those that the grammar sees and, in C,
// those it does not, since macros before or in them are no C. What the braces say of
// their ends holds.
func (x *reader) definitions() {
	byBody := map[int32]int{}
	records := map[int32]bool{}
	for i := range x.t.Nodes {
		at := int32(i)
		n := &x.t.Nodes[at]
		k := x.kinds.of(n.Kind)
		if k == recordKind || k == enumKind {
			if body := x.t.Child(at, "body"); body != treesitter.NoNode {
				records[int32(x.t.Nodes[body].Start)] = true
			}
		}
		if k != functionKind {
			continue
		}
		body := x.t.Child(at, "body")
		if body == treesitter.NoNode || x.kind(body) != compoundKind && x.t.Kind(body) != "try_statement" || x.t.Nodes[body].Missing() {
			continue
		}
		d := definitionAt{body: int32(x.t.Nodes[body].Start), end: int32(n.End), node: at}
		if i := x.scan.index(d.body); i >= len(x.scan.starts) || x.scan.starts[i] != d.body {
			continue // surely off, or no code to a compiler
		}
		byBody[d.body] = len(x.defs)
		x.defs = append(x.defs, d)
	}
	ends := map[int32]int32{} // of bodies that braces and the grammar part differently
	if !x.cpp {
		for _, b := range x.bodies() {
			open, end := x.scan.starts[b.open], x.scan.starts[b.shut]+1
			if i, ok := byBody[open]; ok {
				if x.defs[i].end != end {
					ends[open] = end
				}
			} else if name := x.header(max(0, b.open-maxHeader), b.open); !records[open] && name >= 0 {
				x.defs = append(x.defs, definitionAt{body: open, end: end, first: x.beginOf(name), node: treesitter.NoNode})
			}
		}
	}
	for i := range x.defs {
		d := &x.defs[i]
		if end, ok := ends[d.body]; ok {
			d.end = end
		}
		if d.node != treesitter.NoNode {
			d.first = x.first(x.scan.index(int32(x.t.Nodes[d.node].Start)), x.scan.index(d.body))
		}
		d.start = min(x.scan.starts[d.first], d.body)
	}
	slices.SortStableFunc(x.defs, func(a, b definitionAt) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
}

// first is the first token of a definition that the grammar lets begin with one
// token: macros in front may belong to it, and what seems to may generate code of
// its own.
func (x *reader) first(from, body int) int {
	for i := from; i+1 < body; i++ {
		if x.scan.toks[i] == tokOpen {
			shut := x.closing(i)
			if shut < 0 || shut+1 >= body {
				break
			}
			if i == from+1 && x.parted(shut, shut+1) {
				return shut + 1
			}
			i = shut
		}
	}
	return x.begin(from)
}

// body is a pair of braces, by its tokens.
type body struct{ open, shut int }

// bodies are the outermost pairs of braces behind parentheses that end a
// declaration. Where branches of #if open different numbers of them, the first
// branch says how deep the text behind #endif stands.
func (x *reader) bodies() []body {
	var out []body
	var saved []int // depths at the open #ifs, and behind the first branch of each
	deep, open := 0, -1
	linkage := 0 // braces of extern "C"
	next := 0
	toks := x.scan.toks
	for i, t := range toks {
		for next < len(x.scan.turns) && int(x.scan.turns[next].tok) <= i {
			switch n := len(saved); x.scan.turns[next].how {
			case 1:
				saved = append(saved, deep, -1)
			case 0:
				if n > 0 {
					if saved[n-1] < 0 {
						saved[n-1] = deep
					}
					deep = saved[n-2]
				}
			default:
				if n > 0 {
					if saved[n-1] >= 0 {
						deep = saved[n-1]
					}
					saved = saved[:n-2]
				}
			}
			next++
		}
		switch t {
		case tokBrace:
			if deep == 0 && i > 0 && toks[i-1] == tokString {
				linkage++
				continue
			}
			if deep == 0 {
				open = i
			}
			deep++
		case tokCurly:
			if deep == 0 {
				linkage--
				continue
			}
			if deep--; deep == 0 && open >= 0 {
				if x.opensBody(open) {
					out = append(out, body{open, i})
				}
				open = -1
			}
		}
	}
	return out
}

// opensBody reports whether parentheses stand before a brace, and perhaps names.
func (x *reader) opensBody(i int) bool {
	for i--; i >= 0; i-- {
		switch t := x.scan.toks[i]; {
		case t == tokShut:
			return true
		case t < 0:
			return false
		}
	}
	return false
}

// beginOf is the first token of the definition whose name is a token.
func (x *reader) beginOf(name int) int {
	for name > 0 && (x.scan.toks[name-1] == tokOpen || x.scan.toks[name-1] == tokStar) {
		name--
	}
	return x.begin(name)
}
