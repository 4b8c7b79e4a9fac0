package yabloco

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func TestGraph(t *testing.T) {
	w := fruit(t)
	nodes := map[string]schemas.GraphNode{}
	for _, n := range stagetest.Rows[schemas.GraphNode](w.run(Graph(), nil, nil), "graph") {
		nodes[n.Name] = n
	}
	var b strings.Builder
	show := func(what string, all []schemas.GraphNeighbour) {
		for _, n := range all {
			fmt.Fprintf(&b, "  %s %s (%s) %s:%d:%d-%d:%d %s %s %d %s\n", what, n.Name, n.Qualified, n.Path, n.StartLine, n.StartCol, n.EndLine, n.EndCol, n.Origin, n.Evidence, n.Sites, n.Level)
		}
	}
	for _, name := range []string{"peel", "once", "stop", "wash"} {
		n := nodes[name]
		fmt.Fprintf(&b, "%s %s:%d:%d-%d:%d\n", n.Name, n.Path, n.StartLine, n.StartCol, n.EndLine, n.EndCol)
		show("calls", n.Callees)
		show("by", n.Callers)
	}
	golden(t, "graph.golden", []byte(b.String()))

	// Both ways are the same edges, under the same ids as the functions.
	forth, back := map[string]int{}, map[string]int{}
	functions := functionsOf(w, nil)
	for name, n := range nodes {
		if functions[name].ID != n.ID {
			t.Errorf("%s is %s and %s", name, n.ID, functions[name].ID)
		}
		for _, c := range n.Callees {
			if c.Origin == schemas.OriginDefined {
				forth[n.ID+c.ID+c.Evidence+c.Level]++
			}
		}
		for _, c := range n.Callers {
			back[c.ID+n.ID+c.Evidence+c.Level]++
		}
	}
	if len(forth) != 5 || fmt.Sprint(forth) != fmt.Sprint(back) {
		t.Errorf("%v\n%v", forth, back)
	}
	if upstream := stagetest.Rows[schemas.GraphNode](w.run(Graph(), &GraphConfig{Counting{Compat: compatUpstream}}, nil), "graph"); len(upstream) != len(nodes) {
		t.Errorf("%d", len(upstream))
	} else {
		for _, n := range upstream {
			if n.Name == "wash" && len(n.Callers) > 0 {
				t.Errorf("%+v", n)
			}
		}
	}
}

func TestPublishedGraph(t *testing.T) {
	nodes := fruit(t).run(Graph(), nil, nil).Output("graph").([]schemas.GraphNode)
	files := written(t, PublishedGraph(), nodes)
	want := map[string]func(schemas.GraphNode) []schemas.GraphNeighbour{
		"own+fruit.json":         func(n schemas.GraphNode) []schemas.GraphNeighbour { return n.Callees },
		"callers/own+fruit.json": func(n schemas.GraphNode) []schemas.GraphNeighbour { return n.Callers },
	}
	if len(files) != len(want) {
		t.Fatalf("%d files", len(files))
	}
	for name, data := range files {
		golden(t, name, data)
		var object map[string][]publishedNode // the whole file is one
		if err := json.Unmarshal(data, &object); err != nil || len(object) != len(nodes) {
			t.Fatalf("%s: %d members, %v", name, len(object), err)
		}
		for _, n := range nodes {
			members, ok := object[n.ID]
			if !ok || len(members) != len(want[name](n)) {
				t.Errorf("%s: %s has %v", name, n.Name, members)
			}
		}
	}
}

// written are the files that an adapter makes of rows.
func written[T any](t *testing.T, a *pipeline.Adapter, rows []T) map[string][]byte {
	t.Helper()
	if err := pipeline.ValidateAdapters([]*pipeline.Adapter{a}); err != nil {
		t.Fatal(err)
	}
	entries := map[string][]string{}
	for _, row := range rows {
		err := a.Append(row, func(path string, data []byte) error {
			entries[path] = append(entries[path], string(data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	files := map[string][]byte{}
	for path, all := range entries {
		files[path] = []byte(a.Frame.Head + strings.Join(all, a.Frame.Separator) + a.Frame.Tail)
	}
	return files
}
