package coverage

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

var update = flag.Bool("update", false, "write the golden sections of testdata")

// archive is a repository with its definitions and reports.
type archive struct {
	format  string
	entries []schemas.Entry
	defs    []schemas.Definition
	reports map[pipeline.FileName]string
}

func readArchive(t testing.TB, a *txtar.Archive) *archive {
	t.Helper()
	out := &archive{reports: map[pipeline.FileName]string{}}
	fmt.Sscanf(string(a.Comment), "format: %s\n", &out.format)
	texts := map[string]string{}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "files/"); ok {
			texts[name] = string(f.Data)
			out.entries = append(out.entries, schemas.Entry{Path: name, Kind: schemas.KindFile, Content: f.Data})
		}
		if strings.HasPrefix(f.Name, "reports/") {
			out.reports[pipeline.FileName(f.Name)] = string(f.Data)
		}
		if f.Name == "definitions" {
			for line := range strings.Lines(string(f.Data)) {
				out.defs = append(out.defs, definitionOf(t, texts, line))
			}
		}
	}
	return out
}

// definitionOf reads a line of "path first last name".
func definitionOf(t testing.TB, texts map[string]string, line string) (d schemas.Definition) {
	t.Helper()
	if _, err := fmt.Sscan(line, &d.Path, &d.Line, &d.EndLine, &d.Name); err != nil {
		t.Fatal(line, err)
	}
	text := texts[d.Path]
	for range d.Line - 1 {
		d.Start += int64(strings.Index(text[d.Start:], "\n") + 1)
	}
	d.Body = d.Start + int64(strings.Index(text[d.Start:], "{"))
	d.End = int64(len(text))
	return d
}

// inputs are those of both stages.
func (a *archive) inputs() map[string]any {
	return map[string]any{"repository": []schemas.Repository{{Repo: "o/n"}}, "snapshot": a.entries, "definitions": a.defs}
}

func (a *archive) run(t testing.TB, compat string) *stagetest.Result {
	t.Helper()
	config := &ImportConfig{Reports: []Imported{{Repo: "o/n", Format: a.format, Files: slices.Sorted(maps.Keys(a.reports))}}, Compat: compat}
	if err := config.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Import(), Config: config, Files: a.reports, Inputs: a.inputs()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// render writes what a stage made for people: path:line name hits, and notes.
func (a *archive) render(r *stagetest.Result) string {
	var b strings.Builder
	for _, h := range stagetest.Rows[schemas.FunctionHit](r, "hits") {
		i := slices.IndexFunc(a.defs, func(d schemas.Definition) bool { return d.Path == h.Path && d.Start == h.Start })
		fmt.Fprintf(&b, "%s:%d %s %d %s\n", h.Path, a.defs[i].Line, a.defs[i].Name, h.Hits, h.Source)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Notes)) {
		fmt.Fprintf(&b, "# %s %d\n", name, r.Notes[name])
	}
	return b.String()
}

func TestImport(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := readArchive(t, ar)
			got := a.render(a.run(t, "function")) + "upstream:\n" + a.render(a.run(t, "upstream"))
			want := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if string(ar.Files[want].Data) != got {
				t.Errorf("got\n%s\nwant\n%s", got, ar.Files[want].Data)
			}
		})
	}
}

// The order of definitions and reports decides nothing, nor does packing.
func TestImportOrder(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/gcov_objects.txtar")
	if err != nil {
		t.Fatal(err)
	}
	a := readArchive(t, ar)
	want := a.render(a.run(t, "function"))
	random := rand.New(rand.NewSource(1))
	for range 5 {
		random.Shuffle(len(a.defs), func(i, j int) { a.defs[i], a.defs[j] = a.defs[j], a.defs[i] })
		for name, text := range a.reports {
			objects := strings.SplitAfter(strings.TrimSpace(text)+"\n", "\n")
			random.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
			a.reports[name] = packed(t, strings.Join(objects, ""))
		}
		if got := a.render(a.run(t, "function")); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		for name, text := range a.reports {
			a.reports[name] = unpacked(t, text)
		}
	}
}

func packed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func unpacked(t testing.TB, text string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestImportNothing(t *testing.T) {
	r, err := stagetest.Run(context.Background(), stagetest.Job{Stage: Import(), Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/n"}}}})
	if err != nil || r.Notes["no_reports"] != 1 || len(stagetest.Rows[schemas.FunctionHit](r, "hits")) != 0 {
		t.Error(r, err)
	}
}

func TestImportErrors(t *testing.T) {
	a := &archive{defs: []schemas.Definition{{Path: "z.c"}, {Path: "b.c"}}}
	good := ImportConfig{Reports: []Imported{{Repo: "o/n", Format: "lcov", Files: []pipeline.FileName{"a.info"}}}}
	run := func(files map[pipeline.FileName]string) error {
		_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Import(), Config: &good, Files: files, Inputs: a.inputs()})
		return err
	}
	if err := run(nil); err == nil || err.Error() != "o/n: b.c has definitions, and is no file of the snapshot" {
		t.Error(err)
	}
	a.defs = nil
	if err := run(nil); err == nil || err.Error() != "no file a.info" {
		t.Error(err)
	}
	if err := run(map[pipeline.FileName]string{"a.info": "TN:\nDA:1,1\n"}); err == nil || err.Error() != "o/n: a.info: line 2: DA before SF" {
		t.Error(err)
	}
	for want, c := range map[string]ImportConfig{
		"entry 1 () needs":     {Reports: []Imported{{Format: "lcov", Files: []pipeline.FileName{"a"}}}},
		"entry 1 (o/n) needs":  {Reports: []Imported{{Repo: "o/n", Format: "lcov"}}},
		`format "xml" is none`: {Reports: []Imported{{Repo: "o/n", Format: "xml", Files: []pipeline.FileName{"a"}}}},
		"o/n has two entries":  {Reports: []Imported{good.Reports[0], good.Reports[0]}},
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
