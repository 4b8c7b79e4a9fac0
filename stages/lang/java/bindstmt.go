package java

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// statements walks the statements of a block, or of whatever else holds some.
func (b *binder) statements(i int32) {
	if i == treesitter.NoNode {
		return
	}
	for c := range b.t.Children(i) {
		b.statement(c)
	}
}

// walk looks into a node for what names are in it; its value is of no interest.
func (b *binder) walk(i int32) {
	if i != treesitter.NoNode {
		b.statement(i)
	}
}

// inside walks the children of a node.
func (b *binder) inside(i int32) {
	for c := range b.t.Children(i) {
		b.walk(c)
	}
}

func (b *binder) statement(i int32) {
	if !b.t.Nodes[i].Named() {
		return
	}
	defer b.shallower()
	if !b.deeper() {
		return
	}
	switch kind := b.t.Kind(i); kind {
	case "package_declaration":
		b.File.Module, _ = dotted(b.t, i)
	case "import_declaration":
		b.imported(i)
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		b.class(i)
	case "method_declaration": // of a file without a class, or amid errors
		b.method(i, b.text(b.t.Child(i, "name"))+call, false)
	case "field_declaration", "local_variable_declaration":
		b.variables(i, bind.Var)
	case "block", "constructor_body", "static_initializer", "switch_block_statement_group":
		b.block(func() { b.inside(i) })
	case "if_statement", "while_statement", "do_statement", "for_statement", "switch_rule":
		b.scoped(i)
	case "enhanced_for_statement":
		b.block(func() { b.forEach(i) })
	case "try_with_resources_statement", "catch_clause":
		b.block(func() { b.inside(i) })
	case "resource", "catch_formal_parameter":
		b.resource(i)
	case "return_statement":
		b.returned(i)
	case "yield_statement":
		v := b.value(b.child1(i), target{})
		if b.yield != nil {
			*b.yield = append(*b.yield, v)
		}
	case "labeled_statement":
		for c := range b.t.Children(i) {
			if b.t.Kind(c) != "identifier" {
				b.walk(c)
			}
		}
	case "break_statement", "continue_statement":
	case "annotation", "marker_annotation":
		b.annotation(i)
	case "explicit_constructor_invocation":
		b.walk(b.t.Child(i, "object"))
		b.arguments(b.t.Child(i, "arguments"), b.Expr(bind.Expr{Op: bind.Call}))
	case "line_comment", "block_comment":
	case "program", "modifiers", "expression_statement", "throw_statement", "assert_statement", "synchronized_statement",
		"try_statement", "finally_clause", "resource_specification", "ERROR", "throws", "switch_block":
		b.inside(i)
	default:
		if isType(kind) {
			b.typ(i)
			return
		}
		b.value(i, target{})
	}
}

// child1 is the first named child.
func (b *binder) child1(i int32) int32 {
	for c := range b.t.Children(i) {
		if n := &b.t.Nodes[c]; n.Named() && b.t.Kind(c) != "line_comment" && b.t.Kind(c) != "block_comment" {
			return c
		}
	}
	return treesitter.NoNode
}

// scoped walks a statement whose condition may bind names that count within it.
// A pattern that is negated binds them for what follows instead.
func (b *binder) scoped(i int32) {
	if b.t.Kind(i) == "if_statement" && b.negated(b.t.Child(i, "condition")) {
		b.inside(i)
		return
	}
	b.block(func() { b.inside(i) })
}

// negated reports whether a condition holds "!(x instanceof Type name)".
func (b *binder) negated(i int32) bool {
	if i == treesitter.NoNode {
		return false
	}
	for c := range b.t.Inside(i) {
		if b.t.Kind(c) == "instanceof_expression" && b.t.Child(c, "name") != treesitter.NoNode {
			for p := b.t.Nodes[c].Parent; p > i; p = b.t.Nodes[p].Parent {
				if b.t.Kind(p) == "unary_expression" {
					return true
				}
			}
		}
	}
	return false
}

func (b *binder) forEach(i int32) {
	b.walk(b.child(i, "modifiers"))
	name := b.t.Child(i, "name")
	d := bind.Decl{Name: b.text(name), Kind: bind.Var, Start: b.start(max(name, 0))}
	d.Type = b.Of(b.array(b.typ(b.t.Child(i, "type")), b.text(b.t.Child(i, "dimensions"))))
	over := b.value(b.t.Child(i, "value"), target{})
	d.Value = b.Expr(bind.Expr{Op: bind.Elem, X: over})
	b.Declare(d)
	b.walk(b.t.Child(i, "body"))
}

// resource declares what the head of a try, or a catch, gives a name to.
func (b *binder) resource(i int32) {
	name := b.t.Child(i, "name")
	if name == treesitter.NoNode {
		b.inside(i) // a variable from before
		return
	}
	b.walk(b.child(i, "modifiers"))
	if types := b.child(i, "catch_type"); types != treesitter.NoNode {
		var all []bind.ExprID
		for c := range b.t.Children(types) {
			if isType(b.t.Kind(c)) {
				all = append(all, b.Of(b.typ(c)))
			}
		}
		op := bind.Common
		if len(all) == 1 {
			op = bind.Union
		}
		b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Param, Start: b.start(name), Type: b.Expr(bind.Expr{Op: op, Args: all})})
		return
	}
	b.variable(i, b.typ(b.t.Child(i, "type")), bind.Var)
}

func (b *binder) returned(i int32) {
	if b.body == nil {
		b.inside(i)
		return
	}
	if at := b.child1(i); at != treesitter.NoNode {
		v := b.value(at, target{typ: b.body.result})
		b.body.returns = append(b.body.returns, v)
	}
}

// annotation walks the arguments of an annotation. Its elements are members of
// the annotation's type.
func (b *binder) annotation(i int32) {
	args := b.t.Child(i, "arguments")
	if args == treesitter.NoNode {
		return
	}
	typ := b.annotationType(b.t.Child(i, "name"))
	for c := range b.t.Children(args) {
		if b.t.Kind(c) != "element_value_pair" {
			b.walk(c)
			continue
		}
		if key := b.t.Child(c, "key"); key != treesitter.NoNode {
			b.Ref(b.Expr(bind.Expr{Op: bind.Select, X: typ, Name: b.text(key) + call, Scope: b.Scope(), Start: b.start(key), Static: unreported}))
		}
		b.walk(b.t.Child(c, "value"))
	}
}

func (b *binder) annotationType(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	name := b.text(i)
	if b.t.Kind(i) == "identifier" {
		return b.silent(name, b.start(i))
	}
	if fullType(name) == name {
		return b.fullName(name, b.start(i))
	}
	return b.Expr(bind.Expr{Op: bind.Select, X: b.annotationType(b.t.Child(i, "scope")), Name: b.text(b.t.Child(i, "name")), Scope: b.Scope(), Start: b.start(i)})
}
