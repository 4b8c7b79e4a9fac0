package callgraph

import (
	"iter"
	"slices"
	"sync"

	"benchmill/stages/lang/calls"
)

// ref is an entry of a file's table.
type ref struct{ file, index int32 }

// graph is a frozen repository.
type graph struct {
	options Options
	files   []*calls.File
	units   []*unit
	places  map[string]int32 // of files by path
	names   map[string]int32 // every name, by its text
	texts   []string         // of names
	ids     [][]int32        // names of each file's table

	includes  [][]int32  // files that a file includes, in its order
	includers [][]int32  // files that include a file, ascending
	included  []bool     // by another file
	angled    [][]string // headers that each file includes, of neither the repository nor the system

	functions, decls, macros, records, typedefs table // by name
	fields                                      table
	generated                                   map[int32][]ref       // functions that macros generate: the uses
	system                                      map[int32]systemEntry // by name
	typed                                       *typed
	sights                                      sync.Pool
}

// table lists references by name: those of name n are refs[first[n]:first[n+1]],
// ascending by file, then by place.
type table struct {
	first []int32
	refs  []ref
}

func (t *table) of(name int32) []ref {
	if name < 0 || int(name)+1 >= len(t.first) {
		return nil
	}
	return t.refs[t.first[name]:t.first[name+1]]
}

// in are the references in one file.
func in(refs []ref, file int32) []ref {
	from, _ := slices.BinarySearchFunc(refs, file, func(r ref, f int32) int { return int(r.file) - int(f) })
	to := from
	for to < len(refs) && refs[to].file == file {
		to++
	}
	return refs[from:to]
}

// newTable fills a table from what each file lists: entries calls its argument with
// the name of each, as the file's table has it, or none.
func (g *graph) newTable(entries func(u *unit, yield func(name int32))) table {
	t := table{first: make([]int32, len(g.texts)+2)}
	for i, u := range g.units {
		entries(u, func(name int32) {
			if name >= 0 {
				t.first[g.ids[i][name]+2]++
			}
		})
	}
	for i := 1; i < len(t.first); i++ {
		t.first[i] += t.first[i-1]
	}
	t.refs = make([]ref, t.first[len(t.first)-1])
	for i, u := range g.units {
		index := int32(0)
		entries(u, func(name int32) {
			if name >= 0 {
				at := &t.first[g.ids[i][name]+1]
				t.refs[*at] = ref{int32(i), index}
				*at++
			}
			index++
		})
	}
	return t
}

// link freezes files.
func link(files []*calls.File, typed *typed, o Options) calls.Graph {
	g := &graph{options: o, files: files, typed: typed, places: map[string]int32{}, names: map[string]int32{}}
	paths := make([]string, len(files))
	for i, f := range files {
		u := f.Facts.(*unit)
		g.units = append(g.units, u)
		g.places[f.Path] = int32(i)
		paths[i] = f.Path
		ids := make([]int32, len(u.ends))
		for n := range ids {
			ids[n] = g.id(u.name(int32(n)))
		}
		g.ids = append(g.ids, ids)
	}
	g.system = systemTable(g)
	slices.Sort(paths)
	found := newFinder(paths)
	g.includers = make([][]int32, len(files))
	g.includes, g.angled, g.included = make([][]int32, len(files)), make([][]string, len(files)), make([]bool, len(files))
	for i, u := range g.units {
		for _, inc := range u.includes {
			if to, ok := g.places[found.find(files[i].Path, inc)]; ok && to != int32(i) {
				g.includes[i] = append(g.includes[i], to)
				g.included[to] = true
				g.includers[to] = append(g.includers[to], int32(i))
			} else if !ok && inc.angled && !systemHeaders()[inc.path] {
				g.angled[i] = append(g.angled[i], inc.path)
			}
		}
	}
	g.functions = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.functions {
			yield(u.functions[i].name)
		}
	})
	g.decls = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.decls {
			yield(u.decls[i].name)
		}
	})
	g.macros = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.macros {
			yield(u.macros[i].name)
		}
	})
	g.typedefs = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.typedefs {
			yield(u.typedefs[i].name)
		}
	})
	g.records = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.records {
			yield(u.records[i].name)
		}
	})
	g.fields = g.newTable(func(u *unit, yield func(int32)) {
		for i := range u.fields {
			yield(u.fields[i].name)
		}
	})
	g.sights.New = func() any { return newSight(g) }
	g.generate()
	return g
}

// id is the number of a name.
func (g *graph) id(text string) int32 {
	id, ok := g.names[text]
	if !ok {
		id = int32(len(g.texts))
		g.names[text] = id
		g.texts = append(g.texts, text)
	}
	return id
}

// Edges are the calls of the functions in a file; see [calls.Graph].
func (g *graph) Edges(path string) iter.Seq[calls.Edge] {
	return func(yield func(calls.Edge) bool) {
		at, ok := g.places[path]
		if !ok {
			return
		}
		s := g.sights.Get().(*sight)
		s.open(at)
		edges := s.edges()
		g.sights.Put(s)
		for i := range edges {
			if !yield(edges[i]) {
				return
			}
		}
	}
}
