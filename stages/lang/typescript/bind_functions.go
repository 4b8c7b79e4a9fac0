package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) functionStatement(at int32) {
	name := b.child(at, "name")
	if name == treesitter.NoNode {
		b.function(at, bind.Decl{}, 0)
		return
	}
	text := b.t.Text(name)
	d := bind.Decl{Name: text, Start: b.start(name), Space: bind.Values}
	if b.t.Kind(at) == "function_signature" {
		b.overloaded[place{b.Scope(), text}] = true
	} else if b.overloaded[place{b.Scope(), text}] {
		d.Name = "" // callers see the signatures before it
	}
	b.function(at, d, 0)
}

// literalFunction is a function as a value. expects is the type it must have.
func (b *binder) literalFunction(at int32, expects bind.ExprID) bind.ExprID {
	var id bind.DeclID
	if name := b.child(at, "name"); name != treesitter.NoNode {
		b.block(func() {
			id = b.function(at, bind.Decl{Name: b.t.Text(name), Start: b.start(name), Space: bind.Values}, expects)
		})
	} else {
		id = b.function(at, bind.Decl{Start: b.start(at)}, expects)
	}
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

// function declares whatever has parameters.
func (b *binder) function(at int32, d bind.Decl, expects bind.ExprID) bind.DeclID {
	d.Kind = bind.Func
	id := b.Declare(d)
	was := b.frame
	b.frame = frame{hoisted: b.Open(bind.FunctionScope, id), this: was.this, thisType: was.thisType, async: b.has(at, "async")}
	kind := b.t.Kind(at)
	switch kind {
	case "arrow_function", "function_type", "call_signature", "method_signature", "abstract_method_signature":
		b.arrows[b.hoisted] = true
	case "method_definition":
		b.this = thisInstance
		if d.Static {
			b.this = thisStatic
		}
	default:
		b.this, b.thisType = thisUnknown, 0
	}
	d.TypeParams = b.typeParams(b.child(at, "type_parameters"))
	d.Params = b.params(at, expects)
	result := b.child(at, "return_type")
	if result == treesitter.NoNode && (kind == "construct_signature" || kind == "constructor_type") {
		result = b.child(at, "type")
	}
	body := b.child(at, "body")
	switch {
	case result != treesitter.NoNode:
		d.Type = b.annotation(result)
		d.Opaque = d.Type == 0
		b.wanted = d.Type
	case expects != 0 && body != treesitter.NoNode:
		b.wanted = b.resultOf(expects)
	}
	if b.async {
		b.wanted = b.await(b.wanted)
	}
	switch {
	case body == treesitter.NoNode:
	case b.t.Kind(body) == "statement_block":
		b.statements(body)
	default:
		b.returns(b.expr(body, b.wanted))
	}
	b.Close()
	if result == treesitter.NoNode {
		d.Type, d.Returns = b.result(b.has(at, "*"))
	}
	f := b.Decl(id)
	f.TypeParams, f.Params, f.Type, f.Returns, f.Opaque = d.TypeParams, d.Params, d.Type, d.Returns, d.Opaque
	b.frame = was
	return id
}

// result is what a function gives that does not say so.
func (b *binder) result(generator bool) (typ bind.ExprID, returns []bind.ExprID) {
	switch {
	case generator && b.async:
		return b.applied("AsyncGenerator", b.any(b.yielded)), nil
	case generator:
		return b.applied("Generator", b.any(b.yielded)), nil
	case b.async:
		return b.applied("Promise", b.any(b.returned)), nil
	}
	return 0, b.returned
}

// any is one of some values, if there are any.
func (b *binder) any(values []bind.ExprID) bind.ExprID {
	if len(values) == 0 {
		return 0
	}
	return b.union(values...)
}

func (b *binder) returns(x bind.ExprID) {
	if b.async {
		x = b.await(x)
	}
	b.returned = append(b.returned, x)
}
