package java

import (
	"fmt"

	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// standIn is the empty class that stands in for a type.
type standIn struct {
	name   string
	params int // type parameters
	inside []standIn
}

// standIns are the types of a file that others can name.
func standIns(t *treesitter.Tree) []standIn {
	var out []standIn
	for root := range t.Roots() {
		out = append(out, nestedTypes(t, root, 1)...)
	}
	return out
}

func nestedTypes(t *treesitter.Tree, within int32, depth int) []standIn {
	var out []standIn
	if depth > maxNesting {
		return nil
	}
	for c := range t.Children(within) {
		switch t.Kind(c) {
		case "enum_body_declarations":
			out = append(out, nestedTypes(t, c, depth)...)
		case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
			if name := t.Child(c, "name"); name != treesitter.NoNode && t.Text(name) != "" && !private(t, c) {
				s := standIn{name: t.Text(name)}
				if params := t.Child(c, "type_parameters"); params != treesitter.NoNode {
					for p := range t.Children(params) {
						if t.Kind(p) == "type_parameter" {
							s.params++
						}
					}
				}
				if body := t.Child(c, "body"); body != treesitter.NoNode {
					s.inside = nestedTypes(t, body, depth+1)
				}
				out = append(out, s)
			}
		}
	}
	return out
}

func private(t *treesitter.Tree, i int32) bool {
	for c := range t.Children(i) {
		if t.Kind(c) == "modifiers" {
			for m := range t.Children(c) {
				if t.Kind(m) == "private" {
					return true
				}
			}
		}
	}
	return false
}

// declares lists the types by name, with those around them in front.
func (s standIn) declares(prefix string) []string {
	out := []string{prefix + s.name}
	for _, in := range s.inside {
		out = append(out, in.declares(prefix+s.name+".")...)
	}
	return out
}

func (s standIn) write(b *strings.Builder, modifiers string) {
	b.WriteString(modifiers + "class " + s.name)
	if s.params > 0 {
		params := make([]string, s.params)
		for i := range params {
			params[i] = fmt.Sprintf("T%d", i)
		}
		b.WriteString("<" + strings.Join(params, ", ") + ">")
	}
	b.WriteString(" {")
	for _, in := range s.inside {
		b.WriteString(" ")
		in.write(b, "public static ")
	}
	b.WriteString(" }")
}

// factsOf is what the resolver of dependencies needs to know of a file.
func factsOf(p string, t *treesitter.Tree, types []standIn) *lang.Facts {
	f := &lang.Facts{Path: p, Identifiers: identifiers(t.Source)}
	for root := range t.Roots() {
		for c := range t.Children(root) {
			switch t.Kind(c) {
			case "package_declaration":
				f.Module, _ = dotted(t, c)
			case "import_declaration":
				if im, ok := importOf(t, c); ok {
					f.Imports = append(f.Imports, im)
				}
			}
		}
	}
	for _, s := range types {
		for _, name := range s.declares("") {
			f.Declares = append(f.Declares, inModule(f.Module, name))
		}
	}
	slices.Sort(f.Declares)
	f.Declares = slices.Compact(f.Declares)
	return f
}

func inModule(module, name string) string {
	if module == "" {
		return name
	}
	return module + "." + name
}
