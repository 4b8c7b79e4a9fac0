package calls

import (
	"cmp"
	"strings"

	"benchmill/stages/lang/bind"
)

// maxOrigin bounds the steps from a call to the import that it goes back to.
const maxOrigin = 12

// beyond is what a call leads to that the binding does not know: something of the
// language, of an imported package, or a name. It is false for a constructor of a
// base class that is not known.
func (r *resolving) beyond(s *site) (Callee, bool) {
	if s.of == BaseClass || s.of == ThisClass {
		if class := r.classOf(s); class != 0 && s.of == BaseClass {
			for _, b := range r.bound.Decls[class].Bases {
				if o := r.origin(r.bound, b, "", 0); o.Module != "" && !r.bound.Exprs[b].Static {
					return o.callee(s.name), true
				}
			}
		}
		return Callee{}, false
	}
	known := false
	for _, id := range r.exprs[s.at] {
		e := &r.bound.Exprs[id]
		known = known || e.Op == bind.Name || e.X != 0
		if o := r.origin(r.bound, id, "", 0); o.None || o.Module != "" {
			return o.callee(s.name), !o.None
		}
	}
	if s.written != "" && !known {
		base, rest, _ := strings.Cut(s.written, r.Syntax.Separator)
		if o := r.named(r.bound, base, rest); o.Module != "" {
			return o.callee(s.name), true
		}
	}
	return Callee{Name: s.name, Origin: Unresolved, Start: -1, Line: -1}, true
}

// callee is what a call of a name leads to; a module that is called has that one.
func (o Outside) callee(name string) Callee {
	c := Callee{Name: cmp.Or(o.Name, name), Origin: External, Path: o.Module, Start: -1, Line: -1}
	if o.System {
		c.Origin = System
	}
	return c
}

// origin is where a name or member comes from, by the import that it begins with or
// that its value's declared type does; rest is what is selected of it.
func (r *resolving) origin(f *bind.File, id bind.ExprID, rest string, depth int) Outside {
	if id <= 0 || depth > maxOrigin || len(rest) > maxWritten {
		return Outside{}
	}
	e := &f.Exprs[id]
	switch e.Op {
	case bind.Name, bind.Select:
		var targets []bind.Target
		if f == r.bound && depth > 0 {
			targets = r.reader.Declared(id)
		}
		library := true
		for _, t := range targets {
			library = library && r.files[t.Path] == nil
			if o := r.typed(t, rest, depth); o.Module != "" && !library {
				return o
			}
		}
		if len(targets) > 0 && (!library || e.Op == bind.Name && r.importsOf(f)[plain(e.Name)] == 0) {
			return r.typed(targets[0], rest, depth)
		}
		if e.Op == bind.Select {
			return r.origin(f, e.X, r.join(plain(e.Name), rest), depth+1)
		}
		return r.named(f, plain(e.Name), rest)
	case bind.Of, bind.Apply, bind.New, bind.Whole, bind.Erased, bind.Cast:
		return r.origin(f, e.X, rest, depth+1)
	case bind.Split:
		if len(e.Args) == 1 {
			if o := r.origin(f, e.Args[0], rest, depth+1); o.Module != "" {
				return o
			}
		}
		return r.origin(f, e.X, rest, depth+1)
	}
	return Outside{}
}

// typed is where the declared type of a variable comes from.
func (r *resolving) typed(t bind.Target, rest string, depth int) Outside {
	f := r.reader.File(t.Path)
	if f == nil || t.Decl <= 0 {
		return Outside{}
	}
	d := &f.Decls[t.Decl]
	if r.files[t.Path] == nil {
		name := r.join(qualifiedName(f, d, r.Syntax.Separator), rest)
		return Outside{Module: r.Names.Library(r.bound, name), Name: name, System: true}
	}
	switch d.Kind {
	case bind.Var, bind.Param, bind.Member, bind.Alias:
		if d.Type != 0 {
			return r.origin(f, d.Type, rest, depth+1)
		}
		if op := f.Exprs[d.Value].Op; op == bind.New || op == bind.Of {
			return r.origin(f, d.Value, rest, depth+1)
		}
	}
	return Outside{}
}

func (r *resolving) join(name, rest string) string {
	if rest == "" {
		return name
	}
	return name + r.Syntax.Separator + rest
}

// named is where a name, or what is selected of it, comes from by the imports of a
// file.
func (r *resolving) named(f *bind.File, base, rest string) Outside {
	id := r.importsOf(f)[base]
	if id == 0 {
		return r.Names.Known(f, r.join(base, rest))
	}
	im := f.Import(id)
	for _, t := range r.linker.Import(f, im) {
		if r.files[t.Path] != nil {
			return Outside{}
		}
	}
	o := r.Names.Imported(f, im, rest)
	o.imported = true
	return o
}

// importsOf are the imports of a file by the names they bind.
func (r *resolving) importsOf(f *bind.File) map[string]bind.ImportID {
	imports := r.imports[f]
	if imports == nil {
		imports = map[string]bind.ImportID{}
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Kind == bind.Imported && imports[d.Name] == 0 {
				imports[d.Name] = d.Import
			}
		}
		r.imports[f] = imports
	}
	return imports
}
