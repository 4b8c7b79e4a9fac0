package bind

import "slices"

// binding finds the values of type parameters by matching declared types with the
// values of arguments.
type binding struct {
	*session
	unit   *unit
	params []DeclID
	values map[DeclID]value
}

// maxUnify bounds the nesting of types that are matched.
const maxUnify = 12

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
				b.values[p] = b.values[p].or(v)
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
				b.unify(b.unit.Decls[e.Decl].Type, b.result(it, nil, nil, nil), depth+1)
			}
		}
	case Union:
		for _, a := range e.Args {
			b.unify(a, v, depth+1)
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
		case isFunc:
			class.kind = isInstance
			if f, ok := b.function(class); ok {
				inner := &binding{session: b.session, unit: class.unit, params: params, values: args}
				inner.unify(class.unit.Decls[f.decl].Type, b.result(it, nil, nil, nil), depth+1)
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
