package rust

import (
	"strings"
	"sync"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// maxItems bounds the way from one re-export to the next, and the globs on it.
const maxItems = 64

// linker knows the module trees of a repository, and what stands in each module.
type linker struct {
	*resolver
	files   map[string]*bind.File
	decls   map[itemKey][]bind.DeclID // but imports
	inside  map[*module][]region
	targets map[*bind.Import][]bind.Target
	parts   map[string][]bind.Target // of types of other files, by the name of the part
}

type itemKey struct {
	path  string
	scope bind.ScopeID
	name  string
}

// region is a part of a file that is a module: all of it, or the body of decl.
type region struct {
	file *bind.File
	decl bind.DeclID
}

func link(files []*bind.File, config map[string]string) bind.Linker {
	l := &linker{
		files: map[string]*bind.File{}, decls: map[itemKey][]bind.DeclID{}, inside: map[*module][]region{},
		targets: map[*bind.Import][]bind.Target{}, parts: map[string][]bind.Target{},
	}
	facts := make([]*lang.Facts, 0, len(files))
	for _, f := range files {
		l.files[f.Path] = f
		facts = append(facts, imported(f))
		for i := 1; i < len(f.Decls); i++ {
			d := &f.Decls[i]
			if d.Kind == bind.Imported || d.Name == "" {
				continue
			}
			k := itemKey{f.Path, d.Scope, d.Name}
			l.decls[k] = append(l.decls[k], bind.DeclID(i))
			if strings.HasSuffix(d.Name, restMark) && d.Name != nothing && d.Kind == bind.Class {
				l.parts[d.Name] = append(l.parts[d.Name], bind.Target{Path: f.Path, Decl: bind.DeclID(i)})
			}
		}
	}
	l.resolver = newResolver(lang.NewIndex("", facts, config)).(*resolver)
	for _, f := range files {
		inlines := []bind.DeclID{0}
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Kind == bind.Namespace {
				inlines = append(inlines, bind.DeclID(i))
			}
		}
		for _, p := range l.places[f.Path] {
			for i, s := range p.scopes {
				if s.module != nil && i < len(inlines) {
					l.inside[s.module] = append(l.inside[s.module], region{f, inlines[i]})
				}
			}
		}
	}
	for _, f := range files {
		for i := range f.Imports {
			im := &f.Imports[i]
			if places := l.places[f.Path]; len(places) > 0 && im.Level >= 0 && im.Level < len(places[0].scopes) {
				l.targets[im] = l.resolveImport(f, places[0], im)
			}
		}
	}
	return l
}

// imported are the facts of a file that make the module trees.
func imported(f *bind.File) *lang.Facts {
	facts := &lang.Facts{Path: f.Path}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind == kindPath || im.Kind == kindRest {
			continue
		}
		out := lang.Import{Kind: im.Kind, Path: im.Path, Level: im.Level}
		if im.Name != "" {
			out.Names = []string{im.Name}
		}
		facts.Imports = append(facts.Imports, out)
	}
	return facts
}

func (l *linker) Import(_ *bind.File, im *bind.Import) []bind.Target { return l.targets[im] }

// Global finds nothing: what a file does not declare or import is of the language.
func (l *linker) Global(*bind.File, string) []bind.Target { return nil }

func (l *linker) resolveImport(f *bind.File, p *place, im *bind.Import) []bind.Target {
	s := p.scopes[im.Level]
	if s.module == nil {
		return nil
	}
	switch im.Kind {
	case kindMod:
		var out []bind.Target
		var names []string
		if im.Name != "" {
			names = []string{im.Name}
		}
		for _, found := range l.resolver.files(&s, lang.Import{Kind: kindMod, Path: im.Path, Names: names}) {
			out = append(out, bind.Target{Path: found.file, Module: true})
		}
		return out
	case kindRest:
		return l.rest(f, im)
	case kindUse, kindPath:
		w := &walk{linker: l, steps: maxItems}
		if im.All {
			return w.globs(s.module, strings.TrimSuffix(im.Path, "::*"))
		}
		out := w.item(s.module, im.Path)
		if len(out) > 0 && out[0] == (bind.Target{Path: f.Path}) {
			return nil // a macro of this file makes it
		}
		if out == nil {
			return external(im.Path)
		}
		return out
	}
	return nil
}

// known are the types of the library by name.
var known = sync.OnceValue(func() map[string]bind.Target {
	out, library := map[string]bind.Target{}, libraryFile()
	for i := range library.Decls {
		if d := &library.Decls[i]; d.Scope == 0 && (d.Kind == bind.Class || d.Kind == bind.Alias) {
			out[d.Name] = bind.Target{Path: library.Path, Decl: bind.DeclID(i)}
		}
	}
	return out
})

// external is what the library knows of other crates, by the last name of a path.
func external(p string) []bind.Target {
	if t, ok := known()[p[strings.LastIndexByte(p, ':')+1:]]; ok {
		return []bind.Target{t}
	}
	return nil
}

// rest are the parts of a type that other files of its crate give it, or a class
// without members.
func (l *linker) rest(f *bind.File, im *bind.Import) []bind.Target {
	var out []bind.Target
	for _, t := range l.parts[im.Path+restMark] {
		if t.Path != f.Path && l.projects.of(t.Path) == l.projects.of(f.Path) {
			out = append(out, t)
		}
	}
	if out == nil {
		return []bind.Target{{Path: f.Path, Decl: nothingDecl}}
	}
	return out
}
