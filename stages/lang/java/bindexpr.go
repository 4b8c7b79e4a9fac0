package java

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// target is what an expression is written for, which gives the parameters of a
// lambda their types: an argument of a call, or a place of a declared type.
type target struct {
	call bind.ExprID
	arg  int
	typ  bind.ExprID
}

// value is the value of an expression. Everything inside is walked.
func (b *binder) value(i int32, to target) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	defer b.shallower()
	if !b.deeper() {
		return 0
	}
	switch kind := b.t.Kind(i); kind {
	case "identifier":
		if name := b.text(i); name != "" {
			return b.Ref(b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Start: b.start(i), Static: b.heads(i)}))
		}
	case "this":
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	case "super":
		return b.Expr(bind.Expr{Op: bind.Super, Scope: b.Scope()})
	case "field_access":
		return b.field(i)
	case "method_invocation":
		return b.invocation(i, to)
	case "object_creation_expression":
		return b.creation(i, to)
	case "array_creation_expression":
		dimensions := ""
		for c := range b.t.Children(i) {
			switch b.t.Kind(c) {
			case "dimensions_expr":
				dimensions += "["
				b.inside(c)
			case "dimensions":
				dimensions += b.text(c)
			case "array_initializer":
				b.inside(c)
			}
		}
		return b.Of(b.array(b.typ(b.t.Child(i, "type")), dimensions))
	case "array_access":
		x := b.value(b.t.Child(i, "array"), target{})
		b.walk(b.t.Child(i, "index"))
		return b.Expr(bind.Expr{Op: bind.Index, X: x, N: -1})
	case "cast_expression":
		typ := b.Of(b.typ(b.t.Child(i, "type")))
		v := b.value(b.t.Child(i, "value"), target{typ: typ})
		return b.Expr(bind.Expr{Op: bind.Cast, X: typ, Args: []bind.ExprID{v}})
	case "parenthesized_expression":
		return b.value(b.child1(i), to)
	case "assignment_expression":
		left := b.value(b.t.Child(i, "left"), target{})
		b.value(b.t.Child(i, "right"), target{typ: left})
		return left
	case "ternary_expression":
		b.walk(b.t.Child(i, "condition"))
		then := b.value(b.t.Child(i, "consequence"), to)
		return b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{then, b.value(b.t.Child(i, "alternative"), to)}})
	case "lambda_expression":
		return b.lambda(i, to)
	case "method_reference":
		return b.reference(i, to)
	case "switch_expression":
		return b.switched(i, to)
	case "instanceof_expression":
		return b.instanceOf(i)
	case "class_literal":
		return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: b.silent("Class", 0), Args: []bind.ExprID{b.Of(b.typ(b.child1(i)))}}))
	case "string_literal":
		b.inside(i)
		return b.Expr(bind.Expr{Op: bind.Literal, Name: "String"})
	case "null_literal":
		return b.Expr(bind.Expr{Op: bind.Null})
	case "binary_expression", "unary_expression", "update_expression":
		return b.computed(i)
	default:
		b.inside(i)
	}
	return 0
}

// heads reports whether a name begins a longer one, as in a.b.c, of which javac
// says that there is no package a.
func (b *binder) heads(i int32) bool {
	access := b.t.Nodes[i].Parent
	if access == treesitter.NoNode || b.t.Kind(access) != "field_access" || b.t.Child(access, "object") != i {
		return false
	}
	above := b.t.Nodes[access].Parent
	return above != treesitter.NoNode && b.t.Child(above, "object") == access
}

// computed is what an operator makes of its operands.
func (b *binder) computed(i int32) bind.ExprID {
	var operands []bind.ExprID
	for c := range b.t.Children(i) {
		if b.t.Nodes[c].Named() {
			operands = append(operands, b.value(c, target{}))
		}
	}
	return b.Expr(bind.Expr{Op: bind.Computed, Args: operands})
}

// field is "x.field", "Type.this", or a full name.
func (b *binder) field(i int32) bind.ExprID {
	if path := fullType(b.text(i)); path != "" && path == b.text(i) {
		return b.fullName(path, b.start(i))
	}
	object, field := b.t.Child(i, "object"), b.t.Child(i, "field")
	switch b.text(field) {
	case "":
		b.inside(i)
		return 0
	case "this":
		return b.Of(b.typeOf(object))
	}
	x := b.receiver(i, object)
	return b.Select(x, b.text(field), b.start(field))
}

// receiver is what a member is chosen of: an object, or the superclass of a class
// around or an interface of this one, as in Type.super.name().
func (b *binder) receiver(i, object int32) bind.ExprID {
	if object == treesitter.NoNode || b.child(i, "super") == treesitter.NoNode || b.t.Kind(object) == "super" {
		return b.value(object, target{})
	}
	for scope := b.Scope(); scope > 0; scope = b.File.Scopes[scope].Parent {
		if s := &b.File.Scopes[scope]; s.Kind == bind.ClassScope && b.File.Decls[s.Decl].Name == b.text(object) {
			return b.Expr(bind.Expr{Op: bind.Super, Scope: scope})
		}
	}
	// To javac a class that stands in for an interface is none around.
	return b.Expr(bind.Expr{Op: bind.Common, Args: []bind.ExprID{b.Of(b.typeOf(object))}})
}

