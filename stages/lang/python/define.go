package python

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// class is one whose body is being read.
type class struct {
	scope     bind.ScopeID
	dataclass bool
	enum      bool
	variables map[string][]bind.DeclID // set in the body
	fields    map[string]bool          // set through self
	shared    map[string][]bind.DeclID // set through cls
}

// function is one whose body is being read.
type function struct {
	around  *function
	scope   bind.ScopeID
	class   *class // of a method
	self    string // what a method calls its instance
	static  bool   // which is the class
	params  map[string]bool
	globals map[string]bool

	returns []bind.ExprID
	yields  []bind.ExprID
}

// decorated reads decorators and what they decorate.
func (b *binder) decorated(i int32) {
	var decorators []string
	for _, c := range b.named(i) {
		if b.t.Kind(c) != "decorator" {
			b.definition(c, decorators)
			continue
		}
		for _, d := range b.named(c) {
			if accessor := last(b.t.Text(d)); b.class != nil && (accessor == "setter" || accessor == "deleter" || accessor == "getter") {
				decorators = append(decorators, b.t.Text(d))
				continue // of the property itself, whatever that gives
			}
			b.expr(d)
			if f, ok := b.node(d, "function"); ok {
				d = f
			}
			decorators = append(decorators, b.t.Text(d))
		}
	}
}

func (b *binder) definition(i int32, decorators []string) {
	if b.depth >= maxNesting {
		return
	}
	b.depth++
	if b.t.Kind(i) == "class_definition" {
		b.defineClass(i, decorators)
	} else {
		b.defineFunction(i, decorators)
	}
	b.depth--
}

// last is what stands after the last dot.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// is reports whether a decorator is one of the names, from whatever module.
func is(decorators []string, names ...string) bool {
	return slices.ContainsFunc(decorators, func(d string) bool { return slices.Contains(names, last(d)) })
}

func (b *binder) defineClass(i int32, decorators []string) {
	name, ok := b.node(i, "name")
	if !ok {
		b.walk(i)
		return
	}
	d := bind.Decl{Name: b.t.Text(name), Kind: bind.Class, Start: b.start(name)}
	bases, inherits := b.node(i, "superclasses")
	generics, generic := b.node(i, "type_parameters")
	if inherits {
		d.From = b.end(bases)
		if !generic {
			d.Bases, d.Opaque = b.bases(bases)
		}
	}
	body, _ := b.node(i, "body")
	enum := slices.ContainsFunc(b.named(max(bases, 0)), func(c int32) bool { return inherits && slices.Contains(enums, last(b.t.Text(c))) })
	id := b.declare(d)
	c := &class{
		enum:      enum,
		dataclass: is(decorators, "dataclass"),
		variables: map[string][]bind.DeclID{}, fields: map[string]bool{}, shared: map[string][]bind.DeclID{},
	}
	c.scope = b.Open(bind.ClassScope, id)
	outer := b.class
	b.class = c
	if generic {
		b.typeParameters(id, generics)
		if inherits { // they may name the parameters
			all, opaque := b.bases(bases)
			b.Decl(id).Bases, b.Decl(id).Opaque = all, opaque
		}
	}
	if body != treesitter.NoNode {
		b.block(body)
	}
	b.class = outer
	b.Close()
	for _, dynamic := range []string{"__getattr__", "__getattribute__"} {
		if len(c.variables[dynamic]) > 0 {
			b.Decl(id).Opaque = true
		}
	}
	// Pylint asks the class only where no method sets a field of that name, and
	// then not what methods set through cls if the body sets it.
	for field := range c.fields {
		b.pass(c.variables[field])
		b.pass(c.shared[field])
	}
	for name := range c.variables {
		b.pass(c.shared[name])
	}
}

// pass makes pylint pass over variables.
func (b *binder) pass(variables []bind.DeclID) {
	for _, v := range variables {
		if kind := b.Decl(v).Kind; kind == bind.Var || kind == bind.Member {
			b.Decl(v).Value = b.Split(b.null(), b.Decl(v).Value)
		}
	}
}

// bases reads what a class inherits from, and reports whether that makes it a
// metaclass, whose classes have members of their own.
func (b *binder) bases(list int32) (bases []bind.ExprID, metaclass bool) {
	for _, c := range b.named(list) {
		if b.t.Kind(c) == "keyword_argument" {
			name, _ := b.node(c, "name")
			guarded := b.guarded // pylint does not look at metaclasses
			b.guarded = guarded || name >= 0 && b.t.Text(name) == "metaclass"
			b.expr(c)
			b.guarded = guarded
			continue
		}
		bases = append(bases, b.base(c))
		metaclass = metaclass || b.t.Text(c) == "type"
	}
	return bases, metaclass
}

func (b *binder) defineFunction(i int32, decorators []string) {
	name, ok := b.node(i, "name")
	if !ok {
		b.walk(i)
		return
	}
	d := bind.Decl{Name: b.t.Text(name), Kind: bind.Func, Start: b.start(name)}
	method := b.class
	// A setter or deleter belongs to the property of its name.
	accessor := is(decorators, "setter", "deleter") && strings.Contains(strings.Join(decorators, " "), ".")
	if accessor && method != nil {
		d.Name = ""
	}
	d.Property = method != nil && is(decorators, properties...)
	d.Constructor = method != nil && d.Name == "__init__"
	d.Static = is(decorators, "staticmethod")
	// Types and defaults are read before the function begins.
	f := &function{around: b.function, class: method, params: map[string]bool{}, globals: map[string]bool{}}
	params := b.parameters(i)
	var result bind.ExprID
	if typ, ok := b.node(i, "return_type"); ok {
		result = b.annotation(typ)
	}
	id := b.declare(d)
	f.scope = b.Open(bind.FunctionScope, id)
	nones := b.nones
	b.function, b.class, b.nones = f, nil, map[string]bool{}
	if params := b.t.Child(i, "type_parameters"); params != treesitter.NoNode {
		b.typeParameters(id, params)
	}
	if method != nil && !d.Static && len(params) > 0 && !params[0].splat {
		f.self = params[0].Name
		f.static = is(decorators, "classmethod") || slices.Contains(classMethods, d.Name)
		this := b.Expr(bind.Expr{Op: bind.This, Scope: f.scope, Static: f.static})
		b.Declare(bind.Decl{Name: f.self, Kind: bind.Param, Start: params[0].Start, Value: this})
		params = params[1:]
	}
	b.declareParams(id, f, params)
	body, _ := b.node(i, "body")
	if body != treesitter.NoNode {
		b.block(body)
	}
	b.function, b.class, b.nones = f.around, method, nones
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
	if b.t.Text(i)[:1] == "a" { // async
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
