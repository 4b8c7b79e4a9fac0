package repos

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

func job(text string) stagetest.Job {
	return stagetest.Job{
		Stage: List(), Config: &ListConfig{File: "list.yaml", Host: "https://host"},
		Files: map[pipeline.FileName]string{"list.yaml": text},
		Pins: func(r pipeline.Ref) (pipeline.Pin, error) {
			if r.Name != "main" {
				return pipeline.Pin{}, fmt.Errorf("%s is not pinned", r)
			}
			return pipeline.Pin{Scheme: r.Scheme, Locator: r.Locator, Version: strings.Repeat("a", 40)}, nil
		},
	}
}

func TestList(t *testing.T) {
	r, err := stagetest.Run(t.Context(), job(`
repositories:
  - {repo: o/b, commit: `+commit+`, entrypoint: src, language: python, topic: web, licence: MIT}
  - {repo: o/a, ref: main, language: go, url: "https://elsewhere/a.git"}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []schemas.Repository{
		{Repo: "o/a", URL: "https://elsewhere/a.git", Commit: strings.Repeat("a", 40), Entrypoint: ".", Language: "go"},
		{Repo: "o/b", URL: "https://host/o/b", Commit: commit, Entrypoint: "src", Language: "python", Topic: "web", Licence: "MIT"},
	}
	if got := stagetest.Rows[schemas.Repository](r, "repositories"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if key := want[1].PartitionKey(); key != "python/o/b@0123456789ab" {
		t.Error(key)
	}
}

func TestListLanguages(t *testing.T) {
	j := job(`
repositories:
  - {repo: o/a, ref: gone, language: go}
  - {repo: o/b, ref: main, language: python}
`)
	j.Config.(*ListConfig).Languages = []string{"python"}
	r, err := stagetest.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if got := stagetest.Rows[schemas.Repository](r, "repositories"); len(got) != 1 || got[0].Repo != "o/b" {
		t.Errorf("%+v", got)
	}
	j.Config.(*ListConfig).Languages = []string{"python", "rust"}
	if _, err := stagetest.Run(t.Context(), j); err == nil || !strings.Contains(err.Error(), `list.yaml: no repository is of the language "rust"`) {
		t.Error(err)
	}
}

func TestListEmpty(t *testing.T) {
	r, err := stagetest.Run(t.Context(), job("repositories: []\n"))
	if err != nil || len(stagetest.Rows[schemas.Repository](r, "repositories")) > 0 {
		t.Error(err)
	}
}

func TestListNotPinned(t *testing.T) {
	_, err := stagetest.Run(t.Context(), job("repositories:\n  - {repo: o/a, ref: dev, language: go}\n"))
	if err == nil || !strings.Contains(err.Error(), "git https://host/o/a@dev is not pinned") {
		t.Error(err)
	}
}

type files map[pipeline.FileName]string

func (f files) ReadFile(name pipeline.FileName) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, errors.New("no such file")
}

// Only moving names are for the lock.
func TestMoving(t *testing.T) {
	refs, err := List().Moving(&ListConfig{File: "l", Host: "https://host"}, files{"l": `
repositories:
  - {repo: o/b, commit: ` + commit + `, language: python}
  - {repo: o/a, ref: v1.0, language: go}
  - {repo: o/c, ref: main, language: go, url: /srv/c}
`})
	want := []pipeline.Ref{{Scheme: "git", Locator: "https://host/o/a", Name: "v1.0"}, {Scheme: "git", Locator: "/srv/c", Name: "main"}}
	if err != nil || !slices.Equal(refs, want) {
		t.Errorf("%v, %v", refs, err)
	}
	if _, err := List().Moving(&ListConfig{File: "none"}, files{}); err == nil {
		t.Error("a file that is not there")
	}
}

func TestListErrors(t *testing.T) {
	entry := func(s string) string {
		return "repositories:\n  - {repo: o/a, commit: " + commit + ", language: go}\n  - " + s + "\n"
	}
	for name, test := range map[string]struct{ text, says string }{
		"not yaml":           {"repositories: [", "list.yaml: "},
		"unknown key":        {"repos: []\n", "line 1: field repos not found"},
		"unknown entry key":  {entry("{repo: o/b, commit: " + commit + ", language: go, entry: src}"), "list.yaml:3: unknown key \"entry\""},
		"not a mapping":      {entry("o/b"), "line 3"},
		"no name":            {entry("{commit: " + commit + ", language: go}"), `list.yaml:3: repo ""`},
		"odd name":           {entry("{repo: ../b, commit: " + commit + ", language: go}"), `list.yaml:3: repo "../b"`},
		"deep name":          {entry("{repo: a/b/c, commit: " + commit + ", language: go}"), `list.yaml:3: repo "a/b/c"`},
		"no language":        {entry("{repo: o/b, commit: " + commit + "}"), `list.yaml:3: o/b: language ""`},
		"neither":            {entry("{repo: o/b, language: go}"), "list.yaml:3: o/b: give either commit or ref"},
		"both":               {entry("{repo: o/b, language: go, ref: x, commit: " + commit + "}"), "list.yaml:3: o/b: give either commit or ref"},
		"credentials":        {entry("{repo: o/b, language: go, commit: " + commit + ", url: 'https://ada:s3cret@host/o/b'}"), "list.yaml:3: o/b: the url holds a user or a password"},
		"short commit":       {entry("{repo: o/b, language: go, commit: 0123456}"), `list.yaml:3: o/b: commit "0123456"`},
		"commit in capitals": {entry("{repo: o/b, language: go, commit: " + strings.ToUpper(commit) + "}"), "list.yaml:3: o/b: commit"},
	} {
		_, err := stagetest.Run(t.Context(), job(test.text))
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v does not say %s", name, err, test.says)
		}
	}
}
