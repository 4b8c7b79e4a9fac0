package calls

import (
	"cmp"
	"slices"

	"benchmill/stages/lang/bind"
)

// resolving finds what the calls of one file lead to.
type resolving struct {
	*boundGraph
	*facts
	path    string
	reader  *bind.Reader
	exprs   map[int32][]bind.ExprID // by the offset of a name that is called
	imports map[*bind.File]map[string]bind.ImportID
	members map[int32]bind.DeclID         // the classes of functions
	calls   map[bind.ExprID][]bind.ExprID // the arguments of what is called
}

// maxExprs bounds the expressions of one place: what is read twice.
const maxExprs = 4

// place finds the expressions of the names called; those that are refs come first.
func (r *resolving) place() {
	r.exprs = make(map[int32][]bind.ExprID, len(r.sites))
	for i := range r.sites {
		r.exprs[r.sites[i].at] = nil
	}
	add := func(id bind.ExprID) {
		e := &r.bound.Exprs[id]
		if all, called := r.exprs[e.Start]; called && len(all) < maxExprs && !slices.Contains(all, id) {
			r.exprs[e.Start] = append(all, id)
		}
	}
	for _, ref := range r.bound.Refs {
		add(ref)
	}
	for id := 1; id < len(r.bound.Exprs); id++ {
		if e := &r.bound.Exprs[id]; (e.Op == bind.Name || e.Op == bind.Select) && e.Start > 0 {
			add(bind.ExprID(id))
		}
	}
}

// edge is what a call leads to; false where it is none.
func (r *resolving) edge(s *site) (Edge, bool) {
	e := Edge{Caller: int(s.caller), Evidence: Written}
	targets := r.targets(s)
	if len(targets) == 0 {
		callee, ok := r.beyond(s)
		e.Callee = callee
		return e, ok
	}
	best := r.fitting(s, targets, r.best(targets, s.args))
	e.Alternatives = len(best) - 1
	t := best[0]
	if r.files[t.Path] == nil {
		for _, id := range r.exprs[s.at] {
			if o := r.origin(r.bound, id, "", 0); o.imported && o.Module != "" {
				e.Callee, e.Alternatives = o.callee(s.name), 0
				return e, true
			}
		}
	}
	f := r.reader.File(t.Path)
	d := &f.Decls[t.Decl]
	switch d.Kind {
	case bind.Var, bind.Param, bind.Member:
		if held, evidence := r.held(s, f, d); len(held) > 0 {
			t, e.Evidence = held[0], evidence
			d = &r.reader.File(t.Path).Decls[t.Decl]
		}
	}
	if d.Kind == bind.Class || d.Kind == bind.Alias {
		if s.of == Plain && r.Names.Conversions {
			return e, false
		}
		made := r.constructors(s, t, d)
		if len(made) > 0 {
			t = made[0]
			e.Alternatives += len(made) - 1
		}
	}
	callee, evidence := r.callee(t)
	callee.Name = cmp.Or(callee.Name, s.name) // that of a literal
	if e.Callee = callee; evidence != Written {
		e.Evidence = evidence
	}
	return e, true
}

// held is what calling a variable surely calls: the class that a method is given as
// its own, or what the class of an instance says that calling one does.
func (r *resolving) held(s *site, f *bind.File, d *bind.Decl) ([]bind.Target, Evidence) {
	for _, id := range r.exprs[s.at] {
		if v := &f.Exprs[d.Value]; d.Kind == bind.Param && v.Op == bind.This && v.Static {
			return r.reader.Types(id), Written
		}
		if r.Names.Call == "" {
			continue
		}
		for _, class := range r.reader.Classes(id) {
			if found := r.reader.Members(class, r.Names.Call); len(found) > 0 && r.files[found[0].Path] != nil {
				return found[:1], Operator
			}
		}
	}
	return nil, Written
}

// targets are the declarations that a call may lead to, without modules and type
// parameters.
func (r *resolving) targets(s *site) []bind.Target {
	var all []bind.Target
	switch s.of {
	case ThisClass, BaseClass:
		all = r.around(s)
	default:
		for _, id := range r.exprs[s.at] {
			if all = r.reader.Declared(id); len(all) == 0 {
				all = r.inModule(id)
			}
			if e := &r.bound.Exprs[id]; e.Op == bind.Select && r.bound.Exprs[e.X].Op == bind.Super {
				all = r.above(s, all)
			}
			if len(all) > 0 {
				break
			}
		}
	}
	var out []bind.Target
	for _, t := range all {
		if f := r.reader.File(t.Path); f != nil && t.Decl > 0 {
			if k := f.Decls[t.Decl].Kind; k != bind.Namespace && k != bind.Imported && k != bind.TypeParam {
				out = append(out, t)
			}
		}
	}
	return out
}

// above leaves out members of the class around a call: other parts of it are among its
// bases.
func (r *resolving) above(s *site, all []bind.Target) (out []bind.Target) {
	own := r.bound.Decls[r.classOf(s)].Name
	for _, t := range all {
		f := r.reader.File(t.Path)
		if of := f.Scopes[f.Decls[t.Decl].Scope].Decl; of == 0 || f.Decls[of].Name != own {
			out = append(out, t)
		}
	}
	return out
}

// around is the class around a call, or its base class.
func (r *resolving) around(s *site) []bind.Target {
	class := r.classOf(s)
	if class == 0 || s.of == ThisClass {
		return []bind.Target{{Path: r.path, Decl: class}}
	}
	d := &r.bound.Decls[class]
	var out []bind.Target
	for _, b := range d.Bases {
		if r.bound.Exprs[b].Static {
			continue // an interface
		}
		for _, t := range r.reader.Types(b) {
			if r.reader.File(t.Path).Decls[t.Decl].Name != d.Name { // no other part of it
				out = append(out, t)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// classOf is the class that the caller is a member of, or 0.
func (r *resolving) classOf(s *site) bind.DeclID {
	if r.members == nil {
		r.members = map[int32]bind.DeclID{}
		for id := range r.bound.Decls {
			d := &r.bound.Decls[id]
			if scope := &r.bound.Scopes[d.Scope]; d.Kind == bind.Func && scope.Kind == bind.ClassScope {
				if i, ok := r.anchors[d.Start]; ok {
					r.members[int32(i)] = scope.Decl
				}
			}
		}
	}
	return r.members[s.caller]
}

// constructors are those of a class that fit a call best.
func (r *resolving) constructors(s *site, class bind.Target, d *bind.Decl) []bind.Target {
	if r.Names.Constructor == "" || d.Kind != bind.Class {
		return nil
	}
	var out []bind.Target
	for _, t := range r.reader.Members(class, r.Names.Constructor) {
		f := r.reader.File(t.Path)
		m := &f.Decls[t.Decl]
		of := f.Scopes[m.Scope].Decl
		own := of > 0 && f.Decls[of].Name == d.Name
		if m.Kind == bind.Func && r.files[t.Path] != nil && (own || r.Names.Inherited) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return r.fitting(s, out, r.best(out, s.args))
}
