package callgraph

import (
	"cmp"
	"slices"
	"strings"

	"benchmill/stages/lang/calls"
)

// rtype is a type as a file says it.
type rtype struct {
	file int32
	typ
}

var lostType = rtype{file: none, typ: typ{base: noBase}}

// variable is what a call through a variable names.
func (s *sight) variable(name string, file, at int32) target {
	return target{Callee: calls.Callee{Name: name, Origin: calls.Declared, Path: s.files[file].Path, Start: at, Line: s.units[file].lineOf(at)}, found: true}
}

// localAt is the local of a function that a name at a place means, or nil.
func (s *sight) localAt(caller, name, at int32) *local {
	u := s.unit
	from, to := u.functions[caller].locals, int32(len(u.locals))
	if int(caller)+1 < len(u.functions) {
		to = u.functions[caller+1].locals
	}
	for i := to - 1; i >= from && to-i < maxLocals; i-- {
		if l := &u.locals[i]; l.at <= at && at < l.end && s.ids[s.file][l.name] == name {
			return l
		}
	}
	return nil
}

// maxLocals bounds the locals of a function that are looked through for a name in
// the body of a macro.
const maxLocals = 500

// global is the variable of the repository that a name means.
func (s *sight) global(name int32) (target, bool) {
	r, ok := s.globalRef(name)
	if !ok {
		return target{}, false
	}
	return s.variable(s.textOf(name), r.file, s.units[r.file].decls[r.index].at), true
}

// globalRef looks in the file, then in what it includes, then for what others may
// define; what defines a variable goes before what declares it.
func (s *sight) globalRef(name int32) (ref, bool) {
	best, rank := ref{}, 0
	for _, r := range s.decls.of(name) {
		u := s.units[r.file]
		d := &u.decls[r.index]
		if t := &u.types[d.typ]; t.fn && t.pointer == 0 {
			continue
		}
		now := 1
		switch {
		case r.file == s.file:
			now = 4
		case s.sees(r.file):
			now = 3
		case d.static:
			continue
		}
		now *= 2
		if !d.extern {
			now++
		}
		if now > rank {
			best, rank = r, now
		}
	}
	return best, rank > 0
}

// indirect answers for a call through an expression.
func (s *sight) indirect(c *site) {
	steps := s.unit.paths[c.path:]
	ids := s.ids[s.file]
	var at rtype
	var base target
	switch steps[0] {
	case pathLocal:
		at = rtype{s.file, s.unit.types[steps[2]]}
		base = s.variable(s.unit.name(steps[1]), s.file, steps[3])
		steps = steps[4:]
	case pathGlobal:
		name := ids[steps[1]]
		if steps[2] == stepEnd || onlyDerefs(steps[2:]) {
			if _, ok := s.globalRef(name); !ok { // (f)(x), (*f)(x)
				c := *c
				c.functional = true
				s.written(&c, name, "")
				return
			}
		}
		at, base = s.begins(name, c.at)
		steps = steps[2:]
	default:
		return
	}
	var field target
	for ; steps[0] != stepEnd; steps = steps[1:] {
		switch step := steps[0]; {
		case step >= 0:
			at, field = s.field(at, ids[step])
		case step == stepCall:
			at = s.result(at)
			base, field = target{}, target{}
		case step == stepCast:
			at = rtype{s.file, s.unit.types[steps[1]]}
			steps = steps[1:]
		}
	}
	s.through(c.caller, base, field, "", c.at)
}

// onlyDerefs reports whether a path goes through no more than stars.
func onlyDerefs(steps []int32) bool {
	for ; steps[0] != stepEnd; steps = steps[1:] {
		if steps[0] != stepDeref && steps[0] != stepAddr {
			return false
		}
	}
	return true
}

// through notes a call through a field, or where it goes through none the variable
// that holds the pointer.
func (s *sight) through(caller int32, base, field target, via string, at int32) {
	if field.found {
		s.pseudo(caller, field, via, at)
		if !s.options.Upstream {
			return
		}
	}
	if base.found {
		s.pseudo(caller, base, via, at)
	}
}

// begins is the type of a name that is no local, with the variable it is.
func (s *sight) begins(name, at int32) (rtype, target) {
	for range maxAliases {
		m := s.macro(name, at)
		if m.m == nil {
			break
		}
		to, ok := s.alias(m, at)
		if !ok {
			break
		}
		name = to
	}
	if r, ok := s.globalRef(name); ok {
		u := s.units[r.file]
		d := &u.decls[r.index]
		return rtype{r.file, u.types[d.typ]}, s.variable(s.textOf(name), r.file, d.at)
	}
	all := s.functions.of(name)
	for _, r := range all {
		if r.file == s.file || s.sees(r.file) || len(all) == 1 {
			u := s.units[r.file]
			return rtype{r.file, u.types[u.functions[r.index].typ]}, target{}
		}
	}
	if r, _ := s.prototype(name); r.file != none {
		u := s.units[r.file]
		return rtype{r.file, u.types[u.decls[r.index].typ]}, target{}
	}
	return lostType, target{}
}

