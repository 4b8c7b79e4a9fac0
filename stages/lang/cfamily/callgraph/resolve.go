package callgraph

import (
	"strings"

	"benchmill/stages/lang/calls"
)

// target is what a name means.
type target struct {
	calls.Callee
	alternatives int
	found        bool
	lost         bool // see [lostNames]
}

// plainKey is a question about a plain name.
type plainKey struct {
	name int32
	args int16
}

// resolve is the function that a plain name means with a number of arguments; -1
// where that is not known.
func (s *sight) resolve(name int32, args int16) target {
	key := plainKey{name, -1}
	if s.unit.cpp {
		key.args = args
	}
	got, ok := s.plain[key]
	if !ok {
		got = s.lookup(name, key.args)
		s.plain[key] = got
	}
	return got
}

// lookup goes from what is near to what is far: the file, what it includes, what a
// macro generates there, then the rest of the repository.
func (s *sight) lookup(name int32, args int16) target {
	all := s.functions.of(name)
	if t := s.best(in(all, s.file), args, func(f *function) bool { return !f.member }); t.found {
		return t
	}
	var near, far []ref
	for _, r := range all {
		switch f := &s.units[r.file].functions[r.index]; {
		case f.member:
		case r.file != s.file && s.sees(r.file):
			near = append(near, r)
		case !f.static && r.file != s.file:
			far = append(far, r)
		}
	}
	if t := s.best(near, args, nil); t.found {
		return t
	}
	for _, r := range s.generated[name] {
		if s.sees(r.file) {
			return s.declared(name, r, s.units[r.file].uses[r.index].at)
		}
	}
	prototype, seen := s.prototype(name)
	system, isSystem := s.system[name]
	isSystem = isSystem && (!system.std || s.unit.cpp)
	if len(far) > 0 && (seen || !isSystem) {
		header := none
		if seen {
			header = prototype.file
		}
		t := s.best(s.nearest(far, header), args, nil)
		t.alternatives = len(far) - 1
		return t
	}
	if isSystem && system.kind == systemFunction {
		return s.systemTarget(name, system)
	}
	if prototype.file != none {
		d := &s.units[prototype.file].decls[prototype.index]
		t := s.declared(name, prototype, d.at)
		t.lost = d.lost
		return t
	}
	if list := s.generated[name]; len(list) > 0 {
		r := s.closest(list)
		return s.declared(name, r, s.units[r.file].uses[r.index].at)
	}
	if header := s.external(s.textOf(name)); header != "" {
		return target{Callee: calls.Callee{Name: s.textOf(name), Origin: calls.External, Path: header, Start: -1, Line: -1}, found: true}
	}
	return target{Callee: calls.Callee{Name: s.textOf(name), Origin: calls.Unresolved, Start: -1, Line: -1}}
}

// external is the header that is likely to declare a name that nothing here does: one
// that the file includes itself and that is neither of the repository nor of the
// system, and has the beginning of the name in its path; "" if there is none.
func (s *sight) external(name string) string {
	word, _, _ := strings.Cut(strings.ToLower(name), "_")
	if len(word) < minWord {
		return ""
	}
	for _, h := range s.angled[s.file] {
		for part := range strings.FieldsFuncSeq(strings.ToLower(h), func(c rune) bool { return c == '/' || c == '.' || c == '-' }) {
			if len(part) >= minWord && (strings.HasPrefix(word, part) || strings.HasPrefix(part, word)) {
				return h
			}
		}
	}
	return ""
}

// minWord is the length of a word that a name and a header must share.
const minWord = 3

// systemTarget is a function of the system.
func (s *sight) systemTarget(name int32, e systemEntry) target {
	text := s.textOf(name)
	if e.std {
		text = "std::" + text
	}
	return target{Callee: calls.Callee{Name: text, Origin: calls.System, Path: e.header, Start: -1, Line: -1}, found: true}
}

// declared is what the repository declares at a place.
func (s *sight) declared(name int32, r ref, at int32) target {
	return target{Callee: calls.Callee{Name: s.textOf(name), Origin: calls.Declared, Path: s.files[r.file].Path, Start: at, Line: s.units[r.file].lineOf(at)}, found: true}
}

// best is the first of several definitions that fits a call: one that takes so many
// arguments before one that does not, one that is there surely before one that may
// not be.
func (s *sight) best(list []ref, args int16, ok func(*function) bool) target {
	var best ref
	rank, count := -1, 0
	for _, r := range list {
		f := &s.units[r.file].functions[r.index]
		if ok != nil && !ok(f) {
			continue
		}
		count++
		now := 0
		if args < 0 || args >= f.min && (f.max < 0 || args <= f.max) {
			now += 2
		}
		if !f.unsure {
			now++
		}
		if now > rank {
			best, rank = r, now
		}
	}
	if count == 0 {
		return target{}
	}
	t := s.definition(best)
	t.alternatives = count - 1
	t.lost = s.units[best.file].functions[best.index].lost
	return t
}

// definition is a function of the repository.
func (s *sight) definition(r ref) target {
	f := &s.files[r.file].Functions[r.index]
	return target{Callee: calls.Callee{Name: f.Qualified, Origin: calls.Defined, Path: s.files[r.file].Path, Start: f.Start, Line: f.Line}, found: true}
}

// prototype is where a name is declared as a function, best where the file sees it.
func (s *sight) prototype(name int32) (r ref, seen bool) {
	r = ref{none, none}
	for _, c := range s.decls.of(name) {
		u := s.units[c.file]
		d := &u.decls[c.index]
		if t := &u.types[d.typ]; !t.fn || t.pointer > 0 {
			continue
		}
		if s.sees(c.file) {
			return c, true
		}
		if !d.static && r.file == none {
			r = c
		}
	}
	return r, false
}

// nearest are those of several definitions that stand in the file that is most
// likely meant: one beside the header that declares the name or one that includes it,
// one that shares most folders, one in the same folder.
func (s *sight) nearest(list []ref, header int32) []ref {
	best, rank := list[0].file, -1
	for _, r := range list {
		if now := s.rank(r.file, header); now > rank {
			best, rank = r.file, now
		}
	}
	return in(list, best)
}

// closest is the nearest of several places.
func (s *sight) closest(list []ref) ref {
	best, rank := list[0], -1
	for _, r := range list {
		if now := s.rank(r.file, none); now > rank {
			best, rank = r, now
		}
	}
	return best
}

// rank says how near a file is.
func (s *sight) rank(file, header int32) int {
	own, other := s.files[s.file].Path, s.files[file].Path
	rank := 2 * common(own, other)
	if folder(own) == folder(other) {
		rank++
	}
	if header != none {
		h := s.files[header].Path
		if stem(h) == stem(other) && folder(h) == folder(other) {
			rank += 1 << 22
		}
		for _, inc := range s.includes[file] {
			if inc == header {
				rank += 1 << 20
				break
			}
		}
	}
	return rank
}

// folder is the path of the folder of a file, with the slash.
func folder(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// stem is the base name of a file without what follows the first dot.
func stem(path string) string {
	base, _, _ := strings.Cut(path[len(folder(path)):], ".")
	return base
}

// common counts the leading folders that two paths share.
func common(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
