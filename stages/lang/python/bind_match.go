package python

import "benchmill/stages/lang/bind"

// match reads a match statement. What its patterns capture is not known.
func (b *binder) match(i int32) {
	for c := range b.t.Inside(i) {
		switch b.t.Kind(c) {
		case "block":
			b.cases(c)
			return
		default:
			if b.t.Nodes[c].Parent == i && b.t.Nodes[c].Named() {
				b.expr(c)
			}
		}
	}
}

func (b *binder) cases(block int32) {
	for _, c := range b.named(block) {
		b.open(block)
		for _, part := range b.named(c) {
			switch b.t.Kind(part) {
			case "case_pattern":
				b.pattern(part)
			case "block":
				b.block(part)
			default:
				b.expr(part)
			}
		}
		b.Close()
	}
}

// pattern reads a case pattern: names with dots and those of classes are values,
// the others captures.
func (b *binder) pattern(i int32) {
	for c := range b.t.Inside(i) {
		parent := b.t.Nodes[c].Parent
		value := func(name int32) bool {
			return len(b.named(name)) > 1 || b.t.Kind(b.t.Nodes[name].Parent) == "class_pattern"
		}
		switch kind, in := b.t.Kind(c), b.t.Kind(parent); {
		case kind == "dotted_name" && value(c):
			b.dotted(c)
		case kind == "identifier" && (in == "dotted_name" && !value(parent) || in == "splat_pattern" || in == "as_pattern"):
			b.variable(c, 0, b.end(i))
		}
	}
}

// dotted reads a.b.c as a value.
func (b *binder) dotted(i int32) bind.ExprID {
	var x bind.ExprID
	for n, c := range b.named(i) {
		if n == 0 {
			x = b.Name(b.t.Text(c), b.start(c))
		} else {
			x = b.member(x, c)
		}
	}
	return x
}
