package yabloco

import (
	"math"
	"testing"

	"benchmill/schemas"
)

func TestScores(t *testing.T) {
	length := Similarity(func(body, reference string) int {
		return 100 * min(len(body), len(reference)) / max(len(body), len(reference))
	})
	task := TaskOf(schemas.BodyTask{TaskID: "a", Level: "none", Name: "f", Reference: "{\n    return n;\n}"})
	if task != (Task{"a", "none", "f", "{\n    return n;\n}"}) {
		t.Errorf("%+v", task)
	}
	var verdicts []Verdict
	for sample, reply := range []string{"int f(int n) { return n; }", "{ return n;}", "", "{"} {
		verdicts = append(verdicts, length.Judge(task, sample, reply))
	}
	if v := verdicts[0]; !v.EM || v.ES != 100 || v.NoBody || v.Body != "{ return n; }" || v.Passed != nil {
		t.Errorf("%+v", v)
	}
	if v := verdicts[1]; v.EM || v.ES != 92 || v.Sample != 1 {
		t.Errorf("%+v", v)
	}
	if v := verdicts[2]; v.EM || v.ES != 0 || !v.NoBody || !verdicts[3].NoBody {
		t.Errorf("%+v", v)
	}
	verdicts = append(verdicts, length.Judge(Task{"b", "project", "g", "{ x; }"}, 0, "x;"))
	got := Scores(verdicts)
	want := []Score{{"overall", 2, 5, 2, 62.5, 74}, {"project", 1, 1, 0, 100, 100}, {"none", 1, 4, 2, 25, 48}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Level != w.Level || g.Tasks != w.Tasks || g.Replies != w.Replies || g.NoBody != w.NoBody || math.Abs(g.EM-w.EM)+math.Abs(g.ES-w.ES) > 1e-9 {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if none := Scores(nil); len(none) != 1 || none[0] != (Score{Level: Overall}) {
		t.Errorf("%+v", none)
	}
}
