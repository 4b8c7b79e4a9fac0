package rust

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// parts are the nodes of the segments of a path; a path that starts with "::" has
// NoNode first.
func (x *walker) parts(at int32) []int32 {
	var out []int32
	for {
		if kind := x.t.Kind(at); kind != "scoped_identifier" && kind != "scoped_type_identifier" || len(out) > maxDepth {
			break
		}
		if name := x.t.Child(at, "name"); name != treesitter.NoNode {
			out = append(out, name)
		}
		if at = x.t.Child(at, "path"); at == treesitter.NoNode {
			break
		}
	}
	out = append(out, at)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// segments are the names of a path.
func (x *walker) segments(at int32) []string {
	var out []string
	for _, p := range x.parts(at) {
		if p == treesitter.NoNode {
			out = append(out, "")
		} else {
			out = append(out, x.word(p))
		}
	}
	return out
}

// isModule reports whether a segment that is not the last one is a module: by its
// case, since types and traits are written otherwise.
func (x *walker) isModule(at int32) bool {
	if at == treesitter.NoNode {
		return true
	}
	switch x.t.Kind(at) {
	case "crate", "super", "self":
		return true
	case "identifier":
		return !isType(x.word(at)) && x.word(at) != "Self"
	}
	return false
}

// path is what a path names.
func (x *walker) path(at int32) bind.ExprID {
	_, e := x.owned(at)
	return e
}

// owned is what a path names, and what that is a member of; 0 where it stands in
// a module.
func (x *walker) owned(at int32) (owner, e bind.ExprID) {
	parts := x.parts(at)
	i := 0
	for i < len(parts)-1 && x.isModule(parts[i]) {
		i++
	}
	e = x.inModule(parts[:i], parts[i])
	for _, p := range parts[i+1:] {
		owner = e
		e = x.segment(owner, p)
	}
	return owner, e
}

// standard are the crates of the language, of which the library knows types by
// their last names.
var standard = map[string]bool{"std": true, "core": true, "alloc": true}

// inModule is an item of the module that segments lead to, or of the scope.
func (x *walker) inModule(modules []int32, item int32) bind.ExprID {
	if item == treesitter.NoNode {
		return 0
	}
	if len(modules) == 0 {
		if kind := x.t.Kind(item); kind == "identifier" || kind == "type_identifier" {
			return x.typ(item)
		}
		return x.walk(item)
	}
	var names []string
	for i, m := range modules {
		switch {
		case m == treesitter.NoNode:
			names = append(names, "")
		default:
			names = append(names, x.word(m))
			if i == 0 && x.t.Kind(m) == "identifier" {
				x.name(m)
			}
		}
	}
	node, generic := item, x.t.Kind(item) == "generic_type"
	if generic {
		node = x.t.Child(item, "type")
	}
	if node == treesitter.NoNode || x.t.Kind(node) != "identifier" && x.t.Kind(node) != "type_identifier" {
		return x.walk(item)
	}
	name, e := x.word(node), bind.ExprID(0)
	if standard[names[0]] || len(names) > 1 && names[0] == "" && standard[names[1]] {
		e = x.hidden(name)
	} else {
		module := strings.Join(names, "::")
		x.sel(x.hiddenPath(module), node)
		e = x.hiddenPath(module + "::" + name)
	}
	if generic {
		e = x.apply(e, item)
	}
	return e
}

// segment is a member of a type.
func (x *walker) segment(owner bind.ExprID, at int32) bind.ExprID {
	if at == treesitter.NoNode {
		return 0
	}
	switch x.t.Kind(at) {
	case "identifier", "type_identifier", "field_identifier":
		return x.sel(owner, at)
	case "generic_type":
		if name := x.t.Child(at, "type"); name != treesitter.NoNode {
			return x.apply(x.segment(owner, name), at)
		}
	}
	return 0
}

// apply gives a generic type or function the arguments of a node.
func (x *walker) apply(e bind.ExprID, at int32) bind.ExprID {
	args := bind.Expr{Op: bind.Apply, X: e}
	if list := x.t.Child(at, "type_arguments"); list != treesitter.NoNode {
		for c := range x.named(list) {
			args.Args = append(args.Args, x.Of(x.typ(c)))
		}
	}
	return x.Expr(args)
}

// hiddenPath is what a path of modules and an item names, followed from module
// to module.
func (x *walker) hiddenPath(path string) bind.ExprID {
	if len(path) > maxPath {
		return 0
	}
	name := "::" + path
	if key := (pathKey{x.level, path}); !x.paths[key] {
		x.paths[key] = true
		was := x.Enter(x.module)
		x.Import(bind.Import{Kind: kindPath, Path: path, Name: path[strings.LastIndexByte(path, ':')+1:], Level: x.level}, name, 0)
		x.Enter(was)
	}
	return x.hidden(name)
}
