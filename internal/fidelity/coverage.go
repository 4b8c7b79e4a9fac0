package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/all"
	"benchmill/stages/callgraph"
	"benchmill/stages/code"
	"benchmill/stages/coverage"
	"benchmill/stages/repos"
)

// coverageOptions are the flags of [coverageOptions.measure].
type coverageOptions struct{ released, of, language, below, recipes, compat, outcome string }

func coverageFlags() *coverageOptions {
	var o coverageOptions
	flag.StringVar(&o.released, "coverage", "", "released functions of one repository with their test hits, CSV")
	flag.StringVar(&o.of, "coverage-of", "", "that repository, as owner/name@commit")
	flag.StringVar(&o.language, "coverage-language", "c", "its language")
	flag.StringVar(&o.below, "coverage-below", "src/", "compare the functions of files below this folder")
	flag.StringVar(&o.recipes, "recipes", "pipelines/yabloco/recipes.yaml", "how repositories are built and tested")
	flag.StringVar(&o.compat, "coverage-compat", "function", "how hits are added up, as the stage coverage.run has it")
	flag.StringVar(&o.outcome, "coverage-outcome", "", "file to keep what the tests came to in; where it is there, they are not run")
	return &o
}

// measure runs the tests of a repository in the sandbox as its recipe says, and
// compares which functions they ran with the released hits.
func (o *coverageOptions) measure(ctx context.Context, mirrors string) error {
	if o.released == "" {
		return nil
	}
	released, err := readHits(o.released)
	if err != nil {
		return err
	}
	name, commit, _ := strings.Cut(o.of, "@")
	repo := schemas.Repository{Repo: name, URL: "https://github.com/" + name, Commit: commit, Entrypoint: ".", Language: o.language}
	defs, hits, err := o.run(ctx, repo, mirrors)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	compareHits(released, defs, hits, o.below).print(os.Stdout, name)
	return nil
}

// run makes the definitions and hits of a repository.
func (o *coverageOptions) run(ctx context.Context, repo schemas.Repository, mirrors string) ([]schemas.Definition, []schemas.FunctionHit, error) {
	registry, err := all.New()
	if err != nil {
		return nil, nil, err
	}
	source := git.NewPartial(git.Options{Offline: true, Mirrors: []sources.Mirror{{Prefix: "https://github.com/", Replacement: mirrors + string(filepath.Separator)}}})
	inputs := map[string]any{"repository": []schemas.Repository{repo}}
	text, err := os.ReadFile(o.recipes)
	if err != nil {
		return nil, nil, err
	}
	box := sandbox.New("", sandbox.Engines()...)
	defer box.Close()
	machine := runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: box}), Box: box})
	jobs := []stagetest.Job{
		{Stage: repos.Snapshot(), Config: &repos.SnapshotConfig{MaxFileBytes: 5 << 20, Partial: true}, Effects: fetcher{source}},
		{Stage: code.Files(registry.Languages)},
		{Stage: callgraph.Native(registry.Languages)},
		{
			Stage: coverage.Run(), Config: &coverage.RunConfig{Recipes: "recipes", Without: "fail", Compat: o.compat},
			Files: map[pipeline.FileName]string{"recipes": string(text)}, Sandbox: &keptSandbox{machine, o.outcome},
			Pins: func(ref pipeline.Ref) (pipeline.Pin, error) { return machine.Resolve(ctx, ref) },
		},
	}
	for _, j := range jobs {
		j.Inputs = inputs
		r, err := stagetest.Run(ctx, j)
		if err != nil {
			return nil, nil, err
		}
		for _, port := range j.Stage.Out {
			inputs[port.Name] = r.Output(port.Name)
		}
		for _, note := range slices.Sorted(maps.Keys(r.Notes)) {
			fmt.Printf("  %s: %s %d\n", j.Stage.Name, note, r.Notes[note])
		}
	}
	return inputs["definitions"].([]schemas.Definition), inputs["hits"].([]schemas.FunctionHit), nil
}

// keptSandbox runs jobs of this machine's programs, and keeps the last outcome in
// a file, if one is named, from which it answers when it is there.
type keptSandbox struct {
	machine *runtime.Source
	file    string
}

// Execute implements [pipeline.Sandbox].
func (s *keptSandbox) Execute(ctx context.Context, _ string, job pipeline.Job) (out pipeline.Outcome, err error) {
	if data, err := os.ReadFile(s.file); s.file != "" && !errors.Is(err, fs.ErrNotExist) {
		err = cmp.Or(err, json.Unmarshal(data, &out))
		return out, err
	}
	out, err = s.machine.Run(ctx, job)
	if err != nil {
		return out, err
	}
	if u := out.Used; u != nil {
		fmt.Printf("  step %s ended with %d %s after %s (%s of processors, %d MB of memory, %d MB of files)\n",
			out.Step, out.Exit, out.Stopped, u.Time.Round(time.Second), u.CPU.Round(time.Second), u.Memory>>20, u.Disk>>20)
	}
	if s.file == "" {
		return out, nil
	}
	data, err := json.Marshal(out)
	if err != nil {
		return out, err
	}
	return out, os.WriteFile(s.file, data, 0o666)
}

// releasedHits is one released function.
type releasedHits struct {
	file string // in the repository
	name string
	line int64 // 1-based
	hit  bool
}

// readHits reads the released table. Its paths begin with a name of the
// repository.
func readHits(name string) ([]releasedHits, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", name)
	}
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	for _, title := range []string{"file", "fname", "pos", "test_cov_hits"} {
		if _, ok := column[title]; !ok {
			return nil, fmt.Errorf("%s has no column %s", name, title)
		}
	}
	var out []releasedHits
	for i, row := range rows[1:] {
		var line, hits float64
		_, err := fmt.Sscan(row[column["pos"]], &line)
		if text := row[column["test_cov_hits"]]; err == nil && text != "" {
			_, err = fmt.Sscan(text, &hits)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, i+1, err)
		}
		_, file, _ := strings.Cut(row[column["file"]], "/")
		out = append(out, releasedHits{file, row[column["fname"]], int64(line), hits > 0})
	}
	return out, nil
}
