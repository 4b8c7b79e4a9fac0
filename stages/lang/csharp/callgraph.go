package csharp

import (
	_ "embed"
	"strings"
	"sync"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
)

//go:embed types.txt
var systemTypes string

// callGraph says which functions call which.
//
// Version history:
//
//	1: first version
func callGraph(b *lang.Binding) *lang.CallGraph {
	scopes := map[string]func(*treesitter.Tree, int32) string{}
	for _, kind := range []string{
		"class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "record_struct_declaration",
		"namespace_declaration", "file_scoped_namespace_declaration",
	} {
		scopes[kind] = calls.Field("name")
	}
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: ".", Prepare: asCompiled, Scopes: scopes,
			Opening: map[string]bool{"file_scoped_namespace_declaration": true},
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){
				"method_declaration": definition, "constructor_declaration": definition, "local_function_statement": definition,
				"destructor_declaration": definition, "operator_declaration": definition, "conversion_operator_declaration": definition,
				"accessor_declaration": accessor, "property_declaration": computed, "indexer_declaration": computed,
			},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"invocation_expression":      calls.Calling("function", "arguments", calls.Plain),
				"object_creation_expression": calls.Calling("type", "arguments", calls.Making),
				"constructor_initializer":    delegation,
			},
			Callee: map[string]string{
				"identifier": "=", "this": "=", "base": "=", "generic_name": ".identifier", "qualified_name": "name",
				"member_access_expression": "name", "conditional_access_expression": "<", "member_binding_expression": "name",
				"parenthesized_expression": "", "element_access_expression": "expression", "alias_qualified_name": "name",
			},
			Words: map[string]string{
				"string_literal": "string", "verbatim_string_literal": "string", "raw_string_literal": "string", "interpolated_string_expression": "string",
				"integer_literal": "int", "real_literal": "double", "boolean_literal": "bool", "character_literal": "char", "null_literal": "null",
				"lambda_expression": "()", "anonymous_method_expression": "()", "object_creation_expression": "=type", "cast_expression": "=type",
			},
			Comments: map[string]bool{"comment": true},
		},
		Names: calls.Names{
			Constructor: "constructor",
			Imported: func(_ *bind.File, im *bind.Import, rest string) calls.Outside {
				module, name := split(im.Path)
				if rest != "" {
					name += "." + rest
				}
				return calls.Outside{Module: module, Name: name, System: ofSystem(im.Path)}
			},
			Known: opened,
			Library: func(f *bind.File, name string) string {
				base, _, _ := strings.Cut(name, ".")
				if spaces := spacesOf()[base]; len(spaces) > 0 {
					return spaces[0]
				}
				return "System"
			},
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are methods, constructors, operators, property accessors and local functions with a body, as compiled with no symbols defined; " +
			"a lambda is part of what it stands in. A method leads to the declaration in the receiver's declared type, not to what overrides it; of " +
			"overloads those count that take as many arguments. Reading a property, operators, new() without a type and implicit base() are not seen. " +
			"Types of the system are known by a list of common ones.",
	}
}

// ofSystem reports whether a namespace or type is of the language's own library.
func ofSystem(name string) bool {
	return name == "System" || strings.HasPrefix(name, "System.") || strings.HasPrefix(name, "Microsoft.CSharp") || strings.HasPrefix(name, "Microsoft.Win32")
}

// spacesOf are the namespaces of common types of the system, by simple name.
var spacesOf = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(systemTypes) {
		if space, types, ok := strings.Cut(line, ": "); ok {
			for _, name := range strings.Fields(types) {
				out[name] = append(out[name], space)
			}
		}
	}
	return out
})

// predefined are the types behind keywords.
var predefined = map[string]string{
	"bool": "Boolean", "byte": "Byte", "char": "Char", "decimal": "Decimal", "double": "Double", "float": "Single", "int": "Int32",
	"long": "Int64", "object": "Object", "sbyte": "SByte", "short": "Int16", "string": "String", "uint": "UInt32", "ulong": "UInt64",
	"ushort": "UInt16",
}

// implied are namespaces that projects open without saying so in their files.
var implied = map[string]bool{
	"System": true, "System.Collections.Generic": true, "System.IO": true, "System.Linq": true, "System.Net.Http": true,
	"System.Threading": true, "System.Threading.Tasks": true,
}

