package crosscodeeval

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	languages "benchmill/stages/lang/all"
	"benchmill/stages/lang/bind"
)

func TestStages(t *testing.T) {
	set := allLanguages(t)
	if err := pipeline.Validate([]*pipeline.Stage{Examples(set), Filter(set), Texts(), Unique()}); err != nil {
		t.Error(err)
	}
}

func repository(language string) []schemas.Repository {
	return []schemas.Repository{{Repo: "o/n", Commit: strings.Repeat("a", 40), Language: language}}
}

// usesOf marks every place of a text where one of the names stands as a word.
func usesOf(path, text string, names ...string) (out []schemas.CrossFileUse) {
	for _, name := range names {
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			out = append(out, use(path, text, at+i, name))
			at += i + len(name)
		}
	}
	slices.SortFunc(out, func(a, b schemas.CrossFileUse) int { return int(a.Start - b.Start) })
	return out
}

func examplesJob(t testing.TB, language string, c ExamplesConfig, uses []schemas.CrossFileUse, files ...schemas.File) stagetest.Job {
	stage := Examples(allLanguages(t))
	config := stage.NewConfig().(*ExamplesConfig)
	config.PerFile, config.PerRepository = c.PerFile, c.PerRepository
	if c.Compat != "" {
		config.Compat = c.Compat
	}
	return stagetest.Job{Stage: stage, Seed: 1, Config: config, Inputs: map[string]any{
		"repository": repository(language), "files": files, "uses": uses,
	}}
}

func run(t *testing.T, j stagetest.Job) *stagetest.Result {
	t.Helper()
	r, err := stagetest.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func exampleRows(r *stagetest.Result) []schemas.CompletionExample {
	return stagetest.Rows[schemas.CompletionExample](r, "examples")
}

const service = `import api

one = api.find(1)
two = api.find(2) + api.size
if api.ready:
    three = api.close(
        one)
`

func TestExamples(t *testing.T) {
	uses := usesOf("a.py", service, "find", "size", "ready", "close")
	uses[0].Target, uses[0].Via, uses[0].Detector = "api.py", "import", "native"
	r := run(t, examplesJob(t, "python", ExamplesConfig{}, uses, schemas.File{Path: "a.py", Text: service}))
	rows := exampleRows(r)
	if len(rows) != 4 || len(r.Dropped) != 1 {
		t.Fatalf("%d rows, drops %v", len(rows), r.Dropped)
	}
	if d := r.Dropped[0]; d.Reason != reasonNotFirst || d.Key != "a.py:4:11 find" || d.Detail != "line 3 has it" {
		t.Errorf("%+v", d)
	}
	ids := map[string]bool{}
	for _, e := range rows {
		ids[e.ID] = true
		if e.Prompt+e.Reference+e.RightContext != service || int(e.CursorByte) != len(e.Prompt) || int(e.EndByte) != len(e.Prompt+e.Reference) {
			t.Errorf("the parts of %+v are not the file", e)
		}
		if got := int64(strings.Count(e.Prompt, "\n")); e.CursorLine != got {
			t.Errorf("%s: cursor on line %d, not %d", e.Name, e.CursorLine, got)
		}
		if got := e.CursorLine + int64(strings.Count(e.Reference, "\n")) + 1; e.RightLine != got {
			t.Errorf("%s: right context on line %d, not %d", e.Name, e.RightLine, got)
		}
		if !strings.Contains(e.Reference, e.Name) || service[e.NameByte:int(e.NameByte)+len(e.Name)] != e.Name {
			t.Errorf("reference %q lacks %s", e.Reference, e.Name)
		}
	}
	if len(ids) != 4 {
		t.Errorf("ids %v", ids)
	}
	first := rows[slices.IndexFunc(rows, func(e schemas.CompletionExample) bool { return e.Name == "find" })]
	if first.Target != "api.py" || first.Via != "import" || first.Detector != "native" || first.Kind != bind.KindMember {
		t.Errorf("%+v", first)
	}
}

// All tokens of a line are drawn in the long run, and one more use or another seed
// changes no draw but its own.
func TestDraws(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "x = api.name%03d(1)\n", i)
	}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("name%03d", i))
	}
	file := schemas.File{Path: "a.py", Text: text.String()}
	uses := usesOf("a.py", file.Text, names...)
	columns := map[int64]int{}
	all := exampleRows(run(t, examplesJob(t, "python", ExamplesConfig{}, uses, file)))
	byName := map[string]schemas.CompletionExample{}
	for _, e := range all {
		columns[e.CursorByte-e.CursorLine*int64(len("x = api.name000(1)\n"))]++
		byName[e.Name] = e
	}
	for _, column := range []int64{0, 2, 4, 7, 8} { // x = api . name
		if columns[column] < 20 {
			t.Errorf("cursors by column: %v", columns)
		}
	}
	if len(columns) != 5 {
		t.Errorf("cursors by column: %v", columns)
	}
	for _, e := range exampleRows(run(t, examplesJob(t, "python", ExamplesConfig{}, slices.Delete(slices.Clone(uses), 3, 7), file))) {
		if e != byName[e.Name] {
			t.Errorf("%s was drawn otherwise without others", e.Name)
		}
	}
	job := examplesJob(t, "python", ExamplesConfig{}, uses, file)
	job.Seed = 2
	if reflect.DeepEqual(exampleRows(run(t, job)), all) {
		t.Error("another seed draws the same")
	}
}

