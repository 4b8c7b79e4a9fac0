package ask

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"benchmill/internal/prompt"
	"benchmill/pipeline"
	"benchmill/schemas"
)

//go:embed prompts/repair.tmpl
var promptFiles embed.FS

// repair asks for an answer with its problems mended, where a form has no
// template of its own for that.
var repair = prompt.MustLoad(promptFiles, "prompts/repair.tmpl")

// maxEcho bounds how much of a bad answer, in bytes, is sent back to be mended.
const maxEcho = 32 << 10

// Failure says why there is no answer to use, "" when there is one. Failures are
// stable words: stages drop rows under them.
type Failure string

const (
	Refused   Failure = "refused"   // the model, or a filter before it, declined
	Truncated Failure = "truncated" // it was longer than MaxTokens
	Malformed Failure = "malformed" // no JSON, or not of the schema
	Unfit     Failure = "unfit"     // of the schema, but a check found fault; Value is set
)

// Question is one use of a form.
type Question[T any] struct {
	What    string           // who asks, in errors and records
	Data    map[string]any   // fills the template in
	Check   func(T) []string // for this row, as the form's own check; nil: none
	Vote    Vote             // 0 is the first too
	Subject map[string]string
}

// Answer is what came of a question.
type Answer[T any] struct {
	Value    T
	Failure  Failure
	Problems []string       // of the last reply, in the words the model was or would be told
	Reply    pipeline.Reply // the last
	Template string         // of the last request: name/version#digest
	Asked    int64          // requests
	Voter    string         // name of the model, with "#2" for its second vote
}

// OK reports whether Value passed all checks.
func (a Answer[T]) OK() bool { return a.Failure == "" }

// Ask asks a model. A reply that fails its checks is sent back with what is
// wrong, as often as the settings say; that an answer needed it is noted as
// "reasked". An error is the provider's, of its class, or a template's.
func (f *Form[T]) Ask(ctx context.Context, p *pipeline.Pass, model pipeline.ModelName, s Settings, q Question[T]) (Answer[T], error) {
	a := Answer[T]{Voter: Voter{model, q.Vote}.String()}
	spec, err := p.Model(model)
	if err != nil {
		return a, err
	}
	text, err := f.ask.Render(q.Data)
	if err != nil {
		return a, err
	}
	req := s.request(spec, q.Vote, q.Subject)
	req.SchemaName, req.Schema = f.name, f.sent
	req.Messages, req.Template = []pipeline.Message{{Role: "user", Text: text}}, f.ask.Identity()
	for {
		if a.Reply, err = p.Effects.Complete(ctx, model, q.What, req); err != nil {
			return a, err
		}
		a.Asked++
		a.Template = req.Template
		a.Value, a.Failure, a.Problems = f.judge(a.Reply, q.Check)
		if a.OK() && a.Asked > 1 {
			p.Drops.Note("reasked", a.Asked-1)
		}
		if a.OK() || a.Asked > int64(s.Reasks) {
			return a, nil
		}
		if req, err = f.mend(req, a.Reply.Text, a.Problems); err != nil {
			return a, err
		}
	}
}

func (f *Form[T]) judge(r pipeline.Reply, check func(T) []string) (v T, why Failure, problems []string) {
	switch r.Finish {
	case "refusal":
		return v, Refused, []string{"the request was refused"}
	case "length":
		return v, Truncated, []string{"it is too long and was cut off"}
	}
	v, ok, problems := f.parse(r.Text, check)
	switch {
	case !ok:
		return v, Malformed, problems
	case len(problems) > 0:
		return v, Unfit, problems
	}
	return v, "", nil
}

// mend is the next request of a conversation.
func (f *Form[T]) mend(req pipeline.Request, said string, problems []string) (pipeline.Request, error) {
	again, err := f.again.Render(map[string]any{"Problems": problems})
	if err != nil {
		return req, err
	}
	if strings.TrimSpace(said) == "" {
		said = "(no answer)" // some providers refuse an empty turn
	}
	req.Messages = append(append([]pipeline.Message(nil), req.Messages...),
		pipeline.Message{Role: "assistant", Text: clip(said, maxEcho)}, pipeline.Message{Role: "user", Text: again})
	req.Template = f.again.Identity()
	return req, nil
}

// Judgment is the answer as a row of a table of verdicts. Without an answer the
// verdict is the failure and the reason its problems, whatever is given.
func (a Answer[T]) Judgment(subject, question, verdict, reason string) schemas.Judgment {
	if !a.OK() {
		verdict, reason = string(a.Failure), a.Detail()
	}
	return schemas.Judgment{
		Subject: subject, Question: question, Voter: a.Voter, Verdict: verdict, Reason: reason,
		Origin: a.Reply.Origin, Provider: a.Reply.Provider, Model: a.Reply.Model, Template: a.Template, Asked: a.Asked,
	}
}

// Detail is the problems in one line, for a drop.
func (a Answer[T]) Detail() string { return strings.Join(a.Problems, "; ") }

// Voter is one vote of a panel.
type Voter struct {
	Model pipeline.ModelName
	Vote  Vote
}

// String is the model's name, with "#2" for its second vote.
func (v Voter) String() string {
	if v.Vote > 1 {
		return fmt.Sprintf("%s#%d", v.Model, v.Vote)
	}
	return string(v.Model)
}
