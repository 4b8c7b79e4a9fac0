package callgraph

import (
	"strings"

	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/cfamily"
)

// byName finds a member of something that is not known by its name alone. Members of
// what the standard library declares are its own, and in a template, what depends on
// its parameters is not known if several classes have the member.
func (f *typedFile) byName(site *cfamily.Site) (resolved, bool) {
	e := &f.file.Exprs[site.Callee]
	for e.Op == bind.Apply {
		e = &f.file.Exprs[e.X]
	}
	if e.Op == bind.Name {
		return f.standard(e)
	}
	if e.Op != bind.Select {
		return resolved{}, false
	}
	for _, class := range f.reader.Classes(e.X) {
		if f.typed.file(class.Path) == nil {
			if d := f.reader.File(class.Path).Decls[class.Decl]; !strings.HasPrefix(d.Name, "__") {
				return f.system("std::" + d.Name + "::" + e.Name), true
			}
		}
	}
	var seen, far []bind.Target
	for _, t := range f.members[e.Name] {
		if !f.takes(t, site.Args) {
			continue
		}
		if f.sees(t.Path) {
			seen = append(seen, t)
		} else {
			far = append(far, t)
		}
	}
	if len(seen) == 0 {
		seen = far
	}
	if len(seen) == 0 {
		return resolved{}, false
	}
	r, ok := f.function(seen[:1], calls.Written)
	classes := map[bind.Target]bool{}
	for _, t := range seen {
		c, _ := f.class(t)
		classes[c] = true
	}
	if len(classes) > 1 && f.inTemplate(e.Scope) {
		return resolved{evidence: calls.Written, callee: unresolved(e.Name)}, true
	}
	r.alternatives = max(r.alternatives, len(classes)-1)
	return r, ok
}

// standard is a call of what is qualified as a name of the standard library.
func (f *typedFile) standard(e *bind.Expr) (resolved, bool) {
	if path := f.paths[e.Scope]; strings.HasPrefix(path, "std::") {
		return f.system(path), true
	}
	return resolved{}, false
}

// headers are those of classes that are not called like theirs.
var headers = map[string]string{
	"basic_string": "string", "unique_ptr": "memory", "shared_ptr": "memory", "weak_ptr": "memory", "pair": "utility", "multimap": "map",
	"unordered_multimap": "unordered_map", "multiset": "set", "unordered_multiset": "unordered_set", "priority_queue": "queue",
	"basic_ostream": "ostream", "basic_istream": "istream", "basic_iostream": "istream", "basic_fstream": "fstream", "basic_ofstream": "fstream",
	"basic_ifstream": "fstream", "basic_stringstream": "sstream", "basic_ostringstream": "sstream", "basic_istringstream": "sstream",
	"recursive_mutex": "mutex", "lock_guard": "mutex", "unique_lock": "mutex", "runtime_error": "stdexcept", "numeric_limits": "limits",
	"function": "functional", "reference_wrapper": "functional", "random_device": "random", "mt19937": "random",
}

// system is a call of the standard library, by its qualified name.
func (f *typedFile) system(name string) resolved {
	c := calls.Callee{Name: name, Origin: calls.System, Start: -1, Line: -1}
	parts := strings.Split(name, "::")
	if last := parts[len(parts)-1]; len(parts) == 2 {
		if id, ok := f.sight.names[last]; ok {
			c.Path = f.sight.system[id].header
		}
	} else if c.Path = headers[parts[1]]; c.Path == "" {
		c.Path = parts[1]
	}
	return resolved{evidence: calls.Written, callee: c}
}

// inTemplate reports whether a scope lies in a template.
func (f *typedFile) inTemplate(s bind.ScopeID) bool {
	for ; s > 0; s = f.file.Scopes[s].Parent {
		if d := &f.file.Decls[f.file.Scopes[s].Decl]; len(d.TypeParams) > 0 {
			return true
		}
	}
	return false
}