// opened is where a type comes from that a file does not declare: of a namespace of
// the system that it opens, or that is written in front.
func opened(f *bind.File, written string) calls.Outside {
	if ofSystem(written) {
		parts := strings.Split(written, ".")
		for n := len(parts) - 1; n > 0; n-- {
			space := strings.Join(parts[:n], ".")
			for _, of := range spacesOf()[parts[n]] {
				if of == space {
					return calls.Outside{Module: space, Name: strings.Join(parts[n:], "."), System: true}
				}
			}
		}
		space, name := split(written)
		return calls.Outside{Module: space, Name: name, System: space != ""}
	}
	base, rest, _ := strings.Cut(written, ".")
	if written == "nameof" {
		return calls.Outside{None: true}
	}
	if full := predefined[base]; full != "" {
		return calls.Outside{Module: "System", Name: full + "." + rest, System: true}
	}
	for _, space := range spacesOf()[base] {
		open := implied[space]
		for i := range f.Imports {
			open = open || f.Imports[i].Path == space
		}
		if open {
			return calls.Outside{Module: space, Name: written, System: true}
		}
	}
	return calls.Outside{}
}

// definition is a method, constructor or operator.
func definition(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d := calls.Definition{Node: i, Name: t.Child(i, "name"), Body: t.Child(i, "body")}
	switch t.Kind(i) {
	case "operator_declaration":
		d.Name, d.Called = i, "operator"
		for c := range t.Children(i) {
			if t.Kind(c) == "parameter_list" && c > 0 {
				d.Called = "operator " + t.Text(calls.Before(t, c))
			}
		}
	case "conversion_operator_declaration":
		if d.Name = t.Child(i, "type"); d.Name >= 0 {
			d.Called = "operator " + strings.Join(strings.Fields(t.Text(d.Name)), " ")
		}
	case "destructor_declaration":
		if d.Name >= 0 {
			d.Called = "~" + t.Text(d.Name)
		}
	}
	d.Local = hidden(t, i)
	return d, d.Name >= 0 && d.Body >= 0
}

// hidden reports whether a member is private to a type that is all in one file.
func hidden(t *treesitter.Tree, i int32) bool {
	open := false
	for c := range t.Children(i) {
		switch t.Kind(c) {
		case "modifier":
			text := t.Text(c)
			open = open || text == "public" || text == "internal" || text == "protected"
		case "explicit_interface_specifier":
			open = true
		}
	}
	list := t.Nodes[i].Parent
	if open || list < 0 || t.Kind(list) != "declaration_list" {
		return false
	}
	of := t.Nodes[list].Parent
	if of < 0 || t.Kind(of) == "interface_declaration" {
		return false
	}
	for c := range t.Children(of) {
		if c == list {
			break
		}
		if t.Kind(c) == "modifier" && t.Text(c) == "partial" {
			return false
		}
	}
	return true
}

// accessor is a get, set, init, add or remove with a body.
func accessor(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d := calls.Definition{Node: i, Name: i, Body: t.Child(i, "body")}
	list := t.Nodes[i].Parent
	if d.Body < 0 || list < 0 || t.Nodes[list].Parent < 0 {
		return d, false
	}
	for c := range t.Children(i) {
		switch kind := t.Kind(c); kind {
		case "get", "set", "init", "add", "remove":
			d.Called = kind
		}
	}
	d.Within = propertyName(t, t.Nodes[list].Parent)
	return d, d.Called != ""
}

// computed is a property that an expression gives.
func computed(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d := calls.Definition{Node: i, Name: i, Body: t.Child(i, "value"), Called: "get", Within: propertyName(t, i)}
	return d, d.Body >= 0 && t.Kind(d.Body) == "arrow_expression_clause"
}

func propertyName(t *treesitter.Tree, i int32) string {
	if name := t.Child(i, "name"); name >= 0 {
		return t.Text(name)
	}
	return "this"
}

// delegation is this(...) or base(...) of a constructor.
func delegation(t *treesitter.Tree, i int32) (calls.Call, bool) {
	list := calls.OfKind(t, i, "argument_list")
	c := calls.Call{Callee: calls.OfKind(t, i, "this", "base"), Args: calls.Arguments(t, list), Of: calls.BaseClass, List: max(0, list)}
	if c.Callee >= 0 && t.Kind(c.Callee) == "this" {
		c.Of = calls.ThisClass
	}
	return c, c.Callee >= 0
}
