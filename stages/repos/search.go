package repos

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"benchmill/internal/collection"
	"benchmill/internal/ghquery"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// SearchConfig configures [Search]. Ranges are written as GitHub writes them:
// 500, >=500, 500..900 and, for times, 2023-01-01..2023-12-31.
type SearchConfig struct {
	API            string   `yaml:"api" doc:"base address of the API that is asked"`
	Language       string   `yaml:"language" doc:"main language of the repositories, as this program names it"`
	GitHubLanguage string   `yaml:"github_language" doc:"the language as GitHub names it; empty: the same"`
	Languages      []string `yaml:"languages" doc:"several languages in place of language, one search each; name=GitHub's name where that differs"`
	Stars          string   `yaml:"stars" doc:"range of stars, such as \">=500\""`
	Created        string   `yaml:"created" doc:"range of dates of creation; none is later than the as-of time"`
	Pushed         string   `yaml:"pushed" doc:"range of dates of the last push"`
	Size           string   `yaml:"size" doc:"range of sizes in KB, with the history"`
	Topics         []string `yaml:"topics" doc:"topics that a repository has all of"`
	Fork           bool     `yaml:"fork" doc:"forks too"`
	Archived       bool     `yaml:"archived" doc:"archived repositories too"`

	Licences         []string          `yaml:"licences" doc:"SPDX identifiers of the licences that are accepted; empty: any, and none"`
	MinClosedIssues  int64             `yaml:"min_closed_issues" min:"0" doc:"fewest closed issues, pull requests not counted"`
	MinCommits       int64             `yaml:"min_commits" min:"0" doc:"fewest commits since commits_since"`
	CommitsSince     string            `yaml:"commits_since" doc:"date from which commits are counted"`
	MinLanguageBytes int64             `yaml:"min_language_bytes" min:"0" doc:"fewest bytes of source in the main language"`
	MinLanguageShare float64           `yaml:"min_language_share" min:"0" max:"1" doc:"smallest share of the main language in all source"`
	NeedCI           bool              `yaml:"need_ci" doc:"only repositories with continuous integration"`
	NeedTests        bool              `yaml:"need_tests" doc:"only repositories with a folder of tests"`
	Exclude          pipeline.FileName `yaml:"exclude" doc:"file of repositories that are left out: owner/name, one a line, # begins a comment"`
	Limit            int               `yaml:"limit" min:"0" doc:"most repositories of each language; 0: all"`
	Order            string            `yaml:"order" enum:"closed_issues|sample" doc:"which ones a limit leaves: those with the most closed issues, or a sample drawn by the seed"`
}

// Validate implements the check before a run.
func (c *SearchConfig) Validate() error {
	var errs []error
	if !strings.HasPrefix(c.API, "https://") && !strings.HasPrefix(c.API, "http://") || strings.ContainsAny(c.API, "@?# ") {
		errs = append(errs, errors.New("api: not a base address such as https://api.github.com"))
	}
	if (c.Language != "") == (len(c.Languages) > 0) || c.GitHubLanguage != "" && c.Language == "" {
		errs = append(errs, errors.New("language, with github_language, or languages says what is searched for; just one of them"))
	}
	seen := map[string]bool{}
	for _, t := range c.targets() {
		if !language.MatchString(t.language) {
			errs = append(errs, fmt.Errorf("language: %q is not a language name", t.language))
		} else if _, err := c.query(t); err != nil {
			errs = append(errs, err)
		}
		if seen[t.language] {
			errs = append(errs, fmt.Errorf("languages: %q is there twice", t.language))
		}
		seen[t.language] = true
	}
	if c.MinCommits > 0 && c.CommitsSince == "" {
		errs = append(errs, errors.New("min_commits: commits_since says from when they are counted, and is missing"))
	}
	return errors.Join(errs...)
}

// target is one search: a language by our name and by GitHub's.
type target struct{ language, github string }

func (c *SearchConfig) targets() []target {
	if c.Language != "" {
		return []target{{c.Language, cmp.Or(c.GitHubLanguage, c.Language)}}
	}
	var out []target
	for _, l := range c.Languages {
		name, github, _ := strings.Cut(l, "=")
		out = append(out, target{name, cmp.Or(github, name)})
	}
	return out
}

