package python

import (
	"slices"

	"benchmill/stages/lang/bind"
)

func (b *binder) defineFunction(i int32, decorators []string) {
	name, ok := b.node(i, "name")
	if !ok {
		b.walk(i)
		return
	}
	method := b.class
	d := bind.Decl{
		Name: b.t.Text(name), Kind: bind.Func, Start: b.start(name), Static: is(decorators, "staticmethod"),
		Property: method != nil && is(decorators, properties...),
	}
	d.Constructor = method != nil && d.Name == "__init__"
	if method != nil && is(decorators, "setter", "deleter") {
		d.Name = "" // it belongs to the property
	}
	f := &function{around: b.function, class: method, params: map[string]bool{}, globals: map[string]bool{}}
	f.static = is(decorators, "classmethod") || slices.Contains(classMethods, d.Name)
	// Types and defaults are read before the function begins, but may name its
	// type parameters.
	var params []parameter
	var result bind.ExprID
	signature := func() {
		params = b.parameters(i)
		if typ, ok := b.node(i, "return_type"); ok {
			b.blank(b.taken(i), func() { result = b.annotation(typ) })
		}
	}
	generics, generic := b.node(i, "type_parameters")
	if !generic {
		signature()
	}
	id := b.declare(d)
	f.scope = b.Open(bind.FunctionScope, id)
	blanks := b.blanks
	if generic {
		b.typeParameters(id, generics)
		signature()
	}
	b.function, b.class, b.blanks = f, nil, map[string]bool{}
	if method != nil && !d.Static && len(params) > 0 && !params[0].splat {
		f.self = params[0].Name
		this := b.Expr(bind.Expr{Op: bind.This, Scope: f.scope, Static: f.static})
		b.Declare(bind.Decl{Name: f.self, Kind: bind.Param, Start: params[0].Start, Value: this})
		params = params[1:]
	}
	b.declareParams(id, f, params)
	if body, ok := b.node(i, "body"); ok {
		b.block(body)
	}
	b.function, b.class, b.blanks = f.around, method, blanks
	b.Close()
	b.result(id, i, f, result, decorators)
}

// enums make members of what their classes set.
var enums = []string{"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}

// properties are decorators whose functions are read like fields, as pylint
// knows them.
var properties = []string{
	"property", "cached_property", "cachedproperty", "lazyproperty", "lazy_property", "reify", "lazyattribute",
	"lazy_attribute", "LazyProperty", "lazy", "cache_readonly", "DynamicClassAttribute", "abstractproperty",
}

// classMethods are called with the class without a decorator.
var classMethods = []string{"__new__", "__init_subclass__", "__class_getitem__"}

// result says what a function returns. A generator gives what it yields to those
// who iterate, and once to a with statement where contextmanager makes it one.
func (b *binder) result(id bind.DeclID, i int32, f *function, declared bind.ExprID, decorators []string) {
	if b.library {
		if !is(decorators, "known") {
			declared = b.Split(0, declared)
		}
		b.Decl(id).Type = declared
		return
	}
	var value bind.ExprID
	switch {
	case len(f.yields) > 0 && is(decorators, "contextmanager"):
		value = b.Of(b.generic("__context__", f.yields[0]))
	case len(f.yields) > 0:
		value = b.Split(0, b.Of(b.generic("__generator__", b.union(f.yields))))
	case len(f.returns) > 0:
		value = b.union(f.returns)
	case !b.abstract(i):
		value = b.null()
	}
	if declared != 0 && !(len(f.yields) > 0 && is(decorators, "contextmanager")) {
		value = b.Split(value, declared)
	}
	if b.async(i) {
		value = b.Split(value, b.Of(b.generic("__coroutine__", value)))
	}
	b.Decl(id).Returns = []bind.ExprID{value}
}

// abstract reports whether a function without return statements is one to
// override, as pylint sees it: its body begins with raise or pass.
func (b *binder) abstract(i int32) bool {
	body, ok := b.node(i, "body")
	if !ok {
		return true
	}
	for n, c := range b.named(body) {
		switch inner := b.named(c); b.t.Kind(c) {
		case "raise_statement", "pass_statement":
			return true
		case "expression_statement":
			if n == 0 && len(inner) == 1 && b.t.Kind(inner[0]) == "string" {
				continue // its documentation
			}
		}
		return false
	}
	return true
}
