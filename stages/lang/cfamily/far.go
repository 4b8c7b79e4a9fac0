package cfamily

import (
	"strings"

	"benchmill/stages/lang/bind"
)

// Class is the class with a body that a path of names ("ns::A") stands for in a file,
// by a [Farsighted] linker, as far as the file sees.
func Class(l bind.Linker, from *bind.File, path string) (bind.Target, bool) {
	far, ok := l.(farsighted)
	if !ok {
		return bind.Target{}, false
	}
	for _, t := range far.linker.Import(from, &bind.Import{Kind: kindPath, Path: path}) {
		if far.defines(t) {
			return t, true
		}
	}
	return bind.Target{}, false
}

// Paths are the qualified names of a file by the scopes in which they stand for what
// they mean.
func Paths(f *bind.File) map[bind.ScopeID]string {
	out := map[bind.ScopeID]string{}
	for i := range f.Decls {
		if d := &f.Decls[i]; d.Kind == bind.Imported && f.Import(d.Import).Kind == kindPath {
			out[d.Scope] = f.Import(d.Import).Path
		}
	}
	return out
}

// Outside is the path of the class of another file whose members a class holds that
// the file defines outside of it, and reports whether it is such a one.
func Outside(d *bind.Decl) (path string, ok bool) {
	if d.Kind != bind.Class {
		return "", false
	}
	return strings.CutSuffix(d.Name, extension)
}

// Farsighted is a linker of the family to which classes that a file only declares are
// those that the repository defines, the nearest if there are several: a header need
// not include what its users do.
func Farsighted(l bind.Linker) bind.Linker {
	if linked, ok := l.(*linker); ok {
		return farsighted{linked}
	}
	return l
}

type farsighted struct{ *linker }

func (l farsighted) Import(from *bind.File, im *bind.Import) []bind.Target {
	out := l.linker.Import(from, im)
	if len(out) > 0 && !l.declaresOnly(out[0]) || im.Kind != kindPath || strings.HasPrefix(im.Path, "std::") {
		return out
	}
	parts := strings.Split(im.Path, "::")
	if far := l.far(from, parts[:len(parts)-1], parts[len(parts)-1]); far != nil {
		return far
	}
	return out
}

// Global has classes that a file does not see last: "struct A *a" declares A.
func (l farsighted) Global(from *bind.File, name string) []bind.Target {
	out := l.linker.Global(from, name)
	if len(out) > 0 || l.standard[name] != 0 {
		return out
	}
	return l.far(from, nil, name)
}

// far is the nearest class with a body inside of namespaces and classes.
func (l farsighted) far(from *bind.File, around []string, name string) []bind.Target {
	var found []bind.Target
	nearest := -1
	candidates := l.classes[name]
	for _, p := range candidates[:min(len(candidates), maxFar)] {
		f := l.files[p.file]
		if !inside(f, &f.Decls[p.decl], around) {
			continue
		}
		if n := shared(from.Path, f.Path); n > nearest {
			found, nearest = []bind.Target{l.target(p)}, n
		}
	}
	return found
}

// maxFar bounds the declarations of one name that are looked through.
const maxFar = 100

// declaresOnly reports whether a target is a class without a body.
func (l *linker) declaresOnly(t bind.Target) bool {
	d := l.class(t)
	return d != nil && d.Inner == 0
}

// defines reports whether a target is a class with a body.
func (l *linker) defines(t bind.Target) bool {
	d := l.class(t)
	return d != nil && d.Inner != 0
}

// class is a class of the repository, or nil.
func (l *linker) class(t bind.Target) *bind.Decl {
	if at, ok := l.places[t.Path]; ok {
		if d := &l.files[at].Decls[t.Decl]; d.Kind == bind.Class {
			return d
		}
	}
	return nil
}
