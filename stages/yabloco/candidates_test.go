package yabloco

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const goodDoc = "Says what it does. "

// rowOf is a function with a body in a file of its own.
func rowOf(name, doc, body string) (schemas.RepositoryFunction, schemas.File) {
	const head = "int f(int a)"
	hits := int64(3)
	f := schemas.RepositoryFunction{
		ID: "ID-" + name, Repo: "own/fruit", Name: name, Qualified: name, File: "src/" + name + ".c", Signature: head, Docstring: doc,
		Start: 0, Body: int64(len(head)) + 1, End: int64(len(head) + 1 + len(body)), Hits: &hits, Level: schemas.LevelNone,
	}
	return f, schemas.File{Path: f.File, Text: head + "\n" + body + "\n"}
}

func lines(n int) string { return "{\n" + strings.Repeat("    a++;\n", n) + "}" }

func TestCandidates(t *testing.T) {
	none, few := int64(0), int64(2)
	for _, test := range []struct {
		name, doc, body string
		change          func(f *schemas.RepositoryFunction)
		paper, upstream string // reasons; "": kept
	}{
		{"good", goodDoc, lines(3), nil, "", ""},
		{"never_run", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Hits = &none }, "not_covered", "not_covered"},
		{"unknown", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Hits = nil }, "not_covered", "not_covered"},
		{"run", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Hits = &few }, "", ""},
		{"no_doc", "", lines(3), nil, "short_docstring", "short_docstring"},
		{"three_words", "Says three words. ", lines(3), nil, "short_docstring", "short_docstring"},
		{"copyright", "Copyright of some person here", lines(3), nil, "licence_text", "licence_text"},
		{"spdx", "SPDX-License-Identifier: MIT and more words", lines(3), nil, "licence_text", ""},
		{"small_copyright", "copyright of some person here", lines(3), nil, "licence_text", ""},
		{"ruler", "==== this is a heading ====", lines(3), nil, "ruler", "ruler"},
		{"equals", "=== this is no ruler ===", lines(3), nil, "", ""},
		{"header", "int f(int a)\n{ return a; } was here before", lines(3), nil, "commented_out_code", "commented_out_code"},
		{"pointer_header", "int f(int *a)\n{ return *a; } was here before", lines(3), nil, "commented_out_code", ""},
		{"empty_header", "int f()\n{ return 1; } was here before", lines(3), nil, "commented_out_code", ""},
		{"braces_before", "} and int f(int a) { was here before", lines(3), nil, "", "commented_out_code"},
		{"statements", "a = b + 1;\nreturn a + c;\n", lines(3), nil, "commented_out_code", ""},
		{"braces", "Give it as {a, b}, not f(a). ", lines(3), nil, "", ""},
		{"one", goodDoc, lines(1), nil, "short_body", "short_body"},
		{"two", goodDoc, lines(2), nil, "", ""},
		{"fifteen", goodDoc, lines(15), nil, "", ""},
		{"sixteen", goodDoc, lines(16), nil, "long_body", "long_body"},
		{"blank", goodDoc, "{\n a;\n\n b;\n" + strings.Repeat("\n", 20) + "}", nil, "", ""},
		{"testing", goodDoc, lines(3), nil, "test", "test"},
		{"FastTest", goodDoc, lines(3), nil, "test", ""},
		{"createString", goodDoc, lines(3), nil, "", ""},
		{"in_tests", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.File = "tests/x.c" }, "test", "test"},
		{"seven", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.CallsNum = 7 }, "", ""},
		{"eight", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.CallsNum = 8 }, "many_callers", "many_callers"},
		{"two_heads", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Signature = "#if X\nint f(a)\n#else\nint f(b)\n#endif" }, "branches_in_signature", "branches_in_signature"},
		{"two_things", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Signature = "TABLE_END\n\n/* Next. */\nint f(int a)" }, "odd_signature", "odd_signature"},
		{"declarations", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Signature = "API int a;\nAPI int b;\nint f(int a)" }, "odd_signature", "odd_signature"},
		{"old_head", goodDoc, lines(3), func(f *schemas.RepositoryFunction) { f.Signature = "int f(a, b)\n    int a;\n    char b;" }, "", ""},
		{"long_head", goodDoc, lines(3), func(f *schemas.RepositoryFunction) {
			f.Signature = "int /* a; */\nf(\n\n    int a, // the first;\n\n    int (*g)(int))"
		}, "", ""},
		{"lifetimes", goodDoc, lines(3), func(f *schemas.RepositoryFunction) {
			f.Signature = "fn f<'a>(x: Box<dyn Fn(&'a u8)>, y: [u8; 4])"
		}, "", ""},
		{"short_else", goodDoc, "{\n#if X\n a;\n b;\n#else\n c;\n#endif\n}", nil, "short_body", "short_body"},
		{"no_body", goodDoc, "", nil, "no_body", "no_body"},
	} {
		f, file := rowOf(test.name, test.doc, test.body)
		if test.change != nil {
			test.change(&f)
		}
		covered, other := rowOf("other", goodDoc, lines(2))
		for compat, want := range map[string]string{"paper": test.paper, "upstream": test.upstream} {
			c := Candidates().NewConfig().(*CandidatesConfig)
			c.Compat, c.MinHits = compat, 2
			r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Candidates(), Config: c, Inputs: map[string]any{
				"functions": []schemas.RepositoryFunction{f, covered}, "files": []schemas.File{file, other},
			}})
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			wanted := map[string]int{}
			if want != "" {
				wanted[want] = 1
			}
			if !maps.Equal(r.Reasons(), wanted) {
				t.Errorf("%s, %s: %v, want %q", test.name, compat, r.Reasons(), want)
			}
		}
	}
}