// query is the part of the configuration that the search itself can answer.
// Licences are not: GitHub's search knows families of them at most.
func (c *SearchConfig) query(t target) (ghquery.Query, error) {
	terms := []ghquery.Term{{Key: "language", Value: t.github}}
	for _, t := range []ghquery.Term{
		{Key: "stars", Value: c.Stars}, {Key: "created", Value: c.Created}, {Key: "pushed", Value: c.Pushed},
		{Key: "size", Value: c.Size}, {Key: "commits-since", Value: c.CommitsSince},
	} {
		if t.Value != "" {
			terms = append(terms, t)
		}
	}
	for _, topic := range c.Topics {
		terms = append(terms, ghquery.Term{Key: "topic", Value: topic})
	}
	if c.Fork {
		terms = append(terms, ghquery.Term{Key: "fork", Value: "true"})
	}
	if !c.Archived {
		terms = append(terms, ghquery.Term{Key: "archived", Value: "false"})
	}
	return ghquery.Compose(terms...)
}

// ref is a search as the lock names it.
func (c *SearchConfig) ref(t target) (pipeline.Ref, error) {
	q, err := c.query(t)
	return pipeline.Ref{Scheme: "github-search", Locator: strings.TrimRight(c.API, "/"), Name: q.String()}, err
}

// Search lists the repositories that a search on GitHub found and that pass the
// filters, each at the commit its default branch had at the as-of time. The lock
// holds the search's result, so the list is the same until it is updated. The
// table found has every repository of the result with the verdict; as no table
// goes in, drops are notes ("dropped: <reason>"), one reason a repository.
//
// Version history:
//
//	1: first version
func Search() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repos.search", Version: 1, Scope: pipeline.Whole,
		Doc: "Finds repositories on GitHub by language, stars, dates, size, activity and licence.",
		Out: []pipeline.Port{
			{Name: "repositories", Schema: schemas.Repositories, Partitions: true},
			{Name: "found", Schema: schemas.FoundRepositories},
		},
		Uses:      pipeline.Uses{Network: true, Seed: true},
		NewConfig: func() any { return &SearchConfig{API: "https://api.github.com", Order: "closed_issues"} },
		Moving: func(cfg any, _ pipeline.Files) ([]pipeline.Ref, error) {
			c := cfg.(*SearchConfig)
			var refs []pipeline.Ref
			for _, t := range c.targets() {
				ref, err := c.ref(t)
				if err != nil {
					return nil, err
				}
				refs = append(refs, ref)
			}
			return refs, nil
		},
		Run: search,
	}
}

func search(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[SearchConfig](p)
	excluded, err := c.excluded(p.Files)
	if err != nil {
		return err
	}
	seen := map[string]bool{} // a repository is of the first language it is found for
	for _, t := range c.targets() {
		found, err := c.fetch(ctx, p, t)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(r collection.Repository) bool { return seen[r.Repo] })
		for _, r := range found {
			seen[r.Repo] = true
		}
		if err := c.sift(p, t, found, excluded); err != nil {
			return err
		}
	}
	return nil
}

// sift writes the verdicts on what one search found.
func (c *SearchConfig) sift(p *pipeline.Pass, t target, found []collection.Repository, excluded map[string]bool) error {
	verdicts := make(map[string]string, len(found))
	var kept []collection.Repository
	for _, r := range found {
		if verdicts[r.Repo] = c.verdict(r, excluded); verdicts[r.Repo] == "" {
			kept = append(kept, r)
		}
	}
	for _, r := range c.overLimit(p.Seed, kept) {
		verdicts[r.Repo] = "over_limit"
	}
	for _, r := range found {
		if err := c.emit(p, t, r, verdicts[r.Repo]); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads the pinned result of the search.
func (c *SearchConfig) fetch(ctx context.Context, p *pipeline.Pass, t target) ([]collection.Repository, error) {
	ref, err := c.ref(t)
	if err != nil {
		return nil, err
	}
	pin, err := p.Pins(ref)
	if err != nil {
		return nil, err
	}
	stream, err := p.Effects.Fetch(ctx, pin)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	records, err := collection.NewReader(stream, collection.KindRepositories)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", ref.Name, err)
	}
	var out []collection.Repository
	for {
		record, err := records.Next()
		if err == io.EOF {
			return out, nil
		}
		if err == nil {
			err = checkFound(record.Repository)
		}
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", ref.Name, err)
		}
		out = append(out, *record.Repository)
	}
}

