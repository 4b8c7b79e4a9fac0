package cfamily

import "benchmill/stages/lang/bind"

// Slim drops the expressions that neither a call nor a declaration of the file leads
// to, with the list of all names, and keeps each name once: descriptions of a whole
// repository are held at a time. What calls mean stays, [bind.Resolver.Uses] does not.
func (d *Description) Slim() {
	s := slimmer{exprs: d.File.Exprs, at: make([]bind.ExprID, len(d.File.Exprs)), names: map[string]string{}}
	d.File.Refs = nil
	d.ids(s.reach)
	d.File.Exprs = s.kept()
	d.ids(func(e *bind.ExprID) { *e = s.at[*e] })
	for i := range d.File.Decls {
		d.File.Decls[i].Name = s.once(d.File.Decls[i].Name)
	}
	for i := range d.File.Imports {
		d.File.Imports[i].Path = s.once(d.File.Imports[i].Path)
	}
}

// ids calls f with every expression that something else than one refers to.
func (d *Description) ids(f func(*bind.ExprID)) {
	for i := range d.Sites {
		f(&d.Sites[i].Callee)
		f(&d.Sites[i].Call)
	}
	for i := range d.File.Decls {
		decl := &d.File.Decls[i]
		f(&decl.Type)
		f(&decl.Value)
		f(&decl.Omitted)
		for _, list := range [][]bind.ExprID{decl.Bases, decl.Returns} {
			for j := range list {
				f(&list[j])
			}
		}
	}
	for i := range d.File.Sets {
		f(&d.File.Sets[i].X)
		f(&d.File.Sets[i].Value)
	}
}

// slimmer renumbers expressions.
type slimmer struct {
	exprs []bind.Expr
	at    []bind.ExprID // the new number of each; before [slimmer.kept] 1 if it is kept
	stack []bind.ExprID
	names map[string]string
}

// reach keeps an expression with all that it is made of.
func (s *slimmer) reach(e *bind.ExprID) {
	s.push(*e)
	for len(s.stack) > 0 {
		next := &s.exprs[s.stack[len(s.stack)-1]]
		s.stack = s.stack[:len(s.stack)-1]
		s.push(next.X)
		s.push(next.Context)
		for _, a := range next.Args {
			s.push(a)
		}
	}
}

func (s *slimmer) push(e bind.ExprID) {
	if e != 0 && s.at[e] == 0 {
		s.at[e] = 1
		s.stack = append(s.stack, e)
	}
}

// kept are the expressions that are, in their order, by their new numbers.
func (s *slimmer) kept() []bind.Expr {
	n, args := bind.ExprID(1), 0
	for i := range s.at {
		if s.at[i] != 0 {
			s.at[i] = n
			n++
			args += len(s.exprs[i].Args)
		}
	}
	out, lists := make([]bind.Expr, 1, n), make([]bind.ExprID, 0, args)
	for i := range s.at {
		if s.at[i] == 0 {
			continue
		}
		e := s.exprs[i]
		e.Name, e.X, e.Context = s.once(e.Name), s.at[e.X], s.at[e.Context]
		if from := len(lists); len(e.Args) > 0 {
			for _, a := range e.Args {
				lists = append(lists, s.at[a])
			}
			e.Args = lists[from:len(lists):len(lists)]
		}
		out = append(out, e)
	}
	return out
}

// once is a name, the same copy of it always.
func (s *slimmer) once(name string) string {
	if kept, ok := s.names[name]; ok {
		return kept
	}
	s.names[name] = name
	return name
}
