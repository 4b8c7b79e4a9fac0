package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"

	"benchmill/artifacts/release"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/recipe"
	"benchmill/stages/repos"
)

// testScoring are the flags of running repositories' own tests on replies.
type testScoring struct {
	Tests  string   `help:"YABLoCo: also run the tests of the repositories with every reply in place, in a sandbox, as this file of recipes says." placeholder:"RECIPES"`
	Checks int      `help:"How often the tests must pass on the unchanged code before replies are tried." default:"3" placeholder:"N"`
	K      []int    `name:"pass" help:"k of pass@k; may be a list. Each needs k replies to a task." default:"1" placeholder:"K"`
	Mirror []string `help:"Fetch repositories whose URLs start with PREFIX from REPLACEMENT; may repeat." sep:"none" placeholder:"PREFIX=REPLACEMENT"`
}

// check finds values that make no sense.
func (f *testScoring) check() error {
	if f.Checks < 1 {
		return wrongUsage("--checks %d: the tests must be seen to pass once at least", f.Checks)
	}
	for _, k := range f.K {
		if k < 1 {
			return wrongUsage("--pass %d: not a number of replies", k)
		}
	}
	return nil
}

// suites runs the tests of the repositories of a release. What a run came to is in
// the ledger of the project's store, so that the same reply is never run twice.
type suites struct {
	*project
	recipes []recipe.Recipe
	urls    map[string]string // by repo@commit
	checks  int

	mu    sync.Mutex
	ready map[string]*suite // by repo@commit
}

// suite is a repository whose tests are known to pass.
type suite struct {
	recipe  recipe.Recipe
	runtime pipeline.Pin
	tree    recipe.Tree
	texts   map[string]string
}

// openSuites opens what running tests takes, beside the pipeline file; close the
// project when done.
func openSuites(f testScoring, file storeFlags, dir string, s *streams) (*suites, error) {
	data, err := os.ReadFile(f.Tests)
	if err != nil {
		return nil, err
	}
	recipes, err := recipe.Parse(f.Tests, data)
	if err != nil {
		return nil, err
	}
	m, _, err := release.Read(dir)
	if err != nil {
		return nil, err
	}
	p, err := openProject(pipelineFlags{storeFlag: file.storeFlag, File: file.File, Mirror: f.Mirror}, slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		return nil, err
	}
	t := &suites{project: p, recipes: recipes, checks: f.Checks, urls: map[string]string{}, ready: map[string]*suite{}}
	for _, source := range m.Sources {
		t.urls[source.Name+"@"+source.Commit] = source.URL
	}
	return t, nil
}

// file is a file of a repository as committed.
func (t *suites) file(ctx context.Context, repo, commit, path string) (string, error) {
	s, err := t.suite(ctx, repo, commit)
	if err != nil {
		return "", err
	}
	text, ok := s.texts[path]
	if !ok {
		return "", fmt.Errorf("%s has no file %s at %s", repo, path, commit)
	}
	return text, nil
}

// run is what the tests of a repository say of another text for one of its files.
func (t *suites) run(ctx context.Context, what, repo, commit, path, text string) (recipe.Verdict, error) {
	s, err := t.suite(ctx, repo, commit)
	if err != nil {
		return recipe.Verdict{}, err
	}
	job, err := s.recipe.TestJob(s.runtime, s.tree, recipe.Change{Path: path, Text: text})
	if err != nil {
		return recipe.Verdict{}, err
	}
	out, err := t.world.Execute(ctx, what, job)
	if err != nil {
		return recipe.Verdict{}, err
	}
	return recipe.Judge(repo, out)
}

// suite fetches a repository, and sees to it that its tests pass every time: where
// they do not, they say nothing about a reply.
func (t *suites) suite(ctx context.Context, repo, commit string) (*suite, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := repo + "@" + commit
	if s := t.ready[key]; s != nil {
		return s, nil
	}
	r, ok := recipe.Find(t.recipes, repo)
	url, known := t.urls[key]
	switch {
	case !ok:
		return nil, wrongUsage("no recipe says how %s is tested", repo)
	case !known:
		return nil, fmt.Errorf("the release does not say where %s is from", key)
	}
	entries, err := repos.Entries(ctx, t.world.For(nil), pipeline.Pin{Scheme: "git", Locator: url, Version: commit}, repos.DefaultMaxFileBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", repo, err)
	}
	s := &suite{recipe: r, tree: recipe.NewTree(entries), texts: map[string]string{}}
	for _, e := range entries {
		if e.Kind == schemas.KindFile || e.Kind == schemas.KindExecutable {
			s.texts[e.Path] = string(e.Content)
		}
	}
	if s.runtime, err = t.runtime(ctx, r.Ref()); err != nil {
		return nil, fmt.Errorf("%s: %w", repo, err)
	}
	stable, err := recipe.Check(ctx, t.world, repo, r, s.runtime, s.tree, t.checks)
	if err != nil {
		return nil, err
	}
	if !stable.Stable() {
		return nil, fmt.Errorf("%s: its tests pass in %d of %d runs on the unchanged code, so that they say nothing about replies; leave out what fails in its recipe", repo, stable.Passed, stable.Runs)
	}
	t.ready[key] = s
	return s, nil
}

// runtime is the pin of the lock, or what this machine has.
func (t *suites) runtime(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	if t.lock.Version(ref) != "" {
		return t.lock.Pin(ref, t.asOf())
	}
	source := t.world.Source(ref.Scheme)
	if source == nil {
		return pipeline.Pin{}, fmt.Errorf("nothing resolves %s", ref)
	}
	return source.Resolve(ctx, ref)
}

// kList is --pass, ascending, each once.
func (f *testScoring) kList() []int {
	return slices.Compact(slices.Sorted(slices.Values(f.K)))
}
