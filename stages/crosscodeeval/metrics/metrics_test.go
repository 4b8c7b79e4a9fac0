package metrics

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/python"
)

var pythonParses = Parses(python.Language().Syntaxes[0].Grammar, treesitter.DefaultLimits)

var pieces = []string{
	"foo", "self.bar", "get_value", "getValue", "(", ")", "[", "]", "{", "}", ";", "\n", "\n", "    ", " ", " = ", ", ", ".", "return ", "if ", "None", "True",
	"f(g(h[0]), [1])", "{ { x; } }", "((", "))", "[[", "]]",
	"new ", "await ", "null", "# note", "// note", "#", "//", "/* c */", `"s"`, `'s'`, `"a;b"`, `"it's"`, `"\""`, `'\\'`, `f"{x}"`, `"""doc"""`, "`t${x}`", `"`, `'`, "\\", "\\\n",
	"é", "naïve", "日本", "e\u0301", "😀", "²", "x²", "\u00a0", "\u2028", "\x1c", "\r\n", "\t", "_", "__init__", "1", "1e5", "x1", "lambda x: x", "λ",
}

// randomPair makes a reference and a prediction that often has much of it.
func randomPair(r *rand.Rand) (prediction, reference string) {
	pick := func(n int) []string {
		var out []string
		for range n {
			out = append(out, pieces[r.IntN(len(pieces))])
		}
		return out
	}
	want := pick(r.IntN(10))
	got := slices.Clone(want)
	for range r.IntN(4) {
		at := r.IntN(len(got) + 1)
		if r.IntN(2) == 0 || at == len(got) {
			got = slices.Insert(got, at, pick(1)...)
		} else {
			got = slices.Delete(got, at, at+1)
		}
	}
	if r.IntN(3) == 0 {
		got = append(append(got, "\n"), pick(r.IntN(6))...)
	}
	return strings.Join(got, ""), strings.Join(want, "")
}

// TestAgainstNaive judges 1,000 generated pairs of each published language by both
// implementations, and sees to it that pairs are of all kinds.
func TestAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	prompts := []string{"", "def f(self):\n    return ", "x = ", "class A:\n    def g(self):\n        "}
	kinds := map[string]func(text string) bool{
		"empty":   func(s string) bool { return s == "" },
		"unicode": func(s string) bool { return len(s) > utf8.RuneCountInString(s) },
		"comment": func(s string) bool { return strings.ContainsRune(s, '#') || strings.Contains(s, "//") },
		"nested": func(s string) bool {
			return strings.Contains(s, "(g(") || strings.Contains(s, "{ {") || strings.Contains(s, "[[")
		},
		"in lines": func(s string) bool { return strings.ContainsRune(s, '\n') },
	}
	seen := map[string]int{}
	for _, name := range Names() {
		l := Languages[name]
		if l.Own {
			continue
		}
		for range 1000 {
			prediction, reference := randomPair(r)
			prompt := prompts[r.IntN(len(prompts))]
			got, err := l.Judge(prompt, prediction, reference, pythonParses)
			if want := naiveJudge(l, prompt, prediction, reference, pythonParses); err != nil || got != want {
				t.Fatalf("%s, prompt %q, prediction %q, reference %q:\n%+v, want\n%+v (%v)", name, prompt, prediction, reference, got, want, err)
			}
			seen["equal"] += one(got.EM)
			seen["cut"] += one(len(got.Prediction) < len(StripComments(prediction)))
			seen["partly right"] += one(got.F1 > 0 && got.F1 < 1)
			for kind, is := range kinds {
				seen[kind] += one(is(prediction))
			}
		}
	}
	for _, kind := range []string{"equal", "cut", "partly right", "empty", "unicode", "comment", "nested", "in lines"} {
		if seen[kind] < 100 {
			t.Errorf("%d pairs are %s, which tells too little", seen[kind], kind)
		}
	}
}

func TestCutAtMark(t *testing.T) {
	for prediction, want := range map[string]string{
		"":                  "",
		"foo(a);\nbar();":   "foo(a);",
		"if (x) {\n y; }":   "if (x) {",
		" }\n}":             " }",
		"no end\nat all":    "no end\nat all",
		"}; rest":           "}; rest", // position 0 is taken for none
		";":                 ";",
		`log("a;b"); x`:     `log("a;`,
		"é日;x":              "é日;",
		"a(b => { return 1": "a(b => {",
	} {
		if got := CutAtMark(prediction); got != want {
			t.Errorf("CutAtMark(%q) = %q, want %q", prediction, got, want)
		}
	}
}

