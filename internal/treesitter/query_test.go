package treesitter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

// queries are what the matcher must understand as the library does.
var queries = map[string][]string{
	".py": {
		`(function_definition name: (identifier) @name) @definition.function`,
		`(comment) @comment (expression_statement (string) @comment.doc)`,
		`[(import_statement) (import_from_statement)] @import`,
		`[(comment) (string)] @a (string) @b (expression_statement (string) @c) (argument_list (string) @d)`,
		`(expression_statement [(string) (call) (identifier)] @x)`,
		`(block . (expression_statement (string)) @first)`,
		`(block (expression_statement) (return_statement) @r)`,
		`(block (_) . (return_statement) @r)`,
		`(block (_) @a . (_) @b)`,
		`(call function: (identifier) @f arguments: (argument_list (_) @arg)) @call`,
		`((identifier) @x (#eq? @x "x"))`,
		`((identifier) @x (#not-eq? @x "x"))`,
		`((identifier) @x (#match? @x "^[a-k]$"))`,
		`([(identifier) (string)] @x (#match? @x "x"))`,
		`(call function: (identifier) @f (argument_list (identifier) @x (#eq? @x "p")))`,
		`(function_definition (parameters (_) @p) (block (expression_statement (string) @doc) (#match? @doc "raw")))`,
		`(_ (identifier) @x) @y ; a wildcard may not be a root here
`,
		`(parameters (_ (identifier) @n)) (parameters (identifier) @n)`,
		`(lambda parameters: (lambda_parameters (identifier) @a)) @l`,
		`(module (_) @top)`,
		`(class_definition superclasses: (argument_list . (identifier) @base))`,
		`(if_statement (block) @b) (if_statement consequence: (block) @c)`,
	},
	".java": {
		`(method_declaration name: (identifier) @name) @definition.function [(line_comment) (block_comment)] @comment`,
		`(class_declaration interfaces: (_) @i) (class_declaration superclass: (_) @s)`,
		`(variable_declarator name: (identifier) @n value: (_)? @v)`,
		`(formal_parameters (formal_parameter name: (_) @p))`,
		`(class_body [(method_declaration) (constructor_declaration)] @m)`,
	},
	".rs": {`(function_item name: (identifier) @name body: (block (_) @s)) @f`, `(match_arm pattern: (match_pattern (_) @p))`, `(line_comment) @c`},
	".ts": {`(import_statement source: (string) @s) @import`, `(class_body (method_definition name: (_) @n) @m)`},
	".c":  {`(function_definition declarator: (pointer_declarator (function_declarator declarator: (identifier) @name))) @f`, `(preproc_ifdef name: (identifier) @n)`},
	".cs": {`[(method_declaration name: (identifier) @name) (local_function_statement name: (identifier) @name)] @f`, `(using_directive) @import`},
	".go": {`(function_declaration name: (identifier) @name) @f (parameter_declaration name: (identifier) @p . name: (identifier) @q)`},
}

// TestQueries compares matches with those of the library's own cursor. Patterns
// that the matcher refuses are listed with the reason.
func TestQueries(t *testing.T) {
	refused := map[string]string{
		"a wildcard may not be a root": "cannot start at (_)",
		"(_)? @v":                      "expected a field or a node",
	}
	matched := 0
	for suffix, sources := range bySuffix(t) {
		for _, text := range queries[suffix] {
			q, err := NewQuery(sources[0].grammar, text)
			if err != nil {
				ok := false
				for part, reason := range refused {
					ok = ok || strings.Contains(text, part) && strings.Contains(err.Error(), reason)
				}
				if !ok {
					t.Errorf("%s: %v", text, err)
				}
				continue
			}
			total := 0
			for _, s := range sources {
				want := libraryMatches(t, s, text)
				for what, keep := range map[string]*Keep{"kept": q.Keep, "whole": nil} {
					if got := ourMatches(q, parse(t, s, keep)); !slices.Equal(got, want) {
						t.Errorf("%s, %s tree: %s\nours: %q\nlibrary: %q", s.name, what, text, got, want)
					}
				}
				total += len(want)
			}
			if total == 0 {
				t.Errorf("%s matches nothing", text)
			}
			matched += total
		}
	}
	if matched < 200 {
		t.Errorf("only %d matches to compare", matched)
	}
}

func bySuffix(t testing.TB) map[string][]source {
	out := map[string][]source{}
	for _, s := range corpus(t) {
		for suffix, g := range grammars() {
			if g == s.grammar {
				out[suffix] = append(out[suffix], s)
			}
		}
	}
	return out
}