// typeOf is the type that an expression names.
func (b *binder) typeOf(i int32) bind.ExprID {
	if i != treesitter.NoNode && b.t.Kind(i) == "identifier" {
		return b.silent(b.text(i), b.start(i))
	}
	return b.value(i, target{})
}

func (b *binder) invocation(i int32, to target) bind.ExprID {
	object, name := b.t.Child(i, "object"), b.t.Child(i, "name")
	if b.text(name) == "" {
		b.inside(i)
		return 0
	}
	var callee bind.ExprID
	if object == treesitter.NoNode {
		callee = b.Name(b.text(name)+call, b.start(name))
	} else {
		callee = b.Select(b.receiver(i, object), b.text(name)+call, b.start(name))
	}
	if args := b.t.Child(i, "type_arguments"); args != treesitter.NoNode {
		b.inside(args)
	}
	return b.arguments(b.t.Child(i, "arguments"), b.Expr(bind.Expr{Op: bind.Call, X: callee, Context: b.context(to)}))
}

// context is what is expected of an expression.
func (b *binder) context(to target) bind.ExprID {
	if to.call != 0 {
		return b.Expect(to.call, to.arg, bind.Itself)
	}
	return to.typ
}

// arguments walks the arguments of a call or of a new instance, and is that.
func (b *binder) arguments(i int32, of bind.ExprID) bind.ExprID {
	if i == treesitter.NoNode {
		return of
	}
	var args []bind.ExprID
	for c := range b.t.Children(i) {
		if k := b.t.Kind(c); b.t.Nodes[c].Named() && k != "line_comment" && k != "block_comment" {
			args = append(args, b.value(c, target{call: of, arg: len(args)}))
		}
	}
	b.File.Exprs[of].Args = args
	return of
}

func (b *binder) creation(i int32, to target) bind.ExprID {
	node := b.t.Child(i, "type")
	var typ bind.ExprID
	if first := b.child1(i); first < node && first >= 0 && !isType(b.t.Kind(first)) && b.t.Kind(b.t.Nodes[first].Next) == "." {
		outer := b.value(first, target{})
		typ = b.Expr(bind.Expr{Op: bind.TypeOf, X: outer})
		typ = b.Expr(bind.Expr{Op: bind.Select, X: typ, Name: b.text(node), Scope: b.Scope(), Start: b.start(node)})
	} else {
		typ = b.typ(node)
	}
	e := bind.Expr{Op: bind.New, X: typ}
	if args := b.childOf(node, "type_arguments"); args != treesitter.NoNode && b.child1(args) == treesitter.NoNode {
		e.Context = b.context(to) // new Type<>(...)
	}
	made := b.arguments(b.t.Child(i, "arguments"), b.Expr(e))
	if body := b.child(i, "class_body"); body != treesitter.NoNode {
		object := b.anonymous(body, typ)
		if len(b.File.Exprs[made].Args) == 0 {
			return object
		}
	}
	return made
}

func (b *binder) lambda(i int32, to target) bind.ExprID {
	if to.call == 0 && to.typ != 0 {
		to = b.place(to.typ)
	}
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i)})
	b.Open(bind.FunctionScope, id)
	list := b.t.Child(i, "parameters")
	var params []bind.DeclID
	if list != treesitter.NoNode {
		switch b.t.Kind(list) {
		case "identifier":
			params = append(params, b.untyped(list, to, 0))
		case "inferred_parameters":
			for c := range b.t.Children(list) {
				if b.t.Kind(c) == "identifier" {
					params = append(params, b.untyped(c, to, len(params)))
				}
			}
		default:
			params = b.parameters(list)
			for n, p := range params { // (var x) -> ...
				if b.Decl(p).Type == 0 && to.call != 0 {
					v := b.Expect(to.call, to.arg, n)
					b.Decl(p).Value = v
				}
			}
		}
	}
	var result bind.ExprID
	if to.call != 0 {
		result = b.Expect(to.call, to.arg, bind.Result)
	}
	var returns []bind.ExprID
	if body := b.t.Child(i, "body"); body != treesitter.NoNode && b.t.Kind(body) == "block" {
		returns = b.code(body, result)
	} else {
		returns = []bind.ExprID{b.value(body, target{typ: result})}
	}
	d := b.Decl(id)
	d.Params, d.Returns = params, returns
	b.Close()
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

func (b *binder) untyped(i int32, to target, n int) bind.DeclID {
	d := bind.Decl{Name: b.text(i), Kind: bind.Param, Start: b.start(i)}
	if to.call != 0 {
		d.Value = b.Expect(to.call, to.arg, n)
	}
	return b.Declare(d)
}

