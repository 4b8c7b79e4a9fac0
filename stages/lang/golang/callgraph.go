package golang

import (
	"path"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
)

// builtins are functions that need no import, and types that convert.
var (
	builtins = set("append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
		"panic", "print", "println", "real", "recover")
	converting = set("any", "bool", "byte", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32",
		"int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr")
)

// callGraph says which functions call which.
//
// Version history:
//
//	1: first version
func callGraph(b *lang.Binding) *lang.CallGraph {
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: ".",
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){
				"function_declaration": calls.Fields("name", "body"), "method_declaration": method,
			},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"call_expression": calls.Calling("function", "arguments", calls.Plain),
				"type_conversion_expression": func(t *treesitter.Tree, i int32) (calls.Call, bool) {
					return calls.Call{Callee: t.Child(i, "type"), Args: 1}, true // F[T](x) looks like one
				},
			},
			Callee: map[string]string{
				"identifier": "=", "field_identifier": "=", "type_identifier": "=", "selector_expression": "field",
				"parenthesized_expression": "", "index_expression": "operand", "type_instantiation_expression": "",
				"generic_type": "type", "qualified_type": "name",
			},
			Comments: map[string]bool{"comment": true},
		},
		Names: calls.Names{
			Conversions: true, Folders: true, Elsewhere: elsewhere,
			Imported: func(_ *bind.File, im *bind.Import, rest string) calls.Outside {
				if im.Kind == importMember {
					rest = strings.TrimSuffix(im.Name+"."+rest, ".")
				}
				first, _, _ := strings.Cut(im.Path, "/")
				return calls.Outside{Module: im.Path, Name: rest, System: !strings.Contains(first, ".")}
			},
			Known: func(_ *bind.File, written string) calls.Outside {
				if converting[written] {
					return calls.Outside{None: true}
				}
				if builtins[written] {
					return calls.Outside{Module: "builtin", Name: written, System: true}
				}
				return calls.Outside{}
			},
			Library: func(f *bind.File, name string) string {
				pkg, _, ok := strings.Cut(name, "__")
				if !ok {
					return "builtin"
				}
				return pkg
			},
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are function and method declarations with a body; a function literal is part of what it stands in. A method of an " +
			"interface leads to its declaration there, not to what implements it; conversions are no calls. Calls on what other modules " +
			"return are unresolved; a conversion to a type of another module looks like a call of it.",
	}
}

// method is a method declaration, called after its receiver's type.
func method(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d, ok := calls.Fields("name", "body")(t, i)
	if list := t.Child(i, "receiver"); list >= 0 {
		for c := range t.Inside(list) {
			if t.Kind(c) == "type_identifier" {
				d.Within = t.Text(c)
				break
			}
		}
	}
	return d, ok
}

// systems and machines are the names of files' ends that limit what they are built for,
// but for the commonest, which is what calls are taken to mean.
var (
	systems = set("aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "nacl", "netbsd", "openbsd", "plan9",
		"solaris", "wasip1", "windows", "zos")
	machines = set("386", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64", "s390x",
		"sparc64", "wasm")
)

// elsewhere reports whether a file's name says that it is built for other systems or
// machines: x_windows.go, x_plan9_arm_test.go.
func elsewhere(file string) bool {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".go"), "_test"), "_")
	for n, part := range parts[1:] {
		if n >= len(parts)-3 && (systems[part] || machines[part]) {
			return true
		}
	}
	return false
}