func TestCutAtLine(t *testing.T) {
	for _, c := range []struct{ prompt, prediction, want string }{
		{"x = ", "foo(1)\ny = 2\n", "foo(1)"},
		{"x = ", "foo(\n  1,\n)\ny", "foo(\n  1,\n)"}, // goes over lines
		{"x = ", "foo(1)  \ny", "foo(1)"},
		{"x = ", "foo(1)", "foo(1)"}, // no line end after it
		{"x = ", "\n1\ny", "\n1"},    // a first line end never ends it; where it parses is the grammar's affair
		{"x = ", ")\n)\n", ")\n)\n"}, // nothing parses
		{"x = ", "", ""},
		{"x = ", "1 # note\n", "1 # note"},
		{"x = [", "1,\n2]\ny", "1,\n2]"},
		{"def f():\n    return self.", "é日()\n\n", "é日()"},
	} {
		got, err := CutAtLine(c.prompt, c.prediction, pythonParses)
		if err != nil || got != c.want {
			t.Errorf("CutAtLine(%q, %q) = %q, want %q (%v)", c.prompt, c.prediction, got, c.want, err)
		}
	}
	broken := errors.New("broken")
	if _, err := CutAtLine("", "a\nb", func(string) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("error of the parser: %v", err)
	}
	tries := 0
	many := strings.Repeat("a\n", 10*MaxLines)
	got, _ := CutAtLine("", many, func(string) (bool, error) { tries++; return false, nil })
	if got != many || tries != MaxLines {
		t.Errorf("%d tries", tries)
	}
}

func TestParses(t *testing.T) {
	for code, want := range map[string]bool{"": true, "x = 1": true, "x = )": false, "def": false, "if x:\n    y\n": true} {
		if got, err := pythonParses(code); err != nil || got != want {
			t.Errorf("%q parses: %v, want %v (%v)", code, got, want, err)
		}
	}
	small := treesitter.DefaultLimits
	small.MaxBytes = 3
	if got, err := Parses(python.Language().Syntaxes[0].Grammar, small)("x = 1"); err != nil || got {
		t.Errorf("too large: %v, %v", got, err)
	}
}

func TestStripComments(t *testing.T) {
	for code, want := range map[string]string{
		"a # b\nc // d\n":     "a \nc \n",
		"a // b # c":          "a ",
		"a # b // c":          "a ",
		`u = "http://x"; # y`: `u = "http:`,
		"7 // 2":              "7 ",
		"this.#x = 1":         "this.",
		"a #\r\nb":            "a \nb",
		"/* stays */ x":       "/* stays */ x",
		"/ /":                 "/ /",
	} {
		if got := StripComments(code); got != want {
			t.Errorf("StripComments(%q) = %q, want %q", code, got, want)
		}
	}
}

func TestEditSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 100},
		{" \n", "\u00a0", 100},
		{"", "a", 0},
		{"abc", " abc\n", 100},
		{"abc", "abd", 67}, // 2*2/6; one replacement would leave less
		{"a", "b", 0},      // replacing is not half right
		{"ab", "ba", 50},
		{"aaaaaaab", "b", 22},        // 2/9
		{"axxxxxxx", "ayyyyyyy", 12}, // 2/16 = 12.5, half to even
		{"abcxxxxx", "abcyyyyy", 38}, // 6/16 = 37.5
		{"日本", "日x", 50},             // characters, not bytes
		{"😀a", "a", 67},
		{strings.Repeat("ab", 100), strings.Repeat("ba", 100), 100}, // 2*199/400 = 99.5
	} {
		if got, back := EditSimilarity(c.a, c.b), EditSimilarity(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("EditSimilarity(%q, %q) = %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ language, code, want string }{
		{"python", "self.foo(x, None, True, is_b=1e5)", "self foo x True is_b"},
		{"python", `a"x"b + f'{y}' + c`, "ab f c"},
		{"python", `'it"s' x "it's" y "\" z" w`, "x y w"},
		{"python", `"open x`, "open x"},
		{"python", "\"a\\\nb\" c", "a b c"}, // an escape does not reach over a line end
		{"python", "\"a\nb\" c", "c"},
		{"python", "é日 xé _ __ 1a x²", "xé _ __ x²"},
		{"java", "new Foo<String>(null, var, this.x)", "Foo String null x"},
		{"typescript", "await foo(`bar ${baz}`, null)", "await foo bar baz null"},
		{"csharp", "await foo(null, string.Empty, true)", "await foo Empty true"},
		{"java", "", ""},
	} {
		if got := strings.Join(Identifiers(c.code, Languages[c.language].Keywords), " "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.language, c.code, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	got, err := Languages["typescript"].Judge("", "save(a, a, 'x'); // done\nnext();", "save(a, b, 'x');", nil)
	want := Score{Prediction: "save(a, a, 'x');", Reference: "save(a, b, 'x');", ES: 94, Precision: 1, Recall: 2.0 / 3, F1: 0.8}
	if err != nil || got != want {
		t.Errorf("%+v, want %+v (%v)", got, want, err)
	}
	got, _ = Languages["java"].Judge("", "", "", nil)
	if !got.EM || got.ES != 100 || !got.IDEM || got.F1 != 0 {
		t.Errorf("nothing for nothing: %+v", got)
	}
	// Lines, not texts, are compared; the order of identifiers counts.
	got, _ = Languages["java"].Judge("", "a(b,\n\n   c)", " a(b,\nc)  # x", nil)
	if !got.EM || !got.IDEM || got.F1 != 1 {
		t.Errorf("%+v", got)
	}
	got, _ = Languages["java"].Judge("", "a(b, c)", "a(c, b)", nil)
	if got.EM || got.IDEM || got.F1 != 1 {
		t.Errorf("%+v", got)
	}
}

func TestSummarize(t *testing.T) {
	got := Summarize([]Score{{EM: true, ES: 100, IDEM: true, Precision: 1, Recall: 1, F1: 1}, {ES: 33, F1: 0.5}, {ES: 67, IDEM: true}})
	want := Summary{EM: 33.33, ES: 66.67, IDEM: 66.67, Precision: 33.33, Recall: 33.33, F1: 50, Total: 3}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Summarize(nil); got != (Summary{}) {
		t.Errorf("of nothing: %+v", got)
	}
	for x, want := range map[float64]float64{0.125: 0.12, 0.375: 0.38, 2.675: 2.67, 1.005: 1, 99.999: 100} {
		if got := Round2(x); got != want {
			t.Errorf("Round2(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestLanguages(t *testing.T) {
	for name, words := range map[string]int{"python": 33, "java": 51, "typescript": 42, "csharp": 75} {
		if l := Languages[name]; l == nil || l.Name != name || len(l.Keywords) != words || l.Parse != (name == "python") {
			t.Errorf("%s: %+v", name, l)
		}
	}
	for name, words := range map[string]int{"go": 25, "rust": 38, "c": 34, "cpp": 92, "kotlin": 28} {
		if l := Languages[name]; l == nil || len(l.Keywords) != words || l.Parse || !l.Own {
			t.Errorf("%s: %+v", name, l)
		}
	}
	if len(Names()) != 9 {
		t.Errorf("%q", Names())
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("x = ", "foo(\xff\n", "'\\")
	f.Fuzz(func(t *testing.T, prompt, prediction, reference string) {
		if len(prediction)+len(reference) > 400 || !utf8.ValidString(prediction) || !utf8.ValidString(reference) {
			t.Skip()
		}
		for _, name := range Names() {
			got, err := Languages[name].Judge(prompt, prediction, reference, pythonParses)
			if err != nil {
				t.Fatal(err)
			}
			if got.ES < 0 || got.ES > 100 || got.EM && got.F1 < 1 && got.F1 > 0 {
				t.Fatalf("%+v", got)
			}
			if want := naiveES(got.Prediction, got.Reference); got.ES != want {
				t.Fatalf("edit similarity of %q and %q: %d, want %d", got.Prediction, got.Reference, got.ES, want)
			}
			if want := naiveIdentifiers(got.Prediction, Languages[name].Keywords); !slices.Equal(Identifiers(got.Prediction, Languages[name].Keywords), want) {
				t.Fatalf("identifiers of %q: want %q", got.Prediction, want)
			}
		}
	})
}

func BenchmarkEditSimilarity(b *testing.B) {
	x, y := strings.Repeat("self.value = other(1)\n", 40), strings.Repeat("other.value(self, 2)\n", 40)
	for b.Loop() {
		EditSimilarity(x, y)
	}
}
