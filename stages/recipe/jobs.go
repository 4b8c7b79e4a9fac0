package recipe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Names of the steps of jobs, as outcomes have them.
const (
	StepBuild           = "build"   // of the code as it is
	StepCompile         = "compile" // of the changed code
	StepTest            = "test"
	StepReport          = "report"           // making reports of coverage
	StepCompileCommands = "compile_commands" // making a compile database
)

// Tree is the files of a repository, as jobs take them. The zero Tree has none.
type Tree struct {
	Files []pipeline.JobFile // ascending by path
	// Left counts the entries that are left out, by their kind: those without
	// content.
	Left map[string]int64
}

// NewTree makes a tree of a snapshot's entries, in any order.
func NewTree(entries []schemas.Entry) Tree {
	var t Tree
	for _, e := range slices.SortedFunc(slices.Values(entries), func(a, b schemas.Entry) int { return strings.Compare(a.Path, b.Path) }) {
		t.Add(e)
	}
	return t
}

// Add takes the next entry of a snapshot, in the order of their paths. Links stay
// links, and files that stand for large ones stay what they are in git.
func (t *Tree) Add(e schemas.Entry) {
	f := pipeline.JobFile{Path: e.Path}
	switch e.Kind {
	case schemas.KindFile, schemas.KindLFS:
		f.Text = string(e.Content)
	case schemas.KindExecutable:
		f.Text, f.Executable = string(e.Content), true
	case schemas.KindLink:
		f.Link = e.Target
	default:
		if t.Left == nil {
			t.Left = map[string]int64{}
		}
		t.Left[e.Kind]++
		return
	}
	t.Files = append(t.Files, f)
}

// Change is another text for a file of a tree.
type Change struct{ Path, Text string }

// step returns the change as what a step puts in place: a file that was there
// before, and stays as executable as it was.
func (t Tree) step(c Change) ([]pipeline.JobFile, error) {
	i, found := slices.BinarySearchFunc(t.Files, c.Path, func(f pipeline.JobFile, path string) int { return strings.Compare(f.Path, path) })
	if !found || t.Files[i].Link != "" {
		return nil, fmt.Errorf("%s: to be changed, but no file of the repository", c.Path)
	}
	f := t.Files[i]
	f.Text = c.Text
	return []pipeline.JobFile{f}, nil
}

// job is what all jobs of a recipe have in common.
func (r Recipe) job(runtime pipeline.Pin, t Tree, steps ...pipeline.JobStep) pipeline.Job {
	l := r.Limits
	return pipeline.Job{
		Tool: runtime, Files: t.Files, Steps: steps,
		Limits: pipeline.Limits{Time: l.Time, Memory: l.Memory, Disk: l.Disk, Output: l.Output, Processes: l.Processes, Total: l.Total},
	}
}

// CoverageJob builds a repository to be measured, runs its tests, and hands the
// reports back. runtime is the pin of the recipe's [Recipe.Ref]. A recipe without
// a way to coverage is an error.
func (r Recipe) CoverageJob(runtime pipeline.Pin, t Tree) (pipeline.Job, error) {
	c := r.Coverage
	if c.Format == "" {
		return pipeline.Job{}, fmt.Errorf("%s: its recipe has no coverage", r.Repo)
	}
	steps := []pipeline.JobStep{
		{Name: StepBuild, Script: cmp.Or(c.Build, r.Build), Shared: true},
		{Name: StepTest, Script: cmp.Or(c.Test, r.Test)},
	}
	if c.Report != "" {
		steps = append(steps, pipeline.JobStep{Name: StepReport, Script: c.Report})
	}
	job := r.job(runtime, t, steps...)
	job.Keep = c.Files
	return job, nil
}

// CompileCommandsJob hands a compile database back. A recipe without a way to one
// is an error.
func (r Recipe) CompileCommandsJob(runtime pipeline.Pin, t Tree) (pipeline.Job, error) {
	if r.CompileCommands == "" {
		return pipeline.Job{}, fmt.Errorf("%s: its recipe has no %s", r.Repo, StepCompileCommands)
	}
	job := r.job(runtime, t, pipeline.JobStep{Name: StepCompileCommands, Script: r.CompileCommands})
	job.Keep = []string{CompileCommands}
	return job, nil
}

// TestJob builds a repository, puts a change in place, builds again, and runs the
// tests. Jobs of the same tree share the first build. A change of what is no file
// of the tree is an error.
func (r Recipe) TestJob(runtime pipeline.Pin, t Tree, c Change) (pipeline.Job, error) {
	files, err := t.step(c)
	if err != nil {
		return pipeline.Job{}, fmt.Errorf("%s: %w", r.Repo, err)
	}
	return r.testJob(runtime, t, files, r.Test), nil
}

// CheckJobs are runs of the tests on the unchanged code, in the steps of a
// [Recipe.TestJob]. They differ in a comment, so that each is run by itself.
func (r Recipe) CheckJobs(runtime pipeline.Pin, t Tree, runs int) []pipeline.Job {
	jobs := make([]pipeline.Job, runs)
	for i := range jobs {
		jobs[i] = r.testJob(runtime, t, nil, fmt.Sprintf("# run %d\n%s", i+1, r.Test))
	}
	return jobs
}

func (r Recipe) testJob(runtime pipeline.Pin, t Tree, changed []pipeline.JobFile, test string) pipeline.Job {
	return r.job(runtime, t,
		pipeline.JobStep{Name: StepBuild, Script: r.Build, Shared: true},
		pipeline.JobStep{Name: StepCompile, Files: changed, Script: cmp.Or(r.Rebuild, r.Build)},
		pipeline.JobStep{Name: StepTest, Script: test})
}
