package yabloco

import (
	"fmt"
	"slices"

	"benchmill/internal/passk"
	"benchmill/schemas"
)

// Task is what scoring needs to know of a task.
type Task struct {
	TaskID, Level, Name, Reference string
}

// TaskOf leaves out of a row what comparing texts does not need.
func TaskOf(t schemas.BodyTask) Task { return Task{t.TaskID, t.Level, t.Name, t.Reference} }

// Verdict is one reply, judged.
type Verdict struct {
	TaskID string `json:"task_id"`
	Level  string `json:"level"`
	Sample int    `json:"sample"`
	Body   string `json:"body"`   // as taken out of the reply
	NoBody bool   `json:"nobody"` // nothing in the reply could stand in the file
	EM     bool   `json:"em"`     // the same as the original but for white space
	ES     int    `json:"es"`     // edit similarity, 0 to 100
	// Passed says whether the repository's tests passed with it, nil where they were
	// not run.
	Passed *bool  `json:"passed,omitempty"`
	Reason string `json:"reason,omitempty"` // why they did not pass: "compile_failed", "test_time"
}

// Similarity compares a body with the original, 0 to 100.
type Similarity func(body, reference string) int

// Judge compares the body in a reply with the original. A reply without a body is
// like nothing.
func (s Similarity) Judge(t Task, sample int, reply string) Verdict {
	v := Verdict{TaskID: t.TaskID, Level: t.Level, Sample: sample}
	body, ok := Extract(reply, t.Name, t.Reference != "" && t.Reference[0] == ':')
	if !ok {
		v.NoBody = true
		return v
	}
	v.Body = body
	v.EM = oneLine(body) == oneLine(t.Reference)
	v.ES = s(oneLine(body), oneLine(t.Reference))
	return v
}

// Overall is the [Score.Level] of all levels together.
const Overall = "overall"

// Score is the mean over the replies to tasks of one context level, or of all.
type Score struct {
	Level   string  `json:"level"`
	Tasks   int     `json:"tasks"` // with at least one reply
	Replies int     `json:"replies"`
	NoBody  int     `json:"nobody"` // replies without a body; they count as wrong
	EM      float64 `json:"em"`     // 0 to 100, as ES
	ES      float64 `json:"es"`
	Pass    []Pass  `json:"pass,omitempty"` // where tests were run
}

// Pass is pass@k: how often at least one of K replies passes the tests (YABLoCo,
// "Metrics", has K = 1).
type Pass struct {
	K     int     `json:"k"`
	Value float64 `json:"value"` // 0 to 100
}

// Scores sums verdicts up: all, then by context level, the widest first, those
// without a verdict left out. Each task counts once, with the mean of its replies.
// Where tests were run, each k gives a pass@k; every task must have k replies.
func Scores(verdicts []Verdict, k ...int) ([]Score, error) {
	var out []Score
	for _, level := range append([]string{Overall}, levels[:]...) {
		own := slices.DeleteFunc(slices.Clone(verdicts), func(v Verdict) bool { return level != Overall && v.Level != level })
		if level != Overall && len(own) == 0 {
			continue
		}
		s, err := score(level, own, k)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func score(level string, verdicts []Verdict, k []int) (Score, error) {
	s := Score{Level: level, Replies: len(verdicts)}
	byTask := map[string][]Verdict{}
	var order []string
	for _, v := range verdicts {
		if byTask[v.TaskID] == nil {
			order = append(order, v.TaskID)
		}
		byTask[v.TaskID] = append(byTask[v.TaskID], v)
	}
	for _, id := range order {
		em, es := 0, 0
		for _, v := range byTask[id] {
			if v.EM {
				em++
			}
			if v.NoBody {
				s.NoBody++
			}
			es += v.ES
		}
		n := float64(len(byTask[id]))
		s.EM += 100 * float64(em) / n
		s.ES += float64(es) / n
	}
	if s.Tasks = len(order); s.Tasks > 0 {
		s.EM /= float64(s.Tasks)
		s.ES /= float64(s.Tasks)
	}
	if len(verdicts) == 0 || verdicts[0].Passed == nil {
		return s, nil
	}
	for _, k := range k {
		p := Pass{K: k}
		for _, id := range order {
			passed := 0
			for _, v := range byTask[id] {
				if v.Passed != nil && *v.Passed {
					passed++
				}
			}
			at, err := passk.PassAt(len(byTask[id]), passed, k)
			if err != nil {
				return s, fmt.Errorf("task %s: %w", id, err)
			}
			p.Value += 100 * at / float64(len(order))
		}
		s.Pass = append(s.Pass, p)
	}
	return s, nil
}
