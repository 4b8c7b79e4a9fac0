package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/code"
)

// runTexts runs code.texts; without a configuration, by its defaults.
func runTexts(t *testing.T, c any, language string, snapshot []schemas.Entry) (*stagetest.Result, error) {
	t.Helper()
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: code.Texts(set(t)), Config: c,
		Inputs: map[string]any{"repository": repository("src", language), "snapshot": snapshot},
	})
}

func TestTexts(t *testing.T) {
	snapshot := []schemas.Entry{
		file("README.md", "# Ü\n"),
		file("docs/tests.txt", "words"),
		file("src/a.py", "x = 1\n"),
		file("src/b.c", ""),
		file("src/contests/c.py", "y"),
		file("tests/test_a.py", "assert 1"),
		file("data.bin", "a\x00b"),
		file("latin.txt", "caf\xe9"),
		file("long.txt", strings.Repeat("a\n", 51)),
		file("yarn.lock", "x"),
		file("vendor/x/y.py", "x"),
		{Path: "run", Kind: schemas.KindExecutable, Size: 3, Content: []byte("#!x")},
		{Path: "link.py", Kind: schemas.KindLink, Target: "/etc/passwd"},
		{Path: "sub", Kind: schemas.KindSubmodule},
		{Path: "big.py", Kind: schemas.KindLFS},
		{Path: "huge.py", Kind: schemas.KindOversized, Size: 1 << 40},
		{Path: ".git/x.py", Kind: schemas.KindSkipped, Target: "a name of git's own"},
	}
	unfit := map[string]int{"binary": 1, "not_utf8": 1, "too_large": 2, "lock_file": 1, "vendored": 1, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}
	with := func(change map[string]int) map[string]int {
		out := maps.Clone(unfit)
		maps.Copy(out, change)
		return out
	}
	for _, test := range []struct {
		name     string
		config   code.TextsConfig
		language string
		files    []string
		reasons  map[string]int
	}{
		{"everything", code.TextsConfig{Include: "all"}, "python",
			[]string{"README.md", "docs/tests.txt", "run", "src/a.py", "src/b.c", "src/contests/c.py", "tests/test_a.py"}, unfit},
		{"kinds kept", code.TextsConfig{Include: "all", Keep: []string{"vendored", "lock_file", "minified", "generated"}}, "python",
			[]string{"README.md", "docs/tests.txt", "run", "src/a.py", "src/b.c", "src/contests/c.py", "tests/test_a.py", "vendor/x/y.py", "yarn.lock"},
			map[string]int{"binary": 1, "not_utf8": 1, "too_large": 2, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"paths with tests", code.TextsConfig{Include: "all", Exclude: []string{"**tests**"}}, "python",
			[]string{"README.md", "run", "src/a.py", "src/b.c"}, with(map[string]int{"excluded": 3})},
		{"several patterns", code.TextsConfig{Include: "all", Exclude: []string{"src/*.py", "*.m?", "tests/**"}}, "python",
			[]string{"docs/tests.txt", "run", "src/b.c", "src/contests/c.py"}, with(map[string]int{"excluded": 3})},
		{"source", code.TextsConfig{Include: "source"}, "python", []string{"src/a.py", "src/contests/c.py", "tests/test_a.py"},
			map[string]int{"other_suffix": 9, "too_large": 1, "vendored": 1, "link": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"a language nobody knows", code.TextsConfig{Include: "all"}, "klingon",
			[]string{"README.md", "docs/tests.txt", "run", "src/a.py", "src/b.c", "src/contests/c.py", "tests/test_a.py"}, unfit},
	} {
		test.config.MaxFileBytes = 100
		r, err := runTexts(t, &test.config, test.language, snapshot)
		if err != nil {
			t.Fatal(err)
		}
		got := stagetest.Rows[schemas.File](r, "files")
		if !slices.Equal(paths(got), test.files) || !maps.Equal(r.Reasons(), test.reasons) {
			t.Errorf("%s: %q, %v", test.name, paths(got), r.Reasons())
		}
		for _, f := range got {
			if want := strings.HasSuffix(f.Path, ".py") && test.language == "python"; (f.Language == "python") != want || !want && f.Language != "" {
				t.Errorf("%s: %s is %q", test.name, f.Path, f.Language)
			}
			if f.Path == "README.md" && f.Text != "# Ü\n" {
				t.Errorf("%q", f.Text)
			}
		}
	}
	if _, err := runTexts(t, &code.TextsConfig{Include: "source", MaxFileBytes: 100}, "klingon", snapshot); err == nil || !strings.Contains(err.Error(), `o/r: no language "klingon"`) {
		t.Error(err)
	}
}

func TestTextsKinds(t *testing.T) {
	code := "function f() { return 1 }\n"
	for p, test := range map[string]struct{ text, reason string }{
		"a/package-lock.json":           {"{}", "lock_file"},
		"go.sum":                        {"x v1 h1:", "lock_file"},
		"my-package-lock.json":          {"{}", ""},
		"lib/node_modules/x.js":         {code, "vendored"},
		"vendor":                        {code, ""},
		"src/vendor.go":                 {code, ""},
		"pip/_vendor/x.py":              {code, "vendored"},
		"vendors/x.py":                  {code, ""},
		"a.min.js":                      {code, "minified"},
		"a-min.css":                     {code, "minified"},
		"admin.js":                      {code, ""},
		"a/x.pb.go":                     {code, "generated"},
		"pb.go":                         {code, ""},
		"one/line.js":                   {strings.Repeat("a=1;", 1024), "minified"},
		"one/short_line.js":             {strings.Repeat("a=1;", 1023), ""},
		"many/lines.js":                 {strings.Repeat(code, 1000), ""},
		"long/lines.txt":                {strings.Repeat(strings.Repeat("words ", 200)+"\n", 9), "minified"},
		"long/paragraphs.md":            {strings.Repeat(strings.Repeat("words ", 150)+"\n\n", 9), ""},
		"code.go":                       {"// Code generated by stringer. DO NOT EDIT.\n\npackage x\n", "generated"},
		"other.go":                      {"// DO NOT EDIT: this file is auto-generated.\n", "generated"},
		"marked.py":                     {"# @generated\n", "generated"},
		"mail.py":                       {"# me@generated.example\n", ""},
		"edit.py":                       {"# do not edit the cache by hand\n", ""},
		"two_lines.py":                  {"# values are generated\n# do not edit\n", ""},
		"late.py":                       {strings.Repeat(code, 50) + "# @generated\n", ""},
		"generator.py":                  {"# Writes what is generated.\n", ""},
		"dir.min.js/plain.py":           {code, ""},
		"deep/third_party/a/b/c/d/e.py": {code, "vendored"},
	} {
		r, err := runTexts(t, nil, "python", []schemas.Entry{file(p, test.text)})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		if test.reason != "" {
			want[test.reason] = 1
		}
		if !maps.Equal(r.Reasons(), want) {
			t.Errorf("%s: %v, want %v", p, r.Reasons(), want)
		}
	}
}
