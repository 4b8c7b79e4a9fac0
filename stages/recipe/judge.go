package recipe

import (
	"context"
	"fmt"
	"strings"

	"benchmill/pipeline"
)

// Results of a [Verdict].
const (
	Passed  = "passed"
	Failed  = "failed"  // a step ended with another code than 0
	Stopped = "stopped" // a step struck a limit
)

// Verdict is what a repository's tests say of a change.
type Verdict struct {
	Result string
	Step   string // the last one that ran: [StepCompile] or [StepTest]
	Limit  string // with [Stopped], which one, as [pipeline.Outcome] has it
	Exit   int    // of that step
}

// OK reports whether the tests passed.
func (v Verdict) OK() bool { return v.Result == Passed }

// Reason is "" for a verdict that is OK, else a stable word: "compile_failed",
// "test_failed", or what was struck: "compile_time", "test_memory".
func (v Verdict) Reason() string {
	switch v.Result {
	case Passed:
		return ""
	case Stopped:
		return v.Step + "_" + v.Limit
	}
	return v.Step + "_failed"
}

// Judge says what came of a [Recipe.TestJob]. A repository that does not build
// before it is changed says nothing about the change: that is an error.
func Judge(repo string, out pipeline.Outcome) (Verdict, error) {
	v := Verdict{Result: Failed, Step: out.Step, Limit: out.Stopped, Exit: out.Exit}
	changed := out.Step == StepCompile || out.Step == StepTest
	switch {
	case !changed && Failure(repo, out) != nil:
		return Verdict{}, Failure(repo, out)
	case changed && out.Stopped != "":
		v.Result = Stopped
	case changed && out.Exit != 0:
	case out.Step == StepTest:
		v.Result = Passed
	default:
		return Verdict{}, fmt.Errorf("%s: the job ended well after its step %q", repo, out.Step)
	}
	return v, nil
}

// Failure is the error of a job of which every step must end well, or nil: which
// step did not, and the last lines it said.
func Failure(repo string, out pipeline.Outcome) error {
	said := strings.TrimSpace(out.Stderr)
	if said == "" {
		said = strings.TrimSpace(out.Stdout)
	}
	const most = 1500
	if len(said) > most {
		said = "..." + strings.ToValidUTF8(said[len(said)-most:], "")
	}
	switch {
	case out.Stopped != "":
		return fmt.Errorf("%s: step %s reached its limit of %s: %s", repo, out.Step, out.Stopped, said)
	case out.Exit != 0:
		return fmt.Errorf("%s: step %s ended with exit code %d: %s", repo, out.Step, out.Exit, said)
	}
	return nil
}

// Stability is what repeated runs of the tests on the unchanged code gave.
type Stability struct{ Runs, Passed int }

// Stable reports whether every run passed. Only then a failure with a change is
// due to the change.
func (s Stability) Stable() bool { return s.Runs > 0 && s.Passed == s.Runs }

// Check runs the tests on the unchanged code so many times, one after the other,
// each from a fresh copy of the built folder. what names who asks.
func Check(ctx context.Context, sandbox pipeline.Sandbox, what string, r Recipe, runtime pipeline.Pin, t Tree, runs int) (Stability, error) {
	var s Stability
	for _, job := range r.CheckJobs(runtime, t, runs) {
		out, err := sandbox.Execute(ctx, what, job)
		if err != nil {
			return s, err
		}
		v, err := Judge(r.Repo, out)
		if err != nil {
			return s, err
		}
		s.Runs++
		if v.OK() {
			s.Passed++
		}
	}
	return s, nil
}
