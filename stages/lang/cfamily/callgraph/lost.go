package callgraph

import (
	"cmp"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
)

// The graphs that YABLoCo published were made without the headers that come with a
// compiler, so that names which only these declare meant nothing: an expression with
// one in it was dropped whole, one with a variable of such a type as well, and a
// function with one in its head was, mostly, never called. [Options.Upstream] drops the same.

// lostNames are names of those headers.
var lostNames = map[string]bool{
	"NULL": true, "size_t": true, "ptrdiff_t": true, "wchar_t": true, "offsetof": true, "max_align_t": true,
	"va_list": true, "va_start": true, "va_end": true, "va_copy": true, "va_arg": true,
	"bool": true, "true": true, "false": true,
	"DBL_MAX": true, "DBL_MIN": true, "DBL_DIG": true, "DBL_EPSILON": true, "DBL_MANT_DIG": true, "FLT_MAX": true, "FLT_MIN": true, "FLT_EPSILON": true,
}

// losing looks at a leaf of the open function: what it loses is noted.
func (x *reader) losing(at int32) {
	n := &x.t.Nodes[at]
	text := x.t.Source[n.Start:n.End]
	if len(text) > 12 || !lostNames[string(text)] {
		return
	}
	x.lose(at)
}

// losingName does the same for a name, which may be that of a local of a lost type.
func (x *reader) losingName(at, id int32) {
	if int(id) < len(x.lostLocals) && x.lostLocals[id] == x.caller+1 {
		x.lose(at)
	}
}

// loseLocal notes a local of a lost type.
func (x *reader) loseLocal(id int32) {
	for int(id) >= len(x.lostLocals) {
		x.lostLocals = append(x.lostLocals, make([]int32, len(x.lostLocals)+64)...)
	}
	x.lostLocals[id] = x.caller + 1
}

// maxLost bounds the nodes above one that are looked through.
const maxLost = 200

// lose notes the widest expression around a node.
func (x *reader) lose(at int32) {
	for range maxLost {
		parent := x.t.Nodes[at].Parent
		if parent == treesitter.NoNode {
			return
		}
		if !x.statements.of(x.t.Nodes[parent].Kind) {
			at = parent
			continue
		}
		n := &x.t.Nodes[at]
		x.lost = append(x.lost, span{int32(n.Start), int32(n.End)})
		return
	}
}

// lostHead reports whether a lost name stands between two tokens.
func (x *reader) lostHead(from, to int) bool {
	for i := from; i < to && i-from < maxHeader; i++ {
		if t := x.scan.toks[i]; t >= 0 && lostNames[x.names.String(int32(t))] {
			return true
		}
	}
	return false
}

// mark marks the calls that are lost.
func (x *reader) mark() {
	slices.SortFunc(x.lost, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := x.lost[:0]
	for _, s := range x.lost {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	for i := range x.sites {
		x.sites[i].lost = inside(merged, x.sites[i].at)
	}
}

// statements says of a grammar's kinds by number whether an expression ends there.
type statements []bool

func (s statements) of(id uint16) bool { return int(id) >= len(s) || s[id] }

func newStatements(g *treesitter.Grammar) statements {
	out := make(statements, maxKinds)
	for id := range out {
		name := g.KindName(uint16(id))
		out[id] = strings.HasSuffix(name, "_statement") || name == "declaration" || name == "function_definition" || name == "else_clause" || name == "ERROR"
	}
	return out
}
