package release_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
)

var update = flag.Bool("update", false, "write golden files")

// quiz is a row with every shape a column may have.
type quiz struct {
	ID    string   `parquet:"id"`
	Group string   `parquet:"group"`
	Size  int64    `parquet:"size"`
	Share float64  `parquet:"share"`
	Tags  []string `parquet:"tags"`
	Spans []span   `parquet:"spans"`
}

type span struct {
	Start int64 `parquet:"start"`
	End   int64 `parquet:"end"`
}

// wider is quiz of the next version.
type wider struct {
	ID    string `parquet:"id"`
	Group string `parquet:"group"`
	Extra bool   `parquet:"extra"`
}

var (
	quizzes = pipeline.NewSchema[quiz]("quizzes", 1, "Questions.", "id")
	wides   = pipeline.NewSchema[wider]("quizzes", 2, "Questions.", "id")
)

func some() []quiz {
	return []quiz{
		{ID: "a", Group: "one", Size: 1, Share: 0.5, Tags: []string{"x", "y"}, Spans: []span{{1, 2}}},
		{ID: "b", Group: "two", Size: 2, Share: 0.25},
		{ID: "c", Group: "one", Size: 3, Spans: []span{{3, 4}, {5, 6}}},
	}
}

// place is a folder for releases with one for work beside it.
type place struct {
	t          *testing.T
	root, temp string
}

func newPlace(t *testing.T) place {
	dir := t.TempDir()
	p := place{t, filepath.Join(dir, "releases"), filepath.Join(dir, "tmp")}
	if err := os.Mkdir(p.temp, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// manifest is all that a pipeline would say of a release of quizzes.
func manifest() *release.Manifest {
	return &release.Manifest{
		Dataset: "quiz", Split: "test",
		Words:    release.Words{Title: "Quiz", Description: "Questions and spans.", Licence: "mit", Tags: []string{"code"}},
		Recipe:   digest.Of([]byte("recipe")),
		Pipeline: release.Pipeline{Name: "quizzes", Seed: 7, AsOf: "2024-06-23T00:00:00Z", Build: digest.Of([]byte("build"))},
		Stages: []release.Stage{{
			Node: "ask", Stage: "quiz.ask", Version: 2, Config: []string{"n=3"}, Partitions: 2, Quarantined: 1,
			In: []release.Count{{Table: "pages", Rows: 5}}, Out: []release.Count{{Table: "quizzes", Rows: 3}},
			Drops: []cache.Drop{{Table: "pages", Reason: "too_long", Rows: 2}}, Notes: []release.Count{{Table: "short", Rows: 1}},
		}},
		Sources: []release.Source{
			{Partition: "p/o/x@1", Name: "o/x", URL: "https://example.org/o/x", Commit: "0123456789012345678901234567890123456789", Licence: "MIT", Rows: 3},
			{Partition: "p/o/y@2", Name: "o/y", URL: "https://example.org/o/y", Commit: "9876543210987654321098765432109876543210"},
		},
		Quarantined: []release.Quarantined{{Node: "ask", Partition: "p/o/z@3", Error: "a | pipe\nand a second line"}},
		Models:      []cache.Usage{{Provider: "openai", Model: "m|1", Origin: "model", Requests: 3, InputTokens: 30, OutputTokens: 20, CostMicroUSD: 1_250_000}},
		Tokenizers:  []release.Tokenizer{{Name: "default", Identity: "embedded/1"}},
	}
}

func rowsOf[T any](rows []T) release.Rows {
	return func(_ context.Context, yield func(any) error) error { return yield(rows) }
}

func request(m *release.Manifest, rows []quiz) release.Request {
	return release.Request{Manifest: m, Schema: quizzes, ConfigsBy: "group", Rows: rowsOf(rows)}
}

func (p place) try(r release.Request) (*release.Listed, bool, error) {
	return release.Write(context.Background(), p.root, p.temp, r)
}

func (p place) write(r release.Request) (*release.Listed, bool) {
	p.t.Helper()
	l, fresh, err := p.try(r)
	if err != nil {
		p.t.Fatal(err)
	}
	return l, fresh
}

// release writes a release of rows with a changed manifest.
func (p place) release(rows []quiz, change func(m *release.Manifest)) *release.Listed {
	p.t.Helper()
	m := manifest()
	if change != nil {
		change(m)
	}
	l, _ := p.write(request(m, rows))
	return l
}

func (p place) file(l *release.Listed, name string) string {
	return filepath.Join(l.Path, filepath.FromSlash(name))
}

func (p place) read(path string) []byte {
	p.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

func (p place) put(path string, data []byte) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// tree lists the files below a folder, with slashes.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, f os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil && !f.IsDir() {
			name, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
