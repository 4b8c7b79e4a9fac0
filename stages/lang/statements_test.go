package lang_test

import (
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/all"
)

// block is a rule like those of languages whose statements are nodes.
var block = &lang.Statements{
	Nodes:  []string{"expression_statement", "return_statement", "if_statement", "elif_clause", "function_definition", "class_definition"},
	Bodies: []string{"block"},
}

func whole(t testing.TB, src string) *treesitter.Tree {
	t.Helper()
	l := tiny("")
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	tree, err := l.ParseWhole("a.tiny", []byte(src), treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// lists is a rule like those of languages whose statements are nothing but what
// stands in blocks, and whose branches have heads.
var lists = &lang.Statements{
	Nodes:  []string{"case_clause", "if_statement"},
	Lists:  []string{"module", "block"},
	Bodies: []string{"block", "case_clause"},
}

// The cursor is at ‹; the statement ends at ›, or nowhere without one.
func TestStatementsEnd(t *testing.T) {
	marks := &lang.Statements{Marks: ";{}"}
	for _, test := range []struct {
		rule   *lang.Statements
		source string
	}{
		{block, "a = 1\n‹b = c(\n  2)›  # d\n"},
		{block, "a = ‹b›"},
		{block, "‹  a.b()›\n"},
		{block, "a\n‹\n\n  \n b›\n"},
		{block, "def f(‹a):›  # b\n    # c\n    return a\n"},
		{block, "if a: ‹b›\n"},
		{block, "if ‹a:› b\n"},
		{block, "if a:\n    b\nelif ‹c:›\n    d\n"},
		{block, "if a:\n    b\n‹else:›\n    d\n"}, // the rule has no else_clause: up to the next body
		{block, "def f():\n    ‹pass\n"},          // nor a pass_statement
		{block, "a = 1\n# ‹b\n"},
		{block, "class A:\n    # ‹b\n    c = 1\n"},
		{block, "a\n‹\n\n"},
		{block, "‹"},
		{marks, "‹a; b"},
		{marks, "a;‹ b\n {›"},
		{marks, "‹\"a;›\""},
		{marks, "a = ‹b"},
		{marks, "‹}› a"},
		{&lang.Statements{}, "‹a"},
		{lists, "a\n‹  b.c()›  # d\ne\n"},
		{lists, "if a:\n    b\n    c(‹d)›\n    e\n"},
		{lists, "if ‹a:›\n    b\n"},
		{lists, "while ‹a:›\n    b\n"},
		{lists, "# ‹a\n"},
		{lists, "‹match a:›\n    case b:\n        c\n"},
		{lists, "match a:\n    ‹case b if c:›\n        d\n        e\n    case f:\n        g\n"},
		{lists, "match a:\n    case ‹b:› #c\n        d\n    case f:\n        g\n"},
		{lists, "match a:\n    case b:\n        c\n        ‹d(e)›\n    case f:\n        g\n"},
		{&lang.Statements{Nodes: []string{"if_statement", "pass_statement"}, Bodies: []string{"if_statement"}}, "if ‹a:› pass\n"},
	} {
		before, rest, _ := strings.Cut(test.source, "‹")
		inside, after, closed := strings.Cut(rest, "›")
		end, ok := test.rule.End(whole(t, before+inside+after), len(before))
		if test.rule == marks && test.source == "‹a; b" {
			closed, inside = true, "a;"
		}
		if ok != closed || ok && end != len(before+inside) {
			t.Errorf("%q: %d, %v", test.source, end, ok)
		}
	}
	for _, cursor := range []int{-1, 5, 99} {
		for _, rule := range []*lang.Statements{block, marks} {
			if end, ok := rule.End(whole(t, "a = b"), cursor); ok {
				t.Errorf("cursor %d: %d", cursor, end)
			}
		}
	}
}

// Questions about long lines cost little: these would take half a minute, did each
// look through its statement.
func TestEndsOfLongLine(t *testing.T) {
	const n = 20_000
	src := "x = [" + strings.Repeat("a.b, ", n) + "]  # c\n"
	tree := whole(t, src)
	want := strings.Index(src, "]") + 1
	for _, test := range []struct {
		rule *lang.Statements
		end  int
	}{{block, want}, {&lang.Statements{Marks: "#"}, want + 3}} {
		ends := test.rule.Ends(tree)
		for cursor := 0; cursor < want; cursor++ {
			if end, ok := ends.At(cursor); !ok || end != test.end {
				t.Fatalf("from %d: %d, %v", cursor, end, ok)
			}
		}
	}
	if end := block.Ends(tree).PastComment(want); end != len(src)-1 {
		t.Errorf("with the comment: %d", end)
	}
}

func TestPastComment(t *testing.T) {
	for _, source := range []string{"a| \t# b|\n", "a|| b", "a||\n# b", "a||", "a|  # b|", "a||\\\n  # b"} {
		parts := strings.Split(source, "|")
		ends := block.Ends(whole(t, strings.Join(parts, "")))
		if end := ends.PastComment(len(parts[0])); end != len(parts[0]+parts[1]) {
			t.Errorf("%q: %d", source, end)
		}
	}
}

// A file that nests deeply costs no more than its length.
func TestStatementsDeep(t *testing.T) {
	const depth = 10_000
	src := strings.Repeat("(", depth) + "a" + strings.Repeat(")", depth) + "\n"
	tree := whole(t, src)
	if end, ok := block.End(tree, depth); !ok || end != len(src)-1 {
		t.Errorf("%d, %v", end, ok)
	}
	if n := len(lang.Tokens(tree)); n != 2*depth+1 {
		t.Errorf("%d tokens", n)
	}
}

// Every language's grammar names comments, strings and code in strings as
// [lang.Tokens] expects.
func TestTokens(t *testing.T) {
	for path, test := range map[string]struct {
		source string
		want   []string // without what stands before "x" and after "end"
	}{
		"a.py":   {"x = f'a {b} c' # d\nend", []string{"=", "S f'a {b} c'", "{", "b", "}"}},
		"A.java": {"class A { int x = \"a\\n;\" + 'c' /* d */ ; // e\n int end; }", []string{"=", `S "a\n;"`, "+", "S 'c'", ";", "int"}},
		"a.ts":   {"x = `a ${b.c('d')} e` /* f */ + 'g' // h\nend", []string{"=", "S `a ${b.c('d')} e`", "${", "b", ".", "c", "(", "S 'd'", ")", "}", "+", "S 'g'"}},
		"A.cs":   {"class A { object x = $\"a {b} c\" + @\"d\" /* e */ + 'f'; // g\n int end; }", []string{"=", `S $"a {b} c"`, "{", "b", "}", "+", `S @"d"`, "+", "S 'f'", ";", "int"}},
		"a.go":   {"package a\nvar x = \"a\\n\" + `b` /* c */ // d\nvar end int", []string{"=", `S "a\n"`, "+", "S `b`", "var"}},
		"a.rs":   {"fn f() { let x = \"a\\n\" /* b */; // c\n let end = 'd'; }", []string{"=", `S "a\n"`, ";", "let"}},
		"a.cpp":  {"auto x = \"a\\n\" \"b\" /* c */; // d\nint end;", []string{"=", `S "a\n" "b"`, ";", "int"}},
		"a.kt":   {"val x = \"a ${b.c('d')} $e\" + \"\"\"f\"\"\" /* g */ // h\nval end = 1", []string{"=", `S "a ${b.c('d')} $e"`, "b", ".", "c", "(", "S 'd'", ")", "e", "+", `S """f"""`, "val"}},
		"a.c":    {"char *x = \"a\\n\" /* c */; // d\nint end;", []string{"=", `S "a\n"`, ";", "int"}},
	} {
		set, err := all.Languages()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(set.Languages, func(l *lang.Language) bool { return l.Syntax(path) != nil })
		tree, err := set.Languages[i].ParseWhole(path, []byte(test.source), treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		inside := false
		for _, token := range lang.Tokens(tree) {
			text := test.source[token.Start:token.End]
			if text == "end" {
				break
			}
			if token.String {
				text = "S " + text
			}
			if inside && text != "\n" {
				got = append(got, text)
			}
			inside = inside || text == "x"
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", path, got, test.want)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("def f(a):\n    return g(a)  # b\n", 8)
	f.Add("if a: f\"b {c!r:>{d}} e\"\n", 3)
	f.Add("((((", 2)
	f.Fuzz(func(t *testing.T, src string, cursor int) {
		l := tiny("")
		if err := l.Compile(); err != nil {
			t.Fatal(err)
		}
		tree, err := l.ParseWhole("a.tiny", []byte(src), treesitter.DefaultLimits)
		if err != nil {
			return
		}
		for _, rule := range []*lang.Statements{block, lists, {Marks: ";{}"}} {
			if end, ok := rule.End(tree, cursor); ok && (cursor < 0 || end <= cursor || end > len(src)) {
				t.Errorf("%q: from %d to %d", src, cursor, end)
			}
		}
		at := -1
		for _, token := range lang.Tokens(tree) {
			if token.Start <= at || token.End <= token.Start || token.End > len(src) {
				t.Errorf("%q: token %+v after one at %d", src, token, at)
			}
			at = token.Start
		}
	})
}
