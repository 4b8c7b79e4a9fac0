package rust

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// tokens describes what a macro is given. It is not parsed, and may be anything,
// but most macros take expressions: names, paths, and what follows them with
// dots and in parentheses are read as if they were some. What is declared inside
// is not.
func (x *walker) tokens(at int32) {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	var all []int32
	for c := range x.t.Children(at) {
		all = append(all, c)
	}
	kind := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return x.t.Kind(all[i])
	}
	e := bind.ExprID(0) // what stands before the token
	for i := 0; i < len(all); i++ {
		switch k := kind(i); k {
		case ".":
		case "?":
			e = x.member(e, "__try__")
		case "self":
			if e = 0; kind(i+1) != "::" {
				e = x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope()})
				break
			}
			i, e = x.tokenPath(all, i)
		case "identifier", "crate", "super":
			switch {
			case kind(i-1) == "." && x.t.Text(all[i]) == "await":
				e = x.Expr(bind.Expr{Op: bind.Await, X: e})
			case kind(i-1) == "." && same[x.t.Text(all[i])]:
				if kind(i+1) == "token_tree" {
					i++ // its arguments
				}
			case kind(i-1) == ".":
				e = x.sel(e, all[i])
			case kind(i+1) == ":" || kind(i-1) == "$" || kind(i-1) == "::": // a field, a part of the macro
				e = 0
			default:
				i, e = x.tokenPath(all, i)
			}
		case "token_tree":
			x.tokens(all[i])
			switch open := x.t.Source[x.t.Nodes[all[i]].Start]; {
			case e != 0 && open == '(':
				e = x.Expr(bind.Expr{Op: bind.Call, X: e})
			case e != 0 && open == '[':
				e = x.Expr(bind.Expr{Op: bind.Index, X: e, N: -1})
			default:
				e = 0
			}
		default:
			e = 0
		}
	}
}

// tokenPath is the name or path that starts at a token, and where it ends.
func (x *walker) tokenPath(all []int32, i int) (end int, e bind.ExprID) {
	parts := []int32{all[i]}
	for i+2 < len(all) && x.t.Kind(all[i+1]) == "::" && x.t.Kind(all[i+2]) == "identifier" && len(parts) < maxDepth {
		i += 2
		parts = append(parts, all[i])
	}
	n := 0
	for n < len(parts)-1 && x.isModule(parts[n]) {
		n++
	}
	if kind := x.t.Kind(parts[n]); kind != "identifier" {
		return i, 0
	}
	e = x.inModule(parts[:n], parts[n])
	for _, p := range parts[n+1:] {
		e = x.segment(e, p)
	}
	return i, e
}
