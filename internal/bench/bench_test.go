// Package bench measures what BENCHMARKS.md claims, as ratios taken in one run.
package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"benchmill/internal/snapshot"
	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/sources/git"
	"benchmill/stages/all"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

type repository struct {
	Language, Repo, Commit, Entrypoint string
}

// repositories are those of the ground truth, at their commits.
func repositories(b *testing.B) []repository {
	mirrors, needles := os.Getenv("BENCHMILL_MIRRORS"), os.Getenv("BENCHMILL_NEEDLES")
	data, err := os.ReadFile(needles)
	if err != nil || mirrors == "" {
		b.Skipf("set BENCHMILL_MIRRORS and BENCHMILL_NEEDLES, as \"make bench\" does: %v", err)
	}
	var out []repository
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var n struct {
			Language   string `json:"language"`
			Repo       string `json:"repo"`
			Commit     string `json:"commit_sha"`
			Entrypoint string `json:"entrypoint_path"`
		}
		if err := d.Decode(&n); err == io.EOF {
			return out
		} else if err != nil {
			b.Fatal(err)
		}
		if r := (repository{n.Language, n.Repo, n.Commit, n.Entrypoint}); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
}

type source struct {
	path     string
	text     []byte
	language *lang.Language
}

// sources reads every file of a repository in its language, entry directory or
// not: more to measure on.
func sources(b *testing.B, r repository, l *lang.Language) []source {
	locator := filepath.Join(os.Getenv("BENCHMILL_MIRRORS"), filepath.FromSlash(r.Repo))
	var tar bytes.Buffer
	pin := pipeline.Pin{Scheme: git.PartialScheme, Locator: locator, Version: r.Commit}
	if err := git.NewPartial(git.Options{Offline: true}).Fetch(context.Background(), pin, &tar); err != nil {
		b.Skipf("%s: %v", r.Repo, err)
	}
	s, err := snapshot.NewReader(&tar)
	if err != nil {
		b.Fatal(err)
	}
	var out []source
	for {
		e, content, err := s.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			b.Fatal(err)
		}
		if e.Kind != snapshot.File && e.Kind != snapshot.Executable || l.Syntax(e.Path) == nil || e.Size > 1<<20 {
			continue
		}
		text, err := io.ReadAll(content)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.Analyze(e.Path, text, treesitter.DefaultLimits); err == nil {
			out = append(out, source{e.Path, text, l})
		}
	}
}

// BenchmarkFunctions extracts functions, comments and imports, and orders the
// files, on one thread. It reports MB/s and the speed as a share of bare
// parsing, timed in turn in the same run.
func BenchmarkFunctions(b *testing.B) {
	registry, err := all.New()
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range repositories(b) {
		b.Run(r.Repo, func(b *testing.B) {
			l := registry.Languages.Get(r.Language)
			files := sources(b, r, l)
			var size int64
			for _, f := range files {
				size += int64(len(f.text))
			}
			var parse, functions time.Duration
			runtime.GC()
			for b.Loop() {
				start := time.Now()
				for _, f := range files {
					if err := treesitter.ParseOnly(f.text, l.Syntax(f.path).Grammar); err != nil {
						b.Fatal(err)
					}
				}
				parse += time.Since(start)
				start = time.Now()
				var facts []*lang.Facts
				for _, f := range files {
					fact, err := l.Analyze(f.path, f.text, treesitter.DefaultLimits)
					if err != nil {
						b.Fatal(err)
					}
					facts = append(facts, fact)
				}
				code.Arrange(l, lang.NewIndex(r.Entrypoint, facts, nil))
				functions += time.Since(start)
			}
			b.ReportMetric(float64(size)*float64(b.N)/functions.Seconds()/1e6, "MB/s")
			b.ReportMetric(100*parse.Seconds()/functions.Seconds(), "%_of_parsing")
			b.ReportMetric(float64(size)/1e6, "MB")
			b.ReportMetric(peakMB(b), "peak_MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// peakMB is the largest resident size of the process so far.
func peakMB(b *testing.B) float64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Maxrss) / 1024
}
