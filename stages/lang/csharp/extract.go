package csharp

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

const (
	maxName    = 1000 // bytes of a dotted name; no compiler takes longer ones
	maxNesting = 16   // of types in types, and of namespaces in namespaces
)

// Kinds of imports. A using directive is one of the first three, "global " in
// front when it counts for the whole project; Names holds an alias. A namespace
// that code of the file stands in is an import too, for it shows its types.
const (
	using     = "using"
	static    = "static"
	alias     = "alias"
	namespace = "namespace"
	global    = "global "
)

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["import"] {
		if im := directive(t, i); im.Path != "" {
			f.Imports = append(f.Imports, im)
		}
	}
	namespaces, declared := declares(t, m)
	for _, name := range namespaces {
		f.Imports = append(f.Imports, lang.Import{Kind: namespace, Path: name})
	}
	if len(namespaces) > 0 {
		f.Module = namespaces[0]
	}
	f.Declares = declared
	f.Identifiers = identifiers(t.Source)
}

// directive reads a using directive.
func directive(t *treesitter.Tree, at int32) lang.Import {
	im := lang.Import{Kind: using}
	name := t.Child(at, "name")
	prefix := ""
	for c := range t.Children(at) {
		switch kind := t.Kind(c); {
		case kind == "global":
			prefix = global
		case kind == "static":
			im.Kind = static
		case c == name:
			im.Kind, im.Names = alias, []string{t.Text(c)}
		case kind == "identifier" || kind == "qualified_name" || kind == "alias_qualified_name" || kind == "generic_name":
			im.Path = plain(t.Text(c))
		}
	}
	im.Kind = prefix + im.Kind
	return im
}

// plain is a dotted name without blanks, type arguments and "global::", or ""
// where it is odd.
func plain(name string) string {
	name, _, _ = strings.Cut(strings.Join(strings.Fields(name), ""), "<")
	if _, after, ok := strings.Cut(name, "::"); ok {
		name = after
	}
	if len(name) > maxName || strings.ContainsAny(name, "/(") {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(name, "@", ""), ".")
}

// declares lists the namespaces of a file in source order, and its types: those
// of a namespace as "Namespace.Type", those inside a type as in metadata,
// "Namespace.Type+Inner".
func declares(t *treesitter.Tree, m lang.Matches) (namespaces, types []string) {
	type known struct {
		name   string // "" for one nobody can name, or the global namespace
		isType bool
		depth  int
		lost   bool // too deep or too long
	}
	var file known
	listed := map[string]bool{}
	seen := map[int32]known{}
	containers := append(slices.Clone(m["definition.module"]), m["type"]...)
	slices.Sort(containers)
	for _, at := range containers {
		kind := t.Kind(at)
		isType := kind != "namespace_declaration" && kind != "file_scoped_namespace_declaration"
		k := file
		for above := t.Nodes[at].Parent; above != treesitter.NoNode; above = t.Nodes[above].Parent {
			if outer, ok := seen[above]; ok {
				k = outer
				break
			}
		}
		name := plain(t.Text(t.Child(at, "name")))
		switch {
		case k.isType:
			k.name += "+" + name
		case k.name != "":
			k.name += "." + name
		default:
			k.name = name
		}
		k.isType = isType
		k.depth++
		if k.lost = k.lost || name == "" || k.depth > maxNesting || len(k.name) > maxName; k.lost {
			k.name = ""
		}
		seen[at] = k
		if kind == "file_scoped_namespace_declaration" {
			file = k
		}
		switch {
		case k.lost:
		case isType:
			types = append(types, k.name)
		case !listed[k.name]:
			listed[k.name] = true
			namespaces = append(namespaces, k.name)
		}
	}
	slices.Sort(types)
	return namespaces, slices.Compact(types)
}
