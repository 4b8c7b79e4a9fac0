package typescript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/langtest"
)

func TestLanguage(t *testing.T) { langtest.Run(t, Language()) }

func BenchmarkAnalyze(b *testing.B) { langtest.Bench(b, Language()) }

func BenchmarkParseOnly(b *testing.B) { langtest.BenchParseOnly(b, Language()) }

// TestGrammarsAgree: RepoQA parses JavaScript as TypeScript; its functions must
// not depend on that.
func TestGrammarsAgree(t *testing.T) {
	const src = `'use strict'; var a = require('./a');
async function first({ b, c = 1 }, ...d) { for (const e of d) { function inner() {} } return b / c; }
if (a) { function second() { return /[/]"/.test(a) ? ` + "`${a}`" + ` : function () {}; } }
module.exports = { method() { function third() {} }, f: function named() {}, g: x => { function fourth() {} } };
export default function fifth() { label: while (true) break label; }
function* generator() {}
`
	l := compiled(t)
	js, ts := analyze(t, l, "a.js", src), analyze(t, l, "a.ts", src)
	if len(js.Functions) != 6 || !reflect.DeepEqual(js.Functions, ts.Functions) {
		t.Errorf("functions as JavaScript %+v\nas TypeScript %+v", js.Functions, ts.Functions)
	}
	if !reflect.DeepEqual(js.Imports, ts.Imports) {
		t.Errorf("imports as JavaScript %+v\nas TypeScript %+v", js.Imports, ts.Imports)
	}
}

// TestConfigBounds: a config that is too large, too deep or extends too many is
// as good as none, and the imports that need no config are resolved.
func TestConfigBounds(t *testing.T) {
	l := compiled(t)
	const mapped = `{"compilerOptions": {"paths": {"mapped": ["./mapped"]}}%s}`
	chain := func(n int) map[string]string {
		config := map[string]string{"tsconfig.json": `{"extends": "./tsconfig.1.json"}`}
		for i := 1; i < n; i++ {
			config[fmt.Sprintf("tsconfig.%d.json", i)] = fmt.Sprintf(`{"extends": "./tsconfig.%d.json"}`, i+1)
		}
		config[fmt.Sprintf("tsconfig.%d.json", n)] = fmt.Sprintf(mapped, "")
		return config
	}
	for name, test := range map[string]struct {
		config map[string]string
		mapped bool
	}{
		"plain":         {map[string]string{"tsconfig.json": fmt.Sprintf(mapped, "")}, true},
		"1 MB":          {map[string]string{"tsconfig.json": fmt.Sprintf(mapped, strings.Repeat(" ", 1<<20))}, false},
		"brackets":      {map[string]string{"tsconfig.json": strings.Repeat("[", maxConfig)}, false},
		"objects":       {map[string]string{"tsconfig.json": strings.Repeat(`{"a":`, maxConfig/5)}, false},
		"deep strings":  {map[string]string{"tsconfig.json": `{"extends": ` + strings.Repeat("[", maxDepth-1) + strings.Repeat(`"./a",`, 30_000) + `"./b"` + strings.Repeat("]", maxDepth-1) + `}`}, false},
		"short chain":   {chain(maxExtends - 1), true},
		"long chain":    {chain(maxExtends + 2), false},
		"many patterns": {map[string]string{"tsconfig.json": `{"compilerOptions": {"paths": {` + strings.Repeat(`"*": ["x/*"], `, 10_000) + `"mapped": ["./mapped"]}}}`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			facts := []*lang.Facts{
				analyze(t, l, "a.ts", `import "./relative"; import "mapped";`),
				analyze(t, l, "relative.ts", ""), analyze(t, l, "mapped.ts", ""),
			}
			want := []string{"relative.ts"}
			if test.mapped {
				want = []string{"mapped.ts", "relative.ts"}
			}
			if got := newResolver(lang.NewIndex("", facts, test.config)).Dependencies(facts[0]); !slices.Equal(got, want) {
				t.Errorf("dependencies %q, want %q", got, want)
			}
		})
	}
}

// FuzzResolve: no source and no config may lead out of the index.
func FuzzResolve(f *testing.F) {
	f.Add(`import "./a"; export * from '..'; require("@x/y"); import("#z")`, `{"name": "@x/y", "imports": {"#*": "./*"}}`, `{"compilerOptions": {"baseUrl": ".."}}`)
	f.Add("/// <reference path='../../x' />\nimport a = require(`/etc/passwd`)", `{"main": "../../b"}`, `{"extends": ["./tsconfig.json"], "references": [{"path": "."}]}`)
	l := compiled(f)
	f.Fuzz(func(t *testing.T, src, pack, config string) {
		var facts []*lang.Facts
		for _, p := range []string{"src/a.ts", "src/deep/index.js"} {
			if one, err := l.Analyze(p, []byte(src), treesitter.DefaultLimits); err == nil {
				facts = append(facts, one)
			}
		}
		ix := lang.NewIndex("src", facts, map[string]string{"package.json": pack, "src/deep/package.json": pack, "src/tsconfig.json": config})
		r := newResolver(ix)
		for _, one := range facts {
			for _, p := range r.Dependencies(one) {
				if !ix.Has(p) || p == one.Path {
					t.Errorf("%s depends on %q", one.Path, p)
				}
			}
		}
	})
}

func compiled(t testing.TB) *lang.Language {
	l := Language()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	return l
}

func analyze(t *testing.T, l *lang.Language, path, src string) *lang.Facts {
	t.Helper()
	f, err := l.Analyze(path, []byte(src), treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
