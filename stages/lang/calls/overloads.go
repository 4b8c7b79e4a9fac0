package calls

import (
	"strconv"
	"strings"

	"benchmill/stages/lang/bind"
)

// maxTypes bounds the arguments and parameters of one call whose types are looked at.
const maxTypes = 16

// words are the types of arguments.
func (r *reader) words(list int32) []string {
	var out []string
	known := false
	for c := range r.t.Children(list) {
		if len(out) == maxTypes {
			break
		}
		if !r.t.Nodes[c].Named() || strings.Contains(r.t.Kind(c), "comment") {
			continue
		}
		if r.t.Kind(c) == "argument" {
			if inner := last(r.t, c); inner >= 0 {
				c = inner
			}
		}
		w := r.Words[r.t.Kind(c)]
		switch {
		case w == "()":
			w += strconv.Itoa(r.taken(c))
		case strings.HasPrefix(w, "="):
			if typ := r.t.Child(c, w[1:]); typ >= 0 {
				w = simple(text(r.t, typ))
			}
		}
		known = known || w != ""
		out = append(out, w)
	}
	if !known {
		return nil
	}
	return out
}

// taken is how many parameters a function literal has, -1 where it does not say.
func (r *reader) taken(literal int32) int {
	list := r.t.Child(literal, "parameters")
	switch {
	case list < 0:
		return -1
	case r.t.Nodes[list].Next == list+1: // a name alone
		return 1
	}
	return int(Arguments(r.t, list))
}

// parameters are the types of a function's parameters, as written.
func (r *reader) parameters(function int32) []string {
	var out []string
	if list := r.t.Child(function, "parameters"); list >= 0 {
		for c := range r.t.Children(list) {
			if typ := r.t.Child(c, "type"); typ >= 0 && len(out) < maxTypes {
				out = append(out, text(r.t, typ))
			}
		}
	}
	return out
}

// simple is the name of a type without what is around it and its arguments.
func simple(typ string) string {
	typ, _, _ = strings.Cut(typ, "<")
	typ = strings.TrimSpace(strings.TrimRight(typ, "?"))
	return typ[strings.LastIndexByte(typ, '.')+1:]
}

// best are those of the targets that fit a call best: functions first, of them
// those that take so many arguments.
func (r *resolving) best(targets []bind.Target, args int32) []bind.Target {
	if len(targets) == 1 {
		return targets
	}
	top := 0
	var out []bind.Target
	seen := map[any]bool{} // functions, and names of classes: one may have several parts
	for _, t := range targets {
		f := r.reader.File(t.Path)
		d := &f.Decls[t.Decl]
		fit := 1
		switch n := int32(len(d.Params)); {
		case d.Kind == bind.Class || d.Kind == bind.Alias:
			fit = 2
		case d.Kind != bind.Func:
		case n == args:
			fit = 6
		case n > 0 && args >= n-1 && f.Decls[d.Params[n-1]].Rest:
			fit = 5
		case n > args:
			fit = 4
		default:
			fit = 3
		}
		if fit *= 2; r.Names.Elsewhere != nil && r.Names.Elsewhere(t.Path) {
			fit--
		}
		if fit > top {
			top, out = fit, nil
			clear(seen)
		}
		if fit < top {
			continue
		}
		var once any = t
		if fn := r.defined(t.Path, d.Start); fn != nil {
			once = fn // it may have several signatures
		} else if d.Kind == bind.Class {
			once = d.Name
		}
		if !seen[once] {
			seen[once] = true
			out = append(out, t)
		}
	}
	return out
}

// fitting are those of several functions whose parameters fit the arguments of a call
// best. Of those that take so many arguments none may fit: then one that takes more,
// and has defaults for them, is meant.
func (r *resolving) fitting(s *site, all, most []bind.Target) []bind.Target {
	if r.Syntax.Words == nil || len(all) < 2 {
		return most
	}
	words := r.typesOf(s)
	out, score := r.scored(words, most)
	if score < 0 {
		var more []bind.Target
		for _, t := range all {
			if d := &r.reader.File(t.Path).Decls[t.Decl]; d.Kind == bind.Func && len(d.Params) > int(s.args) {
				more = append(more, t)
			}
		}
		if others, better := r.scored(words, more); better > score {
			return others
		}
	}
	return out
}

// scored are the functions whose parameters fit arguments of such types best, and how
// well they do.
func (r *resolving) scored(words []string, all []bind.Target) (out []bind.Target, top int) {
	top = -1 << 16
	for _, t := range all {
		score := 0
		for n, p := range r.parametersOf(t) {
			if n < len(words) {
				score += fits(words[n], p)
			}
		}
		if score > top {
			top, out = score, nil
		}
		if score == top {
			out = append(out, t)
		}
	}
	return out, top
}

// parametersOf are the types of a function's parameters, as written; nothing of one
// without a body.
func (r *resolving) parametersOf(t bind.Target) []string {
	file := r.files[t.Path]
	if file == nil {
		return nil
	}
	f, d := file.Facts.(*facts), &r.reader.File(t.Path).Decls[t.Decl]
	at, ok := f.anchors[d.Start]
	if !ok {
		return nil
	}
	params := f.params[at]
	if strings.HasPrefix(d.Name, bind.ExtensionPrefix) && len(params) > 0 {
		return params[1:]
	}
	return params
}

// typesOf are the types of the arguments of a call, those that only the binding knows
// too.
func (r *resolving) typesOf(s *site) []string {
	words := make([]string, min(s.args, maxTypes))
	copy(words, s.words)
	if r.calls == nil {
		r.calls = map[bind.ExprID][]bind.ExprID{}
		for id := range r.bound.Exprs {
			if e := &r.bound.Exprs[id]; (e.Op == bind.Call || e.Op == bind.New) && len(e.Args) > 0 {
				r.calls[e.X] = e.Args
				if x := &r.bound.Exprs[e.X]; x.Op == bind.Apply {
					r.calls[x.X] = e.Args
				}
			}
		}
	}
	for _, id := range r.exprs[s.at] {
		for n, a := range r.calls[id] {
			if n < len(words) && words[n] == "" {
				words[n] = r.typeOf(a)
			}
		}
	}
	return words
}

// typeOf is the simple name of the type of a value: its class, or what a variable is
// declared to be; "" where neither is known.
func (r *resolving) typeOf(x bind.ExprID) string {
	classes := r.reader.Classes(x)
	if len(classes) == 1 {
		return plain(r.reader.File(classes[0].Path).Decls[classes[0].Decl].Name)
	}
	if op := r.bound.Exprs[x].Op; len(classes) > 1 || op != bind.Name && op != bind.Select {
		return ""
	}
	for _, t := range r.reader.Declared(x) {
		f := r.reader.File(t.Path)
		e := &f.Exprs[f.Decls[t.Decl].Type]
		for range maxOrigin {
			if e.Op != bind.Of && e.Op != bind.Apply {
				break
			}
			e = &f.Exprs[e.X]
		}
		if e.Op == bind.Name || e.Op == bind.Select {
			return simple(plain(e.Name))
		}
		break
	}
	return ""
}
