package python

import "benchmill/stages/lang/bind"

// declare declares a name, in the file where a global statement says so.
func (b *binder) declare(d bind.Decl) bind.DeclID {
	if b.class != nil && b.class.enum && d.Kind == bind.Var {
		d.Value = 0 // a member, not what it is set to
	}
	d.Global = b.function != nil && b.class == nil && b.function.globals[d.Name]
	id := b.Declare(d)
	if b.class != nil {
		b.class.variables[d.Name] = append(b.class.variables[d.Name], id)
	}
	return id
}

// hiding declares what hides what its names had before.
func (b *binder) hiding(declare func()) {
	first := len(b.File.Decls)
	declare()
	for i := range b.File.Decls[first:] {
		b.File.Decls[first+i].Hides = true
	}
}

// variable gives a name a value from an offset on.
func (b *binder) variable(i int32, value bind.ExprID, from int32) {
	b.declare(bind.Decl{Name: b.t.Text(i), Kind: bind.Var, Start: b.start(i), From: from, Value: value})
}

// assign gives a target a value.
func (b *binder) assign(target int32, value bind.ExprID, from int32) {
	if b.depth >= maxNesting {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	switch b.t.Kind(target) {
	case "identifier":
		b.variable(target, value, from)
	case "attribute":
		b.assignMember(target, value)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		place := 0
		for _, c := range b.named(target) {
			switch kind := b.t.Kind(c); {
			case kind == "list_splat_pattern" || kind == "list_splat":
				place = -1
				for _, s := range b.named(c) {
					b.assign(s, 0, from)
				}
			case place < 0 || value == 0:
				b.assign(c, 0, from)
			default:
				b.assign(c, b.Expr(bind.Expr{Op: bind.Index, X: value, N: int32(place)}), from)
				place++
			}
		}
	case "parenthesized_expression", "as_pattern_target":
		for _, c := range b.named(target) {
			b.assign(c, value, from)
		}
	default:
		b.expr(target)
	}
}

// assignMember gives a member of a value a value: a field of the class where that
// is what a method calls its instance.
func (b *binder) assignMember(target int32, value bind.ExprID) {
	object, ok := b.node(target, "object")
	name, ok2 := b.node(target, "attribute")
	if !ok || !ok2 {
		b.walk(target)
		return
	}
	x := b.expr(object)
	if c, static := b.instance(object); c != nil {
		was := b.Enter(c.scope)
		id := b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Member, Start: b.start(name), Value: value})
		b.Enter(was)
		if static {
			c.shared[b.t.Text(name)] = append(c.shared[b.t.Text(name)], id)
		} else {
			c.fields[b.t.Text(name)] = true
		}
		return
	}
	b.Set(x, b.t.Text(name), value)
}

// instance is the class whose instance, or which itself, a node names, or nil.
func (b *binder) instance(i int32) (c *class, static bool) {
	if b.t.Kind(i) != "identifier" {
		return nil, false
	}
	name := b.t.Text(i)
	for f := b.function; f != nil; f = f.around {
		if f.self == name {
			return f.class, f.static
		}
		if f.params[name] {
			return nil, false
		}
	}
	return nil, false
}

// assignment reads x = y = value, with or without a type.
func (b *binder) assignment(i int32) bind.ExprID {
	var targets []int32
	var value, typ bind.ExprID
	at, valued := i, false
	for {
		if t, ok := b.node(at, "left"); ok {
			targets = append(targets, t)
		}
		if t, ok := b.node(at, "type"); ok {
			typ = b.annotation(t)
		}
		right, ok := b.node(at, "right")
		if !ok {
			break
		}
		if b.t.Kind(right) == "assignment" {
			at = right
			continue
		}
		value, valued = b.expr(right), true
		if b.class != nil && b.class.dataclass && typ != 0 {
			value = b.defaultOf(right, value)
		}
		break
	}
	switch {
	case typ != 0 && b.library:
		for _, t := range targets {
			b.declare(bind.Decl{Name: b.t.Text(t), Kind: bind.Var, Start: b.start(t), Type: typ})
		}
		return 0
	case typ != 0 && b.class != nil && b.class.dataclass:
		value = b.Split(b.field(typ, value, valued), typ)
	case typ != 0:
		value = b.Split(value, typ)
	}
	changes := typ == 0 && valued && len(targets) > 0 && b.changes(targets[0], b.t.Child(at, "right"))
	for _, t := range targets {
		if changes && b.t.Kind(t) == "attribute" {
			b.change(t)
			continue
		}
		b.assign(t, value, b.end(i))
	}
	return value
}

// augmented reads x += value: what x is then is not known.
func (b *binder) augmented(i int32) {
	if left, ok := b.node(i, "left"); ok {
		b.expr(left)
		if kind := b.t.Kind(left); kind == "identifier" {
			b.variable(left, 0, b.end(i))
		} else if kind == "attribute" {
			b.changed(left)
		}
	}
	if right, ok := b.node(i, "right"); ok {
		b.expr(right)
	}
}
