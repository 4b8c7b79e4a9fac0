package callgraph_test

import (
	"slices"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
)

func definition(path, name string, start, body, end int64) schemas.Definition {
	return schemas.Definition{Path: path, Name: name, Qualified: name, Start: start, Body: body, End: end, Line: start + 1}
}

func edge(path string, start int64, callee, evidence, origin, calleePath string) schemas.Call {
	return schemas.Call{CallerPath: path, CallerStart: start, Callee: callee, Evidence: evidence, Origin: origin, CalleePath: calleePath, Engine: "x", Sites: 1}
}

// renamed is a call by a macro that stands for the callee's name.
func renamed(path string, start int64, callee string) schemas.Call {
	c := edge(path, start, callee, written, defined, "b/y.c")
	c.Via = "MACRO"
	return c
}

const (
	written  = schemas.EvidenceWritten
	macro    = schemas.EvidenceMacro
	operator = schemas.EvidenceOperator
	indirect = schemas.EvidenceIndirect
	defined  = schemas.OriginDefined
	declared = schemas.OriginDeclared
	system   = schemas.OriginSystem
)

// Two graphs that differ in every way that counts, and in some that do not.
var (
	native = callgraph.Rows{
		Definitions: []schemas.Definition{
			definition("a/x.c", "f", 0, 10, 20),
			definition("a/x.c", "g", 30, 40, 50), // begins elsewhere in the reference, and has another name
			definition("a/x.c", "h", 60, 65, 80), // its brace is elsewhere
			definition("a/x.c", "off", 90, 95, 99),
			definition("b/y.c", "f", 0, 10, 20),
		},
		Calls: []schemas.Call{
			edge("a/x.c", 0, "f", written, defined, "a/x.c"), // to itself
			edge("a/x.c", 0, "n::g", written, defined, "a/x.c"),
			edge("a/x.c", 0, "puts", written, system, "stdio.h"),
			edge("a/x.c", 0, "extra", written, defined, "a/x.c"),
			edge("a/x.c", 0, "lost", written, schemas.OriginUnresolved, ""),
			edge("a/x.c", 0, "S::run", indirect, declared, "a/x.h"),
			edge("a/x.c", 30, "m", macro, defined, "b/y.c"),
			edge("a/x.c", 60, "twin", written, defined, "b/y.c"), // which of two
			renamed("a/x.c", 60, "alias"),                        // of a macro in the other
			renamed("a/x.c", 60, "written"),                      // written in the other too
			renamed("a/x.c", 60, "nowhere"),
			edge("a/x.c", 90, "g", written, defined, "a/x.c"),
		},
	}
	reference = callgraph.Rows{
		Definitions: []schemas.Definition{
			definition("a/x.c", "f", 0, 10, 20),
			definition("a/x.c", "je_g", 31, 40, 50),
			definition("a/x.c", "h", 60, 66, 80),
			definition("b/z.c", "f", 0, 10, 20), // only here
		},
		Calls: []schemas.Call{
			edge("a/x.c", 0, "f", written, defined, "a/x.c"),
			edge("a/x.c", 0, "g", written, defined, "a/x.c"), // qualified otherwise
			edge("a/x.c", 0, "g", written, defined, "b/y.c"), // and another of the name
			edge("a/x.c", 0, "puts", written, system, "stdio.h"),
			edge("a/x.c", 0, "missed", written, declared, "a/x.h"),
			edge("a/x.c", 0, "lost", written, system, "x.h"),
			edge("a/x.c", 0, "T::run", indirect, declared, "a/x.h"),
			edge("a/x.c", 31, "m", written, defined, "b/y.c"), // a macro in the other
			edge("a/x.c", 60, "twin", written, defined, "a/x.c"),
			edge("a/x.c", 60, "alias", macro, defined, "b/y.c"),
			edge("a/x.c", 60, "written", written, declared, "b/y.c"),
			edge("a/x.c", 60, "__builtin_expect", macro, system, ""),
			edge("a/x.c", 60, "operator+", operator, defined, "a/x.c"),
			edge("b/z.c", 0, "g", written, defined, "a/x.c"),
		},
	}
)

