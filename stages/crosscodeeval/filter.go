package crosscodeeval

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// Reasons examples are dropped under by [Filter].
const (
	reasonShortPrompt    = "short_prompt"
	reasonShortReference = "short_reference"
	reasonLongReference  = "long_reference"
	reasonElsewhere      = "in_other_file"
	reasonLongString     = "long_string"
)

// FilterConfig configures [Filter].
type FilterConfig struct {
	Parsing   `yaml:",inline"`
	Tokenizer pipeline.TokenizerName `yaml:"tokenizer,omitempty" doc:"a name of the tokenizers section; the paper counts with StarCoder's. Only compat upstream needs none"`
	MinLines  int                    `yaml:"min_lines" min:"0" doc:"fewest lines of the prompt that are neither blank nor imports; 0: the paper's number for the language"`
	MinTokens int                    `yaml:"min_tokens" min:"0" doc:"fewest tokens of a reference"`
	MaxTokens int                    `yaml:"max_tokens" min:"1" doc:"most tokens of a reference"`
	MaxString int                    `yaml:"max_string" min:"0" doc:"longest text of a string literal in a reference, in bytes, without its quotes and the code in it; 0: any. The paper gives one of 18 as too long"`
	Compat    string                 `yaml:"compat" enum:"paper|upstream" doc:"upstream: as in the release, long strings stay, and tokens are counted by the syntax: by StarCoder's tokenizer 3 of 141 released references are out of bounds"`
}

// Validate refuses bounds that nothing is within, and counting without a tokenizer.
func (c *FilterConfig) Validate() error {
	err := c.Parsing.Validate()
	if c.MinTokens > c.MaxTokens {
		err = errors.Join(err, errors.New("min_tokens is more than max_tokens"))
	}
	if c.Tokenizer == "" && c.Compat != upstream {
		err = errors.Join(err, errors.New("tokenizer: missing; only compat upstream counts without one"))
	}
	return err
}

// Filter drops examples by the rules of section 2.3 and appendix B, each under a
// reason of its own, the first that holds: prompts with too little code, references
// that are too short or too long, that another source file has word for word (but
// for blanks around them), or that hold a long string, which nobody can predict.
// What counts as a line of code is said in rules.yaml.
//
// Version history:
//
//	1: first version
func Filter(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.filter", Version: 1,
		Doc: "Drops examples with short prompts, short or long references, references that another file has, and long strings.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "examples", Schema: schemas.CompletionExamples},
			{Name: "files", Schema: schemas.Files},
		},
		Out:   []pipeline.Port{{Name: "examples", Schema: schemas.CompletionExamples}},
		Flows: []pipeline.Flow{{From: "examples", To: []string{"examples"}}},
		Uses:  pipeline.Uses{Tokenizer: true},
		NewConfig: func() any {
			return &FilterConfig{MinTokens: 3, MaxTokens: 30, MaxString: 16, Compat: "paper", Parsing: parsing()}
		},
		Identify: identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			_, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return filter(ctx, p, l)
		},
	}
}

func filter(ctx context.Context, p *pipeline.Pass, l *lang.Language) error {
	c := pipeline.ConfigOf[FilterConfig](p)
	var tokenizer pipeline.Tokenizer
	if c.Compat != upstream {
		var err error
		if tokenizer, err = p.Tokenizer(c.Tokenizer); err != nil {
			return err
		}
	}
	asked, err := references(ctx, p)
	if err != nil || len(asked) == 0 {
		return err
	}
	files, err := pipeline.Collect[schemas.File](ctx, p, "files")
	if err != nil {
		return err
	}
	f := &filtering{
		FilterConfig: c, tokenizer: tokenizer, language: l, occurrences: findOccurrences(files, asked),
	}
	if f.MinLines == 0 {
		f.MinLines = ruleOf(l.Name, c.Compat).MinLines
	}
	for e, err := range pipeline.In[schemas.CompletionExample](ctx, p, "examples") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if reason, detail := f.unfit(e); reason != "" {
			p.Drops.Drop("examples", exampleKey(e), reason, detail)
			continue
		}
		if err := pipeline.Emit(p, "examples", e); err != nil {
			return err
		}
	}
	return nil
}

// references reads what is looked for in other files. The rest of the examples,
// each of which holds its whole file, is not kept.
func references(ctx context.Context, p *pipeline.Pass) (out []string, err error) {
	for e, err := range pipeline.In[schemas.CompletionExample](ctx, p, "examples") {
		if err != nil {
			return nil, err
		}
		out = append(out, strings.Clone(strings.TrimSpace(e.Reference)))
	}
	return out, nil
}

// filtering is what the rules need to know.
type filtering struct {
	*FilterConfig
	tokenizer   pipeline.Tokenizer // nil under compat upstream
	language    *lang.Language
	occurrences occurrences

	path    string // of what follows
	err     error  // why it could not be parsed
	imports []int  // its lines with imports
	tokens  []lang.Token
}

// unfit is why an example is dropped, "" for none.
func (f *filtering) unfit(e schemas.CompletionExample) (reason, detail string) {
	if e.Path != f.path {
		f.open(e)
	}
	if f.err != nil {
		return lang.Reason(f.err), f.err.Error()
	}
	if n := codeLines(e.Prompt, f.imports); n < f.MinLines {
		return reasonShortPrompt, fmt.Sprintf("%d lines", n)
	}
	switch n := f.count(e); {
	case n < f.MinTokens:
		return reasonShortReference, fmt.Sprintf("%d tokens", n)
	case n > f.MaxTokens:
		return reasonLongReference, fmt.Sprintf("%d tokens", n)
	}
	if path, ok := f.occurrences.outside(strings.TrimSpace(e.Reference), e.Path); ok {
		return reasonElsewhere, path
	}
	if n := f.longest(e); f.Compat != upstream && f.MaxString > 0 && n > f.MaxString {
		return reasonLongString, fmt.Sprintf("%d bytes", n)
	}
	return "", ""
}

// open reads off the file of an example what its rules need.
func (f *filtering) open(e schemas.CompletionExample) {
	text := []byte(e.Prompt + e.Reference + e.RightContext)
	f.path, f.tokens = e.Path, nil
	if f.imports, f.err = f.language.ImportLines(e.Path, text, f.limits()); f.err != nil {
		return
	}
	t, err := f.language.ParseWhole(e.Path, text, f.limits())
	if f.err = err; err == nil {
		f.tokens = lang.Tokens(t)
	}
}

// count is the number of tokens of a reference.
func (f *filtering) count(e schemas.CompletionExample) int {
	if f.tokenizer != nil {
		return f.tokenizer.Count(e.Reference)
	}
	return len(f.tokensFrom(e.CursorByte)) - len(f.tokensFrom(e.EndByte))
}

// tokensFrom are the tokens that start at a byte or later.
func (f *filtering) tokensFrom(at int64) []lang.Token {
	return f.tokens[sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].Start >= int(at) }):]
}

// codeLines counts the lines of a prompt, the last one of which may be a part,
// that are neither blank nor among imports.
func codeLines(prompt string, imports []int) int {
	n, at := 0, 0
	line := 0
	for text := range strings.Lines(prompt) {
		for at < len(imports) && imports[at] < line {
			at++
		}
		isImport := at < len(imports) && imports[at] == line
		if !isImport && strings.TrimSpace(text) != "" {
			n++
		}
		line++
	}
	return n
}
