package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// releasedNode is a function of the released graph.
type releasedNode struct {
	path, name string
	line, last int64 // 1-based
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
		first, err1 := strconv.ParseInt(row[line], 10, 64)
		lines, err2 := strconv.ParseInt(row[length], 10, 64)
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
