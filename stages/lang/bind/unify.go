package bind

import "slices"

// binding finds the values of type parameters by matching declared types with the
// values of arguments.
type binding struct {
	*session
	unit   *unit
	params []DeclID
	values map[DeclID]value
	env    *env // of the function
	// lenient: what is not known is no value of a type parameter.
	lenient bool
}

func (b *binding) unify(typ ExprID, v value, depth int) {
	if typ == 0 || depth > maxUnify || !b.step() {
		return
	}
	switch e := &b.unit.Exprs[typ]; e.Op {
	case Of:
		b.unify(e.X, v, depth+1)
	case Name:
		for _, p := range b.params {
			if d := &b.unit.Decls[p]; d.Name == e.Name && b.unit.within(e.Scope, b.unit.owner(d.Scope)) {
				b.bind(p, v)
				return
			}
		}
	case Apply:
		for _, class := range b.eval(b.unit, e.X, nil).items {
			if class.kind == isClass {
				b.unifyClass(e, class, v, depth)
			}
		}
	case FuncLit:
		for _, it := range v.items {
			if it.kind == isFunc {
				b.unify(b.unit.Decls[e.Decl].Type, b.erased(b.result(it, nil, nil, nil)), depth+1)
			}
		}
	case Union:
		for _, a := range e.Args {
			b.unify(a, v, depth+1)
		}
	case List:
		for _, a := range e.Args {
			b.unify(a, b.special(v, "__elem__", ""), depth+1)
		}
	case Object:
		for _, it := range v.items {
			if it.kind == isInstance {
				b.unifyMembers(e.Decl, it, depth)
			}
		}
	case Tuple:
		for _, it := range v.items {
			for i, a := range e.Args {
				if i < len(it.elems) {
					b.unify(a, it.elems[i], depth+1)
				}
			}
		}
	}
}

// unifyClass matches an applied generic type with instances of it, or, where it
// has one method only, with functions.
func (b *binding) unifyClass(e *Expr, class item, v value, depth int) {
	params := class.unit.Decls[class.decl].TypeParams
	for _, it := range v.items {
		args := map[DeclID]value{}
		switch it.kind {
		case isInstance, isClass:
			if base, ok := b.asBase(it, class, 0); ok {
				for _, p := range params {
					if v, ok := base.env.get(class.unit, p); ok {
						args[p] = v
					}
				}
			}
		case isStubInstance:
			if it.target == (Target{}) { // an object in place of all that was lost
				for _, a := range e.Args {
					b.unify(a, of(it), depth+1)
				}
			}
		case isFunc:
			it = b.received(it, e)
			class.kind = isInstance
			if d := &class.unit.Decls[class.decl]; d.Kind == Alias { // of a type of functions
				inner := &binding{session: b.session, unit: class.unit, params: params, values: args}
				inner.unify(d.Type, of(it), depth+1)
			} else if f, ok := b.function(class); ok {
				inner := &binding{session: b.session, unit: class.unit, params: params, values: args}
				inner.unify(class.unit.Decls[f.decl].Type, b.erased(b.result(it, nil, nil, nil)), depth+1)
			}
		}
		for i, a := range e.Args {
			if i < len(params) {
				if v, ok := args[params[i]]; ok {
					b.unify(a, v, depth+1)
				}
			}
		}
	}
}

// received is a method of a generic class, chosen of the class, as one of the
// first thing that it is called with where a type of functions e is expected.
func (b *binding) received(it item, e *Expr) item {
	d := &it.unit.Decls[it.decl]
	sc := it.unit.Scopes[d.Scope]
	if sc.Kind != ClassScope || d.Static || len(e.Args) == 0 || len(it.unit.Decls[sc.Decl].TypeParams) == 0 {
		return it
	}
	if v, ok := it.env.get(it.unit, it.unit.Decls[sc.Decl].TypeParams[0]); ok && len(v.items) > 0 {
		return it
	}
	for _, of := range b.eval(b.unit, e.Args[0], b.env).items {
		if of.kind != isInstance {
			continue
		}
		for _, f := range b.find(of, d.Name, 0).value.items {
			if f.kind == isFunc {
				return f
			}
		}
	}
	return it
}

// unifyContext matches what a call gives with what is expected of it.
func (b *binding) unifyContext(f *Decl, v value) {
	b.lenient = true
	defer func() { b.lenient = false }()
	if !f.Constructor {
		b.unify(f.Type, v, 0)
		return
	}
	class := item{kind: isInstance, unit: b.unit, decl: b.unit.Scopes[f.Scope].Decl}
	for _, p := range b.unit.Decls[class.decl].TypeParams { // each stands for itself
		class.env = &env{b.unit, p, of(item{kind: isParam, unit: b.unit, decl: p}), class.env}
	}
	for _, it := range v.items {
		if it.kind != isInstance {
			continue
		}
		base, ok := b.asBase(class, it, 0)
		for _, p := range it.unit.Decls[it.decl].TypeParams {
			self, _ := base.env.get(it.unit, p)
			if given, known := it.env.get(it.unit, p); ok && known && len(self.items) == 1 && self.items[0].kind == isParam {
				b.bind(self.items[0].decl, given)
			}
		}
	}
}

// bind adds a value of a type parameter. Of what is expected only what is known
// counts.
func (b *binding) bind(p DeclID, v value) {
	if !b.lenient || len(v.items) > 0 && !v.unknown {
		b.values[p] = b.values[p].or(v)
	}
}

// unifyMembers matches the members of a type that is written out with those of a
// value.
func (b *binding) unifyMembers(written DeclID, it item, depth int) {
	for _, i := range b.unit.members[b.unit.Decls[written].Inner] {
		d := &b.unit.Decls[i]
		if d.Kind != Member || d.Type == 0 {
			continue
		}
		if d.Name != AnyMember {
			if m := b.find(it, d.Name, 0); m.how != absent {
				b.unify(d.Type, m.value, depth+1)
			}
			continue
		}
		var all value
		for _, j := range it.unit.members[it.unit.Decls[it.decl].Inner] {
			if m := &it.unit.Decls[j]; m.Kind == Member && m.Name != "__index__" && b.step() {
				all = all.or(b.ofDecl(it.unit, j, it.env))
			}
		}
		b.unify(d.Type, all, depth+1)
	}
}

// asBase is an instance seen as one of a class it inherits from.
func (b *binding) asBase(it, class item, depth int) (item, bool) {
	if it.unit == class.unit && it.decl == class.decl {
		return it, true
	}
	if depth > maxBases || !b.step() {
		return item{}, false
	}
	for _, e := range it.unit.Decls[it.decl].Bases {
		bases := b.eval(it.unit, e, it.env).items
		for _, base := range slices.Clone(bases) {
			if base.kind == isClass || base.kind == isInstance {
				if found, ok := b.asBase(base, class, depth+1); ok {
					return found, true
				}
			}
		}
	}
	return item{}, false
}
