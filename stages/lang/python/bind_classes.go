package python

import (
	"maps"
	"slices"
	"strings"

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
	changed   []int32                  // set by way of what it was, as in self.x += 1
	members   map[string][]bind.ExprID // read of self or cls
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
	c := &class{
		dataclass: is(decorators, "dataclass"),
		variables: map[string][]bind.DeclID{}, fields: map[string]bool{}, shared: map[string][]bind.DeclID{},
		members: map[string][]bind.ExprID{},
	}
	bases, inherits := b.node(i, "superclasses")
	generics, generic := b.node(i, "type_parameters")
	if inherits {
		d.From = b.end(bases)
		c.enum = slices.ContainsFunc(b.named(bases), func(base int32) bool { return slices.Contains(enums, last(b.t.Text(base))) })
		if !generic {
			d.Bases, d.Opaque = b.bases(bases)
		}
	}
	id := b.declare(d)
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
	if body, ok := b.node(i, "body"); ok {
		b.block(body)
	}
	b.settle(c, b.Decl(id).Bases)
	b.class = outer
	b.Close()
	for _, dynamic := range []string{"__getattr__", "__getattribute__"} {
		if len(c.variables[dynamic]) > 0 {
			b.Decl(id).Opaque = true
		}
	}
	// Pylint asks the class only where no method sets a field of that name, and
	// then not what methods set through cls if the body sets it.
	for _, field := range slices.Sorted(maps.Keys(c.fields)) {
		b.pass(c.variables[field])
		b.pass(c.shared[field])
	}
	for _, name := range slices.Sorted(maps.Keys(c.variables)) {
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
			name, ok := b.node(c, "name")
			guarded := b.guarded // pylint does not look at metaclasses
			b.guarded = guarded || ok && b.t.Text(name) == "metaclass"
			b.expr(c)
			b.guarded = guarded
			continue
		}
		bases = append(bases, b.base(c))
		metaclass = metaclass || b.t.Text(c) == "type"
	}
	return bases, metaclass
}

// base reads what a class inherits from. Types it is applied to do not matter to
// pylint.
func (b *binder) base(i int32) bind.ExprID {
	if b.library {
		return b.File.Exprs[b.typed(i)].X
	}
	// What these have, every class has.
	name, _, _ := strings.Cut(b.t.Text(i), "[")
	if name = last(name); name == "ABC" || name == "Generic" || name == "Protocol" {
		b.expr(i)
		return b.Expr(bind.Expr{Op: bind.Name, Name: "object"})
	}
	switch b.t.Kind(i) {
	case "subscript":
	case "call":
		b.expr(i)
		return 0 // surely no instance, but which class is not known
	default:
		return b.expr(i)
	}
	x, ok := b.node(i, "value")
	if !ok {
		return b.walk(i)
	}
	v := b.expr(x)
	for _, c := range b.named(i) {
		if c != x {
			b.expr(c)
		}
	}
	return b.Split(0, v)
}

// defaultOf is what a field of a dataclass has by default, where that is the call
// value, read from node i, of field().
func (b *binder) defaultOf(i int32, value bind.ExprID) bind.ExprID {
	callee, ok := b.node(i, "function")
	if !ok || last(b.t.Text(callee)) != "field" {
		return value
	}
	return b.null()
}

// field is what pylint takes a field of a dataclass for: an instance of the type
// if that is a class, and its default.
func (b *binder) field(typ, value bind.ExprID, valued bool) bind.ExprID {
	if b.File.Exprs[typ].Op != bind.Of || b.File.Exprs[b.File.Exprs[typ].X].Op == bind.Apply {
		typ = 0
	}
	if !valued {
		return typ
	}
	return b.union([]bind.ExprID{typ, value})
}
