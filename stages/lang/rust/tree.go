package rust

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"benchmill/stages/lang"
)

// maxShare is how many crates a file may be a part of, on average.
const maxShare = 16

// A crate is a tree of modules. A file stands in a crate once, however often
// its modules are declared.
type crate struct {
	project *project // or nil
	root    *module
	files   map[string]*module
}

// A module is a node of a crate.
type module struct {
	crate    *crate
	parent   *module
	children map[string]*module
	files    []string            // several where configurations differ; none where only its folder is known
	uses     map[string][]string // paths by the name they bring into the module
	globs    []string            // paths whose names they all bring
}

// use records a `use` in the module.
func (m *module) use(im lang.Import) {
	if path, ok := strings.CutSuffix(im.Path, "::*"); ok {
		m.globs = append(m.globs, path)
		return
	}
	name := im.Path[strings.LastIndexByte(im.Path, ':')+1:]
	if len(im.Names) > 0 {
		name = im.Names[0]
	}
	if m.uses == nil {
		m.uses = map[string][]string{}
	}
	m.uses[name] = append(m.uses[name], im.Path)
}

func (m *module) child(name string) *module {
	c := m.children[name]
	if c == nil {
		c = &module{crate: m.crate, parent: m}
		if m.children == nil {
			m.children = map[string]*module{}
		}
		m.children[name] = c
	}
	return c
}

// A place is a file as part of a module.
type place struct {
	file   string
	scopes []scope // the file's own module, then its inline ones as [lang.Import.Level] counts them
}

// A scope is a module of a file with the folders that its `mod x;` look in.
type scope struct {
	module *module
	dir    string // for x.rs and x/mod.rs
	attrs  string // for #[path]
}

// at is the scope of an import, or nil.
func (p *place) at(im lang.Import) *scope {
	if im.Level < 0 || im.Level >= len(p.scopes) || p.scopes[im.Level].module == nil {
		return nil
	}
	return &p.scopes[im.Level]
}

// forest is all crates of an index.
type forest struct {
	ix       *lang.Index
	projects projects
	places   map[string][]*place // by file
	crates   map[string]*crate   // by root file, and by folder where no root file is known
	queue    []task
	budget   int // imports of files that may still be given a place: #[path] could make a tree of any size
}

// A task is a file to read as part of a module.
type task struct {
	module *module
	file   string
	owner  bool // a file whose modules lie in its own folder: mod.rs, a root, or one named by #[path]
}

func newForest(ix *lang.Index) *forest {
	f := &forest{ix: ix, projects: newProjects(ix), places: map[string][]*place{}, crates: map[string]*crate{}, budget: 1 << 16}
	for _, file := range ix.Paths {
		f.budget += maxShare * (1 + len(ix.Files[file].Imports))
	}
	for _, dir := range slices.Sorted(maps.Keys(f.projects)) {
		p := f.projects[dir]
		for _, file := range append([]string{p.libPath}, p.roots...) {
			f.root(p, file)
		}
	}
	for _, file := range ix.Paths {
		if p := f.projects.of(file); p != nil && implied.MatchString(p.below(file)) {
			f.root(p, file)
		}
	}
	for _, base := range []string{"lib.rs", "main.rs", "mod.rs"} {
		if file := path.Join(ix.Entry, base); f.projects.of(file) == nil {
			f.root(nil, file)
		}
	}
	f.grow()
	for _, file := range ix.Paths {
		if len(f.places[file]) == 0 {
			f.guess(file)
			f.grow()
		}
	}
	return f
}

// root makes a file the root of a crate.
func (f *forest) root(p *project, file string) {
	if f.crates[file] == nil && f.ix.Has(file) {
		f.crates[file] = newCrate(p)
		f.add(f.crates[file].root, file, true)
	}
}

func newCrate(p *project) *crate {
	c := &crate{project: p, files: map[string]*module{}}
	c.root = &module{crate: c}
	return c
}

