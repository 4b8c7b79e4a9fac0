package python

import "benchmill/stages/lang/bind"

// absent is the name or member that a condition compares with None, "" where it
// does not, and whether it is None where the condition holds. Pylint believes it:
// of what is None nothing else is known.
func (b *binder) absent(test int32) (name string, holds bool) {
	parts := b.named(test)
	if b.t.Kind(test) != "comparison_operator" || len(parts) != 2 || b.t.Kind(parts[1]) != "none" {
		return "", false
	}
	if kind := b.t.Kind(parts[0]); kind != "identifier" && kind != "attribute" {
		return "", false
	}
	for c := range b.t.Children(test) {
		switch b.t.Kind(c) {
		case "is":
			return b.t.Text(parts[0]), true
		case "is not":
			return b.t.Text(parts[0]), false
		}
	}
	return "", false
}

// assigned are the names and members that a statement gives values, which count
// whatever its conditions say.
func (b *binder) assigned(i int32) map[string]bool {
	out := map[string]bool{}
	for c := range b.t.Inside(i) {
		field := ""
		switch b.t.Kind(c) {
		case "assignment", "augmented_assignment", "for_statement":
			field = "left"
		case "named_expression":
			field = "name"
		}
		if target, ok := b.node(c, field); field != "" && ok {
			out[b.t.Text(target)] = true
		}
	}
	return out
}

// without reads what stands where a name or member is None, if it is.
func (b *binder) without(name string, none bool, read func()) {
	if name == "" || !none {
		read()
		return
	}
	b.blank([]string{name}, read)
}

// blank reads what stands where pylint knows nothing of some names or members.
func (b *binder) blank(names []string, read func()) {
	var added []string
	for _, name := range names {
		if !b.blanks[name] {
			b.blanks[name] = true
			added = append(added, name)
		}
	}
	read()
	for _, name := range added {
		delete(b.blanks, name)
	}
}

// unless is a name or member, unless pylint knows nothing of it here.
func (b *binder) unless(i int32, x bind.ExprID) bind.ExprID {
	if len(b.blanks) > 0 && b.blanks[b.t.Text(i)] {
		return b.Split(0, x)
	}
	return x
}
