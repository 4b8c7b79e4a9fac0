package main

import (
	"os"
	"path/filepath"
	"testing"

	"benchmill/schemas"
	"benchmill/stages/callgraph"
)

// TestCallGraph compares a graph of two functions with a released one.
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
	edge := func(name, evidence, origin string) schemas.Call {
		return schemas.Call{CallerPath: "src/a.c", CallerStart: 20, Callee: name, Origin: origin, CalleePath: "b.c", Evidence: evidence}
	}
	graph := func(edges ...schemas.Call) map[string]*callNode {
		return graphOf(callgraph.Rows{Calls: edges, Definitions: []schemas.Definition{
			{Path: "src/a.c", Name: "run", Start: 20, Line: 3, EndLine: 5}, {Path: "b.c", Name: "stop", Line: 9, EndLine: 14},
		}})
	}
	own := graph(edge("stop", schemas.EvidenceWritten, schemas.OriginDefined), edge("ops::go", schemas.EvidenceIndirect, schemas.OriginDeclared), edge("more", schemas.EvidenceMacro, schemas.OriginDefined), edge("doubt", schemas.EvidenceWritten, schemas.OriginUnresolved))
	upstream := graph(edge("stop", schemas.EvidenceWritten, schemas.OriginDefined), edge("ops", schemas.EvidenceIndirect, schemas.OriginDeclared), edge("wrong", schemas.EvidenceWritten, schemas.OriginDefined))
	if got, want := released.compare(own, upstream, ""), (againstReleased{functions: 2, exact: 1, callees: 3, found: 2, all: 4, allFound: 3, upstream: tally{2, 1, 2}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := released.compare(own, upstream, "src/"); got.functions != 1 || got.exact != 1 {
		t.Errorf("below src: %+v", got)
	}
	if f1 := (tally{both: 2, ours: 1, theirs: 1}).f1(); f1 < 0.666 || f1 > 0.667 {
		t.Errorf("F1 is %v", f1)
	}
}
