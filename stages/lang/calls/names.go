package calls

import (
	"path"
	"strings"

	"benchmill/stages/lang/bind"
)

// An Exporter is a [bind.Linker] that knows what modules hand on of others.
type Exporter interface {
	// Exported are the declarations that a module has for others under a name.
	Exported(module, name string) []bind.Target
}

// nameKey is a function or class of a module, by its qualified name there.
type nameKey struct{ module, name string }

// module is what a file is part of: itself, or its folder.
func (b *Bound) module(file string) string {
	if b.Names.Folders {
		return path.Dir(file)
	}
	return file
}

// byName lists the functions of modules, and the classes that are in nothing else.
func (b *Bound) byName(files []*File) map[nameKey][]bind.Target {
	out := map[nameKey][]bind.Target{}
	for _, f := range files {
		facts, ok := f.Facts.(*facts)
		if !ok {
			continue
		}
		module := b.module(f.Path)
		for id := range facts.bound.Decls {
			d := &facts.bound.Decls[id]
			name := ""
			switch {
			case d.Kind == bind.Class && d.Scope == 0:
				name = d.Name
			case d.Kind == bind.Func && d.Name != "":
				if i, ok := facts.anchors[d.Start]; ok {
					name = f.Functions[i].Qualified
				}
			}
			if name != "" {
				k := nameKey{module, name}
				out[k] = append(out[k], bind.Target{Path: f.Path, Decl: bind.DeclID(id)})
			}
		}
	}
	return out
}

// inModule are the functions and classes of a name in the module, or with the type in
// its module, that it is selected of: a binding follows a value through a few modules
// and into a dozen files only.
func (r *resolving) inModule(id bind.ExprID) []bind.Target {
	e := &r.bound.Exprs[id]
	if e.Op != bind.Select {
		return nil
	}
	for _, t := range r.reader.Declared(e.X) {
		if t.Decl != 0 {
			break
		}
		if ex, ok := r.linker.(Exporter); ok {
			if found := ex.Exported(t.Path, e.Name); len(found) > 0 {
				return found
			}
		}
		if found := r.places[nameKey{r.module(t.Path), e.Name}]; found != nil {
			return found
		}
	}
	if !r.Names.Folders {
		return nil
	}
	for _, t := range r.reader.Classes(e.X) {
		class := plain(r.reader.File(t.Path).Decls[t.Decl].Name)
		if found := r.places[nameKey{r.module(t.Path), class + r.Syntax.Separator + e.Name}]; found != nil {
			return found
		}
	}
	return nil
}

// callee is a declaration as what is called.
func (r *resolving) callee(t bind.Target) (Callee, Evidence) {
	f := r.reader.File(t.Path)
	d := &f.Decls[t.Decl]
	file := r.files[t.Path]
	if file == nil {
		name := qualifiedName(f, d, r.Syntax.Separator)
		return Callee{Name: name, Origin: System, Path: r.Names.Library(r.bound, name), Start: -1, Line: -1}, Written
	}
	if fn := r.defined(t.Path, d.Start); fn != nil {
		return Callee{fn.Qualified, Defined, t.Path, fn.Start, fn.Line}, Written
	}
	c := Callee{qualifiedName(f, d, r.Syntax.Separator), Declared, t.Path, d.Start, file.Facts.(*facts).line(d.Start)}
	switch d.Kind {
	case bind.Var, bind.Param, bind.Member:
		return c, Indirect
	}
	return c, Written
}

// qualifiedName is the name of a declaration with the classes and namespaces around
// it; that of a variable in a function stands alone.
func qualifiedName(f *bind.File, d *bind.Decl, separator string) string {
	name := plain(d.Name)
	for sc := d.Scope; sc > 0; sc = f.Scopes[sc].Parent {
		switch scope := &f.Scopes[sc]; scope.Kind {
		case bind.FunctionScope:
			return name
		case bind.ClassScope, bind.NamespaceScope:
			if around := plain(f.Decls[scope.Decl].Name); around != "" && len(name) < maxQualified {
				name = around + separator + name
			}
		}
	}
	return name
}

// plain is a name without the marks that languages put on it in a [bind.File].
func plain(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, bind.ExtensionPrefix), "()"), "+")
	name, _, _ = strings.Cut(name, "`")
	return name
}
