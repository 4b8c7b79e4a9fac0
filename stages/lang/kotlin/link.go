package kotlin

import (
	"slices"
	"strings"

	"benchmill/stages/lang/bind"
)

// linker knows what files declare outside classes, by full name. Extensions have
// [bind.ExtensionPrefix] before their last part.
type linker struct {
	declared map[string][]bind.Target
	seen     map[*bind.File][]string // packages whose names a file sees, its own first
	imported map[*bind.File]map[string]string
}

func link(files []*bind.File, _ map[string]string) bind.Linker {
	l := &linker{map[string][]bind.Target{}, map[*bind.File][]string{}, map[*bind.File]map[string]string{}}
	for _, f := range files {
		l.seen[f] = []string{f.Module}
		l.imported[f] = map[string]string{}
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Kind == "all" {
				l.seen[f] = append(l.seen[f], im.Path)
			} else {
				l.imported[f][im.Path[strings.LastIndexByte(im.Path, '.')+1:]] = im.Path
			}
		}
		for i := 1; i < len(f.Decls); i++ {
			d := &f.Decls[i]
			key := full(f.Module, d.Name)
			if d.Scope == 0 && d.Kind != bind.Imported && d.Name != "" && len(l.declared[key]) < maxFiles {
				l.declared[key] = append(l.declared[key], bind.Target{Path: f.Path, Decl: bind.DeclID(i)})
			}
		}
	}
	return l
}

// Import finds what an import by name binds. Of a member of an object or enum only
// the file is known.
func (l *linker) Import(_ *bind.File, im *bind.Import) []bind.Target {
	if im.Kind == "all" {
		return nil
	}
	if found := l.declared[im.Path]; len(found) > 0 {
		return found
	}
	if dot := strings.LastIndexByte(im.Path, '.'); dot > 0 && len(im.Path) <= maxName {
		if found := l.declared[im.Path[:dot]]; len(found) > 0 {
			return []bind.Target{{Path: found[0].Path}}
		}
	}
	return nil
}

// Global finds what other files of the package, and packages imported whole,
// declare; and extensions that the file sees.
func (l *linker) Global(from *bind.File, name string) []bind.Target {
	if len(name) > maxName {
		return nil
	}
	var out []bind.Target
	for _, p := range l.seen[from] {
		if out = l.declared[full(p, name)]; len(out) > 0 {
			break
		}
	}
	plain, extension := strings.CutPrefix(name, bind.ExtensionPrefix)
	if path := l.imported[from][plain]; extension && path != "" && len(out) == 0 {
		dot := strings.LastIndexByte(path, '.')
		out = l.declared[path[:dot+1]+name]
	}
	if len(out) == 0 && !extension {
		out = l.declared[name] // with its package in front
	}
	own := slices.IndexFunc(out, func(t bind.Target) bool { return t.Path == from.Path })
	if own > 0 {
		out = slices.Concat(out[own:own+1], out[:own], out[own+1:])
	}
	return out
}
