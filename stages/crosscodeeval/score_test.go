package crosscodeeval

import (
	"encoding/json"
	"reflect"
	"testing"

	"benchmill/schemas"
	"benchmill/stages/crosscodeeval/metrics"
)

func TestScores(t *testing.T) {
	j := NewJudge(allLanguages(t))
	a := TaskOf(schemas.CompletionTask{TaskID: "a", Language: "java", Path: "A.java", Prompt: "class A { int x = ", Reference: "f(1);"})
	b := TaskOf(schemas.CompletionTask{TaskID: "b", Language: "python", Path: "b.py", Prompt: "x = ", Reference: "g(2)"})
	var verdicts []Verdict
	for _, p := range []struct {
		task       Task
		sample     int
		prediction string
	}{{a, 0, "f(1); int y;"}, {b, 0, "h(2)\n"}, {b, 1, "g(2)\ny = 1\n"}} {
		v, err := j.Judge(p.task, p.sample, p.prediction)
		if err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, v)
	}
	want := []Score{
		{Overall, metrics.Summary{EM: 66.67, ES: 91.67, IDEM: 66.67, Precision: 66.67, Recall: 66.67, F1: 66.67, Total: 3}},
		{"java", metrics.Summary{EM: 100, ES: 100, IDEM: 100, Precision: 100, Recall: 100, F1: 100, Total: 1}},
		{"python", metrics.Summary{EM: 50, ES: 87.5, IDEM: 50, Precision: 50, Recall: 50, F1: 50, Total: 2}},
	}
	if got := Scores(verdicts); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
	if got := Scores(nil); len(got) != 1 || got[0].Total != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	line, err := json.Marshal(verdicts[1])
	if want := `{"task_id":"b","language":"python","sample":0,"pred":"h(2)","target":"g(2)","em":false,"es":75,"id_em":false,"id_precision":0,"id_recall":0,"id_f1":0}`; err != nil || string(line) != want {
		t.Errorf("%s", line)
	}
	if _, err := j.Judge(Task{TaskID: "x", Language: "none"}, 0, ""); err == nil {
		t.Error("a task of no language")
	}
}