// maxTypes bounds typedefs that stand for each other.
const maxTypes = 20

// result is what a call of a value of a type gives.
func (s *sight) result(t rtype) rtype {
	for range maxTypes {
		if t.file == none || t.base == noBase {
			return lostType
		}
		if t.fn {
			t.fn, t.pointer = false, t.returns
			return t
		}
		next, ok := s.typedef(t)
		if !ok {
			return lostType
		}
		t = next
	}
	return lostType
}

// typedef is what a name of a type stands for.
func (s *sight) typedef(t rtype) (rtype, bool) {
	if t.base < 0 || t.tag {
		return lostType, false
	}
	r, ok := s.meant(s.typedefs.of(s.ids[t.file][t.base]), t.file)
	if !ok {
		return lostType, false
	}
	u := s.units[r.file]
	return rtype{r.file, u.types[u.typedefs[r.index].typ]}, true
}

// meant is the first of several declarations that a file may mean: its own, one that
// is included, or the only one there is.
func (s *sight) meant(list []ref, from int32) (ref, bool) {
	if len(list) == 0 {
		return ref{}, false
	}
	if own := in(list, from); len(own) > 0 {
		return own[0], true
	}
	for _, r := range list {
		if s.sees(r.file) {
			return r, true
		}
	}
	return s.closest(list), true
}

// recordOf is the record behind a type.
func (s *sight) recordOf(t rtype) (ref, bool) {
	for range maxTypes {
		switch {
		case t.file == none || t.base == noBase:
			return ref{}, false
		case t.base < 0:
			return ref{t.file, ^t.base}, true
		}
		if !t.tag {
			if next, ok := s.typedef(t); ok {
				t = next
				continue
			}
			if !s.unit.cpp {
				return ref{}, false
			}
		}
		return s.meant(s.records.of(s.ids[t.file][t.base]), t.file)
	}
	return ref{}, false
}

// field is the type of a field of a type, and what a call through it names.
func (s *sight) field(t rtype, name int32) (rtype, target) {
	r, ok := s.recordOf(t)
	if !ok {
		r, ok = s.onlyRecord(name)
	}
	if ok {
		if f, ok := s.fieldIn(r, name); ok {
			u := s.units[f.file]
			got := &u.fields[f.index]
			return rtype{f.file, u.types[got.typ]}, s.variable(s.recordName(ref{f.file, got.record})+"::"+s.textOf(name), f.file, got.at)
		}
	}
	return lostType, target{}
}

// onlyRecord is the one record in sight that has a field of a name.
func (s *sight) onlyRecord(name int32) (ref, bool) {
	found, ok := s.only[name]
	if !ok {
		found = ref{none, none}
		for _, r := range s.fields.of(name) {
			if !s.sees(r.file) {
				continue
			}
			if now := (ref{r.file, s.units[r.file].fields[r.index].record}); found.file == none {
				found = now
			} else if found != now {
				found = ref{none, none}
				break
			}
		}
		s.only[name] = found
	}
	return found, found.file != none
}

// maxSameField bounds the fields of one name in a file that may stand in a record
// without a name inside another one.
const maxSameField = 1000

// fieldIn looks for a field in a record, and in those without a name inside it.
func (s *sight) fieldIn(r ref, name int32) (ref, bool) {
	u := s.units[r.file]
	list := in(s.fields.of(name), r.file)
	at, ok := slices.BinarySearchFunc(list, r.index, func(f ref, record int32) int { return cmp.Compare(u.fields[f.index].record, record) })
	if ok {
		return list[at], true
	}
	for _, f := range list[:min(len(list), maxSameField)] {
		rec := u.fields[f.index].record
		for depth := 0; depth < maxTypes && rec != none && u.records[rec].embedded; depth++ {
			if rec = u.records[rec].parent; rec == r.index {
				return f, true
			}
		}
	}
	return ref{}, false
}

// recordName is the name of a record with those around it: its tag, or the name that
// a typedef gives it.
func (s *sight) recordName(r ref) string {
	u := s.units[r.file]
	var parts []string
	for at := r.index; at != none && len(parts) < maxTypes; {
		rec := &u.records[at]
		at = rec.parent
		switch {
		case rec.name != none:
			parts = append(parts, u.name(rec.name))
			if !u.cpp { // what stands inside it stands outside as well
				at = none
			}
		case rec.typedef != none && !s.options.Upstream:
			parts = append(parts, u.name(rec.typedef))
			at = none
		case rec.union:
			parts = append(parts, "(anonymous union)")
		default:
			parts = append(parts, "(anonymous struct)")
		}
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "::")
}
