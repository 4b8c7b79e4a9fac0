package main

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/github/githubtest"
)

// hub collects 50 repositories with 400 issues each from a small GitHub that
// answers one request in ten falsely, and kills the collecting program every few
// seconds until it comes to its end. What was collected must be byte for byte what
// an undisturbed collection gives, and no page that was finished is asked for
// again.
func hub(bin string, seed uint64, share float64, repositories, issues int) error {
	dir, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	world := githubtest.Generate(int64(seed), repositories, issues)
	server := githubtest.Serve(world, githubtest.Options{Names: "https://api.github.com"})
	defer server.Close()
	if err := writePipeline(dir, server.URL, world); err != nil {
		return err
	}
	collect := func(store string) *exec.Cmd {
		c := exec.Command(bin, "run", "--quiet", "-f", filepath.Join(dir, "pipeline.yaml"), "--store", store)
		c.Env = append(os.Environ(), "GITHUB_TOKEN=torture")
		c.Stdout, c.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
		return c
	}
	whole, hurt := filepath.Join(dir, "whole"), filepath.Join(dir, "hurt")
	start := time.Now()
	if c := collect(whole); c.Run() != nil {
		return fmt.Errorf("undisturbed: %s", c.Stderr)
	}
	full := server.Counts()
	fmt.Printf("an undisturbed collection: %d requests, %.1f s\n", full.Requests, time.Since(start).Seconds())

	server.ResetLog()
	// All faults but the one that asks for a minute's pause by saying nothing.
	kinds := slices.DeleteFunc(githubtest.AllFaults(), func(kind string) bool { return kind == githubtest.FaultSecondary })
	server.SetFaults(githubtest.Faults{Share: share, Seed: pipeline.Seed{Pipeline: int64(seed), Stage: "torture"}, Kinds: kinds})
	random := rand.New(rand.NewPCG(seed, 1))
	killed := 0
	start = time.Now()
	for {
		c := collect(hurt)
		if err := c.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		var err error
		select {
		case err = <-ended:
			if err != nil {
				return fmt.Errorf("a collection failed on its own: %w: %s%s", err, c.Stderr, c.Stdout)
			}
		case <-time.After(time.Second + time.Duration(random.Int64N(int64(3*time.Second)))):
			_ = c.Process.Kill()
			if err = <-ended; err != nil {
				killed++
			}
		}
		if err == nil {
			break
		}
	}
	counts := server.Counts()
	repeated := repeatedPages(server.Log())
	differ, compared, err := compareEffects(whole, hurt)
	if err != nil {
		return err
	}
	fmt.Printf("with %.0f%% faults: killed %d times, %d requests, %d of them answered falsely, %.1f s; %d of %d collections differ, %d finished pages asked for again\n",
		100*share, killed, counts.Requests, counts.Faults, time.Since(start).Seconds(), differ, compared, repeated)
	if differ+repeated > 0 || compared == 0 {
		return errors.New("a disturbed collection is not what it must be")
	}
	return nil
}

func writePipeline(dir, api string, world *githubtest.World) error {
	var list strings.Builder
	list.WriteString("repositories:\n")
	for _, r := range world.Repositories() {
		fmt.Fprintf(&list, "  - {repo: %s, url: %q, commit: %x, language: python}\n", r.FullName(), "https://github.com/"+r.FullName(), sha1.Sum([]byte(r.FullName())))
	}
	for name, text := range map[string]string{
		"repositories.yaml": list.String(),
		"pipeline.lock":     "format: 1\nas_of: \"" + githubtest.GeneratedUntil.Format(time.RFC3339) + "\"\n",
		"pipeline.yaml": fmt.Sprintf(`version: 1
name: torture
stages:
  repositories: {uses: repos.list, with: {file: repositories.yaml}}
  collected: {uses: issues.collect, from: repositories, with: {api: %q}}
  details: {uses: issues.details, from: repositories, with: {api: %q}}
`, api, api),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// repeatedPages counts pages that were answered truly, were followed by a request
// for the page after them, which only a stored page is, and were asked for and
// answered once more.
func repeatedPages(log []githubtest.Request) int {
	furthest := map[string]int{} // by listing: the last page asked for
	repeated := 0
	for _, r := range log {
		u, err := url.Parse(r.Path)
		if err != nil || r.Method != "GET" || !strings.Contains(u.Path, "/issues") {
			continue
		}
		page := 1
		if text := u.Query().Get("page"); text != "" {
			page, _ = strconv.Atoi(text)
		}
		if page == 1 {
			continue // named by owner, not by number; asked again to see what changed
		}
		if r.Fault == "" && r.Status == 200 && page < furthest[u.Path] {
			repeated++
		}
		furthest[u.Path] = max(furthest[u.Path], page)
	}
	return repeated
}

// compareEffects compares what two stores have recorded of the outside world.
func compareEffects(a, b string) (differ, compared int, err error) {
	x, err := files(filepath.Join(a, "ledger"))
	if err != nil {
		return 0, 0, err
	}
	y, err := files(filepath.Join(b, "ledger"))
	if err != nil {
		return 0, 0, err
	}
	for _, name := range x {
		one, err := os.ReadFile(filepath.Join(a, "ledger", name))
		if err != nil {
			return 0, 0, err
		}
		other, err := os.ReadFile(filepath.Join(b, "ledger", name))
		if compared++; err != nil || !bytes.Equal(one, other) {
			differ++ // a record holds the digest of what was collected
		}
	}
	return differ + max(0, len(y)-len(x)), compared, nil
}
