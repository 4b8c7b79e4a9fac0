package sandbox_test

import (
	"fmt"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/sandbox"
)

// BenchmarkJob is what a job costs that does nothing.
func BenchmarkJob(b *testing.B) {
	limits := pipeline.Limits{Time: time.Minute, Memory: 1 << 30, Disk: 1 << 20, Output: 1 << 20, Processes: 64}
	var files []pipeline.JobFile
	for i := range 2000 {
		files = append(files, pipeline.JobFile{Path: fmt.Sprintf("d%d/f%d.c", i%50, i), Text: fmt.Sprintf("%30000d", i)})
	}
	for _, e := range sandbox.Engines() {
		box := sandbox.New(b.TempDir(), e)
		if _, err := box.Engine(b.Context()); err != nil {
			b.Skip(err)
		}
		run := func(name string, change func(*pipeline.Job)) {
			b.Run(e.Name()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					job := pipeline.Job{Limits: limits}
					change(&job)
					if out, err := box.Run(b.Context(), sandbox.Program{Path: "/bin/true"}, job); err != nil || out.Exit != 0 {
						b.Fatal(out, err)
					}
				}
			})
		}
		step := []pipeline.JobStep{{Name: "x", Script: ":"}}
		run("plain", func(j *pipeline.Job) {})
		run("step", func(j *pipeline.Job) { j.Steps = step })
		run("volume", func(j *pipeline.Job) { j.Steps, j.Limits.Total = step, 16<<20 })
		run("volume and 60 MB", func(j *pipeline.Job) { j.Files, j.Steps, j.Limits.Total = files, step, 256<<20 })
		run("volume and 60 MB shared", func(j *pipeline.Job) {
			j.Files, j.Steps, j.Limits.Total = files, []pipeline.JobStep{{Name: "x", Script: ":", Shared: true}}, 256<<20
		})
		if err := box.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
