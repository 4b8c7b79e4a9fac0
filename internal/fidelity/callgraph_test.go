package main

import (
	"os"
	"path/filepath"
	"testing"

	"benchmill/stages/lang/calls"
)

// TestCallGraph compares a graph of two functions with a released one and with that
// of a compiler.
func TestCallGraph(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	released, err := readGraph(write("f.csv", ",Unnamed: 0,fname,file,code_length,pos\n0,AA,run,repo/src/a.c,2,3\n1,BB,stop,repo/b.c,4,9\n"), write("g.json", `{
		"AA": [{"id": "BB", "name": "stop", "path": "/repo/b.c"}, {"id": "X", "name": "ops::go", "path": "/repo/a.h"}, {"id": "Y", "name": "ops", "path": "/repo/src/a.c"}, {"id": "Z", "name": "lost", "path": "/usr/include/l.h"}],
		"BB": []}`))
	if err != nil {
		t.Fatal(err)
	}
	edge := func(name string, evidence calls.Evidence, origin calls.Origin) calls.Edge {
		return calls.Edge{Callee: calls.Callee{Name: name, Origin: origin, Path: "b.c"}, Evidence: evidence}
	}
	graph := func(edges ...calls.Edge) *ownGraph {
		return &ownGraph{nodes: map[string]*callNode{
			nodeKey("src/a.c", 3, "run"): {path: "src/a.c", name: "run", line: 3, last: 5, edges: edges},
			nodeKey("b.c", 9, "stop"):    {path: "b.c", name: "stop", line: 9, last: 14},
		}}
	}
	own := graph(edge("stop", calls.Written, calls.Defined), edge("ops::go", calls.Indirect, calls.Declared), edge("more", calls.Macro, calls.Defined), edge("doubt", calls.Written, calls.Unresolved))
	upstream := graph(edge("stop", calls.Written, calls.Defined), edge("ops", calls.Indirect, calls.Declared), edge("wrong", calls.Written, calls.Defined))
	if got, want := released.compare(own, upstream, ""), (againstReleased{functions: 2, exact: 1, callees: 3, found: 2, all: 4, allFound: 3, upstream: tally{2, 1, 2}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := released.compare(own, upstream, "src/"); got.functions != 1 || got.exact != 1 {
		t.Errorf("below src: %+v", got)
	}
	reference, err := readReference(write("r.jsonl", `
{"caller_path": "src/a.c", "caller_line": 3, "caller": "run", "callee_qualified": "stop", "callee_defined_path": "b.c", "evidence": "written"}
{"caller_path": "src/a.c", "caller_line": 3, "caller": "run", "callee_qualified": "ns::missed", "callee_defined_path": "b.c", "evidence": "written"}
{"caller_path": "src/a.c", "caller_line": 3, "caller": "run", "callee_qualified": "__builtin_expect", "evidence": "macro"}
{"caller_path": "src/a.c", "caller_line": 3, "caller": "run", "callee_qualified": "ops::go", "evidence": "indirect"}
{"caller_path": "src/none.c", "caller_line": 1, "caller": "none", "callee_qualified": "f", "evidence": "written"}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := againstCompiler{functions: 1, written: tally{1, 0, 1}, macros: tally{1, 1, 1}, indirect: tally{1, 0, 0}, files: 1, sameFile: 1}
	if got := reference.compare(own, ""); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if f1 := (tally{both: 2, ours: 1, theirs: 1}).f1(); f1 < 0.666 || f1 > 0.667 {
		t.Errorf("F1 is %v", f1)
	}
}
