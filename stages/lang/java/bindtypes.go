package java

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// typ is the type that a node names, 0 where it is not known or holds no member.
// Names of types are no refs: each has a stand-in.
func (b *binder) typ(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	defer b.shallower()
	if !b.deeper() {
		return 0
	}
	switch b.t.Kind(i) {
	case "type_identifier", "identifier":
		if name := b.text(i); name != "" && name != "var" {
			return b.silent(name, b.start(i))
		}
	case "scoped_type_identifier":
		return b.scopedType(i)
	case "generic_type":
		args := b.child(i, "type_arguments")
		x := b.typ(i + 1)
		if args == treesitter.NoNode {
			return x
		}
		e := bind.Expr{Op: bind.Apply, X: x}
		for c := range b.t.Children(args) {
			if b.t.Nodes[c].Named() {
				arg := b.Of(b.typ(c))
				b.File.Exprs[arg].Static = arg != 0 && b.t.Kind(c) == "wildcard"
				e.Args = append(e.Args, arg)
			}
		}
		if len(e.Args) == 0 {
			return x
		}
		return b.Expr(e)
	case "array_type":
		return b.array(b.typ(b.t.Child(i, "element")), b.text(b.t.Child(i, "dimensions")))
	case "wildcard", "annotated_type", "catch_type", "type_bound", "superclass":
		var x bind.ExprID
		for c := range b.t.Children(i) {
			if isType(b.t.Kind(c)) && x == 0 {
				x = b.typ(c)
			} else {
				b.walk(c)
			}
		}
		return x
	case "integral_type", "floating_point_type", "boolean_type", "void_type":
		return b.Expr(bind.Expr{Op: bind.Unknown}) // unlike 0 a type, though without members
	}
	return 0
}

// array is the type of arrays of elem with dimensions such as "[][]".
func (b *binder) array(elem bind.ExprID, dimensions string) bind.ExprID {
	for range min(strings.Count(dimensions, "["), maxNesting) {
		elem = b.Expr(bind.Expr{Op: bind.Apply, X: b.silent(arrayClass, 0), Args: []bind.ExprID{b.Of(elem)}})
	}
	return elem
}

// silent is a name that is not listed among the refs.
func (b *binder) silent(name string, start int32) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Start: start})
}

// scopedType is "a.b.Type", "Outer.Inner" or "Outer<T>.Inner".
func (b *binder) scopedType(i int32) bind.ExprID {
	text := b.text(i)
	if path := fullType(text); path == text {
		return b.fullName(path, b.start(i))
	}
	x, first := bind.ExprID(0), true
	for c := range b.t.Children(i) {
		switch {
		case !isType(b.t.Kind(c)):
			b.walk(c)
		case first:
			x, first = b.typ(c), false
		case b.t.Kind(c) == "type_identifier":
			x = b.Expr(bind.Expr{Op: bind.Select, X: x, Name: b.text(c), Scope: b.Scope(), Start: b.start(c)})
		}
	}
	return x
}

// packages are the first parts of full names that are taken for packages
// whatever follows.
var packages = map[string]bool{"com": true, "dev": true, "edu": true, "io": true, "java": true, "javax": true, "jdk": true, "me": true, "net": true, "org": true}

// fullType is the full name of a type that a dotted name begins with, or "". By
// custom packages are in lower case and types are not.
func fullType(name string) string {
	if len(name) > maxName || strings.ContainsAny(name, " \t\n\r(<[@/") {
		return ""
	}
	end := 0
	for n, part := range strings.Split(name, ".") {
		if part == "" {
			return ""
		}
		end += len(part) + min(n, 1)
		if c := part[0]; c >= 'A' && c <= 'Z' {
			if n == 0 || !packages[name[:strings.IndexByte(name, '.')]] && (n < 2 || !typeLike(part)) {
				return ""
			}
			return name[:end]
		}
	}
	return ""
}

// typeLike reports whether a name is written like those of types and not of
// variables or constants.
func typeLike(name string) bool {
	return name != "" && upper(name[0]) && (len(name) == 1 || strings.ToUpper(name) != name)
}

func isType(kind string) bool {
	switch kind {
	case "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "wildcard",
		"integral_type", "floating_point_type", "boolean_type", "void_type":
		return true
	}
	return false
}

// typeParameters declares type parameters, with their bounds as types.
func (b *binder) typeParameters(i int32) []bind.DeclID {
	if i == treesitter.NoNode {
		return nil
	}
	var out []bind.DeclID
	for c := range b.t.Children(i) {
		if b.t.Kind(c) != "type_parameter" {
			continue
		}
		name := b.child(c, "type_identifier", "identifier")
		if name == treesitter.NoNode {
			continue
		}
		id := b.Declare(bind.Decl{Name: b.text(name), Kind: bind.TypeParam, Start: b.start(name)})
		if bound := b.child(c, "type_bound"); bound != treesitter.NoNode {
			x := b.Of(b.typ(bound))
			b.Decl(id).Type = x
		}
		out = append(out, id)
	}
	return out
}
