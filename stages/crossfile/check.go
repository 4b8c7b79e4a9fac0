package crossfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// reasonNoChecker is why files of a language are dropped that no listed tool
// checks.
const reasonNoChecker = "no_checker"

// What [CheckConfig] does with a language that no listed tool checks.
const (
	withoutFail = "fail"
	withoutSkip = "skip"
)

// Limits of a tool that nobody has to choose.
const (
	checkDisk      = 64 << 20 // bytes of one file it writes
	checkOutput    = 64 << 20 // bytes of what it says
	checkProcesses = 512      // at once, threads included
)

// CheckConfig configures [Check].
type CheckConfig struct {
	Tools   []string      `yaml:"tools" doc:"compilers and checkers to run, such as pylint; their versions are in the lock"`
	Without string        `yaml:"without" enum:"fail|skip" doc:"what to do with a repository in a language that none of the tools checks: fail, or drop its files"`
	Time    time.Duration `yaml:"time" doc:"longest run of a tool, such as 10m"`
	Memory  int64         `yaml:"memory" min:"1" doc:"most memory of a tool, in bytes"`
}

// Validate reports settings that make no sense.
func (c *CheckConfig) Validate() error {
	var errs []error
	if len(c.Tools) == 0 && c.Without == withoutFail {
		errs = append(errs, errors.New("tools: name one at least"))
	}
	if slices.Contains(c.Tools, "") {
		errs = append(errs, errors.New(`tools: "" is none`))
	}
	sorted := slices.Sorted(slices.Values(c.Tools))
	if len(slices.Compact(sorted)) != len(c.Tools) {
		errs = append(errs, errors.New("tools: one is named twice"))
	}
	if c.Time <= 0 {
		errs = append(errs, errors.New("time: must be positive"))
	}
	return errors.Join(errs...)
}

func toolRef(name string) pipeline.Ref { return pipeline.Ref{Scheme: "tool", Locator: name} }

// Check finds cross-file uses with the language's own compiler or checker
// (CrossCodeEval, section 2.2), run in a sandbox.
//
// Version history:
//
//	1: first version
func Check(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crossfile.check", Version: 1,
		Doc: "Finds the names in each file that only another file of the repository explains, by what the language's own compiler or checker misses.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "configs", Schema: schemas.Configs, Optional: true},
		},
		Out: []pipeline.Port{
			{Name: "uses", Schema: schemas.CrossFileUses},
			{Name: "checked", Schema: schemas.CheckedFiles},
		},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"checked"}}},
		Uses:      pipeline.Uses{Sandbox: true},
		NewConfig: func() any { return &CheckConfig{Without: withoutFail, Time: 20 * time.Minute, Memory: 4 << 30} },
		Moving: func(cfg any, _ pipeline.Files) ([]pipeline.Ref, error) {
			var out []pipeline.Ref
			for _, name := range cfg.(*CheckConfig).Tools {
				out = append(out, toolRef(name))
			}
			return out, nil
		},
		Identify: func(row any) []string {
			l := languages.Get(row.(schemas.Repository).Language)
			if l == nil || l.Checker == nil {
				return nil
			}
			id := []string{fmt.Sprintf("%s %s checker %d", l.Name, l.Identity(), l.Checker.Version)}
			if l.Binding != nil {
				id = append(id, l.BindingIdentity()) // what stands in for the project's other files may come of it
			}
			return id
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return check(ctx, p, repo, l)
		},
	}
}

func check(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	c := pipeline.ConfigOf[CheckConfig](p)
	files, config, err := code.Sources(ctx, p)
	if err != nil {
		return err
	}
	if missing := without(l, c.Tools); missing != "" {
		if c.Without == withoutFail {
			return fmt.Errorf("%s: %s", repo.Repo, missing)
		}
		for _, f := range files {
			p.Drops.Drop("files", f.Path, reasonNoChecker, missing)
		}
		return nil
	}
	pin, err := p.Pins(toolRef(l.Checker.Tool))
	if err != nil {
		return err
	}
	t := &Toolchain{
		Language: l, Tool: pin, Sandbox: p.Sandbox, What: cmp.Or(p.Partition, repo.Repo),
		Limits: pipeline.Limits{Time: c.Time, Memory: c.Memory, Disk: checkDisk, Output: checkOutput, Processes: checkProcesses},
	}
	uses, checked, err := t.Check(ctx, files, config)
	if err != nil {
		return fmt.Errorf("%s: %w", repo.Repo, err)
	}
	return errors.Join(pipeline.Emit(p, "uses", uses...), pipeline.Emit(p, "checked", checked...))
}

