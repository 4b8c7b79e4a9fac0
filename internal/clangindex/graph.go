package clangindex

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Graph is the functions of a repository and what they call. As JSON Lines, it is
// its Head, then each function.
type Graph struct {
	Head
	Functions []Function // ascending by path and start
}

// Head is the first line of a graph.
type Head struct {
	Format   int       `json:"format"`
	Clang    string    `json:"clang"` // what the library calls itself
	Units    int       `json:"units"` // read
	Problems []Problem `json:"problems,omitempty"`
	Count    int       `json:"functions"`
}

// Format of graphs as JSON Lines. Version is raised whenever the same code may give
// another graph:
//
//	1: first version
//	2: names without inline namespaces and those without a name
const (
	Format  = 1
	Version = 2
)

// Function is a definition with a body. Offsets are in bytes, lines 1-based.
type Function struct {
	Path      string `json:"path"` // below the root
	Start     int64  `json:"start"`
	Body      int64  `json:"body"`
	End       int64  `json:"end"`
	Line      int64  `json:"line"`
	EndLine   int64  `json:"end_line"`
	Name      string `json:"name"`
	Qualified string `json:"qualified"`
	Local     bool   `json:"local,omitempty"`
	Inline    bool   `json:"inline,omitempty"`
	Calls     []Call `json:"calls,omitempty"` // ascending by First, Callee and what is left
}

// Call is all calls of a function to another with one kind of evidence. Values of
// Origin and Evidence are those of the rows of call graphs.
type Call struct {
	Callee       string `json:"callee"`         // qualified; a variable, or "Struct::field"
	Path         string `json:"path,omitempty"` // below the root; of system and external a header as it is included
	Start        int64  `json:"start"`          // -1: no place below the root
	Line         int64  `json:"line,omitempty"`
	Origin       string `json:"origin"`
	Evidence     string `json:"evidence"`
	Via          string `json:"via,omitempty"`
	Sites        int64  `json:"sites"`
	First        int64  `json:"first"`
	Alternatives int64  `json:"alternatives,omitempty"`
}

// Write writes a graph as JSON Lines.
func (g *Graph) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	g.Format, g.Count = Format, len(g.Functions)
	if err := enc.Encode(g.Head); err != nil {
		return err
	}
	for i := range g.Functions {
		if err := enc.Encode(&g.Functions[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads what [Graph.Write] wrote. The text may come from anywhere: paths,
// offsets and names are as they are.
func Read(r io.Reader) (*Graph, error) {
	dec := json.NewDecoder(r)
	g := &Graph{}
	if err := dec.Decode(&g.Head); err != nil {
		return nil, fmt.Errorf("call graph of clang, line 1: %w", err)
	}
	if g.Format != Format {
		return nil, fmt.Errorf("call graph of clang: format %d, not %d", g.Format, Format)
	}
	for {
		var f Function
		err := dec.Decode(&f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("call graph of clang, line %d: %w", len(g.Functions)+2, err)
		}
		g.Functions = append(g.Functions, f)
	}
	if len(g.Functions) != g.Count {
		return nil, fmt.Errorf("call graph of clang: %d functions, not %d", len(g.Functions), g.Count)
	}
	return g, nil
}
