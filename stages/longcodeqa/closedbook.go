package longcodeqa

import (
	"context"
	"fmt"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

const reasonAnswered = "answered_without_context"

// guess is what a model answers without context.
type guess struct {
	Reason string `json:"reason"`
	Letter string `json:"letter" jsonschema:"enum=A,enum=B,enum=C,enum=D"`
}

var guessForm = ask.NewForm[guess]("answer", promptFiles, "prompts/closedbook.tmpl", nil)

// ClosedBookConfig configures [ClosedBook].
type ClosedBookConfig struct {
	ask.Panel    `yaml:",inline"`
	Orders       int `yaml:"orders" min:"1" max:"4" doc:"how often each vote is cast, each time with the choices moved on by one letter; 1 as in the paper. A model that guesses blindly is right once in four"`
	Right        int `yaml:"right" min:"1" max:"4" doc:"right answers over all orders from which a vote says that the question can be answered without context"`
	ask.Settings `yaml:",inline"`
}

// Validate implements the check of a config.
func (c *ClosedBookConfig) Validate() error {
	if c.Right > c.Orders {
		return fmt.Errorf("right: %d answers cannot be right of %d", c.Right, c.Orders)
	}
	return c.Panel.Validate()
}

// ClosedBook drops questions that models answer rightly without any context, as
// a safeguard against contamination (section 3.2). A question goes when the
// panel's quorum is right: by default when any of its votes is.
//
// Version history:
//
//	1: first version
func ClosedBook() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.closedbook", Version: 1,
		Doc: "Has models answer each question without context and drops what they get right.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "questions", Schema: schemas.Questions},
		},
		Out:   filtered,
		Flows: []pipeline.Flow{{From: "questions", To: []string{"questions"}}},
		Uses:  pipeline.Uses{LLM: true},
		NewConfig: func() any {
			return &ClosedBookConfig{
				Panel: ask.Panel{Quorum: ask.Any}, Orders: 1, Right: 1, Settings: ask.Settings{MaxTokens: 512, Reasks: 1},
			}
		},
		Identify: func(any) []string { return guessForm.Identity() },
		Run:      closedBook,
	}
}

func closedBook(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ClosedBookConfig](p)
	return eachQuestion(ctx, p, func(ctx context.Context, q schemas.Question) error {
		right, missing := make([]int, len(c.Models)), make([]int, len(c.Models))
		for order := range c.Orders {
			turned, name := rotate(q, order), orderName(order)
			answers, err := guessForm.Poll(ctx, p, c.Panel, c.Settings, ask.Question[guess]{
				What: filterClosedBook + " " + q.ID + name, Data: promptData(turned), Subject: subject(q),
			})
			if err != nil {
				return err
			}
			for i, a := range answers {
				if err := pipeline.Emit(p, "judgments", a.Judgment(q.ID, filterClosedBook+name, a.Value.Letter, a.Value.Reason)); err != nil {
					return err
				}
				switch {
				case a.OK() && a.Value.Letter == turned.Answer:
					right[i]++
				case !a.OK() && a.Failure != ask.Refused: // who declines does not know
					missing[i]++
				}
			}
		}
		var votes []bool
		for i := range right {
			if knows := right[i] >= c.Right; knows || right[i]+missing[i] < c.Right {
				votes = append(votes, knows)
			}
		}
		goes, err := c.Decide(votes)
		return settle(p, q, filterClosedBook, reasonAnswered, !goes, err)
	})
}

// orderName tells the requests and judgments of further orders from the first's.
func orderName(order int) string {
	if order == 0 {
		return ""
	}
	return fmt.Sprintf(" order %d", order+1)
}

// rotate moves the choices on by n letters, the last ones to the front.
func rotate(q schemas.Question, n int) schemas.Question {
	size := len(q.Choices)
	choices := make([]string, size)
	for i, c := range q.Choices {
		choices[(i+n)%size] = c
	}
	at := strings.Index(schemas.Letters, q.Answer)
	q.Choices, q.Answer = choices, string(schemas.Letters[(at+n)%size])
	return q
}
