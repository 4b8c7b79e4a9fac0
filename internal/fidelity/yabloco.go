package main

import (
	"cmp"
	"context"
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

	"benchmill/internal/atomicfile"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/all"
	"benchmill/stages/callgraph"
	"benchmill/stages/code"
	"benchmill/stages/lang"
	"benchmill/stages/repos"
)

// yablocoOptions are the flags of the parts that measure YABLoCo on one repository.
type yablocoOptions struct {
	mirrors                        *string
	repository, language           string
	functions, graph, bench        string
	below                          string
	datedAt, zone, accelerator     string
	every                          int
	recipes, program, keep, compat string
	loaded                         *yablocoRepository
}

func yablocoFlags(mirrors *string) *yablocoOptions {
	y := &yablocoOptions{mirrors: mirrors}
	flag.StringVar(&y.repository, "repository", "", "the repository whose released functions are given: owner/name@commit")
	flag.StringVar(&y.language, "language", "c", "its language")
	flag.StringVar(&y.functions, "functions", "", "its released functions, CSV")
	flag.StringVar(&y.graph, "graph", "", "its released call graph, JSON")
	flag.StringVar(&y.bench, "bench", "", "its released rows, CSV")
	flag.StringVar(&y.below, "below", "", "for callgraph and coverage: compare the functions of files below this folder; for callgraph all as well")
	flag.StringVar(&y.datedAt, "dated-at", "", "for dates: the full id of the commit at which the release took its dates")
	flag.StringVar(&y.zone, "zone", "UTC", "for dates: the time zone of the release's days")
	flag.StringVar(&y.accelerator, "accelerator", git.AcceleratorAuto, "for history: auto, or never for go-git alone")
	flag.IntVar(&y.every, "every", 1, "for history: compare only one file in so many")
	flag.StringVar(&y.recipes, "recipes", "pipelines/yabloco/recipes.yaml", "for callgraph and coverage: how repositories are built and tested")
	flag.StringVar(&y.program, "benchmill", "", "for callgraph: the built program, which runs libclang in the sandbox; empty: not compared with clang")
	flag.StringVar(&y.keep, "keep", "", "for callgraph and coverage: folder to keep outcomes of builds and tests in; what is there is not run again")
	flag.StringVar(&y.compat, "coverage-compat", "function", "for coverage: how hits are added up, as the stage coverage.run has it")
	return y
}

// yablocoRepository is a repository at its commit, with what stages make of it.
type yablocoRepository struct {
	repo     schemas.Repository
	language *lang.Language
	snapshot []schemas.Entry
	files    []schemas.File
	configs  []schemas.File
	native   *callgraph.Rows // nil: not made yet
}

// load reads the repository, once.
func (y *yablocoOptions) load(ctx context.Context) (*yablocoRepository, error) {
	if y.loaded != nil {
		return y.loaded, nil
	}
	registry, err := all.New()
	if err != nil {
		return nil, err
	}
	name, commit, _ := strings.Cut(y.repository, "@")
	r := &yablocoRepository{
		repo:     schemas.Repository{Repo: name, URL: "https://github.com/" + name, Commit: commit, Entrypoint: ".", Language: y.language},
		language: registry.Languages.Get(y.language),
	}
	if r.language == nil || r.language.CallGraph == nil {
		return nil, fmt.Errorf("what calls what is not known for %q", y.language)
	}
	const largest = 5 << 20
	repo := []schemas.Repository{r.repo}
	snapshot, err := stagetest.Run(ctx, stagetest.Job{Stage: repos.Snapshot(), Config: &repos.SnapshotConfig{MaxFileBytes: largest, Partial: true}, Effects: fetcher{mirrored(*y.mirrors)}, Inputs: map[string]any{"repository": repo}})
	if err != nil {
		return nil, err
	}
	r.snapshot = stagetest.Rows[schemas.Entry](snapshot, "snapshot")
	files, err := stagetest.Run(ctx, stagetest.Job{
		Stage: code.Files(registry.Languages), Config: &code.FilesConfig{MaxFileBytes: largest, Compat: "paper"},
		Inputs: map[string]any{"repository": repo, "snapshot": r.snapshot},
	})
	if err != nil {
		return nil, err
	}
	r.files, r.configs = stagetest.Rows[schemas.File](files, "files"), stagetest.Rows[schemas.File](files, "configs")
	y.loaded = r
	return r, nil
}

