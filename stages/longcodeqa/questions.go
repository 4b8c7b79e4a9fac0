package longcodeqa

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

// Reasons rows are dropped under where models are asked.
const (
	reasonNotConvertible = "not_convertible:" // and the category
	reasonRefused        = "model_refused"
	reasonMalformed      = "malformed"
	reasonUnfit          = "unfit" // the answer breaks a rule of its prompt and was not mended
)

// converted is what a model makes of a discussion. The reasoning stands before
// the verdict, since models write in this order.
type converted struct {
	Reason           string   `json:"reason"`
	IsQA             bool     `json:"is_qa"`
	Category         string   `json:"category" jsonschema:"enum=behaviour,enum=purpose,enum=control_flow,enum=wanted_error,enum=bug_fix,enum=feature,enum=installation,enum=roadmap,enum=library_suggestion,enum=practice,enum=other"`
	Question         string   `json:"question"`
	CorrectAnswer    string   `json:"correct_answer"`
	IncorrectAnswers []string `json:"incorrect_answers"`
}

var convertForm = ask.NewForm("question", promptFiles, "prompts/convertible.tmpl", converted.problems)

// QuestionsConfig configures [Questions].
type QuestionsConfig struct {
	Model        pipeline.ModelName `yaml:"model" doc:"a name of the models section"`
	ask.Settings `yaml:",inline"`
}

// Questions has a model decide for each discussion whether its resolution makes
// a multiple-choice question about the code, and write the question (section
// 3.2 and appendix B.1). The model sees the discussion and never the code, so
// that no model that wrote questions has an advantage in answering them.
// Questions are checked beyond the paper; see checks.go. The four answers are
// shuffled uniformly, by the seed and the question's id.
//
// Version history:
//
//	1: first version
func Questions() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.questions", Version: 1,
		Doc: "Has a model turn discussions into multiple-choice questions, where they make one, and shuffles the answers.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "discussions", Schema: schemas.Discussions},
		},
		Out: []pipeline.Port{
			{Name: "questions", Schema: schemas.Questions},
			{Name: "judgments", Schema: schemas.Judgments},
		},
		Flows: []pipeline.Flow{{From: "discussions", To: []string{"questions"}}},
		Uses:  pipeline.Uses{LLM: true, Seed: true},
		NewConfig: func() any {
			return &QuestionsConfig{Settings: ask.Settings{MaxTokens: 2048, Reasks: 1}}
		},
		Identify: func(any) []string { return convertForm.Identity() },
		Run:      questions,
	}
}

func questions(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[QuestionsConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	discussions, err := pipeline.Collect[schemas.Discussion](ctx, p, "discussions")
	if err != nil {
		return err
	}
	return ask.Each(ctx, discussions, func(ctx context.Context, d schemas.Discussion) error {
		what := fmt.Sprintf("convertible %s#%d", repo.Repo, d.Number)
		a, err := convertForm.Ask(ctx, p, c.Model, c.Settings, ask.Question[converted]{
			What:    what,
			Data:    map[string]any{"Repo": repo.Repo, "Title": d.Title, "Text": d.Text},
			Subject: map[string]string{"repo": repo.Repo, "issue": strconv.FormatInt(d.Number, 10)},
		})
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return convert(p, repo, d, a)
	})
}

// convert writes down what came of one discussion.
func convert(p *pipeline.Pass, repo schemas.Repository, d schemas.Discussion, a ask.Answer[converted]) error {
	v, key := a.Value, strconv.FormatInt(d.Number, 10)
	if err := pipeline.Emit(p, "judgments", a.Judgment(key, "convertible", yesNo(v.IsQA), v.Reason)); err != nil {
		return err
	}
	switch {
	case !a.OK():
		p.Drops.Drop("discussions", key, reasonOf(a.Failure), a.Detail())
		return nil
	case !v.IsQA:
		p.Drops.Drop("discussions", key, reasonNotConvertible+v.Category, v.Reason)
		return nil
	}
	q := schemas.Question{
		ID: QuestionID(repo.Repo, d.Number), Repo: repo.Repo, Number: d.Number,
		Question: strings.TrimSpace(v.Question), Reason: v.Reason,
		CreatedAt: d.CreatedAt, ClosedAt: d.ClosedAt,
		Origin: a.Reply.Origin, Provider: a.Reply.Provider, Model: a.Reply.Model, Template: a.Template,
	}
	q.Choices, q.Answer = shuffle(p.Seed, q.ID, v.answers())
	return pipeline.Emit(p, "questions", q)
}

// shuffle orders answers, the right one first, by chance, and returns the letter
// of the right one.
func shuffle(seed pipeline.Seed, id string, answers []string) (choices []string, letter string) {
	order := seed.Rand(id).Perm(len(answers))
	choices = make([]string, len(answers))
	for i, from := range order {
		choices[i] = answers[from]
	}
	return choices, string(schemas.Letters[slices.Index(order, 0)])
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// reasonOf is the drop reason of a failure to answer.
func reasonOf(f ask.Failure) string {
	switch f {
	case ask.Refused:
		return reasonRefused
	case ask.Unfit:
		return reasonUnfit
	}
	return reasonMalformed
}
