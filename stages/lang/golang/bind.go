package golang

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// Kinds of imports a [linker] understands. A package is what an import
// declaration names. A member is a name of it: Go imports packages, but what
// stands for something are their members, so each that a file selects counts as
// imported for itself. The rest of a type are its methods in other files of the
// package; Path is the name of the type.
const (
	importPackage = "package"
	importMember  = "member"
	importRest    = "rest"
)

// restMark ends the name of the class that holds the methods of a type that
// another file declares, and of the import that means all of those.
const restMark = "+"

// maxDepth bounds the nesting that is understood; code below it is not seen.
const maxDepth = 500

// walker describes one file.
type walker struct {
	*bind.Builder
	t        *treesitter.Tree
	depth    int
	alone    bool
	silent   bool                   // names are not listed: their place was already
	blocks   []block                // the open ones; the first is the file
	used     map[string]bool        // names used in the top-level declaration under way
	packages map[string]string      // import paths by the name of the package here
	members  map[string]bool        // importMember declarations made so far
	split    map[string]bool        // types of other files that this one gives methods
	classes  map[string]bind.DeclID // of the types of the file, and of what it gives those of others
	shapes   map[string]int32       // nodes of the types of named types of the file
	composed map[int32]bind.ExprID
}

// block is a scope with its names. Names that were used before they are declared
// again open one more scope each, so that the earlier use does not see them.
type block struct {
	names map[string]bind.DeclKind
	scope bind.ScopeID // to go back to
	more  int
}

// maxMore bounds the scopes that repeated declarations of one block open.
const maxMore = 64

func bindFile(path string, t *treesitter.Tree) *bind.File { return describe(path, t, false) }

// describe describes a file; alone is one whose package has no other.
func describe(path string, t *treesitter.Tree, alone bool) *bind.File {
	x := &walker{
		Builder: bind.NewBuilder(path), t: t, alone: alone, used: map[string]bool{}, packages: map[string]string{},
		members: map[string]bool{}, split: map[string]bool{}, classes: map[string]bind.DeclID{}, shapes: map[string]int32{}, composed: map[int32]bind.ExprID{},
	}
	x.blocks = []block{{names: map[string]bind.DeclKind{}}}
	var tops []int32
	for root := range t.Roots() {
		for c := range t.Children(root) {
			tops = append(tops, c)
		}
	}
	x.imports(tops)
	x.announce(tops)
	for _, c := range tops { // methods need the types they belong to
		if t.Kind(c) == "type_declaration" {
			x.walk(c)
		}
	}
	for _, c := range tops {
		switch t.Kind(c) {
		case "package_clause":
			x.File.Module = strings.TrimSpace(strings.TrimPrefix(t.Text(c), "package"))
		case "type_declaration", "import_declaration":
		default:
			x.used = map[string]bool{}
			x.walk(c)
		}
	}
	return x.Done()
}

// announce notes what the file declares at its top level, and gives the types of
// other files that get methods here a class to hold them.
func (x *walker) announce(tops []int32) {
	file := x.blocks[0].names
	for _, top := range tops {
		switch x.t.Kind(top) {
		case "function_declaration":
			file[x.text(top, "name")] = bind.Func
		case "type_declaration", "var_declaration", "const_declaration":
			for c := range x.t.Inside(top) {
				switch x.t.Kind(c) {
				case "type_spec", "type_alias":
					if x.t.Nodes[c].Parent == top {
						file[x.text(c, "name")] = bind.Class
						x.shapes[x.text(c, "name")] = x.t.Child(c, "type")
					}
				case "var_spec", "const_spec":
					if p := x.t.Nodes[c].Parent; p == top || x.t.Nodes[p].Parent == top {
						for n := range x.fields(c, "name") {
							file[x.t.Text(n)] = bind.Var
						}
					}
				}
			}
		}
	}
	for _, top := range tops {
		if x.t.Kind(top) != "method_declaration" {
			continue
		}
		_, at := x.receiver(top)
		if at == treesitter.NoNode {
			continue
		}
		name := x.t.Text(at)
		if _, here := file[name]; here || x.split[name] {
			continue
		}
		x.split[name] = true
		class := x.Declare(bind.Decl{Name: name + restMark, Kind: bind.Class, Start: x.start(at)})
		x.classes[name] = class
		x.Open(bind.ClassScope, class)
		x.Close()
		x.Decl(class).Bases = []bind.ExprID{x.hidden(name)}
	}
}

// open opens a scope with names of its own.
func (x *walker) open(kind bind.ScopeKind, decl bind.DeclID) {
	was := x.Scope()
	x.Open(kind, decl)
	x.blocks = append(x.blocks, block{names: map[string]bind.DeclKind{}, scope: was})
}

// close closes it, with those that declarations opened inside it.
func (x *walker) close() {
	last := len(x.blocks) - 1
	x.Enter(x.blocks[last].scope)
	x.blocks = x.blocks[:last]
}

// local declares a name in the innermost block. Declaring it twice there is an
// assignment.
func (x *walker) local(d bind.Decl) bind.DeclID {
	b := &x.blocks[len(x.blocks)-1]
	if d.Name == "_" {
		d.Name = ""
	}
	if _, again := b.names[d.Name]; again && d.Name != "" && d.Kind == bind.Var && len(x.blocks) > 1 {
		return 0
	}
	if x.used[d.Name] && len(x.blocks) > 1 && b.more < maxMore {
		b.more++
		x.Open(bind.BlockScope, 0)
	}
	b.names[d.Name] = d.Kind
	return x.Declare(d)
}

// kind is what a name was declared as in this file, 0 for nothing.
func (x *walker) kind(name string) bind.DeclKind {
	for _, b := range slices.Backward(x.blocks) {
		if k := b.names[name]; k != 0 {
			return k
		}
	}
	return 0
}

// isType reports whether a name is that of a type declared in this file.
func (x *walker) isType(name string) bool {
	k := x.kind(name)
	return k == bind.Class || k == bind.Alias || k == bind.TypeParam
}

// hidden is a name that stands nowhere in the source, or stands there for
// something else.
func (x *walker) hidden(name string) bind.ExprID {
	return x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.Scope()})
}
