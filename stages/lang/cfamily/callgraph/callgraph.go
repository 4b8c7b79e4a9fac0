package callgraph

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/cfamily"
)

// Version history:
//
//	1: first version
//	2: what stands in a function is read as a compiler for Linux reads it; a macro that
//	   some builds have in place of a function of the system, or, calling nothing, of
//	   one of the repository, does not hide it; heads of functions as arguments of macros
const version = 2

// C is the call graph of C.
func C() *lang.CallGraph {
	return &lang.CallGraph{
		Version: version,
		Doc:     "Names are looked up in the file, in what it includes, then nearby; macros are expanded, and what only they call is told apart; a call through a pointer names the variable or the field. Every branch of #if that may be on counts.",
		Read:    func(path string, t *treesitter.Tree) *calls.File { return read(path, t, false) },
		Link: func(files []*calls.File, _ map[string]string) calls.Graph {
			return link(files, nil, Options{})
		},
	}
}

// CPP is the call graph of C++, given what names mean in it.
func CPP(binding *lang.Binding) *lang.CallGraph {
	return &lang.CallGraph{
		Version: version,
		Doc:     "As in C; members, qualified names, constructors and operators are found by the types of what they are called on, as far as these are written out.",
		Read: func(path string, t *treesitter.Tree) *calls.File {
			t = cfamily.Mend(t, treesitter.DefaultLimits)
			f := read(path, t, true)
			d := cfamily.Describe(path, t)
			d.Slim()
			f.Facts.(*unit).described = d
			qualify(f, d)
			return f
		},
		Link: func(files []*calls.File, config map[string]string) calls.Graph {
			return link(files, newTyped(files, binding, config), Options{})
		},
	}
}

// Options say what a graph is for.
type Options struct {
	// Upstream gives the shape of the graphs that YABLoCo published: no edges from
	// bodies of macros, the variable that a call through a field begins with called
	// as well, and without what [lostNames] lost.
	Upstream bool
}

// Link freezes read files, ascending by path, of C.
func Link(files []*calls.File, o Options) calls.Graph { return link(files, nil, o) }