// ourMatches and libraryMatches write matches down in a way that can be compared.
func ourMatches(q *Query, tree *Tree) []string {
	var out []string
	q.Matches(tree, func(m Match) {
		var b strings.Builder
		for _, c := range m {
			n := tree.Nodes[c.Node]
			fmt.Fprintf(&b, "%s:%d-%d ", c.Name, n.Start, n.End)
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
	})
	slices.Sort(out)
	return out
}

func libraryMatches(t testing.TB, s source, text string) []string {
	t.Helper()
	query, err := sitter.NewQuery([]byte(text), s.grammar.language)
	if err != nil {
		t.Fatal(err)
	}
	defer query.Close()
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(query, library(t, s.grammar, s.text))
	var out []string
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			break
		}
		m = cursor.FilterPredicates(m, s.text)
		var b strings.Builder
		for _, c := range m.Captures {
			fmt.Fprintf(&b, "%s:%d-%d ", query.CaptureNameForId(c.Index), c.Node.StartByte(), c.Node.EndByte())
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
	}
	slices.Sort(out)
	return out
}

// TestAnyOf has no double: the library ignores #any-of?.
func TestAnyOf(t *testing.T) {
	g := grammars()[".py"]
	q, err := NewQuery(g, `((identifier) @x (#any-of? @x "a" "c"))`)
	if err != nil {
		t.Fatal(err)
	}
	tree := parse(t, source{"a.py", g, []byte("a\nb\nc\nab\n")}, q.Keep)
	if got, want := ourMatches(q, tree), []string{"x:0-1 ", "x:4-5 "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestQueryErrors(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"(comment) @c\n(no_such_kind)", `line 2: no node kind "no_such_kind"`},
		{"(comment) @c\n\n(call nofield: (identifier))", `line 3: expected a field or a node`},
		{"(comment", "line 1: missing )"},
		{"[(comment)", "line 1: missing ]"},
		{"(comment))", "line 1: expected ( or ["},
		{"; words\n\"def\" @d", "line 2: expected ( or ["},
		{"(call \"(\" @p)", "line 1: expected a field or a node"},
		{"(_) @x", "a pattern cannot start at (_)"},
		{"(block (comment)* @c)", "expected a field or a node"},
		{"(block (comment) .)", "an anchor after the last child"},
		{"((comment) @a (comment) @b)", "a group of several nodes"},
		{"(block [(comment) @a (string) @b])", "alternatives inside a pattern"},
		{"(block [])", "an alternation of nothing"},
		{"(call !function)", "expected a field or a node"},
		{"(ERROR) @e", `no node kind "ERROR"`},
		{"((comment) @c (#eq? @c @c))", "expected a quoted text"},
		{"((comment) @c (#eq? @c \"a\" \"b\"))", "with 2 values"},
		{"((comment) @c (#eq? @c))", "without a value"},
		{"((comment) @c (#eq? \"a\" @c))", "without a capture"},
		{"((comment) @c (#match? @c \"(\"))", "missing closing )"},
		{"((comment) @c (#eq? @c \"\\u0041\"))", "escape \\u"},
		{"((comment) @c (#eq? @c \"\xff\"))", "not UTF-8"},
		{"((comment) @c (#eq? @c `a`))", "expected a quoted text"},
		{"((comment) @c (#set! @c \"a\"))", "predicate #set! is not supported"},
		{"((comment) @c\n (#eq? @other \"a\"))", "line 2"},
		{strings.Repeat("(", 1000) + "comment", "levels"},
		{"(comment (comment))", "line 1"}, // only the library knows that this fits nothing
	} {
		_, err := NewQuery(grammars()[".py"], c.query)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %q", c.query, err, c.want)
		}
	}
}