// without says why a language cannot be checked, or nothing.
func without(l *lang.Language, tools []string) string {
	switch {
	case l.Checker == nil:
		return fmt.Sprintf("no compiler or checker is known for %s; listed are %s", l.Title, strings.Join(tools, ", "))
	case !slices.Contains(tools, l.Checker.Tool):
		return fmt.Sprintf("%s is checked with %s, which is not among the tools: %s", l.Title, l.Checker.Tool, strings.Join(tools, ", "))
	}
	return ""
}

// Toolchain is the detector that asks a language's own tool.
type Toolchain struct {
	Language *lang.Language // with a Checker
	Tool     pipeline.Pin   // that the Checker wants, at a version
	Sandbox  pipeline.Sandbox
	What     string // who asks, in errors and records
	Limits   pipeline.Limits
}

// Check returns the uses in the files, in the order of the files and of their
// places in them, and which files were read. Config files are given to the tool too.
func (t *Toolchain) Check(ctx context.Context, files []lang.SourceFile, config map[string]string) ([]schemas.CrossFileUse, []schemas.CheckedFile, error) {
	all := slices.Clone(files)
	for _, name := range slices.Sorted(maps.Keys(config)) {
		if !slices.ContainsFunc(files, func(f lang.SourceFile) bool { return f.Path == name }) {
			all = append(all, lang.SourceFile{Path: name, Text: config[name]})
		}
	}
	found, skipped, err := t.Language.Checker.Check(ctx, all, t.run)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Tool.Locator, err)
	}
	var uses []schemas.CrossFileUse
	checked := make([]schemas.CheckedFile, len(files))
	for i, f := range files {
		checked[i] = schemas.CheckedFile{Path: f.Path, Reason: skipped[f.Path]}
		if checked[i].Reason != "" {
			continue
		}
		inFile, err := inOrder(f, found[f.Path])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", t.Tool.Locator, f.Path, err)
		}
		uses = append(uses, Rows(f, inFile, t.Tool.Locator+" "+t.Tool.Version)...)
	}
	return uses, checked, nil
}

// inOrder returns uses in source order, each once. A tool's positions are foreign:
// they must lie in the file, where the name is.
func inOrder(f lang.SourceFile, uses []bind.Use) ([]bind.Use, error) {
	for _, u := range uses {
		if u.Start < 0 || u.End <= u.Start || u.End > len(f.Text) {
			return nil, fmt.Errorf("%s at %d to %d is not in the file of %d bytes", u.Name, u.Start, u.End, len(f.Text))
		}
		if at := f.Text[u.Start:u.End]; at != u.Name {
			return nil, fmt.Errorf("%s is said to stand at %d to %d, where %.80q is", u.Name, u.Start, u.End, at)
		}
	}
	order := func(a, b bind.Use) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Name, b.Name))
	}
	uses = slices.SortedStableFunc(slices.Values(uses), order)
	return slices.CompactFunc(uses, func(a, b bind.Use) bool { return order(a, b) == 0 }), nil
}

// firstSignal is the lowest exit code of a program that a signal ended.
const firstSignal = 128

// run runs the tool once, as [lang.Run] has it.
func (t *Toolchain) run(ctx context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
	job := pipeline.Job{Tool: t.Tool, Args: args, Limits: t.Limits}
	for _, f := range files {
		job.Files = append(job.Files, pipeline.JobFile{Path: f.Path, Text: f.Text})
	}
	out, err := t.Sandbox.Execute(ctx, t.What, job)
	switch {
	case err != nil:
		return lang.Output{}, err
	case out.Stopped != "":
		return lang.Output{}, fmt.Errorf("stopped: it reached its limit of %s (%s, %d MB, %d files)", out.Stopped, t.Limits.Time, t.Limits.Memory>>20, len(files))
	case out.Exit > firstSignal:
		return lang.Output{}, fmt.Errorf("crashed (signal %d): %.500s", out.Exit-firstSignal, out.Stderr)
	}
	return lang.Output{Exit: out.Exit, Stdout: out.Stdout, Stderr: out.Stderr}, nil
}
