package csharp

import (
	"fmt"
	"strings"

	"benchmill/internal/treesitter"
)

// A declared type or namespace is what a stand-in has of one: its name and what it
// is, and the types inside.
type declared struct {
	keyword string // class, struct, interface, enum, delegate, namespace, using
	name    string
	params  string // "<T>", without variance and attributes
	partial bool
	text    string // of a delegate or directive: what makes it up, its types included
	inner   []*declared
}

var typeKeywords = map[string]string{
	"class_declaration": "class", "record_declaration": "class", "struct_declaration": "struct", "record_struct_declaration": "struct",
	"interface_declaration": "interface", "enum_declaration": "enum", "delegate_declaration": "delegate",
	"namespace_declaration": "namespace", "file_scoped_namespace_declaration": "namespace",
}

// outline lists the types and namespaces of a file.
func outline(t *treesitter.Tree) []*declared {
	root := &declared{}
	for r := range t.Roots() {
		root.collect(t, r, 0)
	}
	return root.inner
}

func (d *declared) collect(t *treesitter.Tree, i int32, depth int) {
	to := d
	for c := range t.Children(i) {
		keyword := typeKeywords[t.Kind(c)]
		switch {
		case depth > 2*maxNesting:
		case t.Kind(c) == "using_directive":
			to.inner = append(to.inner, &declared{keyword: "using", text: t.Text(c)})
		case keyword == "":
			if k := t.Kind(c); k == "declaration_list" || strings.HasPrefix(k, "preproc") || k == "ERROR" {
				to.collect(t, c, depth+1)
			}
		default:
			x := newDeclared(t, c, keyword)
			to.inner = append(to.inner, x)
			x.collect(t, c, depth+1)
			if t.Kind(c) == "file_scoped_namespace_declaration" {
				to = x
			}
		}
	}
}

func newDeclared(t *treesitter.Tree, i int32, keyword string) *declared {
	d := &declared{keyword: keyword}
	if n := t.Child(i, "name"); n != treesitter.NoNode {
		d.name = t.Text(n)
	}
	for c := range t.Children(i) {
		switch t.Kind(c) {
		case "modifier":
			d.partial = d.partial || t.Text(c) == "partial"
		case "type_parameter_list":
			var names []string
			for p := range t.Children(c) {
				if n := t.Child(p, "name"); n != treesitter.NoNode {
					names = append(names, t.Text(n))
				}
			}
			d.params = "<" + strings.Join(names, ", ") + ">"
		}
	}
	if keyword == "delegate" {
		typ, params := t.Child(i, "type"), t.Child(i, "parameters")
		if typ != treesitter.NoNode && params != treesitter.NoNode {
			d.text = t.Text(typ) + " " + d.name + d.params + t.Text(params)
		}
	}
	return d
}

// write writes the stand-ins of types that have none yet: empty, but for the types
// inside. Delegates have no members to lose and stay, with the directives that
// show what they name; bare, only their names do. An exception that is none cannot be caught or
// thrown, nor an attribute put anywhere, so these stay what their names say.
func (d *declared) write(w *strings.Builder, around string, seen map[string]bool, bare bool) {
	key := around + d.name + d.params
	switch {
	case d.keyword == "using" && !bare:
		w.WriteString(d.text + "\n")
		return
	case d.name == "":
		return
	case d.keyword == "namespace":
		fmt.Fprintf(w, "namespace %s {\n", d.name)
		for _, x := range d.inner {
			x.write(w, key+".", seen, bare)
		}
		w.WriteString("}\n")
		return
	case seen[key] && !d.partial:
		return
	}
	seen[key] = true
	access := "public "
	if d.partial {
		access = "partial " // parts without access agree with any
	}
	switch d.keyword {
	case "delegate":
		text := d.text
		if bare || text == "" {
			text = "void " + d.name + d.params + "()"
		}
		fmt.Fprintf(w, "%sdelegate %s;\n", access, text)
		return
	case "class":
		base := ""
		for _, end := range []string{"Exception", "Attribute"} {
			if strings.HasSuffix(d.name, end) && !d.partial {
				base = " : System." + end
			}
		}
		fmt.Fprintf(w, "%sclass %s%s%s {\n", access, d.name, d.params, base)
	default:
		fmt.Fprintf(w, "%s%s %s%s {\n", access, d.keyword, d.name, d.params)
	}
	for _, x := range d.inner {
		x.write(w, key+"+", seen, bare)
	}
	w.WriteString("}\n")
}

// mention notes the types of a file, so that nothing stands in for them.
func (d *declared) mention(around string, seen map[string]bool) {
	key := around + d.name + d.params
	separator := "+"
	if d.keyword == "namespace" {
		separator = "."
	} else {
		seen[key] = true
	}
	for _, x := range d.inner {
		x.mention(key+separator, seen)
	}
}