func candidatesOf(t *testing.T, config any, functions []schemas.RepositoryFunction, files []schemas.File) *stagetest.Result {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Candidates(), Config: config, Inputs: map[string]any{"functions": functions, "files": files}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What stays of #if is said in the row.
func TestCandidatesBranches(t *testing.T) {
	const body = "{\n    a;\n#ifdef X\n    b;\n#else\n    c;\n    d;\n#endif\n}"
	f, file := rowOf("f", goodDoc, body)
	plain, other := rowOf("plain", goodDoc, lines(2))
	for branches, want := range map[string]string{"else": "{\n    a;\n    c;\n    d;\n}", "written": body} {
		c := Candidates().NewConfig().(*CandidatesConfig)
		c.Branches = branches
		rows := stagetest.Rows[schemas.BodyCandidate](candidatesOf(t, c, []schemas.RepositoryFunction{f, plain}, []schemas.File{file, other}), "candidates")
		if len(rows) != 2 || rows[0].Branches != branches || rows[0].Text != want || rows[0].BodyLines != int64(strings.Count(want, "\n")-1) || rows[1].Branches != "" {
			t.Errorf("%s: %+v", branches, rows)
		}
	}
}

// What stands under #else stays only where it can be built, unless upstream is asked
// for.
func TestCandidatesUnsoundBranches(t *testing.T) {
	const body = "{\n#ifndef X\n    int b;\n#endif\n    a();\n#ifdef X\n    c();\n#else\n    b = d();\n#endif\n}"
	f, file := rowOf("f", goodDoc, body)
	for compat, want := range map[string]schemas.BodyCandidate{
		"paper":    {Branches: "written", Text: body},
		"upstream": {Branches: "else", Text: "{\n    a();\n    b = d();\n}"},
	} {
		c := Candidates().NewConfig().(*CandidatesConfig)
		c.Compat = compat
		rows := stagetest.Rows[schemas.BodyCandidate](candidatesOf(t, c, []schemas.RepositoryFunction{f}, []schemas.File{file}), "candidates")
		if len(rows) != 1 || rows[0].Branches != want.Branches || rows[0].Text != want.Text || rows[0].Code != f.Signature+"\n"+want.Text {
			t.Fatalf("%s: %+v", compat, rows)
		}
		// Whatever stays, it goes over all of the original.
		if placed, err := Place(file.Text, task(rows[0]), rows[0].Text); err != nil || placed != rows[0].Code+"\n" {
			t.Errorf("%s: %q, %v", compat, placed, err)
		}
	}
}

// A repository of which no coverage is known is asked for none.
func TestCandidatesWithoutCoverage(t *testing.T) {
	f, file := rowOf("f", goodDoc, lines(2))
	f.Hits = nil
	r := candidatesOf(t, nil, []schemas.RepositoryFunction{f}, []schemas.File{file})
	if len(r.Dropped) > 0 || r.Notes["repositories_without_coverage"] != 1 {
		t.Errorf("%+v %v", r.Dropped, r.Notes)
	}
	_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Candidates(), Inputs: map[string]any{"functions": []schemas.RepositoryFunction{f}, "files": []schemas.File{}}})
	if err == nil || !strings.Contains(err.Error(), "own/fruit: src/f.c is not among the files") {
		t.Error(err)
	}
}

// candidateOf is a candidate of so many lines and callers.
func candidateOf(name, body string, length, callers int64) schemas.BodyCandidate {
	f, _ := rowOf(name, goodDoc, body)
	f.CodeLength, f.CallsNum, f.Docstring, f.Signature = length, callers, "", "void "+name+"()"
	return schemas.BodyCandidate{ID: f.ID, Function: f, Text: body, Code: f.Signature + "\n" + body}
}

func ids(rows []schemas.BodyCandidate) []string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.TrimPrefix(r.ID, "ID-"))
	}
	return slices.Sorted(slices.Values(out))
}
