package typescript

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
)

// globalModule is the module of what needs no import.
const globalModule = "globalThis"

// nodeGlobals are names that Node.js has beside those of the standard library, and
// nodeModules its modules; all may have "node:" in front, and parts behind a slash.
var (
	nodeGlobals = set("Buffer __dirname __filename clearImmediate exports global module process require setImmediate")
	nodeModules = set(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
		events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
		stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// callGraph says which functions call which.
//
// Version history:
//
//	1: first version
func callGraph(b *lang.Binding) *lang.CallGraph {
	globals := set(globalNames)
	name := calls.Field("name")
	literal := map[string]func(*treesitter.Tree, int32) string{}
	for _, kind := range []string{"class_declaration", "abstract_class_declaration", "class", "internal_module", "module"} {
		literal[kind] = name
	}
	literal["variable_declarator"], literal["pair"] = ofObject("name"), ofObject("key")
	head := func(t *treesitter.Tree, i int32) int32 { return t.Child(i, "name") }
	g := &calls.Bound{
		Bind: b.Bind, Linker: b.Link, Rules: b.Rules,
		Syntax: calls.Syntax{
			Separator: ".",
			Scopes:    literal,
			Functions: map[string]func(*treesitter.Tree, int32) (calls.Definition, bool){
				"function_declaration": declared, "generator_function_declaration": declared, "method_definition": declared,
				"arrow_function": assigned, "function_expression": assigned, "function": assigned, "generator_function": assigned,
			},
			Heads: map[string]func(*treesitter.Tree, int32) int32{"function_signature": head, "method_signature": head},
			Calls: map[string]func(*treesitter.Tree, int32) (calls.Call, bool){
				"call_expression": called,
				"new_expression":  calls.Calling("constructor", "arguments", calls.Making),
				"decorator":       decoration,
			},
			Callee: map[string]string{
				"identifier": "=", "property_identifier": "=", "private_property_identifier": "=", "super": "=",
				"member_expression": "property", "subscript_expression": "object", "non_null_expression": "",
				"parenthesized_expression": "", "as_expression": "", "await_expression": "", "instantiation_expression": "",
			},
			Outer:    map[string]bool{"decorator": true},
			Comments: map[string]bool{"comment": true},
		},
		Names: calls.Names{
			Constructor: "constructor", Inherited: true, Imported: importedFrom,
			Known: func(_ *bind.File, written string) calls.Outside {
				if base, _, _ := strings.Cut(written, "."); globals[base] || nodeGlobals[base] {
					return calls.Outside{Module: globalModule, Name: written, System: true}
				}
				return calls.Outside{}
			},
			Library: func(*bind.File, string) string { return globalModule },
		},
	}
	return &lang.CallGraph{
		Version: 1, Read: g.Read, Link: g.Link,
		Doc: "Functions are function declarations and methods, and function expressions that a variable, a property, a field or an assignment " +
			"gives its name, or that have one; other literals are part of what they stand in. Overload signatures lead to the implementation. " +
			"A method of an interface leads to its declaration. Elements of JSX and the use of property " +
			"accessors are not seen, and what require() gives is not known.",
	}
}

// ofObject names an object literal after what holds it.
func ofObject(field string) func(*treesitter.Tree, int32) string {
	name := calls.Field(field)
	return func(t *treesitter.Tree, i int32) string {
		if v := t.Child(i, "value"); v < 0 || t.Kind(v) != "object" {
			return ""
		}
		return unquoted(name(t, i))
	}
}

// declared is a function declaration or a method.
func declared(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d, ok := calls.Fields("name", "body")(t, i)
	if !ok {
		return d, false
	}
	d.Node, d.Local = whole(t, i), private(t, i, d.Name)
	if kind := t.Kind(d.Name); kind == "string" || kind == "computed_property_name" {
		d.Called = strings.Trim(t.Text(d.Name), `"'[]`)
	}
	return d, true
}

// whole is a definition with export and decorators in front of it.
func whole(t *treesitter.Tree, i int32) int32 {
	if p := t.Nodes[i].Parent; p >= 0 && t.Kind(p) == "export_statement" {
		return p
	}
	for b := calls.Before(t, i); b >= 0 && t.Kind(b) == "decorator"; b = calls.Before(t, b) {
		i = b
	}
	return i
}

func private(t *treesitter.Tree, i, name int32) bool {
	m := calls.OfKind(t, i, "accessibility_modifier")
	return m >= 0 && t.Text(m) == "private" || t.Kind(name) == "private_property_identifier"
}

// maxWrapping bounds the parentheses and casts around a function.
const maxWrapping = 4

// assigned is a function expression, called as what holds it.
func assigned(t *treesitter.Tree, i int32) (calls.Definition, bool) {
	d := calls.Definition{Node: i, Name: t.Child(i, "name"), Own: max(0, t.Child(i, "name")), Body: t.Child(i, "body")}
	p := t.Nodes[i].Parent
	for n := 0; n < maxWrapping && p >= 0; n++ {
		if kind := t.Kind(p); kind != "parenthesized_expression" && kind != "as_expression" && kind != "satisfies_expression" {
			break
		}
		p = t.Nodes[p].Parent
	}
	if p < 0 {
		return d, d.Name >= 0
	}
	switch t.Kind(p) {
	case "variable_declarator":
		if name := t.Child(p, "name"); name >= 0 && t.Kind(name) == "identifier" {
			d.Name, d.Node = name, p
			if list := t.Nodes[p].Parent; list >= 0 && alone(t, list, p) {
				d.Node = whole(t, list)
			}
		}
	case "public_field_definition", "field_definition":
		if name := max(t.Child(p, "name"), t.Child(p, "property")); name >= 0 {
			d.Name, d.Node, d.Local = name, whole(t, p), private(t, p, name)
		}
	case "pair":
		if key := t.Child(p, "key"); key >= 0 && t.Kind(key) != "computed_property_name" {
			d.Name, d.Node, d.Called = key, p, unquoted(t.Text(key))
		}
	case "assignment_expression":
		left := t.Child(p, "left")
		if left >= 0 && t.Kind(left) == "identifier" {
			d.Name, d.Node = left, p
		} else if left >= 0 && t.Kind(left) == "member_expression" {
			object, property := t.Child(left, "object"), t.Child(left, "property")
			if object >= 0 && property >= 0 {
				d.Name, d.Node = property, p
				if text := t.Text(object); text != "this" && len(text) < maxSpecifier && !strings.ContainsAny(text, "()[]{}\n'\"`") {
					d.Within = text
				}
			}
		}
	case "export_statement":
		if d.Name < 0 {
			d.Name, d.Called = i, importDefault
		}
		d.Node = p
	}
	return d, d.Name >= 0
}

// alone reports whether a declaration declares but one variable.
func alone(t *treesitter.Tree, list, declarator int32) bool {
	before := calls.Before(t, declarator)
	if kind := t.Kind(list); kind != "lexical_declaration" && kind != "variable_declaration" || before >= 0 && t.Kind(before) == "," {
		return false
	}
	next := t.Nodes[declarator].Next
	return next >= t.Nodes[list].Next || t.Kind(next) != ","
}

func called(t *treesitter.Tree, i int32) (calls.Call, bool) {
	c, ok := calls.Calling("function", "arguments", calls.Plain)(t, i)
	if ok && c.Callee >= 0 && t.Kind(c.Callee) == "super" {
		c.Of = calls.BaseClass
	}
	return c, ok
}

// decoration is a decorator without arguments, which calls what it names.
func decoration(t *treesitter.Tree, i int32) (calls.Call, bool) {
	c := calls.First(t, i)
	if c < 0 || t.Kind(c) == "call_expression" {
		return calls.Call{}, false
	}
	return calls.Call{Callee: c, Args: 1}, true
}

// importedFrom is where an import brings a name from.
func importedFrom(_ *bind.File, im *bind.Import, rest string) calls.Outside {
	if im.Path == "" || strings.HasPrefix(im.Path, ".") {
		return calls.Outside{} // of the repository, and not there
	}
	name := rest
	if im.Name != "" && im.Name != importNamespace && (im.Name != importDefault || rest == "") {
		name = im.Name
		if rest != "" {
			name += "." + rest
		}
	}
	bare, node := strings.CutPrefix(im.Path, "node:")
	top, _, _ := strings.Cut(bare, "/")
	return calls.Outside{Module: im.Path, Name: name, System: node || nodeModules[top]}
}

// Exported implements [calls.Exporter].
func (l *linker) Exported(module, name string) []bind.Target {
	return l.modules.export(module, name, 0)
}
