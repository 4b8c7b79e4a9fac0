package recipe_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/stages/recipe"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		out    pipeline.Outcome
		result string
		reason string
		err    string
	}{
		{pipeline.Outcome{Step: "test"}, "passed", "", ""},
		{pipeline.Outcome{Step: "test", Exit: 1}, "failed", "test_failed", ""},
		{pipeline.Outcome{Step: "test", Exit: 139}, "failed", "test_failed", ""},
		{pipeline.Outcome{Step: "compile", Exit: 2}, "failed", "compile_failed", ""},
		{pipeline.Outcome{Step: "test", Exit: -1, Stopped: "time"}, "stopped", "test_time", ""},
		{pipeline.Outcome{Step: "test", Exit: 0, Stopped: "output"}, "stopped", "test_output", ""},
		{pipeline.Outcome{Step: "compile", Exit: -1, Stopped: "memory"}, "stopped", "compile_memory", ""},
		{pipeline.Outcome{Step: "build", Exit: 2, Stderr: "cc: not found\n"}, "", "", "o/n: step build ended with exit code 2: cc: not found"},
		{pipeline.Outcome{Step: "build", Exit: -1, Stopped: "time", Stdout: "cc a.c"}, "", "", "o/n: step build reached its limit of time: cc a.c"},
		{pipeline.Outcome{Step: "build"}, "", "", `o/n: the job ended well after its step "build"`},
		{pipeline.Outcome{Step: "compile"}, "", "", `o/n: the job ended well after its step "compile"`},
		{pipeline.Outcome{}, "", "", `o/n: the job ended well after its step ""`},
	} {
		v, err := recipe.Judge("o/n", test.out)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%+v: %v", test.out, err)
			}
			continue
		}
		if err != nil || v.Result != test.result || v.Reason() != test.reason || v.OK() != (test.result == "passed") || v.Step != test.out.Step || v.Exit != test.out.Exit {
			t.Errorf("%+v: %+v, %v", test.out, v, err)
		}
	}
}

func TestFailureIsShort(t *testing.T) {
	err := recipe.Failure("o/n", pipeline.Outcome{Step: "build", Exit: 1, Stderr: strings.Repeat("ü", 1<<20) + "the end"})
	if err == nil || len(err.Error()) > 2000 || !strings.HasSuffix(err.Error(), "the end") {
		t.Errorf("%.3000s", err)
	}
}

// inTurn is a sandbox that answers with its outcomes, one after the other.
type inTurn struct {
	outcomes []pipeline.Outcome
	jobs     []pipeline.Job
}

var errNone = errors.New("no more")

func (s *inTurn) Execute(_ context.Context, _ string, job pipeline.Job) (pipeline.Outcome, error) {
	if len(s.outcomes) == len(s.jobs) {
		return pipeline.Outcome{}, errNone
	}
	s.jobs = append(s.jobs, job)
	return s.outcomes[len(s.jobs)-1], nil
}

func TestCheck(t *testing.T) {
	r := parse(t, whole)[1]
	pass, fail, broken := pipeline.Outcome{Step: "test"}, pipeline.Outcome{Step: "test", Exit: 1}, pipeline.Outcome{Step: "build", Exit: 1}
	for name, test := range map[string]struct {
		outcomes []pipeline.Outcome
		want     recipe.Stability
		stable   bool
		fails    bool
	}{
		"stable":   {[]pipeline.Outcome{pass, pass, pass}, recipe.Stability{Runs: 3, Passed: 3}, true, false},
		"flaky":    {[]pipeline.Outcome{pass, fail, pass}, recipe.Stability{Runs: 3, Passed: 2}, false, false},
		"failing":  {[]pipeline.Outcome{fail, fail, fail}, recipe.Stability{Runs: 3}, false, false},
		"no build": {[]pipeline.Outcome{pass, broken, pass}, recipe.Stability{Runs: 1, Passed: 1}, true, true},
		"sandbox":  {[]pipeline.Outcome{pass}, recipe.Stability{Runs: 1, Passed: 1}, true, true},
	} {
		s := &inTurn{outcomes: test.outcomes}
		got, err := recipe.Check(t.Context(), s, "o/n", r, pin, recipe.NewTree(entries), 3)
		if got != test.want || got.Stable() != test.stable || (err != nil) != test.fails {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if name == "sandbox" && !errors.Is(err, errNone) {
			t.Errorf("%v is not the sandbox's own error", err)
		}
		if name == "stable" && (len(s.jobs) != 3 || s.jobs[0].Steps[2].Script == s.jobs[1].Steps[2].Script) {
			t.Error("the runs are one job")
		}
	}
	if (recipe.Stability{}).Stable() {
		t.Error("no run is stable")
	}
}
