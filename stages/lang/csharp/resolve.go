package csharp

import (
	"slices"
	"strings"

	"benchmill/stages/lang"
)

// maxParts bounds the files of one type, for names that whole repositories
// declare again and again.
const maxParts = 200

type resolver struct {
	projects *projects
	spaces   map[string][]string // namespaces with a type of a simple name, ascending
	types    map[string][]parts  // by full name, in the order of project folders
	globals  map[string][]lang.Import
}

// parts are the files of one project that declare a type, ascending.
type parts struct {
	project string
	paths   []string
}

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{projects: newProjects(ix), spaces: map[string][]string{}, types: map[string][]parts{}, globals: map[string][]lang.Import{}}
	for folder, p := range r.projects.byFolder {
		r.globals[folder] = slices.Clone(p.usings)
	}
	for _, p := range ix.Paths {
		project := r.projects.of(p)
		for _, im := range ix.Files[p].Imports {
			if kind, ok := strings.CutPrefix(im.Kind, global); ok {
				im.Kind = kind
				r.globals[project] = append(r.globals[project], im)
			}
		}
		for _, full := range ix.Files[p].Declares {
			if strings.Contains(full, "+") {
				continue // found through the type around it
			}
			r.declare(full, project, p)
		}
	}
	for simple := range r.spaces {
		slices.Sort(r.spaces[simple])
	}
	return r
}

func (r *resolver) declare(full, project, path string) {
	all := r.types[full]
	if len(all) == 0 {
		space, simple := split(full)
		r.spaces[simple] = append(r.spaces[simple], space)
	}
	at, ok := slices.BinarySearchFunc(all, project, func(p parts, project string) int { return strings.Compare(p.project, project) })
	if !ok {
		all = slices.Insert(all, at, parts{project: project})
		r.types[full] = all
	}
	if len(all[at].paths) < maxParts {
		all[at].paths = append(all[at].paths, path)
	}
}

func split(full string) (space, simple string) {
	i := strings.LastIndexByte(full, '.')
	return full[:max(i, 0)], full[i+1:]
}

// A sight is what a file can see.
type sight struct {
	project string
	around  map[string]int // namespaces the file's code is in, with those around them: how deep
	opened  map[string]bool
	aliases map[string]string
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	project := r.projects.of(f.Path)
	s := r.look(project, f.Imports)
	var out []string
	for _, im := range f.Imports {
		if kind := strings.TrimPrefix(im.Kind, global); kind == static || kind == alias {
			out = append(out, r.dotted(s, im.Path, 1)...)
		}
	}
	nested := map[string]bool{}
	for _, full := range f.Declares {
		if i := strings.LastIndexByte(full, '+'); i >= 0 {
			nested[full[i+1:]] = true
		}
	}
	for _, word := range f.Identifiers {
		switch {
		case nested[word]:
		case strings.Contains(word, "."):
			first, rest, _ := strings.Cut(word, ".")
			if target := s.aliases[first]; target != "" {
				word = target + "." + rest
			}
			out = append(out, r.dotted(s, word, 2)...)
		case s.aliases[word] != "":
			out = append(out, r.dotted(s, s.aliases[word], 1)...)
		default:
			found := r.find(s, "", word)
			if len(found) == 0 {
				found = r.find(s, "", word+"Attribute")
			}
			out = append(out, found...)
		}
	}
	return lang.Unique(f.Path, out)
}

// look is what a file of a project sees by its imports and the global ones.
func (r *resolver) look(project string, imports []lang.Import) *sight {
	s := &sight{project: project, around: map[string]int{"": 0}, opened: map[string]bool{}, aliases: map[string]string{}}
	for _, im := range slices.Concat(imports, r.globals[project]) {
		s.add(im)
	}
	return s
}

func (s *sight) add(im lang.Import) {
	switch im.Kind {
	case using:
		s.opened[im.Path] = true
	case alias:
		if len(im.Names) == 1 {
			s.aliases[im.Names[0]] = im.Path
		}
	case namespace:
		for space := im.Path; space != "" && len(im.Path) <= maxName; space, _ = split(space) {
			s.around[space] = 1 + strings.Count(space, ".")
		}
	}
}

// dotted lists the files of the types that [resolver.leading] finds.
func (r *resolver) dotted(s *sight, name string, atLeast int) []string {
	var out []string
	found, _ := r.leading(s, name, atLeast)
	for _, full := range found {
		out = append(out, r.pick(s.project, r.types[full])...)
	}
	return out
}

// leading finds the type that a dotted name starts with, which takes at least so
// many parts of it, and what is left of the name.
func (r *resolver) leading(s *sight, name string, atLeast int) (found []string, rest string) {
	if len(name) > maxName {
		return nil, ""
	}
	for end, part := 0, 1; end < len(name); part++ {
		if i := strings.IndexByte(name[end+1:], '.'); i >= 0 {
			end += 1 + i
		} else {
			end = len(name)
		}
		if part < atLeast {
			continue
		}
		space, simple := split(name[:end])
		if found := r.fits(s, space, simple); len(found) > 0 {
			return found, name[end:]
		}
	}
	return nil, ""
}

// find lists the files of the types that [resolver.fits] finds.
func (r *resolver) find(s *sight, written, simple string) []string {
	var out []string
	for _, full := range r.fits(s, written, simple) {
		out = append(out, r.pick(s.project, r.types[full])...)
	}
	return out
}

// fits looks a type up by the namespace written before it, if any, and its simple
// name: from the innermost namespace outwards, then, without a namespace written,
// in those opened by using directives. It returns full names.
func (r *resolver) fits(s *sight, written, simple string) []string {
	var fits []string
	best := -2
	for _, space := range r.spaces[simple] {
		base, ok := space, true
		if written != "" {
			if base, ok = strings.CutSuffix(space, written); ok && base != "" {
				base, ok = strings.CutSuffix(base, ".")
			}
		}
		if !ok {
			continue
		}
		rank, ok := s.around[base]
		if !ok {
			if written != "" || !s.opened[space] {
				continue
			}
			rank = -1
		}
		if rank > best {
			best, fits = rank, fits[:0]
		}
		if rank == best {
			fits = append(fits, join(space, ".", simple))
		}
	}
	return fits
}

// pick chooses the project whose type counts.
func (r *resolver) pick(project string, all []parts) []string {
	best, at := -1, 0
	for i, p := range all {
		score := sharedFolders(p.project, project)
		if r.projects.refers(project, p.project) {
			score += 1 << 20
		}
		if p.project == project {
			return p.paths
		}
		if score > best {
			best, at = score, i
		}
	}
	if best < 0 {
		return nil
	}
	return all[at].paths
}

// sharedFolders is how many leading folders two folders share.
func sharedFolders(a, b string) int {
	n := 0
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y {
			return n
		}
		n++
		if !moreA || !moreB {
			return n
		}
		a, b = restA, restB
	}
}