func (f *forest) add(m *module, file string, owner bool) {
	if f.budget -= 1 + len(f.ix.Files[file].Imports); f.budget < 0 {
		return
	}
	m.files = append(m.files, file)
	m.crate.files[file] = m
	f.queue = append(f.queue, task{m, file, owner})
}

// grow reads files until no module is left to find, crates in turn.
func (f *forest) grow() {
	for len(f.queue) > 0 {
		t := f.queue[0]
		f.queue = f.queue[1:]
		f.read(t)
	}
}

func (f *forest) read(t task) {
	dir := path.Dir(t.file)
	p := &place{t.file, []scope{{t.module, dir, dir}}}
	if !t.owner {
		p.scopes[0].dir = strings.TrimSuffix(t.file, ".rs")
	}
	f.places[t.file] = append(f.places[t.file], p)
	for _, im := range f.ix.Files[t.file].Imports {
		s := p.at(im)
		switch {
		case im.Kind == kindInline: // has a number even where its parent is unknown
			p.scopes = append(p.scopes, s.inline(im, t.file))
		case s == nil:
		case im.Kind == kindMod:
			for _, found := range f.files(s, im) {
				f.declare(s.module, im.Path, found)
			}
		case im.Kind == kindUse:
			s.module.use(im)
		}
	}
}

func (s *scope) inline(im lang.Import, file string) scope {
	if s == nil {
		return scope{}
	}
	m := s.module.child(im.Path)
	if !slices.Contains(m.files, file) {
		m.files = append(m.files, file)
	}
	dir := path.Join(s.dir, im.Path)
	if len(im.Names) > 0 {
		dir = path.Join(s.attrs, im.Names[0])
	}
	return scope{m, dir, dir}
}

// A source is where the file of a `mod x;` was found.
type source struct {
	file  string
	owner bool
}

// files are those that a `mod x;` may mean, under any configuration.
func (f *forest) files(s *scope, im lang.Import) []source {
	var out []source
	for _, name := range im.Names {
		if file := path.Join(s.attrs, name); f.ix.Has(file) {
			out = append(out, source{file, true})
		}
	}
	base := path.Join(s.dir, im.Path)
	if f.ix.Has(base + ".rs") {
		return append(out, source{base + ".rs", false})
	}
	if file := path.Join(base, "mod.rs"); f.ix.Has(file) {
		out = append(out, source{file, true})
	}
	return out
}

func (f *forest) declare(parent *module, name string, found source) {
	if m := parent.crate.files[found.file]; m != nil {
		if parent.children[name] == nil && m != parent.crate.root {
			parent.child(name)
			parent.children[name] = m
		}
		return
	}
	f.add(parent.child(name), found.file, found.owner)
}

// guess places a file that no module declares: in the library or program of its
// package, or below the entry directory, where its path suggests; elsewhere as
// a crate of its own.
func (f *forest) guess(file string) {
	p := f.projects.of(file)
	dir := cmp.Or(f.ix.Entry, ".")
	roots := []string{path.Join(dir, "lib.rs"), path.Join(dir, "main.rs"), path.Join(dir, "mod.rs")}
	if p != nil {
		dir = path.Dir(p.libPath)
		roots = []string{p.libPath, path.Join(dir, "main.rs")}
	}
	below, ok := holds(dir, file)
	if !ok {
		f.root(p, file)
		return
	}
	var c *crate
	for _, root := range append(roots, dir+"/") { // the last is no file
		c = cmp.Or(c, f.crates[root])
	}
	if c == nil {
		c = newCrate(p)
		f.crates[dir+"/"] = c
	}
	m := c.root
	steps := strings.Split(strings.TrimSuffix(below, ".rs"), "/")
	owner := steps[len(steps)-1] == "mod"
	if owner {
		steps = steps[:len(steps)-1]
	}
	for _, name := range steps {
		m = m.child(name)
	}
	if len(m.files) > 0 { // taken: a sibling without a name
		m = &module{crate: m.crate, parent: m.parent}
	}
	f.add(m, file, owner)
}
