package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"benchmill/internal/clangindex"
	"benchmill/internal/libclang"
)

const (
	longestUnit = 10 * time.Minute // the most that libclang may take for one unit
	// mostAtOnce keeps a job within the limits of its recipe, of memory and processes,
	// on machines of any size.
	mostAtOnce = 4
)

// clangCmd runs inside of the sandbox, as a step of the jobs of stage
// callgraph.clang; it is no verb for people.
type clangCmd struct {
	Folder   string `arg:"" optional:"" default:"." help:"Built repository."`
	Database string `help:"Compile database; else the one at the top of the folder, or all below it."`
	Out      string `help:"File to write; else standard output."`
	Parallel int    `help:"Units to parse at once; else as many as there are processors, up to 4."`
	Worker   bool   `help:"Parse units for another process that asks for them on standard input."`
	Version  bool   `help:"Say what decides a graph beside the code: libclang's version and ours."`
}

func (c *clangCmd) Run(ctx context.Context, s *streams) error {
	l, err := libclang.Find()
	if err != nil {
		return err
	}
	if c.Version {
		_, err := fmt.Fprintf(s.out, "%s, index %d\n", l.Version, clangindex.Version)
		return err
	}
	if c.Worker {
		return clangindex.Serve(l, s.in, s.out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	workers := clangindex.NewWorkers([]string{self, "clang-index", "--worker"}, longestUnit)
	defer workers.Close()
	g, err := clangindex.Index(ctx, workers, c.Folder, clangindex.Options{
		Database: c.Database, Parallel: cmp.Or(c.Parallel, min(runtime.GOMAXPROCS(0), mostAtOnce)),
	})
	if err != nil {
		return err
	}
	g.Clang = l.Version
	if c.Out == "" {
		return g.Write(s.out)
	}
	f, err := os.Create(c.Out)
	if err != nil {
		return err
	}
	if err := g.Write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