func TestCompare(t *testing.T) {
	c := callgraph.Compare(native, reference)
	want := []schemas.CallAgreement{
		{Evidence: "indirect", By: "name", Both: 1, Precision: 1, Recall: 1, F1: 1},
		{Evidence: "indirect", By: "qualified", OnlyOurs: 1, OnlyTheirs: 1},
		{Evidence: "operator", By: "name", OnlyTheirs: 1, Precision: 1},
		{Evidence: "operator", By: "qualified", OnlyTheirs: 1, Precision: 1},
		{Evidence: "written", By: "name", Both: 5, OnlyOurs: 1, OnlyTheirs: 3, Precision: 5. / 6, Recall: 5. / 8, F1: 10. / 14, Located: 3, SameLocation: 2},
		{Evidence: "written", By: "qualified", Both: 4, OnlyOurs: 2, OnlyTheirs: 4, Precision: 4. / 6, Recall: 4. / 8, F1: 8. / 14, Located: 2, SameLocation: 1},
		{Evidence: "written+macro", By: "name", Both: 7, OnlyOurs: 2, OnlyTheirs: 2, Precision: 7. / 9, Recall: 7. / 9, F1: 7. / 9, Located: 5, SameLocation: 4},
		{Evidence: "written+macro", By: "qualified", Both: 6, OnlyOurs: 3, OnlyTheirs: 3, Precision: 6. / 9, Recall: 6. / 9, F1: 6. / 9, Located: 4, SameLocation: 3},
	}
	for i, w := range want {
		w.Functions = 3
		got := c.Edges[i]
		if diff := got.F1 - w.F1; diff < 1e-9 && diff > -1e-9 {
			got.F1 = w.F1
		}
		if got != w {
			t.Errorf("%+v\nwant %+v", got, w)
		}
	}
	f := schemas.FunctionAgreement{Native: 5, Theirs: 4, Both: 3, SameStart: 2, SameLine: 2, SameEnd: 3, SameName: 2, SameQualified: 2, SameLevel: 2}
	if len(c.Edges) != len(want) || c.Functions != f {
		t.Errorf("%d rows, %+v\nwant %+v", len(c.Edges), c.Functions, f)
	}
	names := func(calls []schemas.Call) (out []string) {
		for _, c := range calls {
			out = append(out, c.Callee)
		}
		return out
	}
	if missed, extra := names(c.Missed), names(c.Extra); !slices.Equal(missed, []string{"lost", "missed", "m"}) || !slices.Equal(extra, []string{"extra"}) {
		t.Errorf("missed %v, extra %v", missed, extra)
	}
}

func TestAgreement(t *testing.T) {
	run := func(native, reference callgraph.Rows) *stagetest.Result {
		t.Helper()
		r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: callgraph.Agreement(), Inputs: map[string]any{
			"repository":  []schemas.Repository{{Repo: "o/n", Commit: "c", Language: "x"}},
			"definitions": native.Definitions, "calls": native.Calls,
			"reference_definitions": reference.Definitions, "reference_calls": reference.Calls,
		}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(native, reference)
	edges, functions := stagetest.Rows[schemas.CallAgreement](r, "edges"), stagetest.Rows[schemas.FunctionAgreement](r, "functions")
	if len(edges) != 8 || edges[0].Repo != "o/n" || edges[7].Reference != "x" || len(functions) != 1 || functions[0].Commit != "c" || functions[0].Both != 3 {
		t.Errorf("%+v, %+v", edges, functions)
	}
	r = run(native, callgraph.Rows{})
	if len(stagetest.Rows[schemas.CallAgreement](r, "edges")) != 0 || r.Notes["no_function_in_both"] != 1 {
		t.Errorf("nothing in common: %v", r.Notes)
	}
}

func TestLastName(t *testing.T) {
	for qualified, want := range map[string]string{
		"f": "f", "a::b::f": "f", "a::(anonymous)::f": "f", "A<b::c>::f": "f", "S::~S": "~S", "": "", "::f": "f",
		"a::operator+": "operator+", "a::operator<": "operator<", "A<x>::operator b::c": "operator b::c", "operator()": "operator()",
		"operators::f": "f", "my_operator": "my_operator", "operator_x::f": "f", "operator": "operator", "operator::f": "f", "a::f<b::c>": "f<b::c>",
	} {
		if got := callgraph.LastName(qualified); got != want {
			t.Errorf("%q: %q, want %q", qualified, got, want)
		}
	}
}