// mirror is the local path of the repository.
func (y *yablocoOptions) mirror() (string, error) {
	name, _, _ := strings.Cut(y.repository, "@")
	path, err := filepath.Abs(filepath.Join(*y.mirrors, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// graph makes the call graph that a language finds, as the stage callgraph.native
// does.
func (r *yablocoRepository) graph(ctx context.Context, l *lang.Language) (callgraph.Rows, error) {
	var rows callgraph.Rows
	sources, config := make([]lang.SourceFile, len(r.files)), map[string]string{}
	for i, f := range r.files {
		sources[i] = lang.SourceFile{Path: f.Path, Text: f.Text}
	}
	for _, f := range r.configs {
		config[f.Path] = f.Text
	}
	g, _, err := callgraph.Analyze(ctx, l, sources, config)
	if err != nil {
		return rows, err
	}
	return g.Rows(), nil
}

// nativeRows is the repository's own call graph, made once.
func (r *yablocoRepository) nativeRows(ctx context.Context) (callgraph.Rows, error) {
	if r.native == nil {
		rows, err := r.graph(ctx, r.language)
		if err != nil {
			return rows, err
		}
		r.native = &rows
	}
	return *r.native, nil
}

// boxed runs a stage that builds the repository in the sandbox, and prints its notes.
func (y *yablocoOptions) boxed(ctx context.Context, j stagetest.Job) (*stagetest.Result, error) {
	text, err := os.ReadFile(y.recipes)
	if err != nil {
		return nil, err
	}
	program, err := filepath.Abs(cmp.Or(y.program, "benchmill"))
	if err != nil {
		return nil, err
	}
	box := sandbox.New("", sandbox.Engines()...)
	defer box.Close()
	machine := runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: box}), Box: box, Self: program})
	j.Files = map[pipeline.FileName]string{"recipes": string(text)}
	j.Sandbox = &keptSandbox{machine, y.keep}
	j.Pins = func(ref pipeline.Ref) (pipeline.Pin, error) { return machine.Resolve(ctx, ref) }
	r, err := stagetest.Run(ctx, j)
	if err != nil {
		return nil, err
	}
	for _, note := range slices.Sorted(maps.Keys(r.Notes)) {
		fmt.Printf("  %s: %s %d\n", j.Stage.Name, note, r.Notes[note])
	}
	return r, nil
}

// keptSandbox runs jobs of this machine's programs, and keeps outcomes in a folder,
// if one is named, by their jobs' keys; it answers from there.
type keptSandbox struct {
	machine interface {
		Run(context.Context, pipeline.Job) (pipeline.Outcome, error)
	}
	folder string
}

// Execute implements [pipeline.Sandbox].
func (s *keptSandbox) Execute(ctx context.Context, what string, job pipeline.Job) (out pipeline.Outcome, err error) {
	key, err := effects.JobKey(job)
	if err != nil {
		return out, err
	}
	file := filepath.Join(s.folder, strings.NewReplacer("/", "-", " ", "-").Replace(what)+"-"+key.Short()+".json")
	data, err := os.ReadFile(file)
	found := s.folder != "" && err == nil
	switch {
	case found:
		if err := json.Unmarshal(data, &out); err != nil {
			return out, fmt.Errorf("%s: %w", file, err)
		}
	case s.folder != "" && !errors.Is(err, fs.ErrNotExist):
		return out, err
	default:
		if out, err = s.machine.Run(ctx, job); err != nil {
			return out, err
		}
	}
	if u := out.Used; u != nil {
		fmt.Printf("  %s: step %s ended with %d %s after %s (%s of processors, %d MB of memory, %d MB of files)\n",
			what, out.Step, out.Exit, out.Stopped, u.Time.Round(time.Second), u.CPU.Round(time.Second), u.Memory>>20, u.Disk>>20)
	}
	if found || s.folder == "" || out.Exit != 0 || out.Stopped != "" {
		return out, nil
	}
	if data, err = json.Marshal(out); err != nil {
		return out, err
	}
	return out, atomicfile.Write(file, data, 0o666)
}
