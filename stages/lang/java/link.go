package java

import (
	"strings"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// linker knows the types of a repository and of the library.
type linker struct {
	*resolver
	decls   map[typeIn]bind.DeclID
	library map[string]bind.DeclID // by simple name
}

type typeIn struct{ path, name string }

// link is the language's [lang.Binding.Link].
func link(files []*bind.File, _ map[string]string) bind.Linker {
	l := &linker{resolver: &resolver{types: map[string][]string{}, packages: map[string]bool{}}, decls: map[typeIn]bind.DeclID{}, library: libraryTypes}
	for _, f := range files {
		l.packages[f.Module] = true
		for id, name := range typesOf(f) {
			full := inPackage(f.Path, f.Module, name)
			if k := (typeIn{f.Path, full}); l.decls[k] == 0 {
				l.decls[k] = id
				l.types[full] = append(l.types[full], f.Path)
			}
		}
	}
	return l
}

// typesOf iterates over the types that other files can name, with the types
// around them in front of their names, in source order.
func typesOf(f *bind.File) func(yield func(bind.DeclID, string) bool) {
	return func(yield func(bind.DeclID, string) bool) {
		names := map[bind.ScopeID]string{}
		for i := 1; i < len(f.Decls); i++ {
			d := &f.Decls[i]
			if d.Kind != bind.Class || d.Name == "" {
				continue
			}
			around, nested := names[d.Scope]
			if d.Scope != 0 && !nested {
				continue // in a method
			}
			name := d.Name
			if nested {
				name = around + "." + name
			}
			if strings.Count(name, ".") >= maxNesting || len(name) > maxName {
				continue
			}
			names[d.Inner] = name
			if !yield(bind.DeclID(i), name) {
				return
			}
		}
	}
}

// Import finds what an import names: a type for a type, and for members of a type
// imported by themselves or all at once that type.
func (l *linker) Import(from *bind.File, im *bind.Import) []bind.Target {
	if t := l.typ(from, im.Path); t != nil {
		return t
	}
	if !im.All && inJDK(im.Path) {
		if id, ok := l.library[im.Name]; ok {
			return []bind.Target{{Path: libraryPath, Decl: id}}
		}
	}
	return nil
}

// typ is the type of a full name.
func (l *linker) typ(from *bind.File, full string) []bind.Target {
	for _, p := range l.nearest(from.Path, full) {
		return []bind.Target{{Path: p, Decl: l.decls[typeIn{p, full}]}}
	}
	return nil
}

// Global finds a type by its simple name: in the package of the file, in packages
// and types imported whole, and among types imported as static members.
func (l *linker) Global(from *bind.File, name string) []bind.Target {
	if strings.HasSuffix(name, call) {
		return nil
	}
	if t := l.typ(from, inPackage(from.Path, from.Module, name)); t != nil {
		return t
	}
	for i := range from.Imports {
		im := &from.Imports[i]
		if !im.All || im.Name != "" && im.Name != name {
			continue
		}
		if t := l.typ(from, im.Path+"."+name); t != nil {
			return t
		}
	}
	return nil
}

var _ bind.Linker = (*linker)(nil)

// bindings is the language's [lang.Language.Binding].
//
// Version history:
//
//	1: first version
func bindings() *lang.Binding {
	return &lang.Binding{Version: 1, Rules: rules, Bind: describe, Link: link}
}
