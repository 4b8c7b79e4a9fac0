package java

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

const (
	maxName    = 1000 // bytes of a dotted name; no compiler takes longer ones
	maxNesting = 16   // of types in types
)

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["text"] {
		text := lang.Span{Start: int(t.Nodes[i].Start), End: int(t.Nodes[i].End)}
		f.Comments = slices.DeleteFunc(f.Comments, func(c lang.Span) bool { return c == text })
	}
	for _, i := range m["definition.module"] {
		f.Module, _ = dotted(t, i)
	}
	for _, i := range m["import"] {
		if im, ok := importOf(t, i); ok {
			f.Imports = append(f.Imports, im)
		}
	}
	f.Declares = declares(t, m["type"], f.Module)
	f.Identifiers = identifiers(t.Source)
}

// importOf is the import that a declaration makes.
func importOf(t *treesitter.Tree, i int32) (lang.Import, bool) {
	im := lang.Import{Kind: "import"}
	var all bool
	if im.Path, all = dotted(t, i); im.Path == "" {
		return im, false
	}
	if all {
		im.Names = []string{"*"}
	}
	for c := range t.Children(i) {
		if t.Kind(c) == "static" {
			im.Kind = "static"
		}
	}
	return im, true
}

// dotted is the name in a package or import declaration, without what may stand
// between its parts, and whether it ends in a star.
func dotted(t *treesitter.Tree, at int32) (name string, all bool) {
	var parts []string
	for c := range t.Children(at) {
		switch t.Kind(c) {
		case "asterisk":
			all = true
		case "identifier", "scoped_identifier": // not an annotation, which packages have
			for i := c; i < t.Nodes[c].Next; i++ {
				if t.Kind(i) == "identifier" && t.Text(i) != "" {
					parts = append(parts, t.Text(i))
				}
			}
		}
	}
	if name = strings.Join(parts, "."); len(name) > maxName {
		return "", false
	}
	return name, all
}

// declares lists types that other files can name, those inside types included,
// those inside methods not.
func declares(t *treesitter.Tree, types []int32, module string) []string {
	type known struct {
		name  string // "" for a type nobody can name
		depth int
	}
	seen := make(map[int32]known, len(types))
	var out []string
	for _, at := range types {
		name := t.Child(at, "name")
		k := known{t.Text(name), 1}
		if module != "" {
			k.name = module + "." + k.name
		}
		for above := t.Nodes[at].Parent; above != treesitter.NoNode; above = t.Nodes[above].Parent {
			if t.Kind(above) == "method_declaration" {
				k = known{}
				break
			}
			if outer, ok := seen[above]; ok {
				k = known{outer.name + "." + t.Text(name), outer.depth + 1}
				if outer.name == "" || outer.depth == maxNesting {
					k = known{}
				}
				break
			}
		}
		seen[at] = k
		if k.name != "" && len(k.name) <= maxName {
			out = append(out, k.name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
