package lang

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

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
	// fails: what it does not understand is not known. It is safe for concurrent use.
	Read func(path string, t *treesitter.Tree) *calls.File
	// Link freezes the files of a repository, ascending by path, with the contents of
	// its config files by path.
	Link func(files []*calls.File, config map[string]string) calls.Graph
}

// CallGraphIdentity joins every key that depends on what calls what.
func (l *Language) CallGraphIdentity() string {
	id := fmt.Sprintf("%s %s call graph %d", l.Name, l.Identity(), l.CallGraph.Version)
	if l.Binding != nil {
		id += " " + l.BindingIdentity() // which it may rest on
	}
	return id
}

// ReadCalls describes the files of a repository that can be parsed, in their order,
// on all processors. What cannot is returned with the error. It fails only with ctx.
func (l *Language) ReadCalls(ctx context.Context, files []SourceFile, limits treesitter.Limits) (read []*calls.File, failed map[string]error, err error) {
	out, errs := make([]*calls.File, len(files)), make([]error, len(files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			t, err := l.ParseWhole(f.Path, []byte(f.Text), limits)
			if errs[i] = err; err == nil {
				out[i] = l.CallGraph.Read(f.Path, t)
			}
			return nil
		})
	}
	_ = group.Wait() // none fails
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	failed = map[string]error{}
	for i, err := range errs {
		if err != nil {
			failed[files[i].Path] = err
		}
	}
	return slices.DeleteFunc(out, func(f *calls.File) bool { return f == nil }), failed, nil
}
