package yabloco

import (
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

var update = flag.Bool("update", false, "rewrite golden files")

// world is a small repository with its call graph, put together by hand.
type world struct {
	t     *testing.T
	repo  schemas.Repository
	files []schemas.File
	defs  []schemas.Definition
	calls []schemas.Call
	dates []schemas.FunctionDate
	hits  []schemas.FunctionHit
}

func newWorld(t *testing.T) *world {
	return &world{t: t, repo: schemas.Repository{
		Repo: "own/fruit", URL: "https://example.org/own/fruit", Commit: strings.Repeat("1", 40), Language: "lang", Licence: "MIT",
	}}
}

func (w *world) file(path, text string) {
	w.files = append(w.files, schemas.File{Path: path, Text: text, Blob: "blob of " + path})
}

func (w *world) text(path string) string {
	for _, f := range w.files {
		if f.Path == path {
			return f.Text
		}
	}
	w.t.Fatalf("no file %s", path)
	return ""
}

// function is the n-th definition (from 0) with a head in a file; the comment right
// above belongs to it.
func (w *world) function(path, head, name string) *schemas.Definition {
	w.t.Helper()
	text := w.text(path)
	at := strings.Index(text, head+"\n{")
	if at < 0 {
		w.t.Fatalf("%s has no %s", path, head)
	}
	body := at + len(head) + 1
	end, ok := closing(text, body, '{', '}')
	if !ok {
		w.t.Fatalf("%s: %s has no end", path, head)
	}
	d := schemas.Definition{
		Path: path, Start: int64(at), Body: int64(body), End: int64(end), Signature: head,
		Line: int64(strings.Count(text[:at], "\n")) + 1, EndLine: int64(strings.Count(text[:end-1], "\n")) + 1,
		Name: name, Qualified: name,
	}
	if above := strings.TrimRight(text[:at], " \t\n"); strings.HasSuffix(above, "*/") {
		d.Doc = above[strings.LastIndex(above, "/*"):]
	}
	w.defs = append(w.defs, d)
	return &w.defs[len(w.defs)-1]
}

func (w *world) def(name string) schemas.Definition {
	w.t.Helper()
	for _, d := range w.defs {
		if d.Name == name {
			return d
		}
	}
	w.t.Fatalf("no function %s", name)
	return schemas.Definition{}
}

// call adds a call of a function, by its name, to another or to what is not here.
func (w *world) call(caller, callee, evidence string, first int64, outside ...string) {
	w.t.Helper()
	from := w.def(caller)
	c := schemas.Call{CallerPath: from.Path, CallerStart: from.Start, Caller: caller, Callee: callee, Evidence: evidence, First: first, Sites: 1, Engine: "native"}
	if len(outside) > 0 {
		c.Origin, c.CalleePath, c.CalleeStart = outside[0], outside[1], -1
	} else {
		to := w.def(callee)
		c.Origin, c.CalleePath, c.CalleeStart, c.CalleeLine = schemas.OriginDefined, to.Path, to.Start, to.Line
	}
	w.calls = append(w.calls, c)
}

func (w *world) inputs() map[string]any {
	return map[string]any{
		"repository": []schemas.Repository{w.repo}, "files": w.files, "definitions": w.defs, "calls": w.calls, "dates": w.dates, "hits": w.hits,
	}
}

// run runs a stage over the inputs it has, with some of its own.
func (w *world) run(stage *pipeline.Stage, config any, own map[string]any) *stagetest.Result {
	w.t.Helper()
	r, err := w.try(stage, config, own)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) try(stage *pipeline.Stage, config any, own map[string]any) (*stagetest.Result, error) {
	inputs := map[string]any{}
	for _, port := range stage.In {
		if rows, ok := w.inputs()[port.Name]; ok {
			inputs[port.Name] = rows
		}
		if rows, ok := own[port.Name]; ok {
			inputs[port.Name] = rows
		}
	}
	return stagetest.Run(w.t.Context(), stagetest.Job{Stage: stage, Config: config, Inputs: inputs})
}

// shuffled is the world with its rows in another order.
func (w *world) shuffled(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, seed))
	o := *w
	o.files, o.defs, o.calls = mixed(r, w.files), mixed(r, w.defs), mixed(r, w.calls)
	o.dates, o.hits = mixed(r, w.dates), mixed(r, w.hits)
	return &o
}

func mixed[T any](r *rand.Rand, rows []T) []T {
	out := append([]T(nil), rows...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// fruit is a repository with a function at each context level.
func fruit(t *testing.T) *world {
	w := newWorld(t)
	w.file("src/peel.h", "\tint deep(void);\n\n  /* Peels once.\n   * Then\n   *   rests. */\n  int once(int n)\n{ return n; }\n")
	w.file("src/peel.c", `/* Peels all that is left of it. */
int peel(int n)
{
    if (n > LIMIT)
        return stop(n);
    once(n);
    wash(n);
    return table->cut(n) + twice(n);
}

/* Stops at the given number n. */
static int stop(int n)
{
    n++;
    return n;
}

static int twice(int n)
{
    return stop(stop(n));
}
`)
	w.file("lib/wash.c", `/* Washes with water, and sleeps. */
int wash(int n)
{
    sleep(1);
    foreign(n);
    return what(n);
}
`)
	w.function("src/peel.h", "int once(int n)", "once")
	w.function("src/peel.c", "int peel(int n)", "peel")
	w.function("src/peel.c", "static int stop(int n)", "stop")
	w.function("src/peel.c", "static int twice(int n)", "twice")
	w.function("lib/wash.c", "int wash(int n)", "wash")
	w.call("peel", "stop", schemas.EvidenceWritten, 90)
	w.call("peel", "once", schemas.EvidenceWritten, 110)
	w.call("peel", "wash", schemas.EvidenceMacro, 120)
	w.call("peel", "Table::cut", schemas.EvidenceIndirect, 130, schemas.OriginDeclared, "src/peel.h")
	w.call("peel", "twice", schemas.EvidenceWritten, 150)
	w.call("twice", "stop", schemas.EvidenceWritten, 300)
	w.call("wash", "sleep", schemas.EvidenceWritten, 60, schemas.OriginSystem, "unistd.h")
	w.call("wash", "foreign", schemas.EvidenceWritten, 70, schemas.OriginExternal, "foreign.h")
	w.call("wash", "what", schemas.EvidenceWritten, 80, schemas.OriginUnresolved, "")
	for i, name := range []string{"peel", "stop", "twice", "wash"} {
		d := w.def(name)
		w.dates = append(w.dates, schemas.FunctionDate{Path: d.Path, Start: d.Start, Date: "2024-02-0" + string(rune('1'+i)) + "T10:00:00Z", Mode: schemas.HistoryMainline})
		w.hits = append(w.hits, schemas.FunctionHit{Path: d.Path, Start: d.Start, Hits: int64(10 * (i + 1)), Source: "lcov"})
	}
	return w
}

// one is a language that says what comments look like.
func oneLanguage() *lang.Set {
	return &lang.Set{Languages: []*lang.Language{{Name: "lang", Title: "Lang", CommentPrefix: "//"}}}
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
	}
}