func TestKeep(t *testing.T) {
	g := grammars()[".py"]
	s := source{"a.py", g, []byte("import a.b\nx = 1 # hi\ndef f(): 'doc'\n")}
	kinds := func(k *Keep) string {
		tree := parse(t, s, k)
		var out []string
		for i := range tree.Nodes {
			out = append(out, tree.Kind(int32(i)))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		name string
		add  func(k *Keep) bool
		want string
	}{
		{"nothing", func(*Keep) bool { return true }, ""},
		{"one kind", func(k *Keep) bool { return k.Add("comment", 1) }, "comment"},
		{"two levels", func(k *Keep) bool { return k.Add("import_statement", 2) }, "import_statement import dotted_name"},
		{"all levels", func(k *Keep) bool { return k.Add("import_statement", All) }, "import_statement import dotted_name identifier . identifier"},
		{"more than all", func(k *Keep) bool { return k.Add("import_statement", 1000) }, "import_statement import dotted_name identifier . identifier"},
		{"under a parent", func(k *Keep) bool { return k.AddUnder("dotted_name", "identifier", 1) }, "identifier identifier"},
		{"under two parents", func(k *Keep) bool {
			return k.AddUnder("dotted_name", "identifier", 1) && k.AddUnder("function_definition", "identifier", 1)
		}, "identifier identifier identifier identifier"},
		{"anywhere, then under", func(k *Keep) bool { return k.Add("identifier", 1) && k.AddUnder("dotted_name", "identifier", 1) }, "identifier identifier identifier identifier"},
		{"under, then anywhere", func(k *Keep) bool { return k.AddUnder("dotted_name", "identifier", 1) && k.Add("identifier", 1) }, "identifier identifier identifier identifier"},
	} {
		k := NewKeep(g)
		if !c.add(k) {
			t.Errorf("%s: the grammar has no such kind", c.name)
		}
		if got := kinds(k); got != c.want {
			t.Errorf("%s: kept %q, want %q", c.name, got, c.want)
		}
	}
	if k := NewKeep(g); k.Add("no_such_kind", 1) || k.AddUnder("no_such_kind", "comment", 1) || k.AddUnder("comment", "no_such_kind", 1) {
		t.Error("a kind that no grammar has was added")
	}
}

// TestPruning shows that pruning skips what holds no text, finds what does, and
// counts errors all the same.
func TestPruning(t *testing.T) {
	g := grammars()[".py"]
	for _, c := range []struct {
		src, query    string
		texts, starts []string
		want          int
	}{
		{"f(1) # a\ng(2) # b\n", `(comment) @c`, []string{"#"}, nil, 2},
		{"f((1), # a\n 2)\n", `(comment) @c`, []string{"no such text"}, nil, 0},
		{"def f():\n  'a'\n  x('b')\n", `(expression_statement (string) @c)`, []string{"no such text"}, []string{"'"}, 1},
		{"'a'\n", `(string) @c`, []string{"no such text"}, []string{"'"}, 1},
		{"\xef\xbb\xbf'a'\n", `(string) @c`, []string{"no such text"}, []string{"'"}, 1},
		{"x = 1; 'a'\n", `(string) @c`, []string{"no such text"}, []string{"'"}, 1},
		{"x = [1, 'a']\n", `(string) @c`, []string{"no such text"}, []string{"'"}, 0},
	} {
		q, err := NewQuery(g, c.query)
		if err != nil {
			t.Fatal(err)
		}
		q.Keep.Only(c.texts, c.starts)
		s := source{"a.py", g, []byte(c.src)}
		if got := ourMatches(q, parse(t, s, q.Keep)); len(got) != c.want {
			t.Errorf("%q, texts %q, starts %q: %d matches, want %d", c.src, c.texts, c.starts, len(got), c.want)
		}
		if whole := parse(t, s, q.Keep.Unpruned()); len(ourMatches(q, whole)) == 0 {
			t.Errorf("%q has no match even without pruning", c.src)
		}
	}
	for _, s := range corpus(t) {
		keep := NewKeep(s.grammar)
		keep.Only([]string{"no such text"}, nil)
		if got, want := parse(t, s, keep), parse(t, s, nil); got.ErrorBytes != want.ErrorBytes || len(got.Nodes) != 0 {
			t.Errorf("%s: %d nodes, %d bytes in errors, want 0 and %d", s.name, len(got.Nodes), got.ErrorBytes, want.ErrorBytes)
		}
	}
}

// FuzzNewQuery compiles any text, and holds what compiles to what the library
// makes of it.
func FuzzNewQuery(f *testing.F) {
	for _, text := range queries[".py"] {
		f.Add(text)
	}
	f.Add(`([(string) (call)] @a (#any-of? @a "x" "y"))`)
	g := grammars()[".py"]
	s := source{"a.py", g, []byte("# c\ndef f(x, y=1):\n    'doc'\n    return g(x, 'a', h(y))\nx = 1; f(x)\nclass A: pass\n")}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := NewQuery(g, text)
		if err != nil {
			return
		}
		got := ourMatches(q, parse(t, s, q.Keep))
		if whole := ourMatches(q, parse(t, s, nil)); !slices.Equal(got, whole) {
			t.Errorf("%q matches %q in the kept tree, %q in the whole one", text, got, whole)
		}
		if strings.Contains(text, "#any-of?") {
			return // the library ignores it
		}
		if want := libraryMatches(t, s, text); !slices.Equal(got, want) {
			t.Errorf("%q matches %q, in the library %q", text, got, want)
		}
	})
}
