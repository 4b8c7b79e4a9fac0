package python

import (
	"path"
	"strings"

	"benchmill/stages/lang/bind"
)

// linker knows what imports bind in a frozen repository.
type linker struct {
	*modules
	files map[string]*bind.File
	names map[string]map[string][]bind.DeclID // of each file, at its top level
	bound map[*bind.Import][]bind.Target
}

// link freezes the files of a repository.
func link(files []*bind.File, _ map[string]string) bind.Linker {
	l := &linker{files: map[string]*bind.File{}, names: map[string]map[string][]bind.DeclID{}, bound: map[*bind.Import][]bind.Target{}}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
		l.files[f.Path] = f
		l.names[f.Path] = topLevel(f)
	}
	l.modules = newModules(paths)
	for _, f := range files {
		for i := range f.Imports {
			l.bound[&f.Imports[i]] = l.find(f.Path, &f.Imports[i])
		}
	}
	return l
}

// topLevel is what a module binds, in branches too.
func topLevel(f *bind.File) map[string][]bind.DeclID {
	names := map[string][]bind.DeclID{}
	for i := 1; i < len(f.Decls); i++ {
		sc := f.Decls[i].Scope
		for f.Scopes[sc].Kind == bind.BranchScope {
			sc = f.Scopes[sc].Parent
		}
		if sc == 0 || f.Decls[i].Global {
			names[f.Decls[i].Name] = append(names[f.Decls[i].Name], bind.DeclID(i))
		}
	}
	return names
}

// Global finds nothing: every name of a file is bound in it.
func (l *linker) Global(*bind.File, string) []bind.Target { return nil }

// Import returns a module, or what a module or package has under a name: what it
// binds, else a module inside it.
func (l *linker) Import(from *bind.File, im *bind.Import) []bind.Target {
	if targets, ok := l.bound[im]; ok {
		return targets
	}
	return l.find(from.Path, im)
}

func (l *linker) find(from string, im *bind.Import) []bind.Target {
	if im.Path == "" && im.Level == 0 {
		return nil
	}
	for dir := range l.starts(from, im.Path, im.Level) {
		if base := below(dir, im.Path); base != "" {
			if found := l.at(dir, base, im); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// at is what an import binds if the module it names has a path, without suffix.
func (l *linker) at(dir, base string, im *bind.Import) []bind.Target {
	module := l.file(base)
	switch {
	case im.Name != "":
		if found := l.named(base, module, im.Name); len(found) > 0 {
			return found
		}
	case im.All:
		return l.all(module, map[string]bool{})
	case im.Kind == importTop && module != "":
		top, _, _ := strings.Cut(im.Path, ".")
		if top = l.file(below(dir, top)); top != "" {
			module = top
		}
	}
	if module == "" {
		return nil
	}
	return []bind.Target{{Path: module, Module: im.Name == ""}}
}

// named is what a module, whose file may be "", has under a name.
func (l *linker) named(base, module, name string) []bind.Target {
	var out []bind.Target
	for _, t := range l.all(module, map[string]bool{}) {
		for _, d := range l.names[t.Path][name] {
			out = append(out, bind.Target{Path: t.Path, Decl: d})
		}
		if len(out) > 0 {
			return out
		}
	}
	if p := l.file(below(base, name)); p != "" {
		return []bind.Target{{Path: p, Module: true}}
	}
	return nil
}

// all are the modules whose names an import of everything brings: the module, and
// those it imports everything of itself.
func (l *linker) all(module string, seen map[string]bool) []bind.Target {
	if module == "" || seen[module] {
		return nil
	}
	seen[module] = true
	out := []bind.Target{{Path: module, Module: true}}
	f := l.files[module]
	for i := range f.Imports {
		if im := &f.Imports[i]; im.All {
			for dir := range l.starts(module, im.Path, im.Level) {
				if next := l.file(below(dir, im.Path)); next != "" {
					out = append(out, l.all(next, seen)...)
					break
				}
			}
		}
	}
	return out
}

// Submodule returns a module inside a package.
func (l *linker) Submodule(of *bind.File, name string) []bind.Target {
	if path.Base(of.Path) != "__init__.py" {
		return nil
	}
	return l.named(path.Dir(of.Path), "", name)
}
