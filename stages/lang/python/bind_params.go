package python

import (
	"strings"

	"benchmill/stages/lang/bind"
)

// parameter is one of a function or lambda, read but not declared yet.
type parameter struct {
	bind.Decl
	splat bool // *args or **kw
}

// parameters reads parameters with their types and defaults, which belong to the
// scope around the function.
func (b *binder) parameters(i int32) []parameter {
	list, ok := b.node(i, "parameters")
	if !ok {
		return nil
	}
	var out []parameter
	b.blank(b.taken(i), func() {
		for _, c := range b.named(list) {
			if p, ok := b.parameter(c); ok {
				out = append(out, p)
			}
		}
	})
	return out
}

// taken are the names of a function's parameters. Pylint takes them for the
// parameters in its signature too, but for a default that is just a name.
func (b *binder) taken(i int32) []string {
	list, ok := b.node(i, "parameters")
	if !ok || b.library {
		return nil
	}
	return targets(b.t, list)
}

func (b *binder) parameter(i int32) (parameter, bool) {
	p := parameter{Decl: bind.Decl{Kind: bind.Param}}
	name := i
	switch b.t.Kind(i) {
	case "identifier":
	case "typed_parameter":
		if parts := b.named(i); len(parts) > 0 {
			name = parts[0]
		}
	case "default_parameter", "typed_default_parameter":
		if n, ok := b.node(i, "name"); ok {
			name = n
		}
	case "list_splat_pattern", "dictionary_splat_pattern":
	default:
		return p, false // a lone * or /
	}
	if typ, ok := b.node(i, "type"); ok {
		p.Type = b.annotation(typ)
	}
	if value, ok := b.node(i, "value"); ok {
		if b.t.Kind(value) == "identifier" {
			p.Value = b.Name(b.t.Text(value), b.start(value))
		} else {
			p.Value = b.expr(value)
		}
	}
	if kind := b.t.Kind(name); kind == "list_splat_pattern" || kind == "dictionary_splat_pattern" {
		p.splat, p.Rest = true, kind == "list_splat_pattern"
		if inner := b.named(name); len(inner) > 0 {
			name = inner[0]
		}
	}
	if b.t.Kind(name) != "identifier" {
		b.walk(name) // parameters in brackets, of old
		return p, false
	}
	p.Name, p.Start = b.t.Text(name), b.start(name)
	return p, true
}

// declareParams declares parameters in the open scope. What they get is not
// known to pylint; their types say it.
func (b *binder) declareParams(id bind.DeclID, f *function, params []parameter) {
	for _, p := range params {
		f.params[p.Name] = true
		d := p.Decl
		switch {
		case b.library:
			d.Value = 0
		case p.Rest:
			d.Type, d.Value = 0, b.Split(0, b.list(p.Type))
		case p.splat:
			d.Type, d.Value = 0, 0
		case p.Type != 0:
			d.Type, d.Value = 0, b.Split(0, p.Type)
		default:
			d.Value = 0 // the default is one value among others
		}
		d.Omitted = p.Value
		declared := b.Declare(d)
		if !p.splat || p.Rest {
			b.Decl(id).Params = append(b.Decl(id).Params, declared)
		}
	}
}

// typeParameters declares [T, ...] of a class or function.
func (b *binder) typeParameters(id bind.DeclID, list int32) {
	for _, c := range b.named(list) {
		// A type, or a name with its bound.
		name, _, _ := strings.Cut(b.t.Text(c), ":")
		declared := b.Declare(bind.Decl{Name: strings.TrimSpace(name), Kind: bind.TypeParam, Start: b.start(c)})
		b.Decl(id).TypeParams = append(b.Decl(id).TypeParams, declared)
	}
}
