package sandboxtest

import (
	"testing"

	"benchmill/pipeline"
)

func TestFake(t *testing.T) {
	Run(t, Subject{
		New:  func(*testing.T) pipeline.Sandbox { return &Fake{Programs: map[string]Program{"sh": Shell}} },
		Tool: pipeline.Pin{Scheme: "tool", Locator: "sh", Version: "1"}, Steps: pipeline.Pin{Scheme: "runtime", Locator: "sh", Version: "1"},
	})
}

func TestFakeUnknownTool(t *testing.T) {
	f := &Fake{}
	if out, err := f.Execute(t.Context(), "test", pipeline.Job{Tool: pipeline.Pin{Locator: "x"}, Limits: limits()}); err == nil || len(f.Jobs()) != 0 {
		t.Errorf("%+v, %v, %d jobs", out, err, len(f.Jobs()))
	}
}
