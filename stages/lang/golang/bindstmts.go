package golang

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// statement describes a statement or declaration. It reports whether there was
// anything to say that its parts do not say themselves.
func (x *walker) statement(at int32) bool {
	switch x.t.Kind(at) {
	case "function_declaration":
		f := x.Declare(bind.Decl{Name: x.text(at, "name"), Kind: bind.Func, Start: x.start(at)})
		x.function(f, at)
	case "method_declaration":
		x.method(at)
	case "type_spec", "type_alias":
		x.typeSpec(at)
	case "var_spec":
		x.spec(at, treesitter.NoNode)
	case "const_declaration":
		last := treesitter.NoNode // constants without a type repeat the one before
		for c := range x.named(at) {
			if x.t.Kind(c) != "const_spec" {
				continue
			}
			if x.t.Child(c, "value") != treesitter.NoNode {
				last = x.t.Child(c, "type")
			}
			x.spec(c, last)
		}
	case "block", "if_statement", "for_statement", "expression_switch_statement", "select_statement",
		"expression_case", "communication_case", "default_case":
		x.open(bind.BlockScope, 0)
		for c := range x.named(at) {
			x.walk(c)
		}
		x.close()
	case "range_clause":
		x.ranges(at)
	case "type_switch_statement":
		x.typeSwitch(at)
	case "receive_statement":
		if x.has(at, ":=") {
			x.assign(x.list(at, "left"), x.list(at, "right"), 0)
			return true
		}
		return false
	case "short_var_declaration":
		x.assign(x.list(at, "left"), x.list(at, "right"), 0)
	default:
		return false
	}
	return true
}

// list are the nodes of a field that holds one or several.
func (x *walker) list(at int32, field string) []int32 {
	var out []int32
	for c := range x.fields(at, field) {
		if x.t.Kind(c) != "expression_list" {
			out = append(out, c)
			continue
		}
		for e := range x.named(c) {
			out = append(out, e)
		}
	}
	return out
}

// spec declares variables or constants. Those without a type may have that of
// the node implied.
func (x *walker) spec(at, implied int32) {
	var typ bind.ExprID
	if t := x.t.Child(at, "type"); t != treesitter.NoNode {
		typ = x.Of(x.typ(t))
	} else if implied != treesitter.NoNode {
		typ = x.elided(implied)
	}
	x.assign(x.list(at, "name"), x.list(at, "value"), typ)
}

// assign declares names that get values. Their types are typ, or what the values
// have.
func (x *walker) assign(names, values []int32, typ bind.ExprID) {
	var exprs []bind.ExprID
	for _, v := range values {
		exprs = append(exprs, x.walk(v))
	}
	for i, n := range names {
		if x.t.Kind(n) != "identifier" {
			x.walk(n)
			continue
		}
		d := bind.Decl{Name: x.t.Text(n), Kind: bind.Var, Start: x.start(n), Type: typ}
		switch {
		case len(exprs) == len(names):
			d.Value = exprs[i]
		case len(exprs) != 1:
		case x.commaOK(values[0]):
			if i == 0 {
				d.Value = exprs[0]
			}
		default:
			d.Value = x.Expr(bind.Expr{Op: bind.Index, X: exprs[0], N: int32(i)})
		}
		x.local(d)
	}
}

// commaOK reports whether an expression gives a second value only if asked.
func (x *walker) commaOK(at int32) bool {
	at, _ = x.bare(at)
	if at == treesitter.NoNode {
		return false
	}
	kind := x.t.Kind(at)
	return kind == "index_expression" || kind == "type_assertion_expression" || kind == "unary_expression"
}

// ranges declares what a loop runs over: keys first, then elements. Channels and
// functions of one value have only keys.
func (x *walker) ranges(at int32) {
	over := x.walk(x.t.Child(at, "right"))
	left := x.list(at, "left")
	if !x.has(at, ":=") {
		for _, n := range left {
			x.walk(n)
		}
		return
	}
	for i, n := range left {
		e := x.Expr(bind.Expr{Op: bind.Select, X: over, Name: "__key__", Scope: x.Scope()})
		if i > 0 {
			e = x.Expr(bind.Expr{Op: bind.Elem, X: over})
		}
		x.local(bind.Decl{Name: x.t.Text(n), Kind: bind.Var, Start: x.start(n), Value: e})
	}
}

