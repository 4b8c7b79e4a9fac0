package policy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const optLines = `
# who asked us
Bad/Repo   # asked by mail
gone/*
jane       # all of it
@123
456 # renamed since
`

const optYAML = `# who asked us
repositories:
  - Bad/Repo # asked by mail
  - gone/*
users:
  - jane # all of it
  - 123
ids: [456] # renamed since
`

func TestOptOut(t *testing.T) {
	for form, text := range map[string]string{"lines": optLines, "yaml": optYAML} {
		var repos []schemas.Repository
		for _, name := range []string{"bad/repo", "bad/other", "Gone/x", "JANE/y", "123/z", "new/name", "fine/repo"} {
			repos = append(repos, schemas.Repository{Repo: name, Commit: "0123456789abcdef", Language: "go"})
		}
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: OptOut(), Config: &OptOutConfig{File: "out"}, Files: map[pipeline.FileName]string{"out": text},
			Inputs: map[string]any{"repositories": repos, "found": []schemas.FoundRepository{{Repo: "new/name", ID: 456}, {Repo: "fine/repo", ID: 457}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var kept, dropped []string
		for _, k := range stagetest.Rows[schemas.Repository](r, "repositories") {
			kept = append(kept, k.Repo)
		}
		for _, d := range r.Dropped {
			dropped = append(dropped, fmt.Sprintf("%s %s %s", d.Key, d.Reason, d.Detail))
		}
		if !slices.Equal(kept, []string{"bad/other", "fine/repo"}) {
			t.Errorf("%s: kept %q", form, kept)
		}
		byID := "renamed since"
		if form == "yaml" {
			byID = "456" // the comment belongs to the list
		}
		if want := []string{
			"go/bad/repo@0123456789ab opted_out asked by mail", "go/Gone/x@0123456789ab opted_out gone/*",
			"go/JANE/y@0123456789ab opted_out all of it", "go/123/z@0123456789ab opted_out " + map[string]string{"lines": "@123", "yaml": "123"}[form],
			"go/new/name@0123456789ab opted_out " + byID,
		}; !slices.Equal(dropped, want) {
			t.Errorf("%s: dropped %q", form, dropped)
		}
	}
}

func TestOptOutErrors(t *testing.T) {
	for text, says := range map[string]string{
		"a/b/c\n":                 `out:1: "a/b/c" is neither`,
		"ok\n\nwhat ever # x":     `out:3: "what ever" is neither`,
		"*/x":                     `out:1: "*/x"`,
		"repos: []\n":             "field repos not found",
		"# x\nusers: [a/b]\n":     `out:2: "a/b" does not belong under "users"`,
		"users:\n  - {name: x}\n": "out:2: an entry is a name",
		"ids: [x]\n":              `out:1: "x" does not belong under "ids"`,
		"ids: [0]\n":              `"0" does not belong`,
		"repositories: [\n":       "out:1: ",
		"7\n":                     "the table of found repositories",
	} {
		_, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: OptOut(), Config: &OptOutConfig{File: "out"}, Files: map[pipeline.FileName]string{"out": text},
			Inputs: map[string]any{"repositories": []schemas.Repository{}},
		})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v does not say %s", text, err, says)
		}
	}
	if (&OptOutConfig{}).Validate() == nil {
		t.Error("no list at all")
	}
	if l, err := parseOptList("empty", nil); err != nil || l.person("") {
		t.Error("an empty list is one that names nobody")
	}
}

// What reads the remaining repositories alone is partitioned by them; what reads
// both listings is a mistake that the graph reports.
func TestOptOutPartitions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "out.txt"), []byte("a/b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, *pipeline.Pass) error { return nil }
	kinds := graph.Kinds{Stages: []*pipeline.Stage{OptOut(), Licences(),
		{Name: "x.list", Doc: "d", Version: 1, Scope: pipeline.Whole, Run: none,
			Out: []pipeline.Port{{Name: "repositories", Schema: schemas.Repositories, Partitions: true}}},
		{Name: "x.snapshot", Doc: "d", Version: 1, Run: none,
			In:  []pipeline.Port{{Name: "repository", Schema: schemas.Repositories}},
			Out: []pipeline.Port{{Name: "snapshot", Schema: schemas.Snapshot}}},
	}}
	text := `version: 1
name: x
stages:
  all: {uses: x.list}
  remaining: {uses: policy.optout, from: all, with: {file: out.txt}}
  snapshot: {uses: x.snapshot, from: remaining}
  licences: {uses: policy.licences, from: [REPOSITORIES, snapshot]}
releases:
  x: {table: licences.repository_licence, split: test}
`
	g, err := graph.Parse(filepath.Join(dir, "pipeline.yaml"), []byte(strings.Replace(text, "REPOSITORIES", "remaining", 1)), kinds, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"snapshot", "licences"} {
		if n, _ := g.Node(name); n == nil || n.PartitionedBy == nil || n.PartitionedBy.String() != "remaining.repositories" {
			t.Errorf("%s is partitioned by %v", name, n)
		}
	}
	_, err = graph.Parse(filepath.Join(dir, "pipeline.yaml"), []byte(strings.Replace(text, "REPOSITORIES", "all", 1)), kinds, nil)
	if err == nil || !strings.Contains(err.Error(), "different ones") {
		t.Errorf("two listings: %v", err)
	}
}

func FuzzOptList(f *testing.F) {
	f.Add([]byte(optLines))
	f.Add([]byte(optYAML))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := parseOptList("out", data); err == nil {
			l.repository("a/b", 1)
		} else if !strings.HasPrefix(err.Error(), "out:") {
			t.Errorf("%v names no file", err)
		}
	})
}
