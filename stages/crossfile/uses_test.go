package crossfile_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/crossfile"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/python"
	"benchmill/stages/lang/typescript"
)

// spoken are two real languages, the one with config files, and one that says
// nothing of its names. Tests may change them.
func spoken(t testing.TB) *lang.Set {
	t.Helper()
	set, err := lang.NewSet([]*lang.Language{python.Language(), typescript.Language()})
	if err != nil {
		t.Fatal(err)
	}
	set.Languages = append(set.Languages, &lang.Language{Name: "mute", Title: "Mute"})
	return set
}

// filesOf are sources in the order of their paths, as tables have them.
func filesOf(texts map[string]string) (out []schemas.File) {
	for path, text := range texts {
		out = append(out, schemas.File{Path: path, Text: text})
	}
	slices.SortFunc(out, func(a, b schemas.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func usesJob(t testing.TB, language, mode string, files, configs map[string]string) stagetest.Job {
	return stagetest.Job{
		Stage: crossfile.Uses(spoken(t)), Config: &crossfile.UsesConfig{Mode: mode}, Partition: language + "/o/n@1",
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/n", Language: language}}, "files": filesOf(files), "configs": filesOf(configs),
		},
	}
}

func runUses(t testing.TB, j stagetest.Job) *stagetest.Result {
	t.Helper()
	r, err := stagetest.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said are uses as "path:line:column name kind via target symbol".
func said(r *stagetest.Result) (out []string) {
	for _, u := range stagetest.Rows[schemas.CrossFileUse](r, "uses") {
		out = append(out, fmt.Sprintf("%s:%d:%d %s %s %s %s %s", u.Path, u.Line+1, u.Column+1, u.Name, u.Kind, u.Via, u.Target, u.Symbol))
	}
	return out
}

var program = map[string]string{
	"app/shapes.py": "class Circle:\n    def area(self):\n        return 3\n\ndef unit():\n    return Circle()\n",
	"app/main.py":   "from .shapes import Circle, unit\n\n\ndef f():\n    return unit().area() + Circle().size\n",
	"app/empty.py":  "",
	"app/bytes.py":  "x = '\xff'\n",
	// A byte order mark, lines that end otherwise, a name at the end of the file.
	"app/marks.py": "\ufefffrom app.shapes import Circle\r\n'é'; Circle().name\r\nCircle.area",
}

func TestUses(t *testing.T) {
	r := runUses(t, usesJob(t, "python", "compat", program, nil))
	want := []string{
		"app/main.py:5:19 area member constructor app/shapes.py unit", // an empty class in its place, too
		"app/main.py:5:37 size member constructor app/shapes.py Circle",
		"app/marks.py:2:16 name member constructor app/shapes.py Circle",
		"app/marks.py:3:8 area member import app/shapes.py Circle",
	}
	if got := said(r); !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, u := range stagetest.Rows[schemas.CrossFileUse](r, "uses") {
		if program[u.Path][u.Start:u.End] != u.Name || u.Detector != crossfile.Detector {
			t.Errorf("%+v stands at %q", u, program[u.Path][u.Start:u.End])
		}
	}
	var checked []string
	for _, f := range stagetest.Rows[schemas.CheckedFile](r, "checked") {
		checked = append(checked, f.Path+f.Reason)
	}
	if want := []string{"app/empty.py", "app/main.py", "app/marks.py", "app/shapes.py"}; !slices.Equal(checked, want) {
		t.Errorf("checked %q", checked)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Key != "app/bytes.py" || r.Dropped[0].Reason != "not_utf8" {
		t.Errorf("dropped %+v", r.Dropped)
	}
}

// What compilers cannot know of an empty stand-in, extended knows by reading on.
func TestUsesModes(t *testing.T) {
	files := map[string]string{"m.py": "class A:\n    b = 1\ndef make():\n    return A()\n", "n.py": "import m\nm.make().b\n"}
	compat, extended := said(runUses(t, usesJob(t, "python", "compat", files, nil))), said(runUses(t, usesJob(t, "python", "extended", files, nil)))
	if want := []string{"n.py:2:3 make member import m.py "}; !slices.Equal(compat, want) {
		t.Errorf("compat: %q", compat)
	}
	if len(extended) != 2 || !strings.HasPrefix(extended[1], "n.py:2:10 b member") {
		t.Errorf("extended: %q", extended)
	}
}

// Config files decide what an import stands for.
func TestUsesConfigs(t *testing.T) {
	files := map[string]string{"src/lib/shape.ts": "export class Shape {}\n", "src/main.ts": "import { Shape } from '@lib/shape';\nnew Shape();\n"}
	config := map[string]string{"tsconfig.json": `{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["src/lib/*"]}}}`}
	if got := said(runUses(t, usesJob(t, "typescript", "compat", files, nil))); len(got) != 0 {
		t.Errorf("without the config: %q", got)
	}
	want := []string{"src/main.ts:2:5 Shape name import src/lib/shape.ts Shape"}
	if got := said(runUses(t, usesJob(t, "typescript", "compat", files, config))); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestUsesOfNothing(t *testing.T) {
	r := runUses(t, usesJob(t, "mute", "compat", map[string]string{"a": "x", "b": "y"}, nil))
	if r.Reasons()["no_bindings"] != 2 || len(said(r)) != 0 || !strings.Contains(r.Dropped[0].Detail, "Mute") {
		t.Errorf("%+v", r.Dropped)
	}
	if r := runUses(t, usesJob(t, "python", "compat", nil, nil)); len(said(r)) != 0 || len(r.Dropped) != 0 {
		t.Errorf("no files: %q", said(r))
	}
	if _, err := stagetest.Run(t.Context(), usesJob(t, "none", "compat", program, nil)); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("no language: %v", err)
	}
}

func TestUsesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stagetest.Run(ctx, usesJob(t, "python", "compat", program, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// What a language says of its names is in the keys of its own partitions, and in
// those of no other.
func TestUsesIdentity(t *testing.T) {
	set := spoken(t)
	for name, stage := range map[string]*pipeline.Stage{"uses": crossfile.Uses(set), "check": crossfile.Check(set)} {
		identity := func(language string) []string { return stage.Identify(schemas.Repository{Language: language}) }
		before := map[string][]string{}
		for _, l := range set.Languages {
			before[l.Name] = identity(l.Name)
		}
		set.Get("python").Binding.Version++
		for language, was := range before {
			if changed := !reflect.DeepEqual(was, identity(language)); changed != (language == "python") {
				t.Errorf("%s: another binding of Python changes %s: %v", name, language, changed)
			}
		}
		if identity("none") != nil {
			t.Errorf("%s: of no language: %q", name, identity("none"))
		}
	}
}

// Rows counts lines and columns in one pass, however many uses there are.
func TestRows(t *testing.T) {
	const n = 200_000
	text := "\n\n" + strings.Repeat("ab ", n) + "\nab"
	var found []bind.Use
	for i := range n {
		found = append(found, bind.Use{Start: 2 + 3*i, End: 4 + 3*i, Name: "ab"})
	}
	found = append(found, bind.Use{Start: len(text) - 2, End: len(text), Name: "ab"})
	rows := crossfile.Rows(lang.SourceFile{Path: "a", Text: text}, found, "d")
	if got := rows[n-1]; got.Line != 2 || got.Column != 3*(n-1) {
		t.Errorf("%+v", got)
	}
	if got := rows[n]; got.Line != 3 || got.Column != 0 || got.Path != "a" || got.Detector != "d" {
		t.Errorf("%+v", got)
	}
	at := crossfile.Rows(lang.SourceFile{Text: "ab"}, []bind.Use{{Start: 0, End: 2}}, "")
	if len(at) != 1 || at[0].Line != 0 || at[0].Column != 0 {
		t.Errorf("%+v", at)
	}
}
