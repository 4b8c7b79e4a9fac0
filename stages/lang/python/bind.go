package python

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// maxNesting bounds how deep nodes are followed; what lies deeper is not known.
const maxNesting = 500

// binder makes a [bind.File] of a tree. What pylint does not follow, though it is
// known, it writes as [bind.Split].
type binder struct {
	*bind.Builder
	t     *treesitter.Tree
	depth int

	class       *class          // whose body is being read, nil inside functions
	function    *function       // nil at the top level and in class bodies there
	postponed   bool            // annotations are not evaluated
	guarded     bool            // the nearest try handles AttributeError
	comprehends int32           // where the comprehension starts that is being read, plus 1
	blanks      map[string]bool // of what pylint knows nothing where the walk is
	library     bool            // declared types hold in both modes
	caught      string          // what the nearest except clause calls the exception
}

// bindFile describes a file.
func bindFile(path string, t *treesitter.Tree) *bind.File {
	b := &binder{Builder: bind.NewBuilder(path), t: t, blanks: map[string]bool{}}
	return b.file()
}

func (b *binder) file() *bind.File {
	for i := range b.t.Roots() {
		b.block(i)
	}
	return b.Done()
}

// node is a child of i in a field that is there, else false.
func (b *binder) node(i int32, field string) (int32, bool) {
	c := b.t.Child(i, field)
	return c, c != treesitter.NoNode
}

func (b *binder) start(i int32) int32 { return int32(b.t.Nodes[i].Start) }
func (b *binder) end(i int32) int32   { return int32(b.t.Nodes[i].End) }

// named are the named children of a node, without comments.
func (b *binder) named(i int32) []int32 {
	var out []int32
	for c := range b.t.Children(i) {
		if b.t.Nodes[c].Named() && b.t.Kind(c) != "comment" {
			out = append(out, c)
		}
	}
	return out
}

// block reads the statements below a node.
func (b *binder) block(i int32) {
	if b.depth >= maxNesting {
		return
	}
	b.depth++
	for c := range b.t.Children(i) {
		b.statement(c)
	}
	b.depth--
}

// branch reads the statements below a node, which may not run.
func (b *binder) branch(i int32) {
	b.Open(bind.BranchScope, 0)
	b.block(i)
	b.Close()
}

// open opens one of the branches of statement i of which only one runs.
func (b *binder) open(i int32) {
	b.File.Scopes[b.Open(bind.BranchScope, 0)].Group = b.start(i) + 1
}

func (b *binder) statement(i int32) {
	switch b.t.Kind(i) {
	case "future_import_statement":
		for _, c := range b.named(i) {
			b.postponed = b.postponed || b.t.Text(c) == "annotations"
		}
	case "import_statement", "import_from_statement":
		for _, im := range bindings(b.t, i) {
			b.Import(im.Import, im.name, b.start(im.node))
		}
	case "class_definition", "function_definition":
		b.definition(i, nil)
	case "decorated_definition":
		b.decorated(i)
	case "return_statement":
		b.returns(i)
	case "for_statement":
		b.loop(i)
	case "while_statement":
		b.while(i)
	case "if_statement":
		b.conditional(i)
	case "with_statement":
		b.with(i)
	case "try_statement":
		b.try(i)
	case "match_statement":
		b.match(i)
	case "delete_statement":
		b.deletes(i)
	case "global_statement":
		b.globals(i)
	case "nonlocal_statement":
	case "expression_statement", "module", "block", "ERROR":
		b.block(i)
	case "type_alias_statement":
		b.alias(i)
	case "comment":
	default:
		b.expr(i)
	}
}

// alias reads type X = T.
func (b *binder) alias(i int32) {
	parts := b.named(i)
	if len(parts) != 2 {
		b.walk(i)
		return
	}
	of := b.annotation(parts[1])
	b.Declare(bind.Decl{
		Name: b.t.Text(parts[0]), Kind: bind.Var, Start: b.start(parts[0]), From: b.end(i),
		Value: b.Split(0, b.Expr(bind.Expr{Op: bind.TypeOf, X: of})),
	})
}

// globals notes the names that a function shares with the file. Names of the
// functions around it are its own to pylint.
func (b *binder) globals(i int32) {
	if b.function != nil {
		for _, c := range b.named(i) {
			b.function.globals[b.t.Text(c)] = true
		}
	}
}

// deletes reads del: what a name had before is gone.
func (b *binder) deletes(i int32) {
	for _, c := range b.named(i) {
		targets := []int32{c}
		if kind := b.t.Kind(c); kind == "expression_list" || kind == "tuple" {
			targets = b.named(c)
		}
		for _, target := range targets {
			b.expr(target)
			if b.t.Kind(target) == "identifier" {
				b.variable(target, 0, b.end(i))
			}
		}
	}
}