// typeSwitch declares the name of a switch in every case: with its type where
// there is one, else as it was.
func (x *walker) typeSwitch(at int32) {
	x.open(bind.BlockScope, 0)
	defer x.close()
	x.walk(x.t.Child(at, "initializer"))
	value := x.walk(x.t.Child(at, "value"))
	alias := x.list(at, "alias")
	for c := range x.named(at) {
		switch x.t.Kind(c) {
		case "type_case", "default_case":
			x.open(bind.BlockScope, 0)
			var types []bind.ExprID
			for typ := range x.fields(c, "type") {
				types = append(types, x.typ(typ))
			}
			for _, n := range alias {
				d := bind.Decl{Name: x.t.Text(n), Kind: bind.Var, Start: x.start(n), Value: value}
				if len(types) == 1 {
					d.Type = x.Of(types[0])
				}
				x.local(d)
			}
			for s := range x.named(c) {
				if x.t.Grammar.FieldName(x.t.Nodes[s].Field) != "type" {
					x.walk(s)
				}
			}
			x.close()
		}
	}
}

// function describes parameters, results and body of a function, whose names
// are of one block.
func (x *walker) function(f bind.DeclID, at int32) {
	x.open(bind.FunctionScope, f)
	params := x.typeParameters(at)
	x.Decl(f).TypeParams = params
	x.signature(f, at)
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		for c := range x.named(body) {
			x.walk(c)
		}
	}
	x.close()
}

// receiver is the parameter a method is called on, and the name of its type.
func (x *walker) receiver(method int32) (param, name int32) {
	list := x.t.Child(method, "receiver")
	if list == treesitter.NoNode {
		return treesitter.NoNode, treesitter.NoNode
	}
	param = x.first(list)
	if param == treesitter.NoNode {
		return param, param
	}
	return param, x.lastName(x.t.Child(param, "type"))
}

// method declares a method in its type's class.
func (x *walker) method(at int32) {
	param, name := x.receiver(at)
	class := bind.DeclID(0)
	if name != treesitter.NoNode {
		class = x.classes[x.t.Text(name)]
	}
	d := bind.Decl{Name: x.text(at, "name"), Kind: bind.Func, Start: x.start(at)}
	if class == 0 {
		d.Name = ""
		x.function(x.Declare(d), at)
		return
	}
	if x.split[x.t.Text(name)] {
		x.name(name)
	}
	was := x.Enter(x.Decl(class).Inner)
	f := x.Declare(d)
	x.open(bind.FunctionScope, f)
	x.receiverTypes(param, class)
	for n := range x.fields(param, "name") {
		this := x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope()})
		x.local(bind.Decl{Name: x.t.Text(n), Kind: bind.Var, Start: x.start(n), Type: this})
	}
	x.signature(f, at)
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		for c := range x.named(body) {
			x.walk(c)
		}
	}
	x.close()
	x.Enter(was)
}

// receiverTypes declares the names that a receiver gives type parameters.
func (x *walker) receiverTypes(param int32, class bind.DeclID) {
	if param == treesitter.NoNode {
		return
	}
	for c := range x.t.Inside(param) {
		if x.t.Kind(c) != "type_arguments" {
			continue
		}
		place := 0
		for arg := range x.named(c) {
			d := bind.Decl{Name: x.t.Text(arg), Kind: bind.Alias, Start: x.start(arg)}
			if ids := x.Decl(class).TypeParams; place < len(ids) {
				d.Type = x.Expr(bind.Expr{Op: bind.Name, Name: x.Decl(ids[place]).Name, Scope: x.Decl(class).Inner})
			}
			x.local(d)
			place++
		}
		return
	}
}