func TestCaps(t *testing.T) {
	text := "a = api.one\nb = api.two\nc = api.three\nd = api.four\n"
	names := []string{"one", "two", "three", "four"}
	files := []schemas.File{{Path: "a.py", Text: text}, {Path: "b.py", Text: text}, {Path: "c.py", Text: "x = api.one\n"}}
	var uses []schemas.CrossFileUse
	for _, f := range files {
		uses = append(uses, usesOf(f.Path, f.Text, names...)...)
	}
	r := run(t, examplesJob(t, "python", ExamplesConfig{PerFile: 2}, uses, files...))
	perFile := map[string]int{}
	for _, e := range exampleRows(r) {
		perFile[e.Path]++
	}
	if !reflect.DeepEqual(perFile, map[string]int{"a.py": 2, "b.py": 2, "c.py": 1}) || r.Reasons()[reasonNotDrawn] != 4 {
		t.Errorf("%v, %v", perFile, r.Reasons())
	}
	r = run(t, examplesJob(t, "python", ExamplesConfig{PerFile: 2, PerRepository: 3}, uses, files...))
	if len(exampleRows(r)) != 3 || r.Reasons()[reasonNotDrawn] != 6 {
		t.Errorf("%d, %v", len(exampleRows(r)), r.Reasons())
	}
}

func TestUnfitUses(t *testing.T) {
	text := "x = 'api.find'\ny = api.size\n"
	uses := usesOf("a.py", text, "find", "size")
	uses = append(uses,
		schemas.CrossFileUse{Path: "a.py", Start: 90, End: 99, Name: "beyond"},
		schemas.CrossFileUse{Path: "a.py", Start: -1, End: 2, Name: "before"},
		schemas.CrossFileUse{Path: "a.py", Start: 5, End: 5, Name: "empty"},
		schemas.CrossFileUse{Path: "b.py", Start: 0, End: 1, Name: "b"},
		schemas.CrossFileUse{Path: "c.py", Start: 0, End: 1, Name: "c"},
	)
	r := run(t, examplesJob(t, "python", ExamplesConfig{}, uses, schemas.File{Path: "a.py", Text: text}, schemas.File{Path: "c.py", Text: "c\xff = 1"}))
	want := map[string]int{reasonNoToken: 4, reasonNoFile: 1, "not_utf8": 1}
	if got := r.Reasons(); !reflect.DeepEqual(got, want) || len(exampleRows(r)) != 1 {
		t.Errorf("%v, want %v", got, want)
	}
	if rows := exampleRows(run(t, examplesJob(t, "python", ExamplesConfig{}, nil))); len(rows) != 0 {
		t.Error("examples of nothing")
	}
}

func TestExamplesConfig(t *testing.T) {
	c := Examples(nil).NewConfig().(*ExamplesConfig)
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	for _, timeout := range []time.Duration{0, -time.Second, time.Nanosecond} {
		c.ParseTimeout = timeout
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "parse_timeout") {
			t.Errorf("%s: %v", timeout, err)
		}
	}
}

// Under compat upstream some languages have every occurrence of a name.
func TestAllOccurrences(t *testing.T) {
	text := "class A { void f() {\n    x = in.read();\n    y = in.read();\n} }\n"
	uses := usesOf("A.java", text, "read")
	for compat, want := range map[string]int{"paper": 1, upstream: 2} {
		if got := len(exampleRows(run(t, examplesJob(t, "java", ExamplesConfig{Compat: compat}, uses, schemas.File{Path: "A.java", Text: text})))); got != want {
			t.Errorf("%s: %d examples, want %d", compat, got, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	uses := usesOf("a.py", service, "find")
	_, err := stagetest.Run(ctx, examplesJob(t, "python", ExamplesConfig{}, uses, schemas.File{Path: "a.py", Text: service}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// What decides cuts joins the keys of a language's partitions, and no other's.
func TestIdentify(t *testing.T) {
	set, err := languages.Languages() // its own, to be changed
	if err != nil {
		t.Fatal(err)
	}
	before := map[string][]string{}
	for name := range rules {
		before[name] = identify(set)(repository(name)[0])
	}
	set.Get("java").Statements.Marks = ";"
	for name := range rules {
		if changed := !slices.Equal(before[name], identify(set)(repository(name)[0])); changed != (name == "java") {
			t.Errorf("%s: changed %v", name, changed)
		}
	}
}

func TestNoStatements(t *testing.T) {
	job := examplesJob(t, "python", ExamplesConfig{}, usesOf("a.py", service, "find"), schemas.File{Path: "a.py", Text: service})
	set, err := languages.Languages() // its own, to be changed
	if err != nil {
		t.Fatal(err)
	}
	set.Get("python").Statements = nil
	job.Stage = Examples(set)
	if _, err := stagetest.Run(t.Context(), job); err == nil || !strings.Contains(err.Error(), "Python") {
		t.Errorf("%v", err)
	}
}

func TestRules(t *testing.T) {
	for name, data := range map[string]string{
		"unknown field": "default: {min_lines: 1, cursor: name, x: 1}", "cursor": "default: {min_lines: 1, cursor: there}",
		"lines": "default: {cursor: name}", "no default": "a: {min_lines: 1, cursor: name}", "no YAML": "{",
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			mustRules([]byte(data))
		}()
	}
	if r := ruleOf("none", upstream); r.MinLines != 10 || r.Cursor != cursorToken {
		t.Errorf("%+v", r)
	}
	for name, lines := range map[string]int{"python": 10, "java": 20, "typescript": 30, "csharp": 5} {
		if r := ruleOf(name, "paper"); r != (rule{MinLines: lines, Cursor: cursorToken}) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
