package local

import (
	"log/slog"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/planner"
)

// A stage gets a sandbox where it says that it runs programs, and only there.
func TestSandbox(t *testing.T) {
	var box struct{ pipeline.Sandbox }
	x := &Executor{Sandbox: box, Log: slog.New(slog.DiscardHandler), Effects: func(*planner.Task) pipeline.Effects { return nil }}
	for _, uses := range []bool{true, false} {
		j := &job{x: x, task: &planner.Task{}, stage: &pipeline.Stage{Name: "a.b", Uses: pipeline.Uses{Sandbox: uses}}}
		p, err := j.pass(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Sandbox != nil; got != uses {
			t.Errorf("uses: %v, given: %v", uses, got)
		}
	}
}
