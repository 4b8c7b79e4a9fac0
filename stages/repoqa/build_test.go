package repoqa

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/internal/tokenizer"
	"benchmill/internal/treesitter"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// byteTokens is a tokenizer with one token per byte.
type byteTokens struct{}

func (byteTokens) Identity() string { return "bytes" }

func (byteTokens) Encode(dst []int, text string) []int {
	for i := range len(text) {
		dst = append(dst, int(text[i]))
	}
	return dst
}

func (byteTokens) Count(text string) int { return len(text) }

// hay makes files in the given order with their functions.
func hay(t testing.TB, l *lang.Language, files ...txtar.File) []HayFile {
	t.Helper()
	var out []HayFile
	for _, f := range files {
		facts, err := l.Analyze(f.Name, f.Data, treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		h := HayFile{Path: f.Name, Text: string(f.Data)}
		for _, fn := range facts.Functions {
			h.Functions = append(h.Functions, schemas.Function{Path: f.Name, Name: fn.Name, StartByte: int64(fn.Start), EndByte: int64(fn.End)})
		}
		out = append(out, h)
	}
	return out
}

func builder(l *lang.Language, files []HayFile) *Builder {
	return &Builder{Files: files, Language: l, Tokenizer: byteTokens{}, Lines: tokenizer.LineCounter(byteTokens{})}
}

// TestContexts compares with golden files. A case names its needle, depth, size
// and rules in the comment, has the files of a repository in dependency order,
// and "want/<variant>" for what comes out: bytes are tokens, and "«" and "»"
// stand around the needle.
func TestContexts(t *testing.T) {
	cases, err := filepath.Glob("testdata/contexts/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	l := set(t).Get("python")
	for _, path := range cases {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file, name, rules string
		var tokens int
		var ratio float64
		if _, err := fmt.Sscanf(string(a.Comment), "%s %s %f %d %s", &file, &name, &ratio, &tokens, &rules); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		var files []txtar.File
		for _, f := range a.Files {
			if !strings.HasPrefix(f.Name, "want/") {
				files = append(files, f)
			}
		}
		b := builder(l, hay(t, l, files...))
		b.Upstream = rules == "upstream"
		var got []txtar.File
		for _, h := range b.Files {
			for _, f := range h.Functions {
				if h.Path != file || f.Name != name {
					continue
				}
				whole, err := b.Build(file, int(f.StartByte), int(f.EndByte), ratio, tokens)
				if err != nil {
					t.Fatal(err)
				}
				for _, variant := range []string{schemas.VariantDefault, schemas.VariantCommentFree, schemas.VariantPadded} {
					c, err := b.Variant(whole, variant)
					if err != nil {
						t.Fatal(err)
					}
					text := fmt.Sprintf("needle %d to %d of %d\n", c.NeedleTokenStart, c.NeedleTokenEnd, c.Tokens)
					for _, f := range c.Candidates {
						text += fmt.Sprintf("%s %s %d to %d\n", f.Path, f.Name, f.Start, f.End)
					}
					got = append(got, txtar.File{Name: "want/" + variant, Data: []byte(text + "----\n" + c.Prefix + "«" + c.Needle + "»" + c.Suffix)})
				}
			}
		}
		out := &txtar.Archive{Comment: a.Comment, Files: append(files, got...)}
		if *update {
			if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, want := string(txtar.Format(out)), string(txtar.Format(a)); have != want {
			t.Errorf("%s:\n%s\nwant\n%s", path, have, want)
		}
	}
}

// randomFile writes functions with comments and docstrings. "#" begins comments
// only.
func randomFile(r *rand.Rand, file int) string {
	var b strings.Builder
	for i := range r.IntN(6) {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "# comment %d ü\n", r.IntN(100))
		}
		indent := ""
		if r.IntN(4) == 0 {
			fmt.Fprintf(&b, "class C%d_%d:\n", file, i)
			indent = "    "
		}
		fmt.Fprintf(&b, "%sdef f%d_%d(a):\n", indent, file, i)
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "%s    \"\"\"Docs of %d.\n\n%s    More.\n%s    \"\"\"\n", indent, i, indent, indent)
		}
		for range r.IntN(5) {
			fmt.Fprintf(&b, "%s    a = a + %d", indent, r.IntN(1000))
			if r.IntN(3) == 0 {
				b.WriteString("  # at the end")
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s    return 'ä'", indent)
		if r.IntN(8) > 0 {
			b.WriteString("\n\n")
		} else if i < 5 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestContextInvariants holds contexts of random repositories to what must be
// true of all of them.
func TestContextInvariants(t *testing.T) {
	l := set(t).Get("python")
	contexts := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		var files []txtar.File
		for i := range 1 + r.IntN(6) {
			files = append(files, txtar.File{Name: fmt.Sprintf("d/m%d.py", i), Data: []byte(randomFile(r, i))})
		}
		b := builder(l, hay(t, l, files...))
		b.Upstream = seed%4 == 3
		for _, h := range b.Files {
			for _, f := range h.Functions {
				if b.Upstream && h.Text != strings.ToValidUTF8(strings.Map(ascii, h.Text), "") {
					continue // byte offsets count characters there
				}
				ratio, tokens := (float64(r.IntN(10))+0.5)/10, 64+r.IntN(3000)
				whole, err := b.Build(h.Path, int(f.StartByte), int(f.EndByte), ratio, tokens)
				if err != nil {
					t.Fatal(err)
				}
				for _, variant := range []string{schemas.VariantDefault, schemas.VariantCommentFree, schemas.VariantPadded} {
					c, err := b.Variant(whole, variant)
					if err != nil {
						t.Fatal(err)
					}
					contexts++
					if problem := b.problem(c, whole, h, f, variant, tokens); problem != "" {
						t.Fatalf("seed %d, %s of %s, %d tokens at %.2f, %s: %s\n%s", seed, f.Name, h.Path, tokens, ratio, variant, problem, c.Prefix+"«"+c.Needle+"»"+c.Suffix)
					}
				}
			}
		}
	}
	if contexts < 500 {
		t.Errorf("only %d contexts", contexts)
	}
}

func ascii(r rune) rune {
	if r > 127 {
		return -1
	}
	return r
}

func (b *Builder) problem(c, whole *Context, h HayFile, f schemas.Function, variant string, tokens int) string {
	text := c.Text()
	original := h.Text[f.StartByte:f.EndByte]
	want := original
	if variant != schemas.VariantDefault {
		facts, err := b.Language.Analyze(h.Path, []byte(h.Text), treesitter.DefaultLimits)
		if err != nil {
			return err.Error()
		}
		want = keptWithin(h.Text, lang.KeptSpans(h.Text, facts.Comments, nil), int(f.StartByte), int(f.EndByte))
	}
	const dots = len("...\n")
	most := max(tokens, len(want)) + 2*dots + 2
	if b.Upstream { // budgets below zero are the other side's gain there
		most += len(want)
	}
	line := len(b.Language.CommentPrefix + " 1000\n")
	switch {
	case c.Needle != want:
		return fmt.Sprintf("the needle is %q, not %q", c.Needle, want)
	case text[len(c.Prefix):len(c.Prefix)+len(c.Needle)] != want:
		return "the needle is not where it should be"
	case c.NeedleTokenStart != len(c.Prefix) || c.NeedleTokenEnd != len(c.Prefix)+len(want) || c.Tokens != len(text):
		return fmt.Sprintf("tokens %d, %d of %d", c.NeedleTokenStart, c.NeedleTokenEnd, c.Tokens)
	case variant != schemas.VariantPadded && len(text) > most:
		return fmt.Sprintf("%d tokens", len(text))
	case variant == schemas.VariantPadded && (len(text) > whole.Tokens || len(text) < whole.Tokens-2*line):
		return fmt.Sprintf("%d tokens, %d before", len(text), whole.Tokens)
	}
	if variant == schemas.VariantPadded {
		lost := len(whole.Needle) - len(c.Needle)
		was := whole.NeedleTokenStart + int(float64(lost)*c.Ratio)
		if c.NeedleTokenStart > was || c.NeedleTokenStart < was-line {
			return fmt.Sprintf("the needle starts at %d, not at %d", c.NeedleTokenStart, was)
		}
	}
	if variant == schemas.VariantCommentFree {
		for _, l := range strings.Split(text, "\n") {
			if strings.Contains(l, "#") && !strings.HasPrefix(l, "# Path: d/m") || strings.Contains(l, "Docs of") {
				return fmt.Sprintf("a comment is left: %q", l)
			}
		}
	}
	it := 0
	for _, k := range c.Candidates {
		body := b.body(k, variant)
		if got := text[k.Start:k.End]; got != body {
			return fmt.Sprintf("candidate %s %s is %q, not %q", k.Path, k.Name, got, body)
		}
		if k.Path == h.Path && k.fileStart == f.StartByte {
			it++
			if int(k.Start) != len(c.Prefix) {
				return "the needle is a candidate elsewhere"
			}
		}
	}
	if it != 1 {
		return fmt.Sprintf("the needle is %d times among the candidates", it)
	}
	return ""
}

// body is the text of a candidate's function as a variant has it.
func (b *Builder) body(k candidate, variant string) string {
	for _, h := range b.Files {
		for _, f := range h.Functions {
			if h.Path != k.Path || f.StartByte != k.fileStart {
				continue
			}
			if variant == schemas.VariantDefault {
				return h.Text[f.StartByte:f.EndByte]
			}
			facts, err := b.Language.Analyze(h.Path, []byte(h.Text), treesitter.DefaultLimits)
			if err != nil {
				return err.Error()
			}
			return keptWithin(h.Text, lang.KeptSpans(h.Text, facts.Comments, nil), int(f.StartByte), int(f.EndByte))
		}
	}
	return "not a function"
}

// keptWithin is what spans keep of a range.
func keptWithin(text string, kept []lang.Span, start, end int) string {
	var out string
	for _, s := range kept {
		if from, to := max(s.Start, start), min(s.End, end); from < to {
			out += text[from:to]
		}
	}
	return out
}

func TestBuildErrors(t *testing.T) {
	l := set(t).Get("python")
	b := builder(l, hay(t, l, txtar.File{Name: "a.py", Data: []byte("def f():\n    pass\n")}))
	for _, n := range []struct {
		path       string
		start, end int
	}{{"b.py", 0, 5}, {"a.py", -1, 5}, {"a.py", 5, 5}, {"a.py", 6, 5}, {"a.py", 0, 100}} {
		if c, err := b.Build(n.path, n.start, n.end, 0.5, 100); err == nil {
			t.Errorf("%+v: %+v", n, c)
		}
	}
}

// The instruction stands before the code and after the description.
func TestPrompt(t *testing.T) {
	got := Prompt("code", "It does.")
	if strings.Count(got, Instruction) != 2 || !strings.HasPrefix(got, Instruction+"\n\nCode:\n\ncode\n\n") || !strings.Contains(got, "\n\nIt does.\n\n") || !strings.HasSuffix(got, Instruction+"\n") {
		t.Errorf("%q", got)
	}
	if Prompt("code\n", "x") != Prompt("code", "x") {
		t.Error("the line break at the end counts")
	}
}
