package java

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
)

// callGraph says which functions call which.
//
// Version history:
//
//	1: first version
func callGraph(b *lang.Binding) *lang.CallGraph {
	typeName := calls.Field("name")
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: ".",
			Scopes: map[string]func(*treesitter.Tree, int32) string{
				"class_declaration": typeName, "interface_declaration": typeName, "enum_declaration": typeName,
				"record_declaration": typeName, "annotation_type_declaration": typeName, "enum_constant": typeName,
			},
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){
				"method_declaration": definition, "constructor_declaration": definition, "compact_constructor_declaration": definition,
			},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"method_invocation": func(t *treesitter.Tree, i int32) (calls.Call, bool) {
					list := t.Child(i, "arguments")
					return calls.Call{Callee: i, Args: calls.Arguments(t, list), List: max(0, list)}, true
				},
				"object_creation_expression":      calls.Calling("type", "arguments", calls.Making),
				"explicit_constructor_invocation": delegation,
			},
			Callee: map[string]string{
				"method_invocation": "name", "identifier": "=", "type_identifier": "=", "generic_type": "", "this": "=", "super": "=",
				"scoped_type_identifier": "<", "annotated_type": "<",
			},
			Words: map[string]string{
				"string_literal": "string", "decimal_integer_literal": "int", "hex_integer_literal": "int", "true": "bool", "false": "bool",
				"character_literal": "char", "decimal_floating_point_literal": "double", "null_literal": "null", "lambda_expression": "()",
				"class_literal": "Class", "object_creation_expression": "=type", "cast_expression": "=type",
			},
			Comments: map[string]bool{"line_comment": true, "block_comment": true},
		},
		Names: calls.Names{
			Constructor: constructor,
			Imported: func(_ *bind.File, im *bind.Import, rest string) calls.Outside {
				name := last(im.Path)
				if rest != "" {
					name += "." + rest
				}
				return calls.Outside{Module: parent(im.Path), Name: name, System: inJDK(im.Path)}
			},
			Known:   known,
			Library: func(f *bind.File, name string) string { return known(f, name).Module },
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are methods and constructors with a body, those of local and anonymous classes included; a lambda is part of what it stands in. " +
			"A method leads to the declaration in the receiver's declared type, not to what overrides it; of overloads those count that take as many " +
			"arguments and fit best what is known of their types. Initializers of fields and classes, method references and implicit super() are not seen.",
	}
}

// definition is a method or constructor.
func definition(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d, ok := calls.Fields("name", "body")(t, i)
	d.Local = calls.OfKind(t, calls.OfKind(t, i, "modifiers"), "private") >= 0
	return d, ok
}

// delegation is this(...) or super(...).
func delegation(t *treesitter.Tree, i int32) (calls.Call, bool) {
	list := t.Child(i, "arguments")
	c := calls.Call{Callee: t.Child(i, "constructor"), Args: calls.Arguments(t, list), Of: calls.BaseClass, List: max(0, list)}
	if c.Callee >= 0 && t.Kind(c.Callee) == "this" {
		c.Of = calls.ThisClass
	}
	return c, c.Callee >= 0
}

// known is where a type comes from that a file does not import by its name: of a
// package of the JDK imported whole, or of java.lang. Members imported one by one
// come from their type.
func known(f *bind.File, written string) calls.Outside {
	base, _, _ := strings.Cut(written, ".")
	if method := strings.TrimSuffix(written, call); method == base {
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Kind == "static" && im.Name == base {
				return calls.Outside{Module: parent(im.Path), Name: last(im.Path) + "." + base, System: inJDK(im.Path)}
			}
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind != "import" {
			continue // what is imported whole and static may be inherited as well
		}
		switch {
		case im.All && inJDK(im.Path+"."+base):
			return calls.Outside{Module: im.Path, Name: written, System: true}
		case im.Name == base && inJDK(im.Path):
			return calls.Outside{Module: parent(im.Path), Name: written, System: true}
		}
	}
	if pkg := libraryPackages()[base]; pkg != "" && libraryTypes[base] != 0 {
		return calls.Outside{Module: pkg, Name: written, System: true}
	}
	return calls.Outside{}
}

// libraryPackages are the packages of types by simple name, those of java.util and
// of what is below it before others.
var libraryPackages = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, pkg := range slices.Sorted(maps.Keys(jdkTypes())) {
		for _, name := range jdkTypes()[pkg] {
			if was := out[name]; was == "" || strings.HasPrefix(pkg, "java.util") && !strings.HasPrefix(was, "java.util") && was != "java.lang" {
				out[name] = pkg
			}
		}
	}
	return out
})
