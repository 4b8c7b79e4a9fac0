package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/c"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/cfamily/callgraph"
)

// callGraphOptions are the flags of [callGraphOptions.measure].
type callGraphOptions struct{ functions, graph, of, reference, below string }

func callGraphFlags() *callGraphOptions {
	var o callGraphOptions
	flag.StringVar(&o.functions, "callgraph-functions", "", "released functions of one repository of C, CSV")
	flag.StringVar(&o.graph, "callgraph", "", "its released call graph, JSON")
	flag.StringVar(&o.of, "callgraph-of", "", "that repository: a folder with a checkout or a mirror, and @commit")
	flag.StringVar(&o.reference, "callgraph-reference", "", "its call graph by a compiler, JSON lines; empty: not compared with one")
	flag.StringVar(&o.below, "callgraph-below", "", "compare the functions of files below this folder alone as well")
	return &o
}

// measure compares our call graph of a repository with the released one, and with
// that of a compiler where there is one, and times it.
func (o *callGraphOptions) measure(ctx context.Context) error {
	if o.functions == "" || o.graph == "" {
		return nil
	}
	released, err := readGraph(o.functions, o.graph)
	if err != nil {
		return err
	}
	repository, commit, _ := strings.Cut(o.of, "@")
	l := c.Language()
	if err := l.Compile(); err != nil {
		return err
	}
	sources, err := checkout(ctx, repository, commit, l)
	if err != nil {
		return fmt.Errorf("%s: %w", repository, err)
	}
	start := time.Now()
	files, err := readCalls(l, sources)
	if err != nil {
		return err
	}
	graph := collect(files, callgraph.Link(files, callgraph.Options{}))
	took := time.Since(start)
	upstream := collect(files, callgraph.Link(files, callgraph.Options{Upstream: true}))
	fmt.Printf("call graph of %d files, %d functions, %d edges in %.2f s\n", len(files), graph.functions, graph.edges, took.Seconds())
	var reference referenceGraph
	if o.reference != "" {
		if reference, err = readReference(o.reference); err != nil {
			return err
		}
	}
	for _, below := range slices.Compact([]string{"", o.below}) {
		fmt.Printf("functions below %q\n", below)
		released.compare(graph, upstream, below).print(os.Stdout)
		if reference != nil {
			reference.compare(graph, below).print(os.Stdout)
		}
	}
	return nil
}

// checkout reads the files of a language at a commit from a repository.
func checkout(ctx context.Context, repository, commit string, l *lang.Language) ([]lang.SourceFile, error) {
	git := func(input string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", repository}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		cmd.Stderr = os.Stderr
		return cmd.Output()
	}
	list, err := git("", "ls-tree", "-r", "-z", "--end-of-options", commit)
	if err != nil {
		return nil, err
	}
	var ids strings.Builder
	var out []lang.SourceFile
	for entry := range strings.SplitSeq(string(list), "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 && strings.HasPrefix(fields[0], "100") && l.Syntax(path) != nil {
			out = append(out, lang.SourceFile{Path: path})
			ids.WriteString(fields[2] + "\n")
		}
	}
	blobs, err := git(ids.String(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for i := range out {
		head, rest, _ := bytes.Cut(blobs, []byte("\n"))
		fields := strings.Fields(string(head))
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: git says %q", out[i].Path, head)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			return nil, fmt.Errorf("%s: git says %q", out[i].Path, head)
		}
		out[i].Text = strings.ToValidUTF8(string(rest[:size]), "?")
		blobs = rest[size+1:]
	}
	slices.SortFunc(out, func(a, b lang.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// readCalls reads files on all processors.
func readCalls(l *lang.Language, sources []lang.SourceFile) ([]*calls.File, error) {
	files, errs := make([]*calls.File, len(sources)), make([]error, len(sources))
	each(len(sources), func(i int) {
		t, err := l.ParseWhole(sources[i].Path, []byte(sources[i].Text), treesitter.DefaultLimits)
		if err != nil {
			errs[i] = err
			return
		}
		files[i] = l.CallGraph.Read(sources[i].Path, t)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// each calls a function for 0 to n-1 on all processors.
func each(n int, do func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range processors() {
		wait.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// callNode is a function with what it calls.
type callNode struct {
	path, name string
	line, last int // 1-based
	edges      []calls.Edge
}

// ownGraph is our call graph by where functions stand.
type ownGraph struct {
	nodes            map[string]*callNode // by nodeKey
	functions, edges int
}

// nodeKey names a function by its path, its first line and its last name.
func nodeKey(path string, line int, name string) string {
	return fmt.Sprintf("%s:%d:%s", path, line, name)
}

func collect(files []*calls.File, g calls.Graph) *ownGraph {
	out := &ownGraph{nodes: map[string]*callNode{}}
	edges := make([][]calls.Edge, len(files))
	each(len(files), func(i int) { edges[i] = slices.Collect(g.Edges(files[i].Path)) })
	for i, f := range files {
		nodes := make([]*callNode, len(f.Functions))
		for j, fn := range f.Functions {
			nodes[j] = &callNode{path: f.Path, name: fn.Name, line: int(fn.Line) + 1, last: int(fn.EndLine) + 1}
			out.nodes[nodeKey(f.Path, nodes[j].line, fn.Name)] = nodes[j]
		}
		for _, e := range edges[i] {
			nodes[e.Caller].edges = append(nodes[e.Caller].edges, e)
		}
		out.functions += len(nodes)
		out.edges += len(edges[i])
	}
	return out
}

// releasedNode is a function of the released graph.
type releasedNode struct {
	path, name string
	line, last int
	callees    []releasedCallee
}

// releasedCallee is what one calls. A pseudo-callee is a variable or a field that
// holds a pointer.
type releasedCallee struct {
	name   string
	pseudo bool
}

type releasedGraph []releasedNode

// readGraph reads the released functions and their graph. Their paths begin with the
// name of the repository.
func readGraph(functions, graph string) (releasedGraph, error) {
	f, err := os.Open(functions)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := os.ReadFile(graph)
	if err != nil {
		return nil, err
	}
	var edges map[string][]struct{ ID, Name, Path string }
	if err := json.Unmarshal(data, &edges); err != nil {
		return nil, fmt.Errorf("%s: %w", graph, err)
	}
	r := csv.NewReader(f)
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", functions, err)
	}
	column := func(name string) int { return slices.Index(head, name) }
	id, name, path, line, length := column("Unnamed: 0"), column("fname"), column("file"), column("pos"), column("code_length")
	if min(id, name, path, line, length) < 0 {
		return nil, fmt.Errorf("%s: a column is missing in %q", functions, head)
	}
	var out releasedGraph
	for {
		row, err := r.Read()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", functions, err)
		}
		first, err1 := strconv.Atoi(row[line])
		lines, err2 := strconv.Atoi(row[length])
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%s: %q is no place", functions, row)
		}
		repo, rest, _ := strings.Cut(row[path], "/")
		n := releasedNode{path: rest, name: row[name], line: first, last: first + lines}
		for _, e := range edges[row[id]] {
			_, known := edges[e.ID]
			n.callees = append(n.callees, releasedCallee{e.Name, !known && strings.HasPrefix(e.Path, "/"+repo+"/")})
		}
		out = append(out, n)
	}
}