// checkFound refuses what no API should say of a repository.
func checkFound(r *collection.Repository) error {
	switch {
	case r == nil:
		return errors.New("a record that is no repository")
	case !isRepo(r.Repo):
		return fmt.Errorf("repo %q is not of the form owner/name", r.Repo)
	case r.Commit != "" && !fullID.MatchString(r.Commit):
		return fmt.Errorf("%s: commit %q is not a full commit id of 40 digits", r.Repo, r.Commit)
	case !strings.HasPrefix(r.URL, "https://") && !strings.HasPrefix(r.URL, "http://"):
		return fmt.Errorf("%s: url %q is no web address", r.Repo, r.URL)
	}
	return nil
}

// excluded reads the file of that name into a set of lower-case names.
func (c *SearchConfig) excluded(files pipeline.Files) (map[string]bool, error) {
	out := map[string]bool{}
	if c.Exclude == "" {
		return out, nil
	}
	data, err := files.ReadFile(c.Exclude)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		name, _, _ := strings.Cut(lines.Text(), "#")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !isRepo(name) {
			return nil, fmt.Errorf("%s:%d: %q is not of the form owner/name", c.Exclude, n, name)
		}
		out[strings.ToLower(name)] = true
	}
	return out, lines.Err()
}

// verdict is the first reason to drop a repository, "" for none.
func (c *SearchConfig) verdict(r collection.Repository, excluded map[string]bool) string {
	accepted := func(licence string) bool { return strings.EqualFold(licence, r.Licence) }
	for _, rule := range []struct {
		drop   bool
		reason string
	}{
		{excluded[strings.ToLower(r.Repo)], "excluded"},
		{r.Fork && !c.Fork, "fork"},
		{r.Archived && !c.Archived, "archived"},
		{r.Commit == "", "empty_repository"},
		{len(c.Licences) > 0 && !slices.ContainsFunc(c.Licences, accepted), "licence_not_accepted"},
		{c.MinClosedIssues > 0 && !r.HasIssues, "no_issues"},
		{r.ClosedIssues < c.MinClosedIssues, "few_closed_issues"},
		{r.CommitsSince < c.MinCommits, "few_commits"},
		{r.LanguageBytes < c.MinLanguageBytes, "small"},
		{float64(r.LanguageBytes) < c.MinLanguageShare*float64(r.SourceBytes), "mixed_languages"},
		{c.NeedCI && !r.HasCI, "no_ci"},
		{c.NeedTests && !r.HasTests, "no_tests"},
	} {
		if rule.drop {
			return rule.reason
		}
	}
	return ""
}

// overLimit chooses what a limit leaves, and returns the others.
func (c *SearchConfig) overLimit(seed pipeline.Seed, kept []collection.Repository) []collection.Repository {
	if c.Limit == 0 || len(kept) <= c.Limit {
		return nil
	}
	if c.Order == "sample" {
		kept = pipeline.Sample(seed, kept, len(kept), func(r collection.Repository) string { return r.Repo })
	} else {
		slices.SortFunc(kept, func(a, b collection.Repository) int {
			return cmp.Or(cmp.Compare(b.ClosedIssues, a.ClosedIssues), cmp.Compare(a.Repo, b.Repo))
		})
	}
	return kept[c.Limit:]
}

func (c *SearchConfig) emit(p *pipeline.Pass, t target, r collection.Repository, dropped string) error {
	if dropped != "" {
		p.Drops.Note("dropped: "+dropped, 1)
	} else if err := pipeline.Emit(p, "repositories", schemas.Repository{
		Repo: r.Repo, URL: r.URL, Commit: r.Commit, Entrypoint: ".", Language: t.language, Licence: r.Licence,
	}); err != nil {
		return err
	}
	return pipeline.Emit(p, "found", schemas.FoundRepository{
		Repo: r.Repo, ID: r.ID, Dropped: dropped, Commit: r.Commit, Branch: r.Branch, Language: r.Language, Licence: r.Licence,
		Topics: r.Topics, Description: r.Description, Stars: r.Stars, SizeKB: r.SizeKB,
		CreatedAt: r.CreatedAt, PushedAt: r.PushedAt, Fork: r.Fork, Archived: r.Archived, HasIssues: r.HasIssues,
		ClosedIssues: r.ClosedIssues, Pulls: r.Pulls, CommitsSince: r.CommitsSince,
		LanguageBytes: r.LanguageBytes, SourceBytes: r.SourceBytes, HasCI: r.HasCI, HasTests: r.HasTests,
	})
}

// Endpoint is the API that is asked.
func (c *SearchConfig) Endpoint() string { return strings.TrimRight(c.API, "/") }
