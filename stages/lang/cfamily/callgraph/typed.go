package callgraph

import (
	"strings"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/cfamily"
)

// typed knows what calls of C++ mean by the types of what they are called on. It is
// safe for concurrent use.
type typed struct {
	files    map[string]*cfamily.Description
	linker   bind.Linker
	resolver *bind.Resolver
	outside  map[bind.Target]bind.Target // from what holds the members that a file defines of a class to the class
	defined  map[string][]definition     // by qualified name
	members  map[string][]bind.Target    // functions that classes declare, by last name
}

// definition is a function with a body.
type definition struct {
	target bind.Target
	start  int32
	line   int32
}

// resolved is what one call means.
type resolved struct {
	at           int32          // of the [cfamily.Site]
	evidence     calls.Evidence // "": it is no call
	callee       calls.Callee
	alternatives int
}

// newTyped freezes files that [CPP] has read.
func newTyped(files []*calls.File, binding *lang.Binding, config map[string]string) *typed {
	g := &typed{
		files: map[string]*cfamily.Description{}, outside: map[bind.Target]bind.Target{}, defined: map[string][]definition{},
		members: map[string][]bind.Target{},
	}
	bound := make([]*bind.File, len(files))
	for i, f := range files {
		d := f.Facts.(*unit).described
		bound[i] = d.File
		g.files[f.Path] = d
	}
	g.linker = cfamily.Farsighted(binding.Link(bound, config))
	g.resolver = bind.NewResolver(bound, g.linker, binding.Rules, bind.Extended)
	for i, f := range files {
		g.outsides(bound[i])
		g.index(f, g.files[f.Path])
	}
	return g
}

// outsides finds the classes whose members a file defines outside of them.
func (g *typed) outsides(b *bind.File) {
	for i := 1; i < len(b.Decls); i++ {
		path, ok := cfamily.Outside(&b.Decls[i])
		if !ok {
			continue
		}
		t := bind.Target{Path: b.Path, Decl: bind.DeclID(i)}
		around := g.scopes(t)
		for n := len(around); n >= 0; n-- {
			if class, ok := cfamily.Class(g.linker, b, strings.Join(append(around[:n:n], path), "::")); ok {
				g.outside[t] = class
				break
			}
		}
	}
}

// index adds what a file defines and what its classes declare.
func (g *typed) index(f *calls.File, d *cfamily.Description) {
	b := d.File
	for i := 1; i < len(b.Decls); i++ {
		decl := &b.Decls[i]
		if decl.Kind != bind.Func {
			continue
		}
		scope := b.Scopes[owner(b, decl.Scope)]
		if _, outside := cfamily.Outside(&b.Decls[scope.Decl]); scope.Kind == bind.ClassScope && !outside {
			g.members[decl.Name] = append(g.members[decl.Name], bind.Target{Path: b.Path, Decl: bind.DeclID(i)})
		}
	}
	functions := functionsByEnd(f)
	for _, def := range d.Definitions {
		if fn := functions[def.End]; fn != nil {
			t := bind.Target{Path: b.Path, Decl: def.Decl}
			name := g.qualified(t)
			g.defined[name] = append(g.defined[name], definition{t, fn.Start, fn.Line})
		}
	}
}

// qualify names the functions of a file with the namespaces and classes that they
// stand in, as far as the file says.
func qualify(f *calls.File, d *cfamily.Description) {
	g := &typed{files: map[string]*cfamily.Description{f.Path: d}}
	functions := functionsByEnd(f)
	for _, def := range d.Definitions {
		if fn := functions[def.End]; fn != nil {
			t := bind.Target{Path: f.Path, Decl: def.Decl}
			fn.Name, fn.Qualified = g.decl(t).Name, g.qualified(t)
		}
	}
}

// functionsByEnd are those of a file by where they end.
func functionsByEnd(f *calls.File) map[int32]*calls.Function {
	out := make(map[int32]*calls.Function, len(f.Functions))
	for i := range f.Functions {
		out[f.Functions[i].End] = &f.Functions[i]
	}
	return out
}

// owner is the scope around that is no block.
func owner(f *bind.File, s bind.ScopeID) bind.ScopeID {
	for s > 0 && (f.Scopes[s].Kind == bind.BlockScope || f.Scopes[s].Kind == bind.BranchScope) {
		s = f.Scopes[s].Parent
	}
	return s
}

// class is the class that a declaration is a member of.
func (g *typed) class(t bind.Target) (bind.Target, bool) {
	f := g.file(t.Path)
	s := owner(f, f.Decls[t.Decl].Scope)
	if f.Scopes[s].Kind != bind.ClassScope {
		return bind.Target{}, false
	}
	return g.real(bind.Target{Path: t.Path, Decl: f.Scopes[s].Decl}), true
}

// real is a class itself, for what holds the members that a file defines of it.
func (g *typed) real(class bind.Target) bind.Target {
	if real, ok := g.outside[class]; ok {
		return real
	}
	return class
}

// file is a file of the repository, or nil.
func (g *typed) file(path string) *bind.File {
	if d := g.files[path]; d != nil {
		return d.File
	}
	return nil
}

func (g *typed) decl(t bind.Target) *bind.Decl { return &g.file(t.Path).Decls[t.Decl] }

// scopes are the names of the namespaces and classes around a declaration.
func (g *typed) scopes(t bind.Target) []string {
	f := g.file(t.Path)
	for s := f.Decls[t.Decl].Scope; s > 0; s = f.Scopes[s].Parent {
		if kind := f.Scopes[s].Kind; kind != bind.ClassScope && kind != bind.NamespaceScope {
			continue
		}
		around := g.real(bind.Target{Path: t.Path, Decl: f.Scopes[s].Decl})
		return append(g.scopes(around), nameOf(g.decl(around).Name))
	}
	return nil
}

// nameOf is the name of a class or namespace in qualified names.
func nameOf(name string) string {
	if strings.HasPrefix(name, "type@") {
		return "(anonymous)"
	}
	return strings.TrimSuffix(name, "+")
}

// qualified is the name of a declaration with all namespaces and classes around it.
func (g *typed) qualified(t bind.Target) string {
	return strings.Join(append(g.scopes(t), g.decl(t).Name), "::")
}

// arity is how many arguments a function takes; the largest is -1 if there is none.
func (g *typed) arity(t bind.Target) (least, most int) {
	f := g.file(t.Path)
	params := f.Decls[t.Decl].Params
	for i, p := range params {
		if f.Decls[p].Rest {
			return least, -1
		}
		if f.Decls[p].Omitted == 0 {
			least = i + 1
		}
	}
	return least, len(params)
}

// takes reports whether a function can be called with so many arguments.
func (g *typed) takes(t bind.Target, args int32) bool {
	least, most := g.arity(t)
	return int(args) >= least && (most < 0 || int(args) <= most)
}
