package kotlin

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

const (
	maxName  = 1000 // bytes of a dotted name; no compiler takes longer ones
	maxFiles = 200  // that declare one name
)

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["definition.module"] {
		f.Module = dotted(t, i)
	}
	for _, i := range m["import"] {
		if im := importOf(t, i); im.Path != "" {
			f.Imports = append(f.Imports, im)
		}
	}
	for _, i := range m["declared"] {
		f.Declares = append(f.Declares, full(f.Module, name(t.Text(i))))
	}
	for _, kind := range []string{"reference.name", "reference.type"} {
		for _, i := range m[kind] {
			f.Identifiers = append(f.Identifiers, name(t.Text(i)))
		}
	}
	f.Declares = unique(f.Declares)
	f.Identifiers = unique(f.Identifiers)
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// name is an identifier without the quotes that let it be any text.
func name(text string) string { return strings.Trim(text, "`") }

func full(module, name string) string {
	if module == "" {
		return name
	}
	return module + "." + name
}

// dotted is the name in a package header or an import, "" for an odd one.
func dotted(t *treesitter.Tree, at int32) string {
	for c := range t.Children(at) {
		if t.Kind(c) != "identifier" {
			continue
		}
		var parts []string
		for p := range t.Children(c) {
			if t.Kind(p) == "simple_identifier" {
				parts = append(parts, name(t.Text(p)))
			}
		}
		if whole := strings.Join(parts, "."); len(whole) <= maxName {
			return whole
		}
	}
	return ""
}

// importOf reads an import. Names holds "*" for all of a package or class, or the
// name it is given here.
func importOf(t *treesitter.Tree, at int32) lang.Import {
	im := lang.Import{Path: dotted(t, at)}
	for c := range t.Children(at) {
		switch t.Kind(c) {
		case "wildcard_import":
			im.Names = []string{"*"}
		case "import_alias":
			for a := range t.Children(c) {
				if k := t.Kind(a); k == "type_identifier" || k == "simple_identifier" {
					im.Names = []string{name(t.Text(a))}
				}
			}
		}
	}
	return im
}

func all(im lang.Import) bool { return len(im.Names) == 1 && im.Names[0] == "*" }
