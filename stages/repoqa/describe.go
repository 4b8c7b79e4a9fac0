package repoqa

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"benchmill/internal/prompt"
	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var (
	askPrompt   = prompt.MustLoad(promptFiles, "prompts/describe.tmpl")
	againPrompt = prompt.MustLoad(promptFiles, "prompts/again.tmpl")
)

// answerSchema is the JSON Schema of a structured description.
var answerSchema = json.RawMessage(`{"type":"object","additionalProperties":false,` +
	`"required":["purpose","input","output","procedure"],"properties":{` +
	`"purpose":{"type":"string"},"input":{"type":"string"},"output":{"type":"string"},"procedure":{"type":"string"}}}`)

// DescribeConfig configures [Describe].
type DescribeConfig struct {
	Model          pipeline.ModelName `yaml:"model" doc:"a name of the models section"`
	Temperature    float64            `yaml:"temperature" min:"0" doc:"where the model's own settings give none"`
	MaxTokens      int                `yaml:"max_tokens" min:"1" doc:"longest answer, where the model's own settings give none"`
	PrecedingLines int                `yaml:"preceding_lines" min:"0" doc:"lines before the function that the model is shown"`
	Reasks         int                `yaml:"reasks" min:"0" doc:"how often a description that fails its checks is asked for again"`
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
func Describe(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repoqa.describe", Version: 2,
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
			return append(code.Identify(languages)(row), askPrompt.Identity(), againPrompt.Identity())
		},
		NewConfig: func() any {
			return &DescribeConfig{Temperature: 0.2, MaxTokens: 2048, PrecedingLines: 100, Reasks: 3}
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
	// Each reply stands alone in the ledger, so one failure loses none of the
	// others; the model's own settings bound how many are asked at a time.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(16)
	errs := make([]error, len(needles))
	for i, n := range needles {
		group.Go(func() error {
			a := &annotation{p: p, repo: repo, language: l, needle: n, text: texts[n.Path]}
			if err := a.run(ctx); err != nil {
				errs[i] = fmt.Errorf("%s: needle %s of %s: %w", repo.Repo, n.Name, n.Path, err)
				if pipeline.ClassOf(err) == pipeline.Fatal {
					cancel() // a refused key or a spent budget fails the others too
				}
			}
			return nil
		})
	}
	_ = group.Wait()
	return worst(errs)
}

// worst is the error that tells most: a fatal one, else one that is no mere
// consequence of a stop, and of those the first.
func worst(errs []error) error {
	var out error
	for _, class := range []pipeline.Class{pipeline.Fatal, pipeline.Permanent, pipeline.Transient, pipeline.Canceled} {
		for _, err := range errs {
			if out == nil && err != nil && pipeline.ClassOf(err) == class {
				out = err
			}
		}
	}
	return out
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
	req, err := a.request(c, facts)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("describe %s %s %s", a.repo.Repo, a.needle.Path, a.needle.Name)
	var reason, detail string
	for asked := 1; asked <= 1+c.Reasks; asked++ {
		reply, err := a.p.Effects.Complete(ctx, c.Model, what, req)
		if err != nil {
			return err
		}
		d, problems, why := judge(reply, a.names)
		if why == "" {
			if asked > 1 {
				a.p.Drops.Note("reasked", int64(asked-1))
			}
			return a.emit(d, reply, req.Template, int64(asked))
		}
		reason, detail = why, strings.Join(problems, "; ")
		again, err := againPrompt.Render(map[string]any{"Problems": problems})
		if err != nil {
			return err
		}
		// An empty turn is refused by some providers.
		said := reply.Text
		if strings.TrimSpace(said) == "" {
			said = "(no answer)"
		}
		req.Messages = append(append([]pipeline.Message(nil), req.Messages...),
			pipeline.Message{Role: "assistant", Text: said}, pipeline.Message{Role: "user", Text: again})
		req.Template = againPrompt.Identity()
	}
	a.drop(reason, detail)
	return nil
}

// judge checks a reply. why is the drop reason, "" when the description is good.
func judge(r pipeline.Reply, names lang.Names) (d parts, problems []string, why string) {
	if r.Finish == "refusal" {
		return d, []string{"the request was refused"}, reasonRefused
	}
	dec := json.NewDecoder(strings.NewReader(unfence(r.Text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return d, []string{"it is not the JSON object with the four parts that was asked for"}, reasonMalformed
	}
	problems = d.problems(names)
	switch {
	case len(problems) == 0:
		return d, nil, ""
	case d.incomplete():
		return d, problems, reasonMalformed
	}
	return d, problems, reasonLeak
}

// unfence takes JSON out of the code fence that some models put around it.
func unfence(s string) string {
	if m := fence.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return s
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

func (a *annotation) request(c *DescribeConfig, facts *lang.Facts) (pipeline.Request, error) {
	spec, err := a.p.Model(c.Model)
	if err != nil {
		return pipeline.Request{}, err
	}
	start, end := int(a.needle.StartByte), int(a.needle.EndByte)
	text, err := askPrompt.Render(map[string]any{
		"Name": a.needle.Name,
		"Code": a.text[back(a.text, start, c.PrecedingLines):end],
	})
	if err != nil {
		return pipeline.Request{}, err
	}
	req := pipeline.Request{
		Provider: spec.Provider, Model: spec.Model, Seed: spec.Seed,
		Messages:    []pipeline.Message{{Role: "user", Text: text}},
		Temperature: c.Temperature, MaxTokens: c.MaxTokens,
		SchemaName: "description", Schema: answerSchema, Template: askPrompt.Identity(),
		Subject: map[string]string{
			"code": a.text[start:end], "name": a.needle.Name, "language": a.repo.Language, "path": a.needle.Path,
			"params": strings.Join(a.names.Params, ","), "locals": strings.Join(a.names.Locals, ","),
			"doc": documentation(a.text, facts, start, end), "signature": signature(a.text[start:end]),
		},
	}
	if spec.Temperature != nil {
		req.Temperature = *spec.Temperature
	}
	if spec.MaxTokens > 0 {
		req.MaxTokens = spec.MaxTokens
	}
	return req, nil
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

func (a *annotation) emit(d parts, r pipeline.Reply, template string, asked int64) error {
	n := a.needle
	return pipeline.Emit(a.p, "described", schemas.Described{
		Index: n.Index, Needles: n.Needles, Path: n.Path, Name: n.Name,
		StartByte: n.StartByte, EndByte: n.EndByte, StartLine: n.StartLine, EndLine: n.EndLine,
		Purpose: strings.TrimSpace(d.Purpose), Input: strings.TrimSpace(d.Input),
		Output: strings.TrimSpace(d.Output), Procedure: strings.TrimSpace(d.Procedure),
		Origin: r.Origin, Provider: r.Provider, Model: r.Model, Template: template, Asked: asked,
	})
}

func (a *annotation) drop(reason, detail string) {
	a.p.Drops.Drop("needles", fmt.Sprintf("%s:%d %s", a.needle.Path, a.needle.StartLine+1, a.needle.Name), reason, detail)
}
