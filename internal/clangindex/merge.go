package clangindex

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/libclang"
)

// place is an offset in a file of the repository.
type place struct {
	path  string
	start int64
}

// merge puts units together.
type merge struct {
	root      string
	problems  []Problem
	units     int
	functions []function
	known     map[place]int     // functions by their place
	targets   []target          // what is called, each once
	target    map[targetKey]int // their indexes
}

type function struct {
	Function
	usr   string
	calls []call
}

type call struct {
	target, evidence int
	via              string
	first, sites     int64
}

// target is what is called, before the definitions of all units are known.
type target struct {
	targetKey
	qualified string
	line      int64
	pointer   bool
	builtin   bool
}

// targetKey tells targets apart: by clang's name and where it is declared, or
// defined if the unit says so.
type targetKey struct {
	usr string
	at  place // of what is outside, the absolute path
	in  bool  // inside of the repository
}

func newMerge(root string) *merge {
	return &merge{root: root, known: map[place]int{}, target: map[targetKey]int{}}
}

// inside cuts the root off a path.
func (m *merge) inside(p string) (string, bool) {
	if below(m.root, p) {
		return p[len(strings.TrimSuffix(m.root, "/"))+1:], true
	}
	return p, false
}

// add adds a unit. Of functions that are known already nothing is added.
func (m *merge) add(c libclang.Command, u *libclang.Unit, err error) {
	name, _ := m.inside(c.File)
	if err != nil {
		m.problems = append(m.problems, Problem{File: name, What: strings.ReplaceAll(err.Error(), m.root+"/", "")})
		return
	}
	m.units++
	if u.Errors > 0 {
		m.problems = append(m.problems, Problem{File: name, What: fmt.Sprintf("%d errors, the first: %s", u.Errors, u.Error), Read: true})
	}
	index := make([]int, len(u.Functions)) // in functions, -1 for those that were known
	for i, f := range u.Functions {
		index[i] = -1
		p, _ := m.inside(u.Files[f.Start.File]) // they all are
		at := place{p, int64(f.Start.Offset)}
		if _, found := m.known[at]; found {
			continue
		}
		index[i] = len(m.functions)
		m.known[at] = index[i]
		m.functions = append(m.functions, function{usr: f.USR, Function: Function{
			Path: p, Start: at.start, Body: int64(f.Body.Offset), End: int64(f.End),
			Line: int64(f.Start.Line), EndLine: int64(f.EndLine),
			Name: f.Name, Qualified: f.Qualified, Local: f.Local, Inline: f.Inline,
		}})
	}
	targets := make([]int, len(u.Decls)) // one more than their indexes
	for _, c := range u.Calls {
		if index[c.Function] < 0 {
			continue
		}
		if targets[c.Decl] == 0 {
			targets[c.Decl] = m.targetOf(u, u.Decls[c.Decl]) + 1
		}
		f := &m.functions[index[c.Function]]
		f.calls = append(f.calls, call{target: targets[c.Decl] - 1, evidence: int(c.Evidence), via: c.Via, first: int64(c.Offset), sites: 1})
	}
}

func (m *merge) targetOf(u *libclang.Unit, d libclang.Decl) int {
	at := d.Place
	if d.Definition.File >= 0 {
		if _, in := m.inside(u.Files[d.Definition.File]); in {
			at = d.Definition
		}
	}
	t := target{qualified: d.Qualified, line: int64(at.Line), pointer: d.Pointer, builtin: d.Builtin}
	t.usr = d.USR
	if at.File >= 0 {
		t.at.path, t.in = m.inside(u.Files[at.File])
		t.at.start = int64(at.Offset)
	}
	i, found := m.target[t.targetKey]
	if !found {
		i = len(m.targets)
		m.target[t.targetKey] = i
		m.targets = append(m.targets, t)
	}
	return i
}

// graph finds what every call leads to, now that all definitions are known.
func (m *merge) graph() *Graph {
	named := map[string][]int{} // functions that other units can see, by clang's names
	for i, f := range m.functions {
		named[f.usr] = append(named[f.usr], i)
	}
	g := &Graph{Head: Head{Units: m.units, Problems: m.problems}, Functions: make([]Function, len(m.functions))}
	for i := range m.functions {
		f := &m.functions[i]
		for _, c := range f.calls {
			f.Calls = append(f.Calls, m.resolve(f.Path, c, named))
		}
		f.Calls = together(f.Calls)
		g.Functions[i] = f.Function
	}
	slices.SortFunc(g.Functions, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	return g
}

func (m *merge) resolve(caller string, c call, named map[string][]int) Call {
	t := &m.targets[c.target]
	out := Call{
		Callee: t.qualified, Path: t.at.path, Start: t.at.start, Line: t.line, Origin: originDeclared,
		Evidence: evidences[c.evidence], Via: c.via, Sites: c.sites, First: c.first,
	}
	if t.pointer {
		return t.outside(out)
	}
	if i, found := m.known[t.at]; found && t.in {
		return defined(out, &m.functions[i])
	}
	if all := named[t.usr]; len(all) > 0 && t.usr != "" {
		best := slices.MaxFunc(all, func(a, b int) int {
			x, y := m.functions[a].Path, m.functions[b].Path
			return cmp.Or(common(x, caller)-common(y, caller), strings.Compare(y, x))
		})
		out.Alternatives = int64(len(all) - 1)
		return defined(out, &m.functions[best])
	}
	return t.outside(out)
}

// outside says where what is not in the repository comes from.
func (t *target) outside(c Call) Call {
	if t.in {
		return c
	}
	c.Start, c.Line = -1, 0
	switch {
	case t.builtin:
		c.Origin = originSystem
	case t.at.path == "":
		c.Origin = originUnresolved
	default:
		c.Origin, c.Path = originOf(t.at.path)
	}
	return c
}

func defined(c Call, f *function) Call {
	c.Origin, c.Path, c.Start, c.Line = originDefined, f.Path, f.Start, f.Line
	return c
}

// common is how many bytes two paths have in common from the start.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// together makes one call of all with the same target and evidence.
func together(calls []Call) []Call {
	type key struct {
		callee, path, evidence string
		start                  int64
	}
	index := map[key]int{}
	out := calls[:0]
	for _, c := range calls {
		k := key{c.Callee, c.Path, c.Evidence, c.Start}
		i, found := index[k]
		if !found {
			index[k] = len(out)
			out = append(out, c)
			continue
		}
		out[i].Sites++
		if c.First < out[i].First {
			out[i].First, out[i].Via = c.First, c.Via
		}
	}
	slices.SortFunc(out, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.First, b.First), strings.Compare(a.Callee, b.Callee), strings.Compare(a.Evidence, b.Evidence),
			strings.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	return out
}
