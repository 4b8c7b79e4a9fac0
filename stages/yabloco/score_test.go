package yabloco

import (
	"math"
	"reflect"
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
	got, err := Scores(verdicts)
	if err != nil {
		t.Fatal(err)
	}
	want := []Score{{"overall", 2, 5, 2, 62.5, 74, nil}, {"project", 1, 1, 0, 100, 100, nil}, {"none", 1, 4, 2, 25, 48, nil}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Level != w.Level || g.Tasks != w.Tasks || g.Replies != w.Replies || g.NoBody != w.NoBody || math.Abs(g.EM-w.EM)+math.Abs(g.ES-w.ES) > 1e-9 {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if none, err := Scores(nil); err != nil || len(none) != 1 || !reflect.DeepEqual(none[0], Score{Level: Overall}) {
		t.Errorf("%+v", none)
	}
}

// One of two replies passes, and the only one to another task does not.
func TestScoresPass(t *testing.T) {
	yes, no := new(bool), new(bool)
	*yes = true
	verdicts := []Verdict{{TaskID: "a", Level: "none", Passed: yes}, {TaskID: "a", Level: "none", Sample: 1, Passed: no}, {TaskID: "b", Level: "stdlib", Passed: no}}
	got, err := Scores(verdicts, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{25, 0, 50} { // overall, stdlib, none
		if p := got[i].Pass; len(p) != 1 || p[0] != (Pass{1, want}) {
			t.Errorf("%s: %+v, want %v", got[i].Level, p, want)
		}
	}
	if _, err := Scores(verdicts, 2); err == nil {
		t.Error("pass@2 of one reply")
	}
}
