package calls

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"benchmill/stages/lang/bind"
)

// boundGraph answers for a frozen repository.
type boundGraph struct {
	*Bound
	files    map[string]*File
	linker   bind.Linker
	resolver *bind.Resolver
	places   map[nameKey][]bind.Target
}

// Edges implements [Graph].
func (g *boundGraph) Edges(path string) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		file := g.files[path]
		if file == nil {
			return
		}
		for _, e := range g.edges(file) {
			if !yield(e) {
				return
			}
		}
	}
}

type edgeKey struct {
	caller   int
	callee   Callee
	evidence Evidence
}

// edges are those of a file in order.
func (g *boundGraph) edges(file *File) []Edge {
	f := file.Facts.(*facts)
	if len(f.sites) == 0 {
		return nil
	}
	r := &resolving{boundGraph: g, facts: f, path: file.Path, reader: g.resolver.Open(file.Path), imports: map[*bind.File]map[string]bind.ImportID{}}
	r.place()
	at := map[edgeKey]int{}
	var out []Edge
	for i := range f.sites {
		s := &f.sites[i]
		e, ok := r.edge(s)
		if !ok {
			continue
		}
		k := edgeKey{e.Caller, e.Callee, e.Evidence}
		n, again := at[k]
		if !again {
			n = len(out)
			at[k] = n
			e.First = s.at
			out = append(out, e)
		}
		out[n].First = min(out[n].First, s.at)
		out[n].Sites++
		out[n].Alternatives = max(out[n].Alternatives, e.Alternatives)
	}
	slices.SortFunc(out, func(a, b Edge) int {
		return cmp.Or(
			cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.First, b.First), cmp.Compare(a.Callee.Path, b.Callee.Path),
			cmp.Compare(a.Callee.Start, b.Callee.Start), cmp.Compare(a.Callee.Name, b.Callee.Name), cmp.Compare(a.Evidence, b.Evidence),
		)
	})
	return out
}

// line is that of an offset.
func (f *facts) line(at int32) int32 {
	return int32(sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > at })) - 1
}

// defined is the function that a declaration at an offset is.
func (g *boundGraph) defined(path string, at int32) *Function {
	file := g.files[path]
	if file == nil {
		return nil
	}
	if i, ok := file.Facts.(*facts).anchors[at]; ok {
		return &file.Functions[i]
	}
	return nil
}
