package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// maxHolding bounds the statements of a list that narrow names for the rest of it.
const maxHolding = 64

func (b *binder) statements(at int32) {
	opened := 0 // scopes in which facts hold to the end
	for c := range b.t.Children(at) {
		if !b.named(c) {
			continue
		}
		b.statement(c)
		if opened < maxHolding && b.Scope() != 0 && b.narrow(b.afterwards(c)) {
			opened++
		}
	}
	for range opened {
		b.Close()
	}
}

// statement describes a statement, or whatever else stands where one may stand.
func (b *binder) statement(at int32) {
	if !b.deeper() {
		b.nesting--
		return
	}
	defer func() { b.nesting-- }()
	switch b.t.Kind(at) {
	case "comment", "empty_statement", "break_statement", "continue_statement", "debugger_statement", "hash_bang_line":
	case "import_statement":
		b.imports(at)
	case "import_alias":
		b.importAlias(at)
	case "export_statement":
		b.export(at)
	case "lexical_declaration", "variable_declaration":
		b.variables(at)
	case "function_declaration", "generator_function_declaration", "function_signature":
		b.functionStatement(at)
	case "class_declaration", "abstract_class_declaration", "class":
		b.class(at, b.text(at, "name"))
	case "interface_declaration":
		b.interfaceType(at)
	case "type_alias_declaration":
		b.alias(at)
	case "enum_declaration":
		b.enum(at)
	case "ambient_declaration":
		for c := range b.t.Children(at) {
			switch {
			case b.t.Kind(c) == "statement_block": // declare global: seen everywhere
				b.within(0, func() { b.statements(c) })
			case b.named(c):
				b.statement(c)
			}
		}
	case "internal_module", "module":
		b.namespace(at)
	case "statement_block", "switch_body":
		b.block(func() { b.statements(at) })
	case "if_statement":
		b.ifStatement(at)
	case "for_statement":
		b.block(func() { b.statements(at) })
	case "for_in_statement":
		b.forIn(at)
	case "labeled_statement":
		if body := b.child(at, "body"); b.named(body) {
			b.statement(body)
		}
	case "catch_clause":
		b.block(func() {
			var typ bind.ExprID
			if annotation := b.child(at, "type"); annotation != treesitter.NoNode {
				typ = b.annotation(annotation)
			}
			b.pattern(b.child(at, "parameter"), typ)
			if body := b.child(at, "body"); b.named(body) {
				b.statements(body)
			}
		})
	case "return_statement":
		if x := b.only(at); x != treesitter.NoNode {
			b.returns(b.expr(x, b.wanted))
		}
	case "else_clause", "try_statement", "finally_clause", "while_statement", "do_statement", "switch_statement",
		"switch_case", "switch_default", "with_statement", "expression_statement", "throw_statement", "ERROR":
		b.statements(at)
	default:
		b.expr(at, 0)
	}
}

func (b *binder) text(at int32, field string) string {
	if c := b.child(at, field); c != treesitter.NoNode {
		return b.t.Text(c)
	}
	return ""
}

func (b *binder) variables(at int32) {
	declare := func() {
		for c := range b.t.Children(at) {
			if b.t.Kind(c) == "variable_declarator" {
				b.declarator(c)
			}
		}
	}
	if b.t.Kind(at) == "variable_declaration" {
		b.hoist(declare)
		return
	}
	declare()
}

// hoist declares in the function around. What stands beside the names is looked up
// there too, which only shadowing could tell apart.
func (b *binder) hoist(declare func()) { b.within(b.hoisted, declare) }

func (b *binder) declarator(at int32) {
	name, value := b.child(at, "name"), b.child(at, "value")
	var typ, x bind.ExprID
	if annotation := b.child(at, "type"); annotation != treesitter.NoNode {
		typ = b.annotation(annotation)
	}
	if value != treesitter.NoNode {
		if b.t.Kind(name) == "array_pattern" && b.t.Kind(value) == "array" {
			x = b.tuple(value)
		} else {
			x = b.expr(value, typ)
		}
	}
	typed := b.child(at, "type") != treesitter.NoNode
	if typed {
		x = 0
	}
	if b.t.Kind(name) == "identifier" {
		text := b.t.Text(name)
		if !typed && value == treesitter.NoNode {
			b.auto[place{b.Scope(), text}] = true // by its assignments
			x = b.Expr(bind.Expr{Op: bind.Null})
		}
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: b.start(name), Type: typ, Value: x})
		return
	}
	if typed {
		x = typ
	}
	b.pattern(name, x)
}

func (b *binder) forIn(at int32) {
	b.block(func() {
		right := b.child(at, "right")
		var x bind.ExprID
		if right != treesitter.NoNode {
			x = b.expr(right, 0)
		}
		switch {
		case !b.has(at, "of"):
			x = b.literal("String")
		case x != 0:
			x = b.Expr(bind.Expr{Op: bind.Elem, X: x})
			if b.has(at, "await") {
				x = b.await(x)
			}
		}
		if left := b.child(at, "left"); left != treesitter.NoNode {
			switch {
			case b.has(at, "var"):
				b.hoist(func() { b.pattern(left, x) })
			case b.has(at, "const"), b.has(at, "let"):
				b.pattern(left, x)
			default:
				b.assign(left, x)
			}
		}
		if body := b.child(at, "body"); b.named(body) {
			b.statement(body)
		}
	})
}
