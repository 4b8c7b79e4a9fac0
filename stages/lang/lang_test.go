package lang_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/smacker/go-tree-sitter/python"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths string
		deps  map[string]string
		want  string
	}{
		{"nothing", "", nil, ""},
		{"no dependencies", "a b c", nil, "a b c"},
		{"the given order rules", "c a b", nil, "c a b"},
		{"a chain", "a b c", map[string]string{"a": "b", "b": "c"}, "c b a"},
		{"a diamond", "a b c d", map[string]string{"a": "b c", "b": "d", "c": "d"}, "d b c a"},
		{"dependencies in the order listed", "a b c", map[string]string{"a": "c b"}, "c b a"},
		{"itself", "a b", map[string]string{"a": "a b"}, "b a"},
		{"a pair", "a b", map[string]string{"a": "b", "b": "a"}, "b a"},
		{"a cycle with a tail", "a b c d", map[string]string{"a": "b", "b": "c", "c": "a d"}, "d c b a"},
		{"a cycle entered in its middle", "b a c", map[string]string{"a": "b", "b": "c", "c": "a"}, "a c b"},
		{"unknown files", "a b", map[string]string{"a": "x b y", "x": "a"}, "b a"},
		{"a file twice", "a b a", map[string]string{"a": "b"}, "b a"},
	} {
		deps := map[string][]string{}
		for p, d := range c.deps {
			deps[p] = strings.Fields(d)
		}
		if got := strings.Join(lang.Order(strings.Fields(c.paths), deps), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOrderDeep is a chain that would take a stack frame per file.
func TestOrderDeep(t *testing.T) {
	const n = 100_000
	var paths []string
	deps := map[string][]string{}
	for i := range n {
		p := fmt.Sprintf("%06d", i)
		paths = append(paths, p)
		deps[p] = []string{fmt.Sprintf("%06d", (i+1)%n)} // closes in a cycle
	}
	got := lang.Order(paths, deps)
	slices.Reverse(got)
	if !slices.Equal(got, paths) {
		t.Errorf("%d paths, starting at %s", len(got), got[0])
	}
}

func TestUnique(t *testing.T) {
	for _, c := range []struct{ self, in, want string }{
		{"a", "", ""},
		{"a", "b a c b a", "b c"},
		{"a", "a", ""},
		{"x", "c b a", "a b c"},
	} {
		if got := strings.Join(lang.Unique(c.self, strings.Fields(c.in)), " "); got != c.want {
			t.Errorf("Unique(%q, %q) = %q, want %q", c.self, c.in, got, c.want)
		}
	}
}

// comments finds what stands between the marks « and », and drops the marks.
func comments(marked string) (text string, spans []lang.Span) {
	var b strings.Builder
	for _, r := range marked {
		switch r {
		case '«':
			spans = append(spans, lang.Span{Start: b.Len()})
		case '»':
			spans[len(spans)-1].End = b.Len()
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), spans
}

func TestStripComments(t *testing.T) {
	for _, c := range []struct{ name, marked, want string }{
		{"nothing", "", ""},
		{"no comment", "a\nb\n", "a\nb\n"},
		{"only a comment", "«# a»", ""},
		{"only a line of comment", "«# a»\n", ""},
		{"a line of comment", "a\n«# b»\nc\n", "a\nc\n"},
		{"an indented line", "a\n\t  «# b»\nc\n", "a\nc\n"},
		{"blanks after it", "a\n«/* b */» \t\nc\n", "a\nc\n"},
		{"the first line", "  «# a»\nb\n", "b\n"},
		{"the last line, no break", "a\n«# b»", "a\n"},
		{"a trailing one", "a «# b»\nc\n", "a\nc\n"},
		{"a trailing one, no blank", "a;«// b»\nc\n", "a;\nc\n"},
		{"a trailing one at the end", "a \t«# b»", "a"},
		{"empty lines stay", "a\n\n«# b»\n\nc\n", "a\n\n\nc\n"},
		{"lines in a row", "a\n«# b»\n«# c»\n  «# d»\ne\n", "a\ne\n"},
		{"several lines", "a\n«/* b\n   c */»\nd\n", "a\nd\n"},
		{"several lines after code", "a «/* b\n   c */»\nd\n", "a\nd\n"},
		{"several lines before code", "«/* b\n   c */» d\n", " d\n"},
		{"in a line", "f(a, «/* b */» c)\n", "f(a,  c)\n"},
		{"alone in brackets", "f(«/* b */»)\n", "f()\n"},
		{"before code keeps the indent", "\t«/* a */» b\n", "\t b\n"},
		{"two in a line of nothing else", "a\n  «/* b */» «/* c */»\nd\n", "a\nd\n"},
		{"two with code between", "  «/* b */» c «/* d */»\ne\n", "   c\ne\n"},
		{"apart, after code", "a «/* b */» «/* c */»\nd\n", "a\nd\n"},
		{"touching", "a «/* b */»«/* c */»\nd\n", "a\nd\n"},
		{"CRLF", "a «# b»\r\n«# c»\r\nd\r\n", "a\r\nd\r\n"},
		{"between words", "int«/* a */»b;\n", "int b;\n"},
		{"between words, over lines", "int«/*\na*/»b;\n", "int\nb;\n"},
		{"between words, no blank to keep", "int«/**/»b;\n", "int/**/b;\n"},
		{"between operators", "a +«/* b */»+ c\n", "a + + c\n"},
		{"between words, twice", "int«/* a */»«/* b */»c;\n", "int c;\n"},
		{"between a word and an operator", "a«/* b */»+c\n", "a+c\n"},
		{"between letters of any script", "é«/* a */»è\n", "é è\n"},
	} {
		text, spans := comments(c.marked)
		if got := lang.StripComments(text, spans, nil); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := lang.StripComments(text, spans, func(string) bool { return true }); got != text {
			t.Errorf("%s: with all comments spared %q, want %q", c.name, got, text)
		}
		kept, end := "", 0
		for _, s := range lang.KeptSpans(text, spans, nil) {
			if s.Start < end || s.End <= s.Start {
				t.Errorf("%s: span %v after offset %d", c.name, s, end)
			}
			end = s.End
			kept += text[s.Start:s.End]
		}
		if kept != c.want {
			t.Errorf("%s: kept spans give %q, want %q", c.name, kept, c.want)
		}
	}
}

func TestStripCommentsSpares(t *testing.T) {
	text, spans := comments("«# Path: a.py»\n«# b»\nc «# Path: d»\n")
	got := lang.StripComments(text, spans, func(comment string) bool { return strings.HasPrefix(comment, "# Path:") })
	if want := "# Path: a.py\nc # Path: d\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzStripComments(f *testing.F) {
	f.Add("a /* b */ c\n# d\n", uint8(2), uint8(9), uint8(12), uint8(15))
	f.Fuzz(func(t *testing.T, text string, a, b, c, d uint8) {
		cuts := []int{int(a), int(b), int(c), int(d)}
		slices.Sort(cuts)
		if cuts[3] > len(text) || cuts[0] == cuts[1] || cuts[2] == cuts[3] {
			return
		}
		spans := []lang.Span{{Start: cuts[0], End: cuts[1]}, {Start: cuts[2], End: cuts[3]}}
		got := lang.StripComments(text, spans, nil)
		words := func(s string) string { return strings.Join(strings.Fields(s), "") }
		code := text[:cuts[0]] + text[cuts[1]:cuts[2]] + text[cuts[3]:]
		if len(got) > len(text) || !strings.HasPrefix(words(got), words(text[:cuts[0]])) || len(words(got)) < len(words(code)) {
			t.Errorf("%q without %v is %q", text, spans, got)
		}
	})
}

// tiny is a language of its own over Python's grammar.
func tiny(query string) *lang.Language {
	return &lang.Language{
		Name: "tiny", Title: "Tiny", Doc: "A language for tests.", Version: 1, CommentPrefix: "#",
		Syntaxes: []*lang.Syntax{{Suffixes: []string{".tiny"}, Grammar: treesitter.NewGrammar("python", python.GetLanguage()), Source: query}},
	}
}

func analyze(t *testing.T, l *lang.Language, src string) *lang.Facts {
	t.Helper()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	f, err := l.Analyze("a.tiny", []byte(src), treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOverlappingComments joins spans that two patterns, or Extract, give twice.
func TestOverlappingComments(t *testing.T) {
	l := tiny("(comment) @comment (module (comment) @comment.doc) (function_definition (block) @comment) (function_definition name: (identifier) @name) @definition.function")
	l.Extract = func(_ *treesitter.Tree, _ lang.Matches, f *lang.Facts) {
		f.Comments = append(f.Comments, lang.Span{Start: 0, End: 2})
	}
	f := analyze(t, l, "# a\ndef f():\n  1\n  # b\n  2\n# c\n")
	want := []lang.Span{{Start: 0, End: 3}, {Start: 15, End: 26}, {Start: 27, End: 30}}
	if !slices.Equal(f.Comments, want) {
		t.Errorf("comments %v, want %v", f.Comments, want)
	}
	if len(f.Functions) != 1 || f.Functions[0].CommentBytes != 11 {
		t.Errorf("functions %+v", f.Functions)
	}
}

// TestCommentBytes counts the comments inside each function, those of functions
// in it too.
func TestCommentBytes(t *testing.T) {
	l := tiny("(comment) @comment (function_definition name: (identifier) @name) @definition.function")
	src := "# 0\ndef a():  # 11\n  def b():\n    # 2222\n    return  # 3\n  return  # 4\n# 55555\ndef c(): pass\n"
	f := analyze(t, l, src)
	want := map[string]int{"a": 4 + 6 + 3 + 3, "b": 6 + 3, "c": 0}
	for _, fn := range f.Functions {
		inside := 0
		for _, c := range f.Comments {
			if c.Start >= fn.Start && c.End <= fn.End {
				inside += c.End - c.Start
			}
		}
		if fn.CommentBytes != want[fn.Name] || inside != want[fn.Name] {
			t.Errorf("%s: %d comment bytes, counted one by one %d, want %d", fn.Name, fn.CommentBytes, inside, want[fn.Name])
		}
	}
	if len(f.Functions) != 3 || f.Lines != 9 || f.Bytes != len(src) {
		t.Errorf("%+v", f)
	}
}

func TestReason(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("a: %w", treesitter.ErrTooLarge), lang.ReasonTooLarge},
		{fmt.Errorf("a: %w", treesitter.ErrTooMany), lang.ReasonTooLarge},
		{fmt.Errorf("a: %w", treesitter.ErrTimeout), lang.ReasonTimeout},
		{fmt.Errorf("a: %w", lang.ErrNotUTF8), lang.ReasonNotUTF8},
		{fmt.Errorf("a: %w", treesitter.ErrCostly), lang.ReasonCostly},
		{errors.New("another"), "parse_failed"},
	} {
		if got := lang.Reason(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	l := tiny("(comment) @comment")
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, src string
		limits    treesitter.Limits
		is        error
	}{
		{"folder/a.tiny", "\xff", treesitter.DefaultLimits, lang.ErrNotUTF8},
		{"folder/a.tiny", "aaaa", treesitter.Limits{MaxBytes: 3, MaxNodes: 100}, treesitter.ErrTooLarge},
		{"folder/a.tiny", "\xff\xff\xff\xff", treesitter.Limits{MaxBytes: 3, MaxNodes: 100}, treesitter.ErrTooLarge},
		{"folder/a.tiny", "# a\n", treesitter.Limits{MaxBytes: 100}, treesitter.ErrTooMany},
		{"folder/a.other", "", treesitter.DefaultLimits, nil},
	} {
		_, err := l.Analyze(c.path, []byte(c.src), c.limits)
		if err == nil || !strings.Contains(err.Error(), c.path) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s %q: %v, want %v", c.path, c.src, err, c.is)
		}
	}
}

// TestCostly refuses a file before it is parsed, in both ways to parse one, but not
// before it is known to be text of an allowed size.
func TestCostly(t *testing.T) {
	l := tiny("(comment) @comment")
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	asked := 0
	l.Syntaxes[0].Grammar.Costly = func(src []byte) bool {
		asked++
		return strings.Contains(string(src), "@")
	}
	for _, c := range []struct {
		src   string
		is    error
		asked int
	}{
		{"a\n", nil, 1},
		{"@a\n", treesitter.ErrCostly, 1},
		{"@\xff", lang.ErrNotUTF8, 0},
		{"@aaaaaaaaaa", treesitter.ErrTooLarge, 0},
	} {
		limits := treesitter.DefaultLimits
		limits.MaxBytes = 10
		for how, parse := range map[string]func() error{
			"Analyze":    func() error { _, err := l.Analyze("folder/a.tiny", []byte(c.src), limits); return err },
			"ParseWhole": func() error { _, err := l.ParseWhole("folder/a.tiny", []byte(c.src), limits); return err },
		} {
			asked = 0
			if err := parse(); !errors.Is(err, c.is) || asked != c.asked || err != nil && !strings.Contains(err.Error(), "folder/a.tiny") {
				t.Errorf("%s of %q: %v, asked %d times", how, c.src, err, asked)
			}
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*lang.Language)
		want   string
	}{
		{func(l *lang.Language) { l.Name = "" }, "required"},
		{func(l *lang.Language) { l.Title = "" }, "required"},
		{func(l *lang.Language) { l.Doc = "" }, "required"},
		{func(l *lang.Language) { l.Version = 0 }, "required"},
		{func(l *lang.Language) { l.CommentPrefix = "" }, "required"},
		{func(l *lang.Language) { l.Syntaxes = nil }, "required"},
		{func(l *lang.Language) { l.Syntaxes[0].Source = "(comment) @c\n(nothing)" }, "language tiny: query for python, line 2"},
	} {
		l := tiny("(comment) @comment")
		c.change(l)
		if err := l.Compile(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	base := tiny("(comment) @comment").Identity()
	if again := tiny("(comment) @comment").Identity(); again != base {
		t.Errorf("two languages alike have identities %s and %s", base, again)
	}
	for name, change := range map[string]func(*lang.Language){
		"name":    func(l *lang.Language) { l.Name = "other" },
		"version": func(l *lang.Language) { l.Version++ },
		"query":   func(l *lang.Language) { l.Syntaxes[0].Source += " " },
		"syntax":  func(l *lang.Language) { l.Syntaxes = append(l.Syntaxes, l.Syntaxes[0]) },
		"grammar": func(l *lang.Language) { l.Syntaxes[0].Grammar.Name = "other" },
	} {
		l := tiny("(comment) @comment")
		change(l)
		if l.Identity() == base {
			t.Errorf("identity does not depend on the %s", name)
		}
	}
	words := tiny("(comment) @comment")
	words.Doc, words.Title = "Other words.", "Other"
	if words.Identity() != base {
		t.Error("identity depends on words for people")
	}
}

func TestSet(t *testing.T) {
	a, b := tiny("(comment) @comment"), tiny("(comment) @comment")
	b.Name = "second"
	set, err := lang.NewSet([]*lang.Language{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if set.Get("second") != b || set.Get("third") != nil || !slices.Equal(set.Names(), []string{"tiny", "second"}) {
		t.Errorf("names %q", set.Names())
	}
	if _, err := lang.NewSet([]*lang.Language{a, a}); err == nil || !strings.Contains(err.Error(), `"tiny" is declared twice`) {
		t.Errorf("one name twice: %v", err)
	}
}

func TestIndex(t *testing.T) {
	for entry, want := range map[string]string{"": "", ".": "", "./": "", "/": "", "src": "src", "./src/": "src", "a/../src": "src", "../../src": "src", ".github/x": ".github/x", "a.": "a."} {
		if got := lang.NewIndex(entry, nil, nil).Entry; got != want {
			t.Errorf("entry %q is %q, want %q", entry, got, want)
		}
	}
	ix := lang.NewIndex("", []*lang.Facts{{Path: "b"}, {Path: "a"}}, map[string]string{"x/go.mod": "", "go.mod": "", "go.sum": ""})
	if !slices.Equal(ix.Paths, []string{"a", "b"}) || !ix.Has("a") || ix.Has("c") {
		t.Errorf("paths %q", ix.Paths)
	}
	if got := ix.ConfigPaths("go.mod"); !slices.Equal(got, []string{"go.mod", "x/go.mod"}) {
		t.Errorf("config paths %q", got)
	}
}

func TestIsConfig(t *testing.T) {
	l := &lang.Language{ConfigFiles: []string{"go.mod", "*.csproj"}}
	for p, want := range map[string]bool{"go.mod": true, "a/go.mod": true, "a/b.csproj": true, ".csproj": true, "xgo.mod": false, "go.mod/a": false, "csproj": false, "": false} {
		if got := l.IsConfig(p); got != want {
			t.Errorf("IsConfig(%q) is %v", p, got)
		}
	}
}

// TestSyntax takes the first syntax whose suffix fits.
func TestSyntax(t *testing.T) {
	short, long := &lang.Syntax{Suffixes: []string{".ts"}}, &lang.Syntax{Suffixes: []string{".d.ts", ".mts"}}
	l := &lang.Language{Syntaxes: []*lang.Syntax{long, short}}
	for p, want := range map[string]*lang.Syntax{"a.ts": short, "a.d.ts": long, "b/c.mts": long, "ts": nil, "a.ts/b": nil} {
		if l.Syntax(p) != want {
			t.Errorf("%s has the wrong syntax", p)
		}
	}
}
