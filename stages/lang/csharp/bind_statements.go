package csharp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// visit reads a node of any kind. The value is that of an expression, or 0.
func (b *binder) visit(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	switch b.kind(i) {
	case "using_directive":
		b.using(i)
	case "namespace_declaration", "file_scoped_namespace_declaration":
		b.namespace(i)
	case "class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "record_struct_declaration", "enum_declaration":
		b.class(i)
	case "delegate_declaration":
		b.delegate(i)
	case "attribute":
		b.attribute(i)
	case "method_declaration", "local_function_statement":
		b.method(i)
	case "constructor_declaration":
		b.function(i, bind.Decl{Name: "constructor", Start: b.start(i), Constructor: true}, treesitter.NoNode)
	case "destructor_declaration", "operator_declaration", "conversion_operator_declaration":
		b.function(i, bind.Decl{Name: "~", Start: b.start(i), Static: true}, b.child(i, "type"))
	case "property_declaration", "event_declaration", "indexer_declaration":
		b.property(i)
	case "field_declaration", "event_field_declaration":
		b.attributes(i)
		b.variables(b.first(i, "variable_declaration"), bind.Decl{Kind: bind.Member, Static: b.modified(i, "static", "const")})
	case "enum_member_declaration":
		b.enumMember(i)
	case "variable_declaration":
		b.variables(i, bind.Decl{Kind: bind.Var})
	case "block", "for_statement", "using_statement", "fixed_statement", "catch_clause", "switch_section", "while_statement", "do_statement":
		b.scoped(i)
	case "if_statement":
		b.branch(i)
	case "foreach_statement":
		b.foreach(i)
	case "lock_statement":
		b.hide(b.onlyBefore(i), b.onlyChild(i))
		b.children(i)
	case "switch_statement":
		was := b.subject
		b.subject = b.visit(b.child(i, "value"))
		b.hide(b.child(i, "value"), b.child(i, "body"))
		b.Open(bind.BlockScope, 0)
		b.visit(b.child(i, "body"))
		b.Close()
		b.subject = was
	case "catch_declaration":
		b.named(i)
	case "return_statement", "yield_statement":
		b.giveBack(i)
	case "labeled_statement":
		b.visit(b.onlyChild(i))
	case "goto_statement", "comment", "modifier", "type_parameter_list", "type_parameter_constraints_clause":
	default:
		return b.expression(i)
	}
	return 0
}

// onlyBefore is the named child before the last one.
func (b *binder) onlyBefore(i int32) int32 {
	last := b.onlyChild(i)
	before := treesitter.NoNode
	for c := range b.t.Children(i) {
		if c != last && b.t.Nodes[c].Named() && b.kind(c) != "comment" {
			before = c
		}
	}
	return before
}

// branch reads an if statement. What its condition names is seen after it too,
// but not what that of another branch names.
func (b *binder) branch(i int32) {
	other := b.child(i, "alternative")
	for c := range b.t.Children(i) {
		if c == other {
			b.Open(bind.BlockScope, 0)
			b.visit(c)
			b.Close()
		} else if b.t.Nodes[c].Named() {
			b.visit(c)
		}
	}
}

func (b *binder) foreach(i int32) {
	b.Open(bind.BlockScope, 0)
	source := b.visit(b.child(i, "right"))
	element := b.Expr(bind.Expr{Op: bind.Elem, X: source})
	typ := b.typeValue(b.child(i, "type"))
	if left := b.child(i, "left"); b.kind(left) == "tuple_pattern" {
		b.destructure(left, element)
	} else if left != treesitter.NoNode {
		text, at := b.name(left)
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: typ, Value: element})
	}
	body := b.child(i, "body")
	b.hideFrom(b.child(i, "right"), source, body)
	b.visit(body)
	b.Close()
}

// named declares a variable with a type and a name, which may be missing.
func (b *binder) named(i int32) {
	typ := b.typeValue(b.child(i, "type"))
	if name := b.child(i, "name"); b.kind(name) == "identifier" {
		text, at := b.name(name)
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: typ})
	}
}

func (b *binder) giveBack(i int32) {
	c := b.onlyChild(i)
	if c == treesitter.NoNode {
		return
	}
	if b.kind(i) == "yield_statement" {
		b.visit(c)
		return
	}
	b.returns = append(b.returns, b.as(c, b.result))
}
