package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/schemas"
	"benchmill/stages/longcodeqa"
)

type longcodeqaScorer struct{ tasks []longcodeqa.Task }

type longcodeqaReport struct {
	scoreHead
	Scores []longcodeqa.Score `json:"scores"`
}

func (l *longcodeqaScorer) add(row any) string {
	t := longcodeqa.TaskOf(row.(schemas.LongCodeQATask))
	l.tasks = append(l.tasks, t)
	return t.TaskID
}

func (l *longcodeqaScorer) score(_ context.Context, head scoreHead, replies map[string][]string) (scored, []any, error) {
	var verdicts []longcodeqa.Verdict
	var lines []any
	for _, t := range l.tasks {
		for sample, reply := range replies[t.TaskID] {
			v := longcodeqa.Judge(t, sample, reply)
			verdicts, lines = append(verdicts, v), append(lines, v)
		}
	}
	return &longcodeqaReport{head, longcodeqa.Scores(l.tasks, verdicts)}, lines, nil
}

func (r *longcodeqaReport) print(s *streams) {
	t := newTable(s.out, []int{2, 3, 4, 5}, "group", "value", "tasks", "accuracy (%)", "95% interval", "no letter")
	for _, score := range r.Scores {
		value := strings.TrimSpace(cmp.Or(score.Bracket, score.Value))
		if score.Bracket != "" && score.Value != "" {
			value = score.Bracket + " " + score.Value
		}
		accuracy, interval := "-", "-" // half of a bracket of one repository is empty
		if score.Tasks > 0 {
			accuracy = fmt.Sprintf("%.1f", 100*score.Accuracy)
			interval = fmt.Sprintf("%.1f to %.1f", 100*score.Low, 100*score.High)
		}
		t.AppendRow(table.Row{score.Group, value, score.Tasks, accuracy, interval, score.Unanswered})
	}
	t.Render()
}
