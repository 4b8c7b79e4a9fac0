package typescript

import "benchmill/internal/treesitter"

// Names that imports take out of a module beside those that it exports as such.
const (
	importDefault   = "default"
	importNamespace = "*" // the module as an object
)

// imported is one name that an import statement binds.
type imported struct {
	local  string // the name in this file
	name   string // what the module calls it, or one of the names above
	at     int32  // node of local
	equals bool   // import local = require(...)
}

// importsOf reads an import statement: the module as written, "" where it cannot
// be known, and the names bound.
func importsOf(t *treesitter.Tree, statement int32) (specifier string, names []imported) {
	source := t.Child(statement, "source")
	for c := range t.Children(statement) {
		switch t.Kind(c) {
		case "import_clause":
			names = clause(t, c)
		case "import_require_clause":
			source = t.Child(c, "source")
			for i := range t.Children(c) {
				if t.Kind(i) == "identifier" {
					names = append(names, imported{t.Text(i), importNamespace, i, true})
				}
			}
		}
	}
	if source == treesitter.NoNode || t.Nodes[source].End-t.Nodes[source].Start > maxSpecifier {
		return "", names
	}
	return literal(t.Text(source)), names
}

func clause(t *treesitter.Tree, at int32) (names []imported) {
	for c := range t.Children(at) {
		switch t.Kind(c) {
		case "identifier":
			names = append(names, imported{t.Text(c), importDefault, c, false})
		case "namespace_import":
			for i := range t.Children(c) {
				if t.Kind(i) == "identifier" {
					names = append(names, imported{t.Text(i), importNamespace, i, false})
				}
			}
		case "named_imports":
			for i := range t.Children(c) {
				if name, local := specifierNames(t, i); name != treesitter.NoNode {
					names = append(names, imported{t.Text(local), t.Text(name), local, false})
				}
			}
		}
	}
	return names
}

// specifierNames are the nodes of an import or export specifier: the name on the
// inside of the module and the one on the outside, which may be the same.
func specifierNames(t *treesitter.Tree, at int32) (name, alias int32) {
	switch t.Kind(at) {
	case "import_specifier", "export_specifier":
		name = t.Child(at, "name")
		if alias = t.Child(at, "alias"); alias == treesitter.NoNode {
			alias = name
		}
		return name, alias
	}
	return treesitter.NoNode, treesitter.NoNode
}
