package crosscodeeval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// cut makes the example of a file whose reference stands between ‹ and ›.
func cut(path, marked string) (schemas.CompletionExample, schemas.File) {
	prompt, rest, _ := strings.Cut(marked, "‹")
	reference, right, _ := strings.Cut(rest, "›")
	return schemas.CompletionExample{
		ID: path + fmt.Sprint(len(prompt)), Path: path, Name: "name", CursorByte: int64(len(prompt)), EndByte: int64(len(prompt + reference)),
		CursorLine: int64(strings.Count(prompt, "\n")), Prompt: prompt, Reference: reference, RightContext: right,
	}, schemas.File{Path: path, Text: prompt + reference + right}
}

func filterJob(t testing.TB, language string, set func(*FilterConfig), examples []schemas.CompletionExample, files []schemas.File) stagetest.Job {
	stage := Filter(allLanguages(t))
	config := stage.NewConfig().(*FilterConfig)
	config.Tokenizer = "blanks"
	if set != nil {
		set(config)
	}
	return stagetest.Job{Stage: stage, Config: config, Tokenizer: blankCounter{}, Inputs: map[string]any{
		"repository": repository(language), "examples": examples, "files": files,
	}}
}

const long = `import a
from b import (
    c,
    d)

one = 1
# a comment counts

two = 2
three = 3
four = 4
five = 5
six = 6
seven = 7
eight = 8
`

func TestFilter(t *testing.T) {
	other := schemas.File{Path: "other.py", Text: "def f():\n    return a . b ( 1 , 22 )\nz = 1\n"}
	for _, test := range []struct {
		name, source, compat, want, detail string
	}{
		{"kept", long + "x = ‹a . b ( 1 )›\n", "", "", ""},
		{"nine lines", long + "‹x = a . b ( 1 )›\n", "", reasonShortPrompt, "9 lines"},
		{"two tokens", long + "x = ‹a b›\n", "", reasonShortReference, "2 tokens"},
		{"three tokens", long + "x = ‹c . b›\n", "", "", ""},
		{"thirty tokens", long + "x = ‹(" + strings.Repeat(" a", 28) + " )›\n", "", "", ""},
		{"thirty-one tokens", long + "x = ‹(" + strings.Repeat(" a", 29) + " )›\n", "", reasonLongReference, "31 tokens"},
		{"elsewhere", long + "x = ‹a . b ( 1 , 22 )›\n", "", reasonElsewhere, "other.py"},
		{"elsewhere but for blanks", long + "x = 1\n‹    return a . b ( 1 , 22 )\n›", "", reasonElsewhere, "other.py"},
		{"in its own file", long + "y = a . b ( 3 )\nx = ‹a . b ( 3 )›\n", "", "", ""},
		{"long string", long + "x = ‹a ( 'Available scripts:' )›\n", "", reasonLongString, "18 bytes"},
		{"long string, upstream", long + "x = ‹a ( 'Available scripts:' )›\n", upstream, "", ""},
		{"five tokens of syntax, upstream", long + "x = ‹a.b('c d e f g h i j k l m n o p q r s t u v w x y z')›\n", upstream, "", ""},
		{"two tokens of syntax, upstream", long + "x = a(‹b)›\n", upstream, reasonShortReference, "2 tokens"},
		{"string of 16", long + "x = ‹a ( f'0123456789abcdef' )›\n", "", "", ""},
		{"string outside", long + "x = 'Available scripts: ' + ‹a . b ( 3 )› + 'Available scripts: '\n", "", "", ""},
		{"code in a string", long + "x = ‹f'{a . some_name . another_name}' + b›\n", "", "", ""},
		{"text around code", long + "x = ‹f'{a . some_name . another_name} and some text' + b›\n", "", reasonLongString, ""},
	} {
		e, f := cut("a.py", test.source)
		job := filterJob(t, "python", func(c *FilterConfig) {
			if test.compat != "" {
				c.Compat = test.compat
			}
		}, []schemas.CompletionExample{e}, []schemas.File{f, other})
		r := run(t, job)
		switch {
		case test.want == "":
			if len(r.Dropped) > 0 {
				t.Errorf("%s: dropped %+v", test.name, r.Dropped)
			} else if !reflect.DeepEqual(exampleRows(r), []schemas.CompletionExample{e}) {
				t.Errorf("%s: changed to %+v", test.name, exampleRows(r))
			}
		case len(r.Dropped) != 1 || r.Dropped[0].Reason != test.want || !strings.HasPrefix(r.Dropped[0].Detail, test.detail):
			t.Errorf("%s: %+v, want %s %s", test.name, r.Dropped, test.want, test.detail)
		}
	}
}

// The number of lines is that of the language, unless one is set.
func TestMinLines(t *testing.T) {
	for language, want := range map[string]int{"python": 10, "java": 20, "typescript": 30, "csharp": 5, "go": 10} {
		suffix := allLanguages(t).Get(language).Syntaxes[0].Suffixes[0]
		for _, test := range []struct{ lines, set int }{{want, 0}, {want - 1, 0}, {2, 2}, {1, 2}} {
			e, f := cut("a"+suffix, strings.Repeat("x = y\n", test.lines)+"‹a + b + c›\n")
			job := filterJob(t, language, func(c *FilterConfig) { c.MinLines = test.set }, []schemas.CompletionExample{e}, []schemas.File{f})
			kept := len(exampleRows(run(t, job))) == 1
			if fits := test.lines >= want || test.lines == test.set; kept != fits {
				t.Errorf("%s, %+v: kept %v", language, test, kept)
			}
		}
	}
}

