package longcodeqa

import (
	"math"
	"testing"

	"benchmill/schemas"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// Values of the interval as tables of statistics have them.
func TestWilson(t *testing.T) {
	for _, test := range []struct{ p, n, low, high float64 }{
		{0, 0, 0, 1}, {0, 10, 0, 0.277533}, {1, 10, 0.722467, 1}, {0.5, 10, 0.236593, 0.763407}, {0.7, 100, 0.604152, 0.781063}, {1, 1, 0.206549, 1},
	} {
		low, high := wilson(test.p, test.n)
		if math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("%g of %g: %f to %f, want %f to %f", test.p, test.n, low, high, test.low, test.high)
		}
	}
}

func TestJudge(t *testing.T) {
	row := schemas.LongCodeQATask{TaskID: "o__r-1", Bracket: "32K", BracketTokens: 32768, CorrectLetter: "B", Prompt: "long", Topics: []string{"x"}, TokensPerFile: 2}
	task := TaskOf(row)
	for reply, want := range map[string]Verdict{
		"B":       {"o__r-1", "32K", 3, "B", true},
		"(C)":     {"o__r-1", "32K", 3, "C", false},
		"no idea": {"o__r-1", "32K", 3, "", false},
	} {
		if got := Judge(task, 3, reply); got != want {
			t.Errorf("%q: %+v", reply, got)
		}
	}
}

func TestScores(t *testing.T) {
	tasks := []Task{
		{"a", "32K", 32768, []string{"x", "y"}, 10, "A"},
		{"b", "32K", 32768, []string{"x"}, 20, "B"},
		{"c", "32K", 32768, nil, 30, "C"},
		{"d", "1M", 1048576, []string{"y", "x"}, 5, "D"},
		{"silent", "512K", 524288, []string{"z"}, 5, "D"},
	}
	var verdicts []Verdict
	for id, replies := range map[string][]string{"a": {"A", "B"}, "b": {"B"}, "c": {"dunno", "", "A", "C"}, "d": {"D", "D"}} {
		for _, task := range tasks {
			for i, reply := range replies {
				if task.TaskID == id {
					verdicts = append(verdicts, Judge(task, i, reply))
				}
			}
		}
	}
	got := Scores(tasks, verdicts)
	want := []Score{
		{Group: "overall", Tasks: 4, Answers: 9, Unanswered: 2, Accuracy: (0.5 + 1 + 0.25 + 1) / 4},
		{Group: "bracket", Bracket: "32K", Tasks: 3, Answers: 7, Unanswered: 2, Accuracy: 1.75 / 3},
		{Group: "bracket", Bracket: "1M", Tasks: 1, Answers: 2, Accuracy: 1},
		{Group: "topic", Value: "x", Tasks: 3, Answers: 5, Accuracy: 2.5 / 3},
		{Group: "topic", Value: "y", Tasks: 2, Answers: 4, Accuracy: 0.75},
		{Group: "tokens_per_file", Bracket: "32K", Value: "below", Tasks: 2, Answers: 3, Accuracy: 0.75},
		{Group: "tokens_per_file", Bracket: "32K", Value: "above", Tasks: 1, Answers: 4, Unanswered: 2, Accuracy: 0.25},
		{Group: "tokens_per_file", Bracket: "1M", Value: "below", Tasks: 1, Answers: 2, Accuracy: 1},
		{Group: "tokens_per_file", Bracket: "1M", Value: "above"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d scores: %+v", len(got), got)
	}
	for i, s := range got {
		if s.Low > s.Accuracy || s.High < s.Accuracy || s.Tasks > 0 && s.Low == s.High {
			t.Errorf("%+v", s)
		}
		low, high := s.Low, s.High
		s.Low, s.High = 0, 0
		if !near(s.Accuracy, want[i].Accuracy) {
			t.Errorf("%+v, want %+v", s, want[i])
		}
		s.Accuracy, want[i].Accuracy = 0, 0
		if s != want[i] {
			t.Errorf("%+v, want %+v", s, want[i])
		}
		if s.Tasks == 0 && (low != 0 || high != 1) {
			t.Errorf("of nothing: %g to %g", low, high)
		}
	}
	if none := Scores(tasks, nil); len(none) != 1 || none[0].Tasks != 0 || none[0].Accuracy != 0 {
		t.Errorf("%+v", none)
	}
}
