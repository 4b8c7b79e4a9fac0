package effects_test

import (
	"reflect"
	"testing"

	"benchmill/pipeline"
)

// What a job hands back is the same when the ledger answers, whatever its bytes.
func TestJobFilesOfAnyBytes(t *testing.T) {
	w, r := newRunner(t)
	want := pipeline.Outcome{Stdout: "made", Files: []pipeline.JobFile{
		{Path: "a.gcov.json.gz", Text: "\x1f\x8b\x08\x00\xff\xfe\x00packed", Executable: true},
		{Path: "b.txt", Text: "Gruß \uFFFD\x00\n"}, {Path: "c.txt"}, {Path: "d", Text: "\xff"},
	}}
	r.answers = &want
	for _, frozen := range []bool{false, true} {
		w.Frozen = frozen
		out, err := w.Execute(t.Context(), "test", aJob())
		if err != nil || !reflect.DeepEqual(out, want) {
			t.Errorf("frozen %v: %+v, %v", frozen, out.Files, err)
		}
	}
	if r.runs != 1 {
		t.Errorf("run %d times", r.runs)
	}
}