// place is a place of a type, seen as the argument of a function that takes one.
func (b *binder) place(typ bind.ExprID) target {
	f := b.Declare(bind.Decl{Kind: bind.Func})
	b.Open(bind.FunctionScope, f)
	p := b.Declare(bind.Decl{Kind: bind.Param, Type: typ})
	b.Decl(f).Params = []bind.DeclID{p}
	b.Close()
	x := b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
	return target{call: b.Expr(bind.Expr{Op: bind.Call, X: x})}
}

// reference is "x::name" or "Type::new".
func (b *binder) reference(i int32, to target) bind.ExprID {
	object, name := b.child1(i), treesitter.NoNode
	for c := range b.t.Children(i) {
		if c != object && b.t.Kind(c) == "identifier" {
			name = c
		}
	}
	if object == treesitter.NoNode {
		return 0
	}
	var x bind.ExprID
	if isType(b.t.Kind(object)) {
		x = b.typ(object)
	} else {
		x = b.value(object, target{})
	}
	if name != treesitter.NoNode && name != object {
		return b.Select(x, b.text(name)+call, b.start(name))
	}
	made := b.Expr(bind.Expr{Op: bind.New, X: x, Context: b.context(to)})
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i), Returns: []bind.ExprID{made}})
	return b.Expr(bind.Expr{Op: bind.Reference, Decl: id})
}

// instanceOf declares what a pattern gives a name to. It is a truth value.
func (b *binder) instanceOf(i int32) bind.ExprID {
	b.walk(b.t.Child(i, "left"))
	typ := b.Of(b.typ(b.t.Child(i, "right")))
	if name := b.t.Child(i, "name"); name != treesitter.NoNode {
		b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Var, Start: b.start(name), Type: typ})
	}
	if pattern := b.t.Child(i, "pattern"); pattern != treesitter.NoNode {
		b.pattern(pattern)
	}
	return 0
}

// pattern declares what a type or record pattern gives names to.
func (b *binder) pattern(i int32) {
	defer b.shallower()
	if !b.deeper() {
		return
	}
	var typ bind.ExprID
	for c := range b.t.Children(i) {
		switch k := b.t.Kind(c); {
		case k == "identifier" && typ != 0 && b.t.Kind(i) != "record_pattern":
			b.Declare(bind.Decl{Name: b.text(c), Kind: bind.Var, Start: b.start(c), Type: typ})
		case k == "type_pattern" || k == "record_pattern" || k == "record_pattern_body" || k == "record_pattern_component" || k == "pattern":
			b.pattern(c)
		case isType(k):
			typ = b.Of(b.typ(c))
		case k != "identifier":
			b.walk(c)
		}
	}
}

// switched is a switch, as a statement or an expression. Constants of an enum
// stand in it without the enum's name.
func (b *binder) switched(i int32, to target) bind.ExprID {
	selector := b.value(b.t.Child(i, "condition"), target{})
	if b.hasDefault(b.t.Child(i, "body")) {
		selector = b.Expr(bind.Expr{Op: bind.Erased, X: selector})
	}
	var yields []bind.ExprID
	outer := b.yield
	b.yield = &yields
	b.block(func() {
		body := b.t.Child(i, "body")
		if body == treesitter.NoNode {
			return
		}
		for group := range b.t.Children(body) {
			b.block(func() { b.switchGroup(group, selector, to) })
		}
	})
	b.yield = outer
	return b.Expr(bind.Expr{Op: bind.Union, Args: yields})
}

// hasDefault reports whether a switch has a default label. Only then javac looks
// at labels where it does not know what is switched on.
func (b *binder) hasDefault(body int32) bool {
	if body == treesitter.NoNode {
		return false
	}
	for group := range b.t.Children(body) {
		for label := range b.t.Children(group) {
			if b.t.Kind(label) == "switch_label" && b.child(label, "default") != treesitter.NoNode {
				return true
			}
		}
	}
	return false
}

func (b *binder) switchGroup(i int32, selector bind.ExprID, to target) {
	for c := range b.t.Children(i) {
		switch kind := b.t.Kind(c); {
		case kind == "switch_label":
			b.label(c, selector)
		case kind == "expression_statement" && b.t.Kind(i) == "switch_rule":
			v := b.value(b.child1(c), to)
			*b.yield = append(*b.yield, v)
		default:
			b.walk(c)
		}
	}
}

func (b *binder) label(i int32, selector bind.ExprID) {
	for c := range b.t.Children(i) {
		switch kind := b.t.Kind(c); {
		case kind == "identifier":
			if name := b.text(c); name != "" {
				b.Ref(b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Start: b.start(c), Context: selector}))
			}
		case slices.Contains([]string{"pattern", "type_pattern", "record_pattern"}, kind):
			b.pattern(c)
		default:
			b.walk(c)
		}
	}
}
