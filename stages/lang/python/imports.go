package python

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// Kinds of imports, as [bind.Import] has them.
const (
	importTop  = "import" // import a.b binds a
	importAs   = "as"     // import a.b as c binds a.b
	importFrom = "from"
)

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["import"] {
		f.Imports = append(f.Imports, imports(t, i)...)
	}
}

// imports reads one import statement: Level counts the dots of a relative
// import, Path is the module, Names are what is taken from it.
func imports(t *treesitter.Tree, at int32) []lang.Import {
	if t.Kind(at) == "import_statement" {
		var out []lang.Import
		for c := range t.Children(at) {
			if m := module(t, c); m != "" {
				out = append(out, lang.Import{Kind: importTop, Path: m})
			}
		}
		return out
	}
	from := t.Child(at, "module_name")
	if from == treesitter.NoNode {
		return nil // from __future__ import ...
	}
	im := lang.Import{Kind: importFrom}
	im.Path, im.Level = origin(t, from)
	for c := range t.Children(at) {
		if name := module(t, c); c != from && name != "" {
			im.Names = append(im.Names, name)
		}
	}
	return []lang.Import{im}
}

// origin is the module that names are taken from, and the dots before it.
func origin(t *treesitter.Tree, from int32) (path string, level int) {
	if t.Kind(from) != "relative_import" {
		return module(t, from), 0
	}
	text := t.Text(from)
	rest := strings.TrimLeft(text, ". \t\\\r\n")
	return rest, strings.Count(text[:len(text)-len(rest)], ".")
}

// module is the dotted name of a dotted_name or of an aliased one.
func module(t *treesitter.Tree, at int32) string {
	switch t.Kind(at) {
	case "dotted_name":
		return strings.Join(strings.Fields(t.Text(at)), "")
	case "aliased_import":
		if n := t.Child(at, "name"); n != treesitter.NoNode {
			return module(t, n)
		}
	}
	return ""
}

// bound is a name that an import statement binds, "" for all of a module.
type bound struct {
	bind.Import
	name string
	node int32 // what it stands in: a dotted_name, an aliased_import or a *
}

// bindings lists what an import statement binds, in source order.
func bindings(t *treesitter.Tree, at int32) []bound {
	var out []bound
	from := t.Child(at, "module_name")
	path, level := "", 0
	if from != treesitter.NoNode {
		path, level = origin(t, from)
	}
	for c := range t.Children(at) {
		name, kind := module(t, c), t.Kind(c)
		alias := t.Child(c, "alias")
		b := bound{node: c, name: name}
		switch {
		case c == from || name == "" && kind != "wildcard_import":
			continue
		case kind == "wildcard_import":
			b.Import = bind.Import{Kind: importFrom, Path: path, Level: level, All: true}
		case t.Kind(at) == "import_from_statement":
			b.Import = bind.Import{Kind: importFrom, Path: path, Level: level, Name: name}
		case alias != treesitter.NoNode:
			b.Import = bind.Import{Kind: importAs, Path: name}
		default:
			b.Import = bind.Import{Kind: importTop, Path: name}
			b.name, _, _ = strings.Cut(name, ".")
		}
		if alias != treesitter.NoNode {
			b.name = t.Text(alias)
		}
		out = append(out, b)
	}
	return out
}
