package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"benchmill/sources/github/githubtest"
)

// BenchmarkCollect collects the issues and comments of 50 repositories with 400
// issues each through the command, from a small GitHub in this process: at first,
// with nothing new, with 1% of the issues changed in a quarter of the repositories,
// and with 1% changed everywhere. peak-MB is the largest resident set of the
// command, counted is the number of requests that a budget would count: all but
// 304s.
func BenchmarkCollect(b *testing.B) {
	const repositories, issues = 50, 400
	dir := b.TempDir()
	program := filepath.Join(dir, "benchmill")
	if out, err := exec.Command("go", "build", "-o", program, "benchmill/cmd/benchmill").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	world := githubtest.Generate(1, repositories, issues)
	// The server's clock stands still within a run, and each run wants to know of its
	// moment.
	var now atomic.Int64
	now.Store(githubtest.GeneratedUntil.Unix())
	clock := func() time.Time { return time.Unix(now.Load(), 0).UTC() }
	server := githubtest.Serve(world, githubtest.Options{Names: "https://api.github.com", Now: clock})
	defer server.Close()
	var list strings.Builder
	list.WriteString("repositories:\n")
	for _, r := range world.Repositories() {
		fmt.Fprintf(&list, "  - {repo: %s, url: \"https://github.com/x\", commit: \"%040d\", language: python}\n", r.FullName(), r.ID)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("list.yaml", list.String())
	write("pipeline.yaml", fmt.Sprintf(`version: 1
name: collect
stages:
  repositories: {uses: repos.list, with: {file: list.yaml}}
  collected: {uses: issues.collect, from: repositories, with: {api: %q}}
sources:
  github: {points_per_minute: 1000000}
`, server.URL))
	for _, step := range []struct {
		name          string
		fresh         bool
		issues, repos int
	}{
		{"first", true, 0, 0},
		{"nothing-new", false, 0, 0},
		{"1%-new-in-12-repositories", false, 16, 12},
		{"1%-new-everywhere", false, 4, repositories},
	} {
		b.Run(step.name, func(b *testing.B) {
			var peak int64
			var counted, unmodified int
			for b.Loop() {
				b.StopTimer()
				if step.fresh {
					if err := os.RemoveAll(filepath.Join(dir, ".benchmill")); err != nil {
						b.Fatal(err)
					}
				}
				now.Add(3600)
				for _, r := range world.Repositories()[:step.repos] {
					for _, i := range r.Issues[:step.issues] {
						world.Edit(i, clock(), func(i *githubtest.Issue) { i.Body += " Edited." })
					}
				}
				now.Add(3600)
				write("pipeline.lock", "format: 1\nas_of: \""+clock().Format(time.RFC3339)+"\"\n")
				server.ResetLog()
				b.StartTimer()
				c := exec.Command(program, "run", "--quiet", "-f", filepath.Join(dir, "pipeline.yaml"))
				c.Env = append(os.Environ(), "GITHUB_TOKEN=benchmark")
				c.Stderr = &bytes.Buffer{}
				if err := c.Start(); err != nil {
					b.Fatal(err)
				}
				highest := watch(c.Process.Pid)
				if err := c.Wait(); err != nil {
					b.Fatalf("%v: %s", err, c.Stderr)
				}
				peak = max(peak, <-highest)
				n := server.Counts()
				counted, unmodified = n.Requests-n.ByStatus[http.StatusNotModified], n.NotModified
			}
			b.ReportMetric(float64(counted), "counted")
			b.ReportMetric(float64(unmodified), "304s")
			b.ReportMetric(float64(peak)/1024, "peak-MB")
		})
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watch looks at a process until it ends and then sends its largest resident set in
// KB. What the system reports at its end would include this process's own, from
// before the program was started.
func watch(pid int) <-chan int64 {
	out := make(chan int64, 1)
	go func() {
		var peak int64
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			found := highWater.FindSubmatch(status)
			if err != nil || found == nil {
				out <- peak
				return
			}
			kb, _ := strconv.ParseInt(string(found[1]), 10, 64)
			if exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); strings.HasSuffix(exe, "benchmill") {
				peak = max(peak, kb)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return out
}
