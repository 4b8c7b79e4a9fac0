package rust

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
)

// wrapping are variants that the prelude knows; making one is no call to people.
var wrapping = map[string]bool{"Some": true, "Ok": true, "Err": true}

// callGraph says which functions call which.
//
// Version history:
//
//	1: first version
func callGraph(b *lang.Binding) *lang.CallGraph {
	name := calls.Field("name")
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: "::",
			Scopes: map[string]func(*treesitter.Tree, int32) string{
				"mod_item": name, "trait_item": name, "impl_item": implementing,
			},
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){"function_item": definition},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"call_expression": called,
				"token_tree":      calledInMacro,
			},
			Callee: map[string]string{
				"identifier": "=", "field_identifier": "=", "scoped_identifier": "name", "field_expression": "field",
				"generic_function": "function", "parenthesized_expression": "",
			},
			Comments: map[string]bool{"line_comment": true, "block_comment": true},
		},
		Names: calls.Names{
			Imported: importedFrom,
			Known: func(_ *bind.File, written string) calls.Outside {
				path, item, _ := cutLast(strings.TrimPrefix(written, "::"))
				if first, _, _ := strings.Cut(path, "::"); standard[first] {
					return ofCrate(path+"::"+item, "")
				}
				return calls.Outside{}
			},
			Library: func(*bind.File, string) string { return "std" },
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are fn items with a body, those of impls and traits included; a closure is part of what it stands in. A method of a trait " +
			"leads to its declaration there where the type is not known. What macros are given is read as expressions; what they make of it is not " +
			"seen, and macros themselves are no functions. Making a tuple struct or a variant leads to its declaration, but for Some, Ok and Err.",
	}
}

// definition is an fn item with the attributes before it.
func definition(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d, ok := calls.Fields("name", "body")(t, i)
	for at := calls.Before(t, i); ok && at >= 0; at = calls.Before(t, at) {
		if kind := t.Kind(at); kind == "attribute_item" {
			d.Node = at
		} else if kind != "line_comment" && kind != "block_comment" {
			break
		}
	}
	if ok {
		d.Inline = d.Node != i && strings.Contains(string(t.Source[t.Nodes[d.Node].Start:t.Nodes[i].Start]), "#[inline")
	}
	return d, ok
}

// implementing is the type that an impl is of.
func implementing(t *treesitter.Tree, i int32) string {
	typ := t.Child(i, "type")
	for range maxDepth {
		if typ < 0 {
			return ""
		}
		switch t.Kind(typ) {
		case "type_identifier", "primitive_type", "scoped_type_identifier":
			return t.Text(typ)
		case "generic_type", "reference_type", "pointer_type":
			typ = t.Child(typ, "type")
		default:
			return ""
		}
	}
	return ""
}

func called(t *treesitter.Tree, i int32) (calls.Call, bool) {
	c, ok := calls.Calling("function", "arguments", calls.Plain)(t, i)
	return c, ok && c.Callee >= 0 && !(t.Kind(c.Callee) == "identifier" && wrapping[t.Text(c.Callee)])
}

// calledInMacro is a name before parentheses in what a macro is given.
func calledInMacro(t *treesitter.Tree, i int32) (calls.Call, bool) {
	name := calls.Before(t, i)
	if p := t.Nodes[i].Parent; p < 0 || t.Kind(p) != "token_tree" || name < 0 || t.Kind(name) != "identifier" ||
		t.Source[t.Nodes[i].Start] != '(' || wrapping[t.Text(name)] {
		return calls.Call{}, false
	}
	c := calls.Call{Callee: name}
	for a := range t.Children(i) {
		if k := t.Kind(a); k == "," || c.Args == 0 && t.Nodes[a].Named() {
			c.Args++
		}
	}
	return c, true
}

// importedFrom is where a use or a path leads. The first part of a path may be what a
// use brought in.
func importedFrom(f *bind.File, im *bind.Import, rest string) calls.Outside {
	path := im.Path
	if first, inner, _ := strings.Cut(path, "::"); im.Kind == kindPath {
		for i := range f.Imports {
			if use := &f.Imports[i]; use.Kind == kindUse && !use.All && use.Name == first {
				path = strings.TrimSuffix(use.Path+"::"+inner, "::")
				break
			}
		}
	}
	return ofCrate(path, rest)
}

// ofCrate is an item of another crate.
func ofCrate(path, rest string) calls.Outside {
	path = strings.TrimPrefix(path, "::")
	first, _, _ := strings.Cut(path, "::")
	if first == "crate" || first == "self" || first == "super" {
		return calls.Outside{}
	}
	module, item, ok := cutLast(path)
	if !ok { // the crate itself
		module, item = path, ""
	}
	switch {
	case item == "":
		item = rest
	case rest != "" && !isType(item): // a module
		module, item = path, rest
	case rest != "":
		item += "::" + rest
	}
	return calls.Outside{Module: module, Name: item, System: standard[first]}
}

// cutLast cuts a path before its last part; false: it has but one.
func cutLast(path string) (before, last string, found bool) {
	at := strings.LastIndex(path, "::")
	if at < 0 {
		return "", path, false
	}
	return path[:at], path[at+2:], true
}
