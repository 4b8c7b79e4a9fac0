package yabloco

import (
	"bytes"
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
	files := written(t, PublishedGraph(), fruit(t).run(Graph(), nil, nil).Output("graph").([]schemas.GraphNode))
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	for name, data := range files {
		if strings.Count(string(data), "\n") != 5 {
			t.Errorf("%s: %s", name, data)
		}
		golden(t, name, data)
	}
}

// written are the files that an adapter makes of rows.
func written[T any](t *testing.T, a *pipeline.Adapter, rows []T) map[string][]byte {
	t.Helper()
	if err := pipeline.ValidateAdapters([]*pipeline.Adapter{a}); err != nil {
		t.Fatal(err)
	}
	out := map[string]*bytes.Buffer{}
	for _, row := range rows {
		err := a.Append(row, func(path string, data []byte) error {
			if out[path] == nil {
				out[path] = &bytes.Buffer{}
			}
			out[path].Write(data)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	files := map[string][]byte{}
	for path, b := range out {
		files[path] = b.Bytes()
	}
	return files
}
