package typescript

import (
	"strings"
	"testing"
	"time"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

// FuzzBind: whatever a file holds, what is listed stands where it is said to.
func FuzzBind(f *testing.F) {
	f.Add("import { A, type B as C } from './b'; export default class extends A<C> { @A x?: C['y']; constructor(private z = A) { super() } }")
	f.Add("const { a: [b, ...c], ...d } = await import(`./b`); for (const e of d) { if (!(e instanceof A)) return; <a.b c={d => e}>{...f}</a.b> }")
	f.Add("type T<U extends keyof V = W> = U extends (infer X)[] ? { [K in U]: X } : A.B<typeof c.d>[0]; // @ts-ignore\nfunction f(this: T, g): asserts g is T")
	f.Add("export * as x from './b'; export { y as 'z' }; import w = require('./b'); declare global { var v: any } namespace N.M { export = 1 } enum E { 'a-b' }")
	l := compiled(f)
	f.Fuzz(func(t *testing.T, src string) {
		var files []*bind.File
		for _, path := range []string{"a.tsx", "b.ts", "c.js"} {
			tree, err := l.ParseWhole(path, []byte(src), treesitter.DefaultLimits)
			if err != nil {
				return
			}
			file := l.Binding.Bind(path, tree)
			for _, ref := range file.Refs {
				if e := &file.Exprs[ref]; !strings.HasPrefix(src[e.Start:], e.Name) {
					t.Errorf("%s: %q is listed at %d, where %.20q stands", path, e.Name, e.Start, src[e.Start:])
				}
			}
			files = append(files, file)
		}
		for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
			r := l.Resolver(files, map[string]string{"tsconfig.json": src}, mode)
			for _, file := range files {
				r.Uses(file.Path)
			}
		}
	})
}

// TestBindBounds: what takes a file of one shape long takes all others of it no
// longer than its length says.
func TestBindBounds(t *testing.T) {
	l := compiled(t)
	const n = 5_000
	for name, src := range map[string]string{
		"guards":   "import {A} from './b'; function f(x) {" + strings.Repeat("if (!(x instanceof A)) return; x.y;\n", n) + "}",
		"ignored":  strings.Repeat("// @ts-ignore\n", n) + strings.Repeat("x;// @ts-ignore\n", n),
		"union":    "type T = {a: 1}" + strings.Repeat(" | {a: B.c, d: 1}", n) + "; declare const t: T; t.d;" + strings.Repeat("t.d;", n),
		"object":   "const o = {" + strings.Repeat("a: 1, ", n) + "};" + strings.Repeat("o.a;", n),
		"calls":    "import {A} from './b'; A" + strings.Repeat(".b()", n) + ";",
		"nested":   strings.Repeat("{", n) + strings.Repeat("}", n),
		"arrows":   "import {A} from './b'; const a = " + strings.Repeat("x => ", n) + "A",
		"generics": "import {A} from './b'; let a: " + strings.Repeat("Array<", 3_000) + "A" + strings.Repeat(">", 3_000) + ";",
		"spread":   "import {A} from './b'; const a0 = {...A};" + strings.Repeat("const a0 = {...a0, ...a0}; a0.b;", 500),
		"reexport": strings.Repeat("export * from './a'; export { a } from './a';\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			tree, err := l.ParseWhole("a.ts", []byte(src), treesitter.DefaultLimits)
			if err != nil {
				t.Fatal(err)
			}
			files := []*bind.File{l.Binding.Bind("a.ts", tree), {Path: "b.ts", Scopes: make([]bind.Scope, 2), Decls: make([]bind.Decl, 1), Exprs: make([]bind.Expr, 1)}}
			for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
				l.Resolver(files, nil, mode).Uses("a.ts")
			}
			t.Log(len(src), "bytes in", time.Since(start).Round(time.Millisecond))
		})
	}
}