func TestImportLines(t *testing.T) {
	for path, test := range map[string]struct {
		text string
		want []int
	}{
		"a.py":   {"import a\nx = 1\nfrom b import (\n    c)\n\nif x:\n    import d\n", []int{0, 2, 3, 6}},
		"A.java": {"package p;\nimport a.B;\n\nimport static a.B.*;\nclass A {}\n", []int{1, 3}},
		"a.ts":   {"import {\n  a,\n} from './a';\nconst x = 1;\n", []int{0, 1, 2}},
		"A.cs":   {"using System;\nusing X = Y.Z;\nclass A { void F() { using (x) {} } }\n", []int{0, 1}},
		"a.rs":   {"use a::b;\nuse c::{\n    d,\n};\nmod e;\nextern crate f;\nfn g() { use h::i; }\n", []int{0, 1, 2, 3, 5, 6}},
		"a.kt":   {"package p\n\nimport a.B\nimport c.*\n\nfun f() {}\n", []int{2, 3}},
		"a.c":    {"#include <a.h>\n#include \"b.h\"\nint x;\n", []int{0, 1}},
		"a.cpp":  {"#include <a>\n\nint x;\n", []int{0}},
		"a.go":   {"package a\n\nimport (\n\t\"fmt\"\n)\n", []int{2, 3, 4}},
	} {
		l := languageOf(allLanguages(t), path)
		got, err := l.ImportLines(path, []byte(test.text), treesitter.DefaultLimits)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", path, got, err, test.want)
		}
	}
}

func TestFilterBadFile(t *testing.T) {
	e, f := cut("a.py", long+"x = ‹a . b ( 1 )›\n\xff")
	if r := run(t, filterJob(t, "python", nil, []schemas.CompletionExample{e}, []schemas.File{f})); r.Reasons()["not_utf8"] != 1 {
		t.Errorf("%v", r.Reasons())
	}
}

func TestFilterErrors(t *testing.T) {
	e, f := cut("a.py", long+"x = ‹a . b ( 1 )›\n")
	job := filterJob(t, "python", nil, []schemas.CompletionExample{e}, []schemas.File{f})
	job.Tokenizer = nil
	if _, err := stagetest.Run(t.Context(), job); err == nil {
		t.Error("no tokenizer, no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stagetest.Run(ctx, filterJob(t, "python", nil, []schemas.CompletionExample{e}, []schemas.File{f})); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestFilterConfig(t *testing.T) {
	for want, set := range map[string]func(*FilterConfig){
		"":                        func(*FilterConfig) {},
		"min_tokens is more than": func(c *FilterConfig) { c.MinTokens, c.MaxTokens = 4, 3 },
		"tokenizer":               func(c *FilterConfig) { c.Tokenizer = "" },
		"parse_timeout":           func(c *FilterConfig) { c.ParseTimeout = 0 },
	} {
		c := Filter(nil).NewConfig().(*FilterConfig)
		c.Tokenizer = "t"
		set(c)
		if err := c.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	c := Filter(nil).NewConfig().(*FilterConfig)
	if c.Compat = upstream; c.Validate() != nil {
		t.Error("upstream counts by the syntax and needs no tokenizer")
	}
}

// Texts are found as the plain search finds them.
func TestOccurrences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab \n"[rng.IntN(4)]
		}
		return string(b)
	}
	for range 200 {
		var files []schemas.File
		for i := range 1 + rng.IntN(5) {
			files = append(files, schemas.File{Path: fmt.Sprint("f", i), Text: word(rng.IntN(60))})
		}
		texts := []string{"", word(3)}
		for range 20 {
			f := files[rng.IntN(len(files))].Text
			start := rng.IntN(len(f) + 1)
			texts = append(texts, f[start:start+rng.IntN(len(f)-start+1)], word(rng.IntN(14)))
		}
		found := findOccurrences(files, texts)
		for _, text := range texts {
			var want []string
			for _, f := range files {
				if strings.Contains(f.Text, text) && len(want) < 2 {
					want = append(want, f.Path)
				}
			}
			if !slices.Equal(found[text], want) {
				t.Fatalf("%q: %v, want %v", text, found[text], want)
			}
		}
	}
}

// Fifty files of 20 kB, two hundred references.
func BenchmarkOccurrences(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	names := strings.Fields("self return value index service find result total for in if else not none items name path open read write")
	var files []schemas.File
	var texts []string
	bytes := 0
	for i := range 50 {
		var text strings.Builder
		for text.Len() < 20_000 {
			fmt.Fprintf(&text, "    %s.%s = %s(%s, %d)\n", names[rng.IntN(20)], names[rng.IntN(20)], names[rng.IntN(20)], names[rng.IntN(20)], rng.IntN(1000))
		}
		files = append(files, schemas.File{Path: fmt.Sprint(i), Text: text.String()})
		bytes += text.Len()
		for range 4 {
			start := rng.IntN(text.Len() - 40)
			texts = append(texts, text.String()[start:start+5+rng.IntN(35)])
		}
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		findOccurrences(files, texts)
	}
}
