package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"benchmill/internal/gitfixture"
	"benchmill/internal/testdeps"
	"benchmill/schemas"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/crossfile"
)

func TestList(t *testing.T) {
	got, err := parseList("list", "# names\n\no/n HEAD python src/\n  a/b\t0123 java\n")
	want := []repository{{"o/n", "HEAD", "python", "src"}, {"a/b", "0123", "java", "."}}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, %v", got, err)
	}
	for text, at := range map[string]string{"": "list: no", "o/n HEAD\n": "list:1:", "\nname HEAD python src\n": "list:2:", "o/n HEAD python src more": "list:1:"} {
		if _, err := parseList("list", text); err == nil || !strings.HasPrefix(err.Error(), at) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMirror(t *testing.T) {
	for pattern, want := range map[string]string{"/m": "/m/o/n", "/m/{owner}+{name}/repo": "/m/o+n/repo"} {
		if got, err := mirror(pattern, "o/n"); err != nil || got != want {
			t.Errorf("%s: %s, %v", pattern, got, err)
		}
	}
}

func use(path string, start, line int64, name, kind string) schemas.CrossFileUse {
	return schemas.CrossFileUse{Path: path, Start: start, End: start + int64(len(name)), Line: line, Name: name, Kind: kind}
}

func TestPrint(t *testing.T) {
	c := &crossfile.Comparison{
		Files: 2, Both: []schemas.CrossFileUse{use("b", 0, 0, "x", "member")},
		OnlyNative: []schemas.CrossFileUse{use("b", 4, 1, "y", "member")}, OnlyReference: []schemas.CrossFileUse{use("a", 2, 0, "z", "name"), use("a", 900, 9, "far", "")},
	}
	r := &result{Repo: "o/n", Language: "toy", Sources: 3, Native: 0.5, Tool: 50, comparison: c, Counts: countsOf(c),
		texts: map[string]string{"a": "\t a.z\n", "b": "x.\n  y()  \n"}, Skipped: map[string]int{"syntax": 1}}
	var b bytes.Buffer
	r.print(&b, options{verbose: true, kinds: true})
	for _, want := range []string{
		`(?m)^o/n +toy +2/3 +2 +3 +0.5000 +0.3333 +0.4000 +0.50 +50.00 +100.0$`,
		`(?m)^  member +2 +1 +0.5000 +1.0000 `,
		`(?m)^  - a:1:1 z \[name \] a.z\n  - a:10:1 far \[ \] \n  \+ b:2:1 y \[member \] y\(\)$`,
		`(?m)^  the tool read 1 files not: syntax$`,
	} {
		if !regexp.MustCompile(want).Match(b.Bytes()) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
	totals := newTotals()
	totals.add(r)
	totals.add(r)
	totals.add(&result{Repo: "bad", Language: "toy", Error: "it failed"})
	b.Reset()
	totals.print(&b)
	if want := `^all +toy +4/6 +4 +6 +0.5000 +0.3333 +0.4000 +1.00 +100.00 +100.0\n$`; !regexp.MustCompile(want).Match(b.Bytes()) {
		t.Errorf("%s", &b)
	}
}

// A small repository, from the mirror to the table.
func TestRun(t *testing.T) {
	deps := testdeps.Folder(t)
	box := sandbox.New(t.TempDir(), sandbox.Engines()...)
	if _, err := tool.New(tool.Options{Deps: []string{deps}, Box: box}).Find(t.Context(), "pylint"); err != nil {
		testdeps.Missing(t, "pylint", err.Error())
	}
	dir := t.TempDir()
	repo := gitfixture.NewAt(t, filepath.Join(dir, "o", "n"))
	repo.Head("main")
	repo.Commit(
		gitfixture.Text("pkg/__init__.py", ""),
		gitfixture.Text("pkg/shapes.py", "class Shape:\n    def area(self):\n        return 1\n"),
		gitfixture.Text("pkg/main.py", "from pkg.shapes import Shape\n\n\ndef run():\n    return Shape().area()\n"),
	)
	list := filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte("o/n main python .\no/gone main python .\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := options{list: list, mirrors: dir, deps: deps, time: time.Minute, memory: 2 << 30, json: true}
	var b bytes.Buffer
	if err := run(context.Background(), o, &b); err == nil || !strings.Contains(err.Error(), "1 of 2") {
		t.Errorf("one repository is not there: %v", err)
	}
	d := json.NewDecoder(&b)
	var found, gone result
	if err := d.Decode(&found); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(&gone); err != nil || !strings.Contains(gone.Error, "o/gone") {
		t.Errorf("%+v, %v", gone, err)
	}
	if c := found.Counts; len(c) < 2 || c[0].Kind != "all" || c[0].Files != 3 || c[0].Both != 1 || c[0].Native+c[0].Tool != 0 || !strings.HasPrefix(found.Reference, "pylint ") || found.Tool == 0 {
		t.Errorf("%+v", found)
	}
}
