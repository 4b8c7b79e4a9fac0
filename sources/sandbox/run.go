package sandbox

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"

	"benchmill/pipeline"
)

// run is a job that is being run.
type run struct {
	box     *Box
	engine  Engine
	program Program
	job     pipeline.Job
	folder  *folder
	used    pipeline.Usage // so far, also by shared steps that another job ran
}

// all runs a job from its first file to what it hands back.
func (r *run) all(ctx context.Context) (pipeline.Outcome, error) {
	steps := r.job.Steps
	if len(steps) == 0 {
		steps = []pipeline.JobStep{{}}
	}
	out, done, err := r.begin(ctx, steps)
	if err != nil || failed(out) {
		return out, err
	}
	if out, err = r.steps(ctx, out, steps[done:]); err != nil || failed(out) || len(r.job.Keep) == 0 {
		return out, err
	}
	out.Files, err = keep(r.folder.work(), r.job.Keep, r.job.Limits.Output)
	if errors.Is(err, errTooMuch) {
		out.Files = nil
		return stop(out, pipeline.StoppedOutput), nil
	}
	return out, err
}

func failed(out pipeline.Outcome) bool { return out.Exit != 0 || out.Stopped != "" }

func stop(out pipeline.Outcome, reason string) pipeline.Outcome {
	out.Exit, out.Stopped = -1, reason
	return out
}

// begin makes the folder as it is after the shared steps, and says how many that
// are: none, with just the job's files in it, where no step is shared.
func (r *run) begin(ctx context.Context, steps []pipeline.JobStep) (pipeline.Outcome, int, error) {
	for n := len(steps); n > 0; n-- {
		if steps[n-1].Shared {
			out, err := r.share(ctx, steps[:n])
			return out, n, err
		}
	}
	out, err := r.put(r.job.Files)
	return out, 0, err
}

// steps runs steps up to the first that fails. before is what was so far.
func (r *run) steps(ctx context.Context, before pipeline.Outcome, steps []pipeline.JobStep) (pipeline.Outcome, error) {
	out := before
	for _, s := range steps {
		var err error
		if out, err = r.put(s.Files); err == nil && !failed(out) {
			out, err = r.step(ctx, s)
		}
		out.Step = s.Name
		if err != nil || failed(out) {
			return out, err
		}
	}
	return out, nil
}

// put puts files in place. That there is no room for them is an outcome.
func (r *run) put(files []pipeline.JobFile) (out pipeline.Outcome, err error) {
	return r.room(out, put(r.folder.work(), files, r.folder.user))
}

// room makes an outcome of the error that a volume is full.
func (r *run) room(out pipeline.Outcome, err error) (pipeline.Outcome, error) {
	if r.folder.volume != nil && errors.Is(err, syscall.ENOSPC) {
		return stop(out, pipeline.StoppedDisk), nil
	}
	return out, err
}

// step runs one step, in a /tmp of its own.
func (r *run) step(ctx context.Context, s pipeline.JobStep) (pipeline.Outcome, error) {
	limits := r.job.Limits
	if limits.Time -= r.used.Time; limits.Time <= 0 {
		return stop(pipeline.Outcome{}, pipeline.StoppedTime), ctx.Err()
	}
	if err := r.folder.fresh(); err != nil {
		return pipeline.Outcome{}, err
	}
	spec := Spec{
		Work: filepath.Join(r.folder.seen, "work"), Temp: filepath.Join(r.folder.seen, "tmp"), Hosts: filepath.Join(r.folder.seen, "hosts"), See: r.program.See, Path: r.program.Bin,
		Argv: append([]string{r.program.Path}, r.job.Args...), Limits: limits, User: r.folder.user, Image: r.program.Image,
		space: newSpace(r.folder), volume: r.folder.volume,
	}
	if s.Name != "" {
		spec.Argv = []string{"/bin/sh", "-e", "-c", s.Script, s.Name}
	}
	out, err := r.engine.Run(ctx, spec)
	if err != nil {
		return out, err
	}
	if spec.space.over() && out.Stopped == "" {
		out = stop(out, pipeline.StoppedDisk)
	}
	if u := out.Used; u != nil {
		r.used = pipeline.Usage{
			Time: r.used.Time + u.Time, CPU: r.used.CPU + u.CPU,
			Memory: max(r.used.Memory, u.Memory), Disk: max(r.used.Disk, spec.space.most()),
		}
		out.Used = nil
	}
	return out, nil
}

// prefix is the part of a job that decides a folder after its first steps.
func (r *run) prefix(steps []pipeline.JobStep) any {
	return struct {
		Engine  string
		Tool    pipeline.Pin
		Program Program
		Files   []pipeline.JobFile
		Steps   []pipeline.JobStep
		Limits  pipeline.Limits
	}{r.engine.Name(), r.job.Tool, r.program, r.job.Files, steps, r.job.Limits}
}
