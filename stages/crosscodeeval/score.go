package crosscodeeval

import (
	"maps"
	"slices"

	"benchmill/schemas"
	"benchmill/stages/crosscodeeval/metrics"
)

// Task is what scoring needs to know of a task.
type Task struct {
	TaskID, Language, Path, Prompt, Reference string
}

// TaskOf leaves out of a row what scoring does not need.
func TaskOf(t schemas.CompletionTask) Task {
	return Task{t.TaskID, t.Language, t.Path, t.Prompt, t.Reference}
}

// Verdict is one prediction, judged.
type Verdict struct {
	TaskID   string `json:"task_id"`
	Language string `json:"language"`
	Sample   int    `json:"sample"`
	metrics.Score
}

// Judge judges a prediction for a task.
func (j *Judge) Judge(t Task, sample int, prediction string) (Verdict, error) {
	s, err := j.Score(t.Language, t.Path, t.Prompt, prediction, t.Reference)
	return Verdict{t.TaskID, t.Language, sample, s}, err
}

// Overall is the [Score.Language] of all languages together.
const Overall = "overall"

// Score is the mean over the predictions of one language, or of all.
type Score struct {
	Language string `json:"language"`
	metrics.Summary
}

// Scores sums verdicts up: all, then by language in ascending order. Every
// prediction counts once; tasks without one do not count.
func Scores(verdicts []Verdict) []Score {
	var all []metrics.Score
	byLanguage := map[string][]metrics.Score{}
	for _, v := range verdicts {
		all = append(all, v.Score)
		byLanguage[v.Language] = append(byLanguage[v.Language], v.Score)
	}
	out := []Score{{Overall, metrics.Summarize(all)}}
	for _, language := range slices.Sorted(maps.Keys(byLanguage)) {
		out = append(out, Score{language, metrics.Summarize(byLanguage[language])})
	}
	return out
}
