package longcodeqa

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"benchmill/schemas"
)

// Task is what scoring needs to know of a task; its prompt may be megabytes.
type Task struct {
	TaskID        string
	Bracket       string
	BracketTokens int64
	Topics        []string
	TokensPerFile float64
	CorrectLetter string
}

// TaskOf leaves out of a row what scoring does not need.
func TaskOf(t schemas.LongCodeQATask) Task {
	return Task{t.TaskID, t.Bracket, t.BracketTokens, t.Topics, t.TokensPerFile, t.CorrectLetter}
}

// Verdict is one answer, judged.
type Verdict struct {
	TaskID  string `json:"task_id"`
	Bracket string `json:"bracket"`
	Sample  int    `json:"sample"`
	Letter  string `json:"letter"` // "" where the reply gives none
	Correct bool   `json:"correct"`
}

// Judge compares one answer with the right one. A reply without a letter is
// wrong.
func Judge(t Task, sample int, reply string) Verdict {
	letter := Letter(reply)
	return Verdict{TaskID: t.TaskID, Bracket: t.Bracket, Sample: sample, Letter: letter, Correct: letter == t.CorrectLetter}
}

// Groups of scores, in the order [Scores] has them. By tokens per file (section
// 4.4, figure 3) each bracket is split at the median of its tasks.
const (
	ScoreOverall       = "overall"
	ScoreBracket       = "bracket"
	ScoreTopic         = "topic"
	ScoreTokensPerFile = "tokens_per_file"
)

// Halves of a bracket by tokens per file.
const (
	HalfBelow = "below" // at most the median
	HalfAbove = "above"
)

// Score is the accuracy of one group of tasks. Of a group with 0 tasks, such as a
// half that no task belongs to, nothing is known: accuracy 0, from 0 to 1.
type Score struct {
	Group      string  `json:"group"`
	Bracket    string  `json:"bracket,omitempty"` // of groups by bracket and by tokens per file
	Value      string  `json:"value,omitempty"`   // the topic, or the half
	Tasks      int     `json:"tasks"`             // with at least one answer
	Answers    int     `json:"answers"`
	Unanswered int     `json:"unanswered"` // replies without a letter, which count as wrong
	Accuracy   float64 `json:"accuracy"`   // 0 to 1: mean over tasks of the share of right answers
	Low        float64 `json:"low"`        // confidence interval at 95% (Wilson), over tasks
	High       float64 `json:"high"`
}

// Scores sums verdicts up: all tasks, by bracket in ascending order, by topic,
// the most frequent first, and by tokens per file within each bracket. Tasks
// without a verdict do not count; a task with several topics counts under each.
func Scores(tasks []Task, verdicts []Verdict) []Score {
	byTask := map[string][]Verdict{}
	for _, v := range verdicts {
		byTask[v.TaskID] = append(byTask[v.TaskID], v)
	}
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(t Task) bool { return byTask[t.TaskID] == nil })
	byBracket, byTopic := map[int64][]Task{}, map[string][]Task{}
	for _, t := range tasks {
		byBracket[t.BracketTokens] = append(byBracket[t.BracketTokens], t)
		for _, topic := range t.Topics {
			byTopic[topic] = append(byTopic[topic], t)
		}
	}
	brackets := slices.Sorted(maps.Keys(byBracket))
	out := []Score{score(Score{Group: ScoreOverall}, tasks, byTask)}
	for _, b := range brackets {
		out = append(out, score(Score{Group: ScoreBracket, Bracket: byBracket[b][0].Bracket}, byBracket[b], byTask))
	}
	topics := slices.SortedFunc(maps.Keys(byTopic), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byTopic[b]), len(byTopic[a])), cmp.Compare(a, b))
	})
	for _, topic := range topics {
		out = append(out, score(Score{Group: ScoreTopic, Value: topic}, byTopic[topic], byTask))
	}
	for _, b := range brackets {
		below, above := split(byBracket[b])
		label := byBracket[b][0].Bracket
		out = append(out,
			score(Score{Group: ScoreTokensPerFile, Bracket: label, Value: HalfBelow}, below, byTask),
			score(Score{Group: ScoreTokensPerFile, Bracket: label, Value: HalfAbove}, above, byTask))
	}
	return out
}

// split parts the tasks of a bracket at the median of their tokens per file.
// Tasks of one repository have the same figure and so stay together.
func split(tasks []Task) (below, above []Task) {
	figures := make([]float64, len(tasks))
	for i, t := range tasks {
		figures[i] = t.TokensPerFile
	}
	slices.Sort(figures)
	median := (figures[(len(figures)-1)/2] + figures[len(figures)/2]) / 2
	for _, t := range tasks {
		if t.TokensPerFile <= median {
			below = append(below, t)
		} else {
			above = append(above, t)
		}
	}
	return below, above
}

func score(s Score, tasks []Task, byTask map[string][]Verdict) Score {
	var right float64
	for _, t := range tasks {
		correct := 0
		for _, v := range byTask[t.TaskID] {
			if v.Correct {
				correct++
			}
			if v.Letter == "" {
				s.Unanswered++
			}
		}
		s.Answers += len(byTask[t.TaskID])
		right += float64(correct) / float64(len(byTask[t.TaskID]))
	}
	s.Tasks = len(tasks)
	if s.Tasks > 0 {
		s.Accuracy = right / float64(s.Tasks)
	}
	s.Low, s.High = wilson(s.Accuracy, float64(s.Tasks))
	return s
}

// wilson is the score interval of Wilson (1927) for a share p of n, at 95%. Of
// nothing, nothing is known: 0 to 1.
func wilson(p, n float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054 // the normal quantile at 0.975
	centre := p + z*z/(2*n)
	spread := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return max(0, (centre-spread)/scale), min(1, (centre+spread)/scale)
}
