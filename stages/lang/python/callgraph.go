package python

import (
	"strings"

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
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: ".",
			Scopes:    map[string]func(*treesitter.Tree, int32) string{"class_definition": calls.Field("name")},
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){"function_definition": definition},
			Heads:     map[string]func(*treesitter.Tree, int32) int32{"function_definition": overload},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"call":      calls.Calling("function", "arguments", calls.Plain),
				"decorator": decoration,
			},
			Callee: map[string]string{"identifier": "=", "attribute": "attribute", "subscript": "value", "parenthesized_expression": "", "await": ""},
			Outer:  map[string]bool{"parameters": true},
		},
		Names: calls.Names{
			Constructor: "__init__", Call: "__call__", Inherited: true, Imported: importedFrom,
			Known: func(_ *bind.File, written string) calls.Outside {
				if base, _, _ := strings.Cut(written, "."); builtins[base] {
					return calls.Outside{Module: "builtins", Name: written, System: true}
				}
				return calls.Outside{}
			},
			Library: func(*bind.File, string) string { return "builtins" },
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are def statements, methods and nested ones included; a lambda is part of what it stands in. A decorator, a base class's " +
			"method and a constructor are followed as far as types are known; of several definitions of a name the one that reaches the call counts. " +
			"A method of an untyped parameter is unresolved, and so is what operators, with statements, iteration and properties call.",
	}
}

// definition is a def statement, with its decorators.
func definition(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d, ok := calls.Fields("name", "body")(t, i)
	if !ok {
		return d, false
	}
	if overload(t, i) >= 0 {
		return d, false
	}
	if p := t.Nodes[i].Parent; p >= 0 && t.Kind(p) == "decorated_definition" {
		d.Node = p
	}
	for c := range t.Children(d.Body) {
		if t.Kind(c) == "comment" {
			continue
		}
		if s := calls.First(t, c); t.Kind(c) == "expression_statement" && s >= 0 && t.Kind(s) == "string" {
			d.Doc = calls.Span{Start: int32(t.Nodes[s].Start), End: int32(t.Nodes[s].End)}
		}
		break
	}
	return d, true
}

// overload is the name of a signature that stands before the function itself, or -1.
func overload(t *treesitter.Tree, i int32) int32 {
	for b := calls.Before(t, i); b >= 0 && t.Kind(b) == "decorator"; b = calls.Before(t, b) {
		if d := calls.First(t, b); d >= 0 && last(t.Text(d)) == "overload" {
			return t.Child(i, "name")
		}
	}
	return treesitter.NoNode
}

// decoration is a decorator without arguments, which calls what it names.
func decoration(t *treesitter.Tree, i int32) (calls.Call, bool) {
	c := calls.First(t, i)
	if c < 0 || t.Kind(c) == "call" {
		return calls.Call{}, false
	}
	return calls.Call{Callee: c, Args: 1}, true
}

// importedFrom is where an import brings a name from.
func importedFrom(_ *bind.File, im *bind.Import, rest string) calls.Outside {
	if im.Level > 0 {
		return calls.Outside{} // of the repository, and not there
	}
	o := calls.Outside{Module: im.Path, Name: rest}
	top, inner, _ := strings.Cut(im.Path, ".")
	switch {
	case im.Kind == importTop && inner != "":
		if after, ok := strings.CutPrefix(rest+".", inner+"."); ok {
			o.Name = strings.TrimSuffix(after, ".")
		} else {
			o.Module = top
		}
	case im.Name != "" && rest == "":
		o.Name = im.Name
	case im.Name != "":
		o.Name = im.Name + "." + rest
	}
	o.System = standardModules[top]
	return o
}

// words makes a set of the words of a text.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}
