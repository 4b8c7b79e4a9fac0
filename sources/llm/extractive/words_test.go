package extractive

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitIdentifier(t *testing.T) {
	for id, want := range map[string]string{
		"snake_case_name":  "snake case name",
		"camelCaseName":    "camel Case Name",
		"parseHTTPHeader":  "parse HTTP Header",
		"HTTPServer":       "HTTP Server",
		"__init__":         "init",
		"utf8Length2":      "utf8 Length2",
		"Grid::index_of":   "Grid index of",
		"größteZahl":       "größte Zahl",
		"a":                "a",
		"":                 "",
		"$el":              "el",
		"SCREAMING_SNAKE2": "SCREAMING SNAKE2",
	} {
		if got := strings.Join(splitIdentifier(id), " "); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

// Words that must count as one another, and words that must not.
func TestStem(t *testing.T) {
	for _, same := range []string{
		"parse parses parsed parsing", "copy copies copied copying", "allocate allocates allocated allocating",
		"match matches matched matching", "strip strips stripped stripping", "size sizes sized sizing", "class classes",
		"row rows", "cache caches", "box boxes",
	} {
		words := strings.Fields(same)
		for _, w := range words[1:] {
			if stem(w) != stem(words[0]) {
				t.Errorf("%s is %q but %s is %q", words[0], stem(words[0]), w, stem(w))
			}
		}
	}
	for _, different := range []string{"text test", "order older", "is if", "status state", "list lists_"} {
		words := strings.Fields(different)
		if stem(words[0]) == stem(words[1]) {
			t.Errorf("%s are the same", different)
		}
	}
}

func TestBanned(t *testing.T) {
	b := newBanned("parse_money", "defaultCurrency", "utf8", "i", "the")
	for _, word := range []string{"parse", "Parsing", "money", "CURRENCIES", "parse_money", "parseMoney", "default", "i", "currency's", "utf8", "UTF", "utf16"} {
		if !b.has(word) {
			t.Errorf("%q may be said", word)
		}
	}
	for _, word := range []string{"the", "a", "monetary", "text", ""} {
		if b.has(word) {
			t.Errorf("%q may not be said", word)
		}
	}
}

func TestThesaurus(t *testing.T) {
	all, err := parseThesaurus(thesaurusText)
	if err != nil {
		t.Fatal(err)
	}
	for class, words := range map[string]map[string][]string{"noun": all.nouns, "verb": all.verbs, "word": all.words} {
		for word, alternatives := range words {
			if len(alternatives) == 0 || word != strings.ToLower(word) {
				t.Errorf("%s %q has no alternatives, or capitals", class, word)
			}
			for _, a := range alternatives {
				if newBanned(word).hasAny(a) {
					t.Errorf("%s %q: %q is no way around it", class, word, a)
				}
			}
		}
	}
	for _, bad := range []string{"noun thing", "adverb fast: quick", "noun: x"} {
		if _, err := parseThesaurus(bad); err == nil || !strings.Contains(err.Error(), "thesaurus.txt:1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestInstead(t *testing.T) {
	for _, test := range []struct {
		word   string
		asVerb bool
		want   string
	}{
		{"text", false, "string"}, {"texts", false, "strings"}, {"entries", false, "items"}, {"boundaries", false, "borders"},
		{"parse", true, "interpret"}, {"parses", true, "interprets"}, {"parsed", true, "interpreted"}, {"parsing", true, "interpreting"},
		{"stripped", true, "trimmed"}, {"copies", true, "duplicates"}, {"first", false, "leading"}, {"index", false, "position"},
		{"splitting", true, "dividing"}, {"built", true, "made"},
	} {
		if got := synonyms().instead(test.word, test.asVerb); len(got) == 0 || got[0] != test.want {
			t.Errorf("%s (verb %t): %v, want %s", test.word, test.asVerb, got, test.want)
		}
	}
}

func TestRephrase(t *testing.T) {
	w := writer{banned: newBanned("parse_rows", "text", "sheet", "zebra"), name: "ParseRows", params: []string{"text", "sheet"}}
	for _, test := range []struct {
		in, want string
		ok       bool
	}{
		{"Reads a table", "Reads a table", true},
		{"Takes a text apart", "Takes a string apart", true},
		{"Fills `sheet` from `text`", "Fills the second argument from the first argument", true},
		{"Reads the `text` given", "Reads the first argument given", true},
		{"Breaks it up, and then counts zebras", "Breaks it up", true},
		{"Counts zebras, and then stops", "", false},
		{"It parses lines", "It interprets lines", true},
		{"In this case ParseRows fails", "In this case it fails", true},
		{"Compares `text` with `text`", "", false},
	} {
		got, ok := w.rephrase(test.in, true)
		if got != test.want || ok != test.ok {
			t.Errorf("%q: %q %t, want %q %t", test.in, got, ok, test.want, test.ok)
		}
	}
}

func TestArticles(t *testing.T) {
	for in, want := range map[string]string{
		"a apple": "an apple", "an house": "a house", "a hour": "an hour", "An unit": "A unit", "a “item” here": "an “item” here",
	} {
		if got := finish(tokenize(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestReadProse(t *testing.T) {
	for name, test := range map[string]struct {
		doc, summary, x, returns, raises string
	}{
		"google":   {"\"\"\"Do it well.\n\nArgs:\n    x (int): how often,\n        at most ten\n    y: other\n\nReturns:\n    What came of it.\n\nRaises:\n    KeyError: when it is lost\n\"\"\"", "Do it well", "how often, at most ten", "What came of it", "KeyError: when it is lost"},
		"numpy":    {"Do it well.\n\nParameters\n----------\nx : int\n    how often\n\nReturns\n-------\nwhat came of it\n", "Do it well", "int how often", "what came of it", ""},
		"sphinx":   {"Do it :func:`well`.\n\n:param x: how often\n:returns: what came of it\n:raises KeyError: when it is lost\n", "Do it `well`", "how often", "what came of it", "when it is lost"},
		"javadoc":  {"/**\n * Do it {@code well}.\n *\n * @param x how often\n * @return what came of it\n * @throws Lost when it is lost\n */", "Do it `well`", "how often", "what came of it", "when it is lost"},
		"jsdoc":    {"/**\n * Do it well.\n * @param {number} x - how often\n * @returns {string} what came of it\n */", "Do it well", "how often", "what came of it", ""},
		"doxygen":  {"/// \\brief Do it well.\n/// \\param[in] x how often\n/// \\return what came of it\n", "Do it well", "how often", "what came of it", ""},
		"markdown": {"/// Do it [well](https://example.org).\n///\n/// # Examples\n///\n/// ```\n/// do_it(1);\n/// ```\n", "Do it well", "", "", ""},
		"licence":  {"// Copyright 2020 Somebody.\n// SPDX-License-Identifier: MIT\n//\n// Do it well.\n// TODO: do it better.\n", "Do it well", "", "", ""},
		"two":      {"# Do it well, e.g. twice. It may fail.\n", "Do it well, e.g. twice|It may fail", "", "", ""},
	} {
		p := readProse(test.doc, []string{"x", "y"})
		got := []string{strings.Join(p.summary, "|"), strings.TrimSpace(p.params["x"]), strings.Join(p.returns, "|"), strings.Join(p.raises, "|")}
		if want := []string{test.summary, test.x, test.returns, test.raises}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestReturnType(t *testing.T) {
	for signature, want := range map[string]string{
		"def f(x: int) -> list[str]:":                       "list[str]",
		"pub fn f<T>(x: T) -> Option<T> where T: Clone {":   "Option<T>",
		"function f(x: number): Promise<string> {":          "Promise<string>",
		"func (s *Set) F(x int) (int, error) {":             "(int, error)",
		"func f(x int) bool {":                              "bool",
		"public static List<Range> f(Collection<Range> x) ": "List<Range>",
		"static unsigned f(int x)":                          "unsigned",
		"def f(x):":                                         "",
	} {
		if got := strings.TrimSpace(returnType(signature)); got != want {
			t.Errorf("%q: %q, want %q", signature, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	for signature, want := range map[string]string{
		"def f(self, x: dict[str, int], y=3, *z):":          "dict[str, int]/opt",
		"fn f(x: &mut Vec<u8>, y: usize)":                   "&mut Vec<u8>/usize",
		"func f(x, y int)":                                  "int/int",
		"func f(x []byte, y ...string)":                     "[]byte/string var",
		"int f(const char *x, size_t y)":                    "const char */size_t",
		"f(x: string, y?: number)":                          "string/number opt",
		"void f(Map<String, List<Integer>> x, final int y)": "Map<String, List<Integer>>/final int",
	} {
		p := parameters(signature, []string{"x", "y"})
		y := p["y"].typ
		if p["y"].optional {
			y += " opt"
		}
		if p["y"].variadic {
			y += " var"
		}
		if got := p["x"].typ + "/" + strings.TrimSpace(y); got != want {
			t.Errorf("%q: %q, want %q", signature, got, want)
		}
	}
}
