package golang

import (
	"path"
	"strings"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// linker knows the packages of a repository.
type linker struct {
	dirs     map[importKey]string // of imported packages, "" for none of the repository
	packages map[packageKey]*pkg
}

type importKey struct{ from, path string }

// packageKey tells packages of one folder apart: their names, and whether tests
// count.
type packageKey struct {
	dir, name string
	tests     bool
}

type pkg struct {
	files []bind.Target
	decls map[string][]bind.Target // of the top level
}

func link(files []*bind.File, config map[string]string) bind.Linker {
	l := &linker{map[importKey]string{}, map[packageKey]*pkg{}}
	facts := make([]*lang.Facts, 0, len(files))
	for _, f := range files {
		facts = append(facts, &lang.Facts{Path: f.Path})
		dir := path.Dir(f.Path)
		l.add(packageKey{dir, f.Module, true}, f)
		if !isTest(f.Path) {
			l.add(packageKey{dir, f.Module, false}, f)
			l.add(packageKey{dir, "", false}, f)
		}
	}
	r := newResolver(lang.NewIndex("", facts, config)).(*resolver)
	for _, f := range files {
		for i := range f.Imports {
			k := importKey{path.Dir(f.Path), f.Imports[i].Path}
			if _, seen := l.dirs[k]; !seen && f.Imports[i].Kind != importRest {
				l.dirs[k] = r.folder(k.from, k.path)
			}
		}
	}
	return l
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

func (l *linker) add(k packageKey, f *bind.File) {
	p := l.packages[k]
	if p == nil {
		p = &pkg{decls: map[string][]bind.Target{}}
		l.packages[k] = p
	}
	p.files = append(p.files, bind.Target{Path: f.Path})
	for i := range f.Decls {
		if d := &f.Decls[i]; i > 0 && d.Scope == 0 && d.Kind != bind.Imported && d.Name != "" {
			p.decls[d.Name] = append(p.decls[d.Name], bind.Target{Path: f.Path, Decl: bind.DeclID(i)})
		}
	}
}

// own is the package of a file as the file sees it.
func (l *linker) own(f *bind.File) *pkg {
	return l.packages[packageKey{path.Dir(f.Path), f.Module, isTest(f.Path)}]
}

// imported is the package of an import path. Tests beside it see its tests.
func (l *linker) imported(from *bind.File, importPath string) *pkg {
	dir := l.dirs[importKey{path.Dir(from.Path), importPath}]
	if dir == "" {
		return nil
	}
	if name, ok := strings.CutSuffix(from.Module, "_test"); ok && dir == path.Dir(from.Path) {
		return l.packages[packageKey{dir, name, true}]
	}
	return l.packages[packageKey{dir, "", false}]
}

// Import has the declarations of a member, all files of a package, or the
// methods of a type in other files. There might always be such methods.
func (l *linker) Import(from *bind.File, im *bind.Import) []bind.Target {
	if im.Kind == importRest {
		var out []bind.Target
		if p := l.own(from); p != nil {
			out = without(p.decls[im.Name], from.Path)
		}
		if out == nil {
			out = []bind.Target{{Path: from.Path}}
		}
		return out
	}
	p := l.imported(from, im.Path)
	if p == nil {
		return nil
	}
	if im.Kind == importPackage {
		return p.files
	}
	if t := p.decls[im.Name]; t != nil {
		return t
	}
	return p.files[:1]
}

func (l *linker) Global(from *bind.File, name string) []bind.Target {
	if p := l.own(from); p != nil {
		return p.decls[name]
	}
	return nil
}

// without leaves out what a file declares itself.
func without(targets []bind.Target, file string) []bind.Target {
	var out []bind.Target
	for _, t := range targets {
		if t.Path != file {
			out = append(out, t)
		}
	}
	return out
}
