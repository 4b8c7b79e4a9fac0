package csharp

import (
	"slices"
	"strings"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// linker knows the types of a repository by full name, those with type parameters
// with their number: "Space.List`1+Node".
type linker struct {
	*resolver
	sights map[*bind.File]*sight
	decls  map[string][]bind.Target // of types, by full name and then path
	// extensions are extension methods by name, with the namespaces of their classes.
	extensions map[string][]extended
}

type extended struct {
	space  string
	target bind.Target
}

// maxExtensions bounds those of one name.
const maxExtensions = 50

func link(files []*bind.File, config map[string]string) bind.Linker {
	l := &linker{sights: map[*bind.File]*sight{}, decls: map[string][]bind.Target{}, extensions: map[string][]extended{}}
	var facts []*lang.Facts
	for _, f := range files {
		facts = append(facts, l.index(f))
	}
	l.resolver = newResolver(lang.NewIndex("", facts, config)).(*resolver)
	for i, f := range files {
		s := l.look(l.projects.of(f.Path), facts[i].Imports)
		s.openRelative()
		l.sights[f] = s
	}
	return l
}

// maxRelative bounds the pairs of namespaces that using directives are tried in.
const maxRelative = 10_000

// openRelative opens what using directives mean that leave out the namespaces they
// stand in. Which those are is not known, so all of the file count.
func (s *sight) openRelative() {
	if len(s.opened)*len(s.around) > maxRelative {
		return
	}
	var more []string
	for space := range s.opened {
		for around := range s.around {
			if around != "" {
				more = append(more, around+"."+space)
			}
		}
	}
	for _, space := range more {
		s.opened[space] = true
	}
}

// index lists what a file declares.
func (l *linker) index(f *bind.File) *lang.Facts {
	facts := &lang.Facts{Path: f.Path}
	for i := range f.Imports {
		im := &f.Imports[i]
		facts.Imports = append(facts.Imports, lang.Import{Kind: im.Kind, Path: im.Path})
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		switch {
		case d.Kind == bind.Imported && f.Import(d.Import).Kind != part:
			facts.Imports[d.Import-1].Names = []string{d.Name}
		case d.Kind == bind.Class && d.Name != "" || d.Kind == bind.Alias:
			if full := fullName(f, d); full != "" {
				l.decls[full] = append(l.decls[full], bind.Target{Path: f.Path, Decl: bind.DeclID(i)})
				facts.Declares = append(facts.Declares, full)
			}
		case d.Kind == bind.Func && strings.HasPrefix(d.Name, extension):
			if all := l.extensions[d.Name]; len(all) < maxExtensions {
				space, _ := split(fullName(f, &f.Decls[f.Scopes[d.Scope].Decl]))
				l.extensions[d.Name] = append(all, extended{space, bind.Target{Path: f.Path, Decl: bind.DeclID(i)}})
			}
		}
	}
	return facts
}

// fullName is the name of a type as metadata has it, "" for one inside a function
// or with too many around it.
func fullName(f *bind.File, d *bind.Decl) string {
	name, separator := d.Name, "."
	depth := 0
	for sc := d.Scope; sc > 0; sc = f.Scopes[sc].Parent {
		if depth++; depth > 2*maxNesting || len(name) > maxName {
			return ""
		}
		switch f.Scopes[sc].Kind {
		case bind.ClassScope:
			name = f.Decls[f.Scopes[sc].Decl].Name + "+" + name
		case bind.NamespaceScope:
			name = f.Decls[f.Scopes[sc].Decl].Name + separator + name
		case bind.FunctionScope:
			return ""
		}
	}
	return name
}

// linq are the extension methods of System.Linq, which anything seems to have
// where that is opened.
var linq = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`
		Aggregate All Any Append AsEnumerable AsQueryable Average Cast Concat Contains Count DefaultIfEmpty Distinct ElementAt
		ElementAtOrDefault Except First FirstOrDefault GroupBy GroupJoin Intersect Join Last LastOrDefault LongCount Max Min OfType
		OrderBy OrderByDescending Prepend Reverse Select SelectMany SequenceEqual Single SingleOrDefault Skip SkipWhile Sum Take
		TakeWhile ThenBy ThenByDescending ToArray ToDictionary ToHashSet ToList ToLookup Union Where Zip`) {
		out[name] = true
	}
	return out
}()

// Import finds what a static using opens, an alias stands for, and the other parts
// of a partial type.
func (l *linker) Import(from *bind.File, im *bind.Import) []bind.Target {
	switch strings.TrimPrefix(im.Kind, global) {
	case part:
		// The next part stands for all others, as it has parts itself.
		all := l.picked(from, im.Path)
		if len(all) == 0 || all[len(all)-1].Path == from.Path {
			return nil
		}
		all = slices.DeleteFunc(slices.Clone(all), func(t bind.Target) bool { return t.Path == from.Path })
		next, _ := slices.BinarySearchFunc(all, from.Path, func(t bind.Target, p string) int { return strings.Compare(t.Path, p) })
		next %= len(all)
		return append(slices.Clone(all[next:]), all[:next]...)
	case static, alias:
		return l.named(from, im.Path)
	}
	return nil
}

// Global finds the types that a simple or dotted name stands for in a file, and
// extension methods by their dotted name.
func (l *linker) Global(from *bind.File, name string) []bind.Target {
	s := l.sights[from]
	if s == nil {
		return nil
	}
	if strings.HasPrefix(name, extension) {
		if s.opened["System.Linq"] && linq[name[1:]] {
			return []bind.Target{{Path: from.Path}}
		}
		var out []bind.Target
		for _, e := range l.extensions[name] {
			if _, around := s.around[e.space]; around || s.opened[e.space] {
				out = append(out, e.target)
			}
		}
		slices.SortStableFunc(out, func(a, b bind.Target) int { // those of the file first
			switch {
			case a.Path == b.Path:
				return 0
			case a.Path == from.Path:
				return -1
			case b.Path == from.Path:
				return 1
			}
			return 0
		})
		return out
	}
	return l.named(from, name)
}

// named finds types by a name as it is written: simple, or with namespaces, types
// around it and aliases in front.
func (l *linker) named(from *bind.File, name string) []bind.Target {
	s := l.sights[from]
	if s == nil {
		return nil
	}
	if first, rest, dotted := strings.Cut(name, "."); s.aliases[first] != "" && dotted {
		name = s.aliases[first] + "." + rest
	}
	found, rest := l.leading(s, name, 1)
	var out []bind.Target
	for _, full := range found {
		out = append(out, l.picked(from, full+strings.ReplaceAll(rest, ".", "+"))...)
	}
	return out
}

// picked are the declarations of a type, of the project that counts, those in the
// file itself first.
func (l *linker) picked(from *bind.File, full string) (out []bind.Target) {
	outer, _, _ := strings.Cut(full, "+")
	paths := map[string]bool{}
	for _, p := range l.pick(l.sights[from].project, l.types[outer]) {
		paths[p] = true
	}
	var others []bind.Target
	for _, t := range l.decls[full] {
		switch {
		case t.Path == from.Path:
			out = append(out, t)
		case paths[t.Path]:
			others = append(others, t)
		}
	}
	return append(out, others...)
}
