package python

import (
	"strings"

	"benchmill/stages/lang/bind"
)

// containers are names of generic types and the classes of the library that stand
// for them.
var containers = map[string]string{
	"list": "list", "List": "list", "Sequence": "list", "MutableSequence": "list", "Iterable": "Iterable", "Iterator": "Iterable",
	"Collection": "Iterable", "Deque": "list", "deque": "list", "set": "set", "Set": "set", "frozenset": "set", "FrozenSet": "set",
	"AbstractSet": "set", "MutableSet": "set", "dict": "dict", "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict",
	"DefaultDict": "dict", "defaultdict": "dict", "OrderedDict": "dict", "Generator": "Iterable", "AsyncIterator": "Iterable",
	"AsyncIterable": "Iterable", "AsyncGenerator": "Iterable", "Awaitable": "__coroutine__", "Coroutine": "__coroutine__",
	"Tuple": "tuple", "tuple": "tuple",
}

// annotation reads a declared type and is a value of it. Where annotations are
// not evaluated pylint does not look at them.
func (b *binder) annotation(i int32) bind.ExprID {
	guarded := b.guarded
	b.guarded = b.guarded || b.postponed
	v := b.typed(i)
	b.guarded = guarded
	return v
}

// typed is a value of the type that a node names.
func (b *binder) typed(i int32) bind.ExprID {
	if b.depth >= maxNesting {
		return 0
	}
	b.depth++
	defer func() { b.depth-- }()
	switch b.t.Kind(i) {
	case "type", "parenthesized_expression":
		if parts := b.named(i); len(parts) == 1 {
			return b.typed(parts[0])
		}
	case "identifier", "attribute":
		if class, ok := containers[last(b.t.Text(i))]; ok && class != "tuple" && !b.library {
			b.expr(i)
			return b.Of(b.generic(class))
		}
		return b.Of(b.expr(i))
	case "none":
		return b.null()
	case "string":
		return b.quoted(i)
	case "subscript":
		if x, ok := b.node(i, "value"); ok {
			var args []int32
			for _, c := range b.named(i) {
				if c != x {
					args = append(args, c)
				}
			}
			return b.applied(x, args)
		}
	case "generic_type": // of the grammar; a subscript by another name
		if parts := b.named(i); len(parts) == 2 {
			return b.applied(parts[0], b.named(parts[1]))
		}
	case "binary_operator", "union_type":
		parts := b.named(i)
		if len(parts) == 2 {
			return b.union([]bind.ExprID{b.typed(parts[0]), b.typed(parts[1])})
		}
	}
	return b.walk(i)
}

// applied is a value of a generic type.
func (b *binder) applied(x int32, args []int32) bind.ExprID {
	generic := b.expr(x)
	name := last(b.t.Text(x))
	if name == "Literal" {
		for _, a := range args {
			b.expr(a)
		}
		return 0
	}
	if len(args) == 1 && b.t.Kind(args[0]) == "tuple" {
		args = b.named(args[0])
	}
	if name == "Callable" && len(args) == 2 {
		return b.callable(args[0], args[1])
	}
	var values []bind.ExprID
	variadic := false
	for _, a := range args {
		if b.t.Kind(a) == "ellipsis" {
			variadic = true
			continue
		}
		values = append(values, b.typed(a))
	}
	if len(values) == 0 {
		return 0
	}
	switch name {
	case "Optional":
		return b.union([]bind.ExprID{values[0], b.null()})
	case "Union":
		return b.union(values)
	case "Annotated", "Final", "ClassVar", "Required", "NotRequired", "InitVar", "ReadOnly":
		return values[0]
	case "Type", "type":
		return b.Expr(bind.Expr{Op: bind.TypeOf, X: values[0]})
	}
	class := containers[name]
	if b.library && class != "tuple" {
		class = ""
	}
	switch {
	case class == "tuple" && variadic:
		return b.list(values[0])
	case class == "tuple":
		return b.Expr(bind.Expr{Op: bind.Tuple, Args: values})
	case class == "__coroutine__":
		return b.Of(b.generic(class, values[len(values)-1]))
	case class != "":
		return b.Of(b.generic(class, values...))
	}
	return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: generic, Args: values}))
}

// callable is a function of a type: Callable[[A, B], R].
func (b *binder) callable(params, result int32) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(params)})
	b.Open(bind.FunctionScope, id)
	list := b.named(params)
	if len(list) == 1 && b.t.Kind(list[0]) == "list" {
		list = b.named(list[0])
	}
	for _, p := range list {
		typ := b.typed(p)
		declared := b.Declare(bind.Decl{Kind: bind.Param, Start: b.start(p), Type: typ})
		b.Decl(id).Params = append(b.Decl(id).Params, declared)
	}
	b.Close()
	typ := b.typed(result)
	b.Decl(id).Type = typ
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

// quoted is a value of the type in a string: a dotted name, or a few of them
// parted by bars. Its names are no uses.
func (b *binder) quoted(i int32) bind.ExprID {
	text := strings.Trim(b.t.Text(i), `"'`)
	var parts []bind.ExprID
	for _, name := range strings.SplitN(text, "|", 8) {
		if name = strings.TrimSpace(name); name == "None" {
			continue
		}
		v, ok := b.dottedText(name, b.start(i))
		if !ok {
			return 0
		}
		parts = append(parts, b.Of(v))
	}
	return b.Split(0, b.union(parts))
}

// dottedText is a name like a.b.c that is not in the source as such.
func (b *binder) dottedText(name string, at int32) (bind.ExprID, bool) {
	var x bind.ExprID
	for n, part := range strings.SplitN(name, ".", 8) {
		for k, r := range part {
			if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || k > 0 && r >= '0' && r <= '9' || r >= 0x80) {
				return 0, false
			}
		}
		e := bind.Expr{Op: bind.Select, X: x, Name: part, Scope: b.Scope(), Start: at}
		if n == 0 {
			e.Op = bind.Name
		}
		x = b.Expr(e)
	}
	return x, name != ""
}
