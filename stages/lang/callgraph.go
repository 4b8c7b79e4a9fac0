package lang

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

// CallGraph is the ability to say which functions call which; see package calls.
type CallGraph struct {
	// Version is raised whenever the same files may give other functions or edges;
	// [Language.Version] stays. Its history stands in the comment above.
	Version int
	Doc     string // what is over- and what is under-approximated, for people
	// Read describes one file, given its whole tree ([Language.ParseWhole]). It never
	// fails: what it does not understand is not known.
	Read func(path string, t *treesitter.Tree) *calls.File
	// Link freezes the files of a repository, ascending by path, with the contents of
	// its config files by path.
	Link func(files []*calls.File, config map[string]string) calls.Graph
}
