package repos

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/collection"
	"benchmill/internal/ghquery"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// good is a repository that no filter drops.
func good(name string, change func(*collection.Repository)) collection.Repository {
	r := collection.Repository{
		Repo: name, ID: 7, URL: "https://host/" + name, Commit: commit, Branch: "main", Language: "Python", Licence: "MIT",
		Topics: []string{"web"}, Description: "words", Stars: 900, SizeKB: 5000,
		CreatedAt: "2020-01-01T00:00:00Z", PushedAt: "2024-01-01T00:00:00Z", HasIssues: true, ClosedIssues: 100, Pulls: 50,
		CommitsSince: 200, LanguageBytes: 8000, SourceBytes: 10000, HasCI: true, HasTests: true,
	}
	if change != nil {
		change(&r)
	}
	return r
}

func found(t *testing.T, repositories ...collection.Repository) []byte {
	t.Helper()
	var b bytes.Buffer
	w := collection.NewWriter(&b, collection.Header{Kind: collection.KindRepositories, Name: "a search"})
	for _, r := range repositories {
		if err := w.Write(collection.Record{Repository: &r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func config(change func(*SearchConfig)) *SearchConfig {
	c := Search().NewConfig().(*SearchConfig)
	c.Language = "python"
	if change != nil {
		change(c)
	}
	return c
}

// run runs the stage over what its search found.
func run(t *testing.T, c *SearchConfig, data []byte, seed int64) (*stagetest.Result, error) {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	refs, err := Search().Moving(c, nil)
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	s := &stream{data: data}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Search(), Config: c, Seed: seed, Effects: s,
		Files: map[pipeline.FileName]string{"exclude.txt": "# known to leak\nO/Excluded # in capitals\r\n\n", "bad.txt": "a/b\nc\n"},
		Pins: func(ref pipeline.Ref) (pipeline.Pin, error) {
			if ref != refs[0] {
				return pipeline.Pin{}, fmt.Errorf("%s is not pinned", ref)
			}
			return pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator, Version: "sha256:1"}, nil
		},
	})
	if want := (pipeline.Pin{Scheme: "github-search", Locator: refs[0].Locator, Version: "sha256:1"}); err == nil && s.pin != want {
		t.Errorf("fetched %s", s.pin)
	}
	return r, err
}

func TestSearchQuery(t *testing.T) {
	c := config(func(c *SearchConfig) {
		c.API, c.Stars, c.Created, c.Pushed, c.Size = "https://ghe/api/v3/", ">499", "2020-01-01..*", ">=2024-01-01", "*..90000"
		c.Topics, c.CommitsSince, c.Fork = []string{"web", "Async"}, "2023-06-01", true
	})
	refs, err := Search().Moving(c, nil)
	want := pipeline.Ref{Scheme: "github-search", Locator: "https://ghe/api/v3",
		Name: "archived:false commits-since:2023-06-01 created:>=2020-01-01 fork:true language:python pushed:>=2024-01-01 size:0..90000 stars:>=500 topic:async topic:web"}
	if err != nil || !slices.Equal(refs, []pipeline.Ref{want}) {
		t.Errorf("%v, %v, want %s", refs, err, want)
	}
	// Whoever parses the name of the lock means the same search.
	q, err := ghquery.Parse(want.Name)
	if err != nil || q.String() != want.Name {
		t.Errorf("%q, %v", q, err)
	}
	c = config(func(c *SearchConfig) { c.GitHubLanguage, c.Archived = "Jupyter Notebook", true })
	if q, err := c.query(c.targets()[0]); err != nil || q.String() != `language:"jupyter notebook"` {
		t.Errorf("%q, %v", q, err)
	}
}

// Several languages are several searches with the same filters.
func TestSearchLanguages(t *testing.T) {
	c := config(func(c *SearchConfig) { c.Language, c.Languages, c.Stars = "", []string{"python", "cpp=C++"}, ">=3" })
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	refs, err := Search().Moving(c, nil)
	if err != nil || len(refs) != 2 || refs[0].Name != "archived:false language:python stars:>=3" || refs[1].Name != "archived:false language:c++ stars:>=3" {
		t.Fatalf("%v, %v", refs, err)
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Search(), Config: c, Seed: 1, Effects: &stream{data: found(t, good("o/a", nil))},
		Pins: func(ref pipeline.Ref) (pipeline.Pin, error) {
			return pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator, Version: ref.Name}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := stagetest.Rows[schemas.Repository](r, "repositories")
	if len(rows) != 1 || rows[0].Language != "python" {
		t.Errorf("a repository that both searches found gives %v", rows)
	}
}

func TestSearchConfigErrors(t *testing.T) {
	for want, change := range map[string]func(*SearchConfig){
		"api: not a base address":              func(c *SearchConfig) { c.API = "api.github.com" },
		"api: not a base address such":         func(c *SearchConfig) { c.API = "https://user:secret@host" },
		"says what is searched for":            func(c *SearchConfig) { c.Language = "" },
		"just one of them":                     func(c *SearchConfig) { c.Languages = []string{"java"} },
		`"java" is there twice`:                func(c *SearchConfig) { c.Language, c.Languages = "", []string{"java", "java=Java"} },
		`"Java" is not a language`:             func(c *SearchConfig) { c.Language, c.Languages = "", []string{"Java"} },
		`language: "c++" is not a language`:    func(c *SearchConfig) { c.Language = "c++" },
		`stars: "many" is not a number`:        func(c *SearchConfig) { c.Stars = "many" },
		`stars: "5 topic:x" is not a number`:   func(c *SearchConfig) { c.Stars = "5 topic:x" },
		`created: "2020" is not a date`:        func(c *SearchConfig) { c.Created = "2020" },
		`topic: "a b" is not a topic`:          func(c *SearchConfig) { c.Topics = []string{"a b"} },
		`commits-since: ">2020" is not a date`: func(c *SearchConfig) { c.CommitsSince = ">2020" },
		"min_commits: commits_since":           func(c *SearchConfig) { c.MinCommits = 1 },
	} {
		if err := config(change).Validate(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v does not say %s", err, want)
		}
	}
}

// Each filter drops what it is about under its own name, and nothing else.
func TestSearchFilters(t *testing.T) {
	type R = collection.Repository
	all := func(c *SearchConfig) {
		c.Licences, c.MinClosedIssues, c.MinCommits, c.CommitsSince = []string{"mit", "Apache-2.0"}, 100, 200, "2024-01-01"
		c.MinLanguageBytes, c.MinLanguageShare, c.NeedCI, c.NeedTests, c.Exclude = 8000, 0.8, true, true, "exclude.txt"
	}
	bad := map[string]func(*R){
		"excluded":             func(r *R) { r.Repo = "o/excluded" },
		"fork":                 func(r *R) { r.Fork = true },
		"archived":             func(r *R) { r.Archived = true },
		"empty_repository":     func(r *R) { r.Commit = "" },
		"licence_not_accepted": func(r *R) { r.Licence = "" },
		"no_issues":            func(r *R) { r.HasIssues, r.ClosedIssues = false, 0 },
		"few_closed_issues":    func(r *R) { r.ClosedIssues = 99 },
		"few_commits":          func(r *R) { r.CommitsSince = 199 },
		"small":                func(r *R) { r.LanguageBytes = 7999 },
		"mixed_languages":      func(r *R) { r.SourceBytes = 10001 },
		"no_ci":                func(r *R) { r.HasCI = false },
		"no_tests":             func(r *R) { r.HasTests = false },
	}
	repositories := []R{good("o/good", nil)}
	for reason, change := range bad {
		repositories = append(repositories, good("o/"+reason, change))
	}
	data := found(t, repositories...)
	r, err := run(t, config(all), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []schemas.Repository{{Repo: "o/good", URL: "https://host/o/good", Commit: commit, Entrypoint: ".", Language: "python", Licence: "MIT"}}
	if got := stagetest.Rows[schemas.Repository](r, "repositories"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for _, row := range stagetest.Rows[schemas.FoundRepository](r, "found") {
		want := strings.TrimPrefix(row.Repo, "o/")
		if want == "good" {
			want = ""
		}
		if row.Dropped != want {
			t.Errorf("%s is dropped as %q", row.Repo, row.Dropped)
		}
	}
	for reason := range bad {
		if n := r.Notes["dropped: "+reason]; n != 1 {
			t.Errorf("%d notes of %s", n, reason)
		}
	}
	if len(r.Notes) != len(bad) {
		t.Errorf("notes %v", r.Notes)
	}
	// Without filters only what cannot be used falls, and forks and the archive at a word.
	for _, both := range []bool{false, true} {
		r, err := run(t, config(func(c *SearchConfig) { c.Fork, c.Archived = both, both }), data, 1)
		want := map[string]int64{"dropped: empty_repository": 1}
		if !both {
			want["dropped: fork"], want["dropped: archived"] = 1, 1
		}
		if err != nil || !maps.Equal(r.Notes, want) {
			t.Errorf("%v, %v", r.Notes, err)
		}
	}
}

// Every figure reaches its column.
func TestSearchFound(t *testing.T) {
	r, err := run(t, config(nil), found(t, good("o/a", func(r *collection.Repository) { r.Fork, r.Archived = true, true })), 1)
	if err != nil {
		t.Fatal(err)
	}
	want := schemas.FoundRepository{
		Repo: "o/a", ID: 7, Dropped: "fork", Commit: commit, Branch: "main", Language: "Python", Licence: "MIT", Description: "words",
		Stars: 900, SizeKB: 5000, CreatedAt: "2020-01-01T00:00:00Z", PushedAt: "2024-01-01T00:00:00Z", Fork: true, Archived: true,
		HasIssues: true, ClosedIssues: 100, Pulls: 50, CommitsSince: 200, LanguageBytes: 8000, SourceBytes: 10000, HasCI: true, HasTests: true,
	}
	rows := stagetest.Rows[schemas.FoundRepository](r, "found")
	if len(rows) != 1 || !slices.Equal(rows[0].Topics, []string{"web"}) {
		t.Fatalf("%+v", rows)
	}
	if rows[0].Topics = nil; fmt.Sprintf("%+v", rows[0]) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v\nwant\n%+v", rows[0], want)
	}
}

func TestSearchLimit(t *testing.T) {
	var repositories []collection.Repository
	for i := range 40 {
		repositories = append(repositories, good(fmt.Sprintf("o/r%02d", i), func(r *collection.Repository) { r.ClosedIssues = int64(i / 2) }))
	}
	kept := func(order string, limit int, seed int64) []string {
		t.Helper()
		c := config(func(c *SearchConfig) { c.Limit, c.Order = limit, order })
		r, err := run(t, c, found(t, repositories...), seed)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, row := range stagetest.Rows[schemas.Repository](r, "repositories") {
			out = append(out, row.Repo)
		}
		if n := r.Notes["dropped: over_limit"]; int(n)+len(out) != 40 || len(stagetest.Rows[schemas.FoundRepository](r, "found")) != 40 {
			t.Errorf("%d kept, %d over", len(out), n)
		}
		return out
	}
	if got := kept("closed_issues", 3, 1); !slices.Equal(got, []string{"o/r36", "o/r38", "o/r39"}) {
		t.Errorf("most closed issues: %v", got)
	}
	if got := kept("closed_issues", 0, 1); len(got) != 40 {
		t.Errorf("no limit: %d", len(got))
	}
	one, same, other := kept("sample", 10, 1), kept("sample", 10, 1), kept("sample", 10, 2)
	if len(one) != 10 || !slices.Equal(one, same) || slices.Equal(one, other) {
		t.Errorf("samples %v, %v, %v", one, same, other)
	}
	// One more repository moves at most one other out of the sample.
	repositories = append(repositories[:39], good("o/new", nil))
	stayed := 0
	for _, name := range kept("sample", 10, 1) {
		if slices.Contains(one, name) {
			stayed++
		}
	}
	if stayed < 8 {
		t.Errorf("%d of 10 stayed", stayed)
	}
}

func TestSearchBadCollection(t *testing.T) {
	type R = collection.Repository
	whole := found(t, good("o/a", nil), good("o/b", nil))
	for want, data := range map[string][]byte{
		"unexpected end of JSON":                whole[:len(whole)/2],
		"unexpected EOF":                        whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1],
		`repo "../x" is not of the form`:        found(t, good("../x", nil)),
		`repo "a/b/c" is not of the form`:       found(t, good("a/b/c", nil)),
		`o/a: commit "main" is not a full`:      found(t, good("o/a", func(r *R) { r.Commit = "main" })),
		`o/a: url "ext::sh" is no web`:          found(t, good("o/a", func(r *R) { r.URL = "ext::sh" })),
		"a record that is no repository":        []byte(`{"format":1,"kind":"repositories","name":"x"}` + "\n" + `{"issue":{"number":1}}` + "\n" + `{"end":{"records":1}}` + "\n"),
		`a collection of "issues", not of "rep`: []byte(`{"format":1,"kind":"issues","name":"x"}` + "\n"),
	} {
		_, err := run(t, config(nil), data, 1)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `search "archived:false language:python"`) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
	if _, err := run(t, config(func(c *SearchConfig) { c.Exclude = "bad.txt" }), whole, 1); err == nil || !strings.Contains(err.Error(), `bad.txt:2: "c" is not`) {
		t.Error(err)
	}
}

func TestSearchNotPinned(t *testing.T) {
	_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Search(), Config: config(nil)})
	if err == nil || !strings.Contains(err.Error(), "github-search https://api.github.com@archived:false language:python is not pinned") {
		t.Error(err)
	}
}
