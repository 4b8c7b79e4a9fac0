package callgraph

import (
	"bytes"
	"math"
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

// call describes a call in the open function.
func (x *reader) call(at int32) {
	callee := x.t.Child(at, "function")
	if callee == treesitter.NoNode {
		return
	}
	n := &x.t.Nodes[callee]
	if inside(x.scan.cond.off, int32(n.Start)) || !x.cpp && int32(n.Start) < x.file.Functions[x.caller].Body {
		return
	}
	s := site{caller: x.caller, at: int32(n.Start), name: none, path: none, form: otherForm}
	if list := x.t.Child(at, "arguments"); list != treesitter.NoNode && x.kind(list) == argumentsKind {
		x.arguments(&s, list)
	}
	inner := callee
	for range maxSteps {
		if x.kind(inner) != parenthesesKind {
			break
		}
		s.functional = true
		if inner = x.inParentheses(inner); inner == treesitter.NoNode {
			return
		}
	}
	switch x.kind(inner) {
	case identifierKind:
		s.form, s.name, s.at = plainForm, x.id(inner), int32(x.t.Nodes[inner].Start)
		if l := x.find(s.name, s.at); l != nil && !l.function {
			s.form = otherForm
			s.path = x.path(inner)
		}
	case fieldKind:
		s.form = memberForm
		if name := x.t.Child(inner, "field"); name != treesitter.NoNode {
			if last := x.lastName(name); last != treesitter.NoNode {
				s.name, s.at = x.id(last), int32(x.t.Nodes[last].Start)
			}
		}
		s.path = x.path(inner)
	case qualifiedKind:
		s.form = qualifiedForm
		s.std = bytes.HasPrefix(x.t.Source[x.t.Nodes[inner].Start:], []byte("std::"))
		if last := x.lastName(inner); last != treesitter.NoNode {
			s.name, s.at = x.id(last), int32(x.t.Nodes[last].Start)
		}
	case templateKind:
		s.form = plainForm
		last := x.lastName(inner)
		if last == treesitter.NoNode {
			return
		}
		s.name, s.at = x.id(last), int32(x.t.Nodes[last].Start)
	case otherKind, lambdaKind:
		return // a type, a literal
	default:
		s.path = x.path(inner)
	}
	if s.name != none && x.names.String(s.name) == "" {
		return // the parser made it up
	}
	x.sites = append(x.sites, s)
}

// inParentheses is the expression between parentheses, or NoNode.
func (x *reader) inParentheses(at int32) int32 {
	found := treesitter.NoNode
	for c := range x.t.Children(at) {
		if x.t.Nodes[c].Named() && x.kind(c) != commentKind {
			found = c
		}
	}
	return found
}

// arguments counts and keeps the arguments of a call.
func (x *reader) arguments(s *site, list int32) {
	n := &x.t.Nodes[list]
	count := 0
	for c := range x.t.Children(list) {
		if x.t.Nodes[c].Named() && x.kind(c) != commentKind {
			count++
		}
	}
	s.args = int16(min(count, math.MaxInt16))
	s.from, s.to = int32(x.scan.index(int32(n.Start)+1)), int32(x.scan.index(int32(n.End)))
	if s.to > s.from && x.scan.toks[s.to-1] == tokShut {
		s.to--
	}
}

// maxSteps bounds the expressions that one path goes through.
const maxSteps = 100

// path describes an expression that is called, and returns where.
func (x *reader) path(at int32) int32 {
	start := int32(len(x.paths))
	x.steps = x.steps[:0]
	for range maxSteps {
		if x.base(at) {
			for _, s := range slices.Backward(x.steps) {
				x.paths = append(x.paths, s)
			}
			x.paths = append(x.paths, stepEnd)
			return start
		}
		next := treesitter.NoNode
		switch x.kind(at) {
		case fieldKind:
			next = x.t.Child(at, "argument")
			name := x.t.Child(at, "field")
			if name == treesitter.NoNode || next == treesitter.NoNode {
				break
			}
			if last := x.lastName(name); last != treesitter.NoNode {
				x.steps = append(x.steps, x.id(last))
			} else {
				next = treesitter.NoNode
			}
		case subscriptKind:
			next = x.t.Child(at, "argument")
			x.steps = append(x.steps, stepDeref)
		case pointerKind:
			next = x.t.Child(at, "argument")
			if x.t.Source[x.t.Nodes[at].Start] == '&' {
				x.steps = append(x.steps, stepAddr)
			} else {
				x.steps = append(x.steps, stepDeref)
			}
		case callKind:
			next = x.t.Child(at, "function")
			x.steps = append(x.steps, stepCall)
		case castKind:
			next = x.t.Child(at, "value")
			x.steps = append(x.steps, x.typeID(x.typeNode(x.t.Child(at, "type"))), stepCast)
		case parenthesesKind:
			next = x.inParentheses(at)
		}
		if next == treesitter.NoNode {
			break
		}
		at = next
	}
	x.paths = append(x.paths[:start], pathLost, stepEnd)
	return start
}

// base begins a path with what is no step.
func (x *reader) base(at int32) bool {
	switch x.kind(at) {
	case identifierKind:
		id, place := x.id(at), int32(x.t.Nodes[at].Start)
		if l := x.find(id, place); l != nil && !l.function {
			x.paths = append(x.paths, pathLocal, id, l.typ, l.at)
		} else {
			x.paths = append(x.paths, pathGlobal, id)
		}
		return true
	}
	return false
}

// recover finds calls in text that the grammar could not read: a name and what
// opens its arguments.
func (x *reader) recover() {
	if len(x.errors) == 0 {
		return
	}
	known := map[int32]bool{}
	for _, s := range x.sites {
		known[s.at] = true
	}
	for _, e := range x.errors {
		caller := x.around(e.start)
		if caller == none {
			continue
		}
		from, to := x.scan.index(e.start), x.scan.index(e.end)
		for i := from; i < to && i+1 < len(x.scan.toks); i++ {
			name, at := x.scan.toks[i], x.scan.starts[i]
			if name < 0 || x.scan.toks[i+1] != tokOpen || known[at] || i > 0 && notBefore(x.scan.toks[i-1]) ||
				notNames[x.names.String(int32(name))] || declares(x, i) {
				continue
			}
			shut := x.closing(i + 1)
			if shut < 0 {
				continue
			}
			known[at] = true
			x.sites = append(x.sites, site{
				caller: caller, at: at, name: int32(name), path: none, form: tokenForm,
				from: int32(i + 2), to: int32(shut), args: -1,
			})
		}
	}
	slices.SortStableFunc(x.sites, func(a, b site) int {
		if a.caller != b.caller {
			return int(a.caller - b.caller)
		}
		return int(a.at - b.at)
	})
}

// declares reports whether a token looks like the name in a declaration: a name that
// is no keyword stands before it.
func declares(x *reader, i int) bool {
	return i > 0 && x.scan.toks[i-1] >= 0 && !statementWords[x.names.String(int32(x.scan.toks[i-1]))]
}

// statementWords may stand before a call.
var statementWords = map[string]bool{"return": true, "else": true, "do": true, "case": true, "sizeof": true, "goto": true, "throw": true, "co_return": true, "co_await": true}

// notBefore reports whether what stands before a name makes it a member.
func notBefore(t token) bool { return t == tokDot || t == tokArrow || t == tokScope }

// around is the innermost function around a place, or none.
func (x *reader) around(at int32) int32 {
	fs := x.file.Functions
	i, found := slices.BinarySearchFunc(fs, at, func(f calls.Function, at int32) int { return int(f.Start - at) })
	if !found {
		i--
	}
	for range maxSteps {
		if i < 0 {
			break
		}
		if at < fs[i].End && at >= fs[i].Body {
			return int32(i)
		}
		i--
	}
	return none
}

// closing is the parenthesis that closes the one at i, or -1.
func (x *reader) closing(i int) int { return int(x.scan.match[i]) }
