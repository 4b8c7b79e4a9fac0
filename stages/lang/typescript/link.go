package typescript

import (
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// linker says what imports bind: everything is looked up once, before the first
// question.
type linker struct {
	imports map[*bind.Import][]bind.Target
	modules *modules
}

func (l *linker) Import(_ *bind.File, im *bind.Import) []bind.Target { return l.imports[im] }

// Global: scripts without imports share their names, but taking imports away
// leaves those alone.
func (l *linker) Global(*bind.File, string) []bind.Target { return nil }

func link(files []*bind.File, config map[string]string) bind.Linker {
	var facts []*lang.Facts
	for _, f := range files {
		facts = append(facts, &lang.Facts{Path: f.Path})
	}
	r := newResolver(lang.NewIndex("", facts, config)).(*resolver)
	all := newModules(files, r)
	l := &linker{map[*bind.Import][]bind.Target{}, all}
	for _, f := range files {
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Kind == kindImport || im.Kind == kindExport {
				if targets := all.targets(f, im, 0); targets != nil {
					l.imports[im] = targets
				}
			}
		}
	}
	return l
}

// modules are the files of a repository by what they export.
type modules struct {
	resolver *resolver
	byPath   map[string]*module
}

type module struct {
	*bind.File
	from  importer
	names map[place][]bind.DeclID // of the file and of its exports
}

func newModules(files []*bind.File, r *resolver) *modules {
	all := &modules{r, make(map[string]*module, len(files))}
	for _, f := range files {
		m := &module{f, r.importer(f.Path), map[place][]bind.DeclID{}}
		for i := 1; i < len(f.Decls); i++ {
			if d := &f.Decls[i]; d.Scope <= exportsScope && d.Name != "" {
				k := place{d.Scope, d.Name}
				m.names[k] = append(m.names[k], bind.DeclID(i))
			}
		}
		all.byPath[f.Path] = m
	}
	return all
}

// maxReexports bounds the files that a name passes through.
const maxReexports = 16

// targets are what an import stands for.
func (a *modules) targets(f *bind.File, im *bind.Import, depth int) []bind.Target {
	path := a.byPath[f.Path].module(im.Path)
	if path == "" {
		return nil
	}
	if im.Name == "" {
		return []bind.Target{{Path: path}}
	}
	if found := a.export(path, im.Name, depth); found != nil {
		return found
	}
	return []bind.Target{{Path: path}} // surely there, not visibly
}

// module is the file that a specifier means, "" for none or the file itself.
func (m *module) module(specifier string) string {
	if !m.from.ofProject(specifier) {
		return ""
	}
	return m.from.find(specifier, false)
}

// export finds what a file exports under a name.
func (a *modules) export(path, name string, depth int) []bind.Target {
	m := a.byPath[path]
	if m == nil || depth > maxReexports {
		return nil
	}
	var out []bind.Target
	for _, d := range m.names[place{exportsScope, name}] {
		out = append(out, a.declared(m, d, depth)...)
	}
	if out != nil || name == importDefault {
		return out
	}
	for i := range m.Imports {
		if im := &m.Imports[i]; im.Kind == kindAll {
			if found := a.export(m.module(im.Path), name, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// declared follows an export to what it exports.
func (a *modules) declared(m *module, id bind.DeclID, depth int) []bind.Target {
	d := &m.Decls[id]
	if d.Kind == bind.Imported {
		return a.targets(m.File, m.Import(d.Import), depth+1)
	}
	e := &m.Exprs[d.Value]
	if e.Op != bind.Name || d.Scope != exportsScope {
		return []bind.Target{{Path: m.Path, Decl: id}}
	}
	var out []bind.Target
	for _, local := range m.names[place{0, e.Name}] {
		if m.Decls[local].Kind == bind.Imported {
			out = append(out, a.targets(m.File, m.Import(m.Decls[local].Import), depth+1)...)
			continue
		}
		out = append(out, bind.Target{Path: m.Path, Decl: local})
	}
	return out
}
