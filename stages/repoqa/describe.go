package repoqa

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// description is checked against each function's own identifiers.
var description = ask.NewForm[parts]("description", promptFiles, "prompts/describe.tmpl", nil).
	Again(promptFiles, "prompts/again.tmpl")

// DescribeConfig configures [Describe].
type DescribeConfig struct {
	Model          pipeline.ModelName `yaml:"model" doc:"a name of the models section"`
	ask.Settings   `yaml:",inline"`
	PrecedingLines int `yaml:"preceding_lines" min:"0" doc:"lines before the function that the model is shown"`
}

// Reasons needles are dropped under.
const (
	reasonLeak      = "description_leaks"
	reasonMalformed = "description_malformed"
	reasonRefused   = "model_refused"
	reasonNoNames   = "function_not_found"
)

// Describe has each needle described by a model in four parts (section 3.1 and
// Listing 1), from the function with some lines before it. Beyond the paper,
// each description is checked: all parts are there, and no identifier of the
// function is given away; what fails is asked for again with what is wrong, a
// bounded number of times, then dropped.
//
// Version history:
//
//	1: first version
//	2: an identifier with underscores around it is found as it is written
//	3: a reply is one JSON object of the schema and nothing else; a reply that was cut off is none
func Describe(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repoqa.describe", Version: 3,
		Doc: "Has a model describe each needle in four parts and checks that the description gives no identifier away.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "needles", Schema: schemas.Needles},
			{Name: "files", Schema: schemas.Files},
		},
		Out:   []pipeline.Port{{Name: "described", Schema: schemas.Descriptions}},
		Flows: []pipeline.Flow{{From: "needles", To: []string{"described"}}},
		Uses:  pipeline.Uses{LLM: true},
		Identify: func(row any) []string {
			return append(code.Identify(languages)(row), description.Identity()...)
		},
		NewConfig: func() any {
			return &DescribeConfig{Settings: ask.Settings{Temperature: 0.2, MaxTokens: 2048, Reasks: 3}, PrecedingLines: 100}
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return describeAll(ctx, p, repo, l)
		},
	}
}

func describeAll(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	needles, err := pipeline.Collect[schemas.Needle](ctx, p, "needles")
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return err
		}
		texts[f.Path] = f.Text
	}
	return ask.Each(ctx, needles, func(ctx context.Context, n schemas.Needle) error {
		a := &annotation{p: p, repo: repo, language: l, needle: n, text: texts[n.Path]}
		if err := a.run(ctx); err != nil {
			return fmt.Errorf("%s: needle %s of %s: %w", repo.Repo, n.Name, n.Path, err)
		}
		return nil
	})
}

// annotation is the conversation about one needle.
type annotation struct {
	p        *pipeline.Pass
	repo     schemas.Repository
	language *lang.Language
	needle   schemas.Needle
	text     string
	names    lang.Names
}

func (a *annotation) run(ctx context.Context) error {
	c := pipeline.ConfigOf[DescribeConfig](a.p)
	facts, err := a.inspect()
	if err != nil {
		a.drop(reasonNoNames, err.Error())
		return nil
	}
	answer, err := description.Ask(ctx, a.p, c.Model, c.Settings, a.question(c, facts))
	if err != nil {
		return err
	}
	switch {
	case answer.OK():
		return a.emit(answer)
	case answer.Failure == ask.Refused:
		a.drop(reasonRefused, answer.Detail())
	case answer.Failure == ask.Unfit && !answer.Value.incomplete():
		a.drop(reasonLeak, answer.Detail())
	default:
		a.drop(reasonMalformed, answer.Detail())
	}
	return nil
}

// inspect parses the file whole, so that a method stands in its class, and finds
// the identifiers of the function.
func (a *annotation) inspect() (*lang.Facts, error) {
	facts, err := a.language.Analyze(a.needle.Path, []byte(a.text), treesitter.DefaultLimits)
	if err != nil {
		return nil, err
	}
	a.names = lang.Names{Name: a.needle.Name}
	if a.language.Names == nil {
		return facts, nil
	}
	t, err := treesitter.Parse([]byte(a.text), a.language.Syntax(a.needle.Path).Grammar, nil, treesitter.DefaultLimits)
	if err != nil {
		return nil, err
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Named() && int64(n.Start) == a.needle.StartByte && int64(n.End) == a.needle.EndByte {
			a.names = a.language.Names(t, int32(i))
			a.names.Name = a.needle.Name
			return facts, nil
		}
	}
	return nil, fmt.Errorf("no syntax node at bytes %d to %d", a.needle.StartByte, a.needle.EndByte)
}

func (a *annotation) question(c *DescribeConfig, facts *lang.Facts) ask.Question[parts] {
	start, end := int(a.needle.StartByte), int(a.needle.EndByte)
	return ask.Question[parts]{
		What:  fmt.Sprintf("describe %s %s %s", a.repo.Repo, a.needle.Path, a.needle.Name),
		Data:  map[string]any{"Name": a.needle.Name, "Code": a.text[back(a.text, start, c.PrecedingLines):end]},
		Check: func(d parts) []string { return d.problems(a.names) },
		Subject: map[string]string{
			"code": a.text[start:end], "name": a.needle.Name, "language": a.repo.Language, "path": a.needle.Path,
			"params": strings.Join(a.names.Params, ","), "locals": strings.Join(a.names.Locals, ","),
			"doc": documentation(a.text, facts, start, end), "signature": signature(a.text[start:end]),
		},
	}
}

// back is where the nth line before an offset starts.
func back(text string, at, lines int) int {
	at = strings.LastIndexByte(text[:at], '\n') + 1
	for ; lines > 0 && at > 0; lines-- {
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// documentation is the comment right above a function, or the first one inside.
func documentation(text string, facts *lang.Facts, start, end int) string {
	var above []string
	next := start
	for i := len(facts.Comments) - 1; i >= 0; i-- {
		c := facts.Comments[i]
		if c.End > next || strings.TrimSpace(text[c.End:next]) != "" || strings.Count(text[c.End:next], "\n") > 1 {
			continue
		}
		above = append([]string{strings.TrimSpace(text[c.Start:c.End])}, above...)
		next = c.Start
	}
	if len(above) > 0 {
		return strings.Join(above, "\n")
	}
	for _, c := range facts.Comments {
		if c.Start >= start && c.End <= end {
			return text[c.Start:c.End]
		}
	}
	return ""
}

// signature is a function up to where its body begins.
func signature(code string) string {
	if i := strings.IndexAny(code, "{\n"); i >= 0 {
		return strings.TrimSpace(code[:i])
	}
	return code
}

func (a *annotation) emit(answer ask.Answer[parts]) error {
	n, d, r := a.needle, answer.Value, answer.Reply
	return pipeline.Emit(a.p, "described", schemas.Described{
		Index: n.Index, Needles: n.Needles, Path: n.Path, Name: n.Name,
		StartByte: n.StartByte, EndByte: n.EndByte, StartLine: n.StartLine, EndLine: n.EndLine,
		Purpose: strings.TrimSpace(d.Purpose), Input: strings.TrimSpace(d.Input),
		Output: strings.TrimSpace(d.Output), Procedure: strings.TrimSpace(d.Procedure),
		Origin: r.Origin, Provider: r.Provider, Model: r.Model, Template: answer.Template, Asked: answer.Asked,
	})
}

func (a *annotation) drop(reason, detail string) {
	a.p.Drops.Drop("needles", fmt.Sprintf("%s:%d %s", a.needle.Path, a.needle.StartLine+1, a.needle.Name), reason, detail)
}
