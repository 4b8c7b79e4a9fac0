package bench

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

// BenchmarkMainline dates every line of a commit in one pass, with the git program and
// with go-git alone, and blames every text file with the git program, one after the
// other in the same run. BENCHMILL_HISTORY names the repository below
// BENCHMILL_MIRRORS and the commit: owner/name@id.
func BenchmarkMainline(b *testing.B) {
	repo, commit, ok := strings.Cut(os.Getenv("BENCHMILL_HISTORY"), "@")
	if !ok || os.Getenv("BENCHMILL_MIRRORS") == "" {
		b.Skip("set BENCHMILL_MIRRORS and BENCHMILL_HISTORY")
	}
	locator, err := filepath.EvalSymlinks(filepath.Join(os.Getenv("BENCHMILL_MIRRORS"), filepath.FromSlash(repo)))
	if err != nil {
		b.Fatal(err)
	}
	pin := pipeline.Pin{Scheme: git.MainlineScheme, Locator: locator, Version: commit}
	var ours, alone, blame time.Duration
	var files, lines int
	for b.Loop() {
		var doc bytes.Buffer
		start := time.Now()
		if err := git.NewMainline(git.Options{Offline: true}).Fetch(context.Background(), pin, &doc); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		start = time.Now()
		if err := git.NewMainline(git.Options{Offline: true, Accelerator: git.AcceleratorNever}).Fetch(context.Background(), pin, io.Discard); err != nil {
			b.Fatal(err)
		}
		alone += time.Since(start)
		r, err := linedates.NewReader(&doc)
		if err != nil {
			b.Fatal(err)
		}
		for {
			f, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			if f.Kind != linedates.Text {
				continue
			}
			start = time.Now()
			cmd := exec.Command("git", "-C", locator, "blame", "--first-parent", "--porcelain", commit, "--", f.Path)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
			blame += time.Since(start)
			files++
			lines += f.Lines()
		}
	}
	n := float64(b.N)
	b.ReportMetric(ours.Seconds()/n, "s")
	b.ReportMetric(alone.Seconds()/n, "s_go-git")
	b.ReportMetric(blame.Seconds()/n, "s_blame")
	b.ReportMetric(blame.Seconds()/ours.Seconds(), "x_blame")
	b.ReportMetric(float64(files)/n, "files")
	b.ReportMetric(float64(lines)/n, "lines")
	b.ReportMetric(peakMB(b), "peak_MB")
	b.ReportMetric(0, "ns/op")
}
