package bind

// unit is a file with its declarations by name.
type unit struct {
	*File
	names map[declKey][]DeclID // in source order
	// members are the declarations of each class scope, in source order.
	members map[ScopeID][]DeclID
	// constructors are those of the class scopes that have any.
	constructors map[ScopeID][]DeclID
	declares     []bool     // which scopes declare anything
	depth        []int32    // of scopes
	stars        []ImportID // that import all names of something
}

type declKey struct {
	scope ScopeID
	name  string
}

func newUnit(f *File) *unit {
	u := &unit{
		File: f, names: make(map[declKey][]DeclID, len(f.Decls)), members: map[ScopeID][]DeclID{},
		constructors: map[ScopeID][]DeclID{}, declares: make([]bool, len(f.Scopes)), depth: make([]int32, len(f.Scopes)),
	}
	for i := 1; i < len(f.Scopes); i++ {
		u.depth[i] = u.depth[f.Scopes[i].Parent] + 1
	}
	for i := 1; i < len(f.Decls); i++ {
		k := declKey{u.owner(f.Decls[i].Scope), f.Decls[i].Name}
		if f.Decls[i].Global {
			k.scope = 0
		}
		u.names[k] = append(u.names[k], DeclID(i))
		u.declares[k.scope] = true
		if f.Scopes[k.scope].Kind == ClassScope {
			u.members[k.scope] = append(u.members[k.scope], DeclID(i))
			if f.Decls[i].Constructor {
				u.constructors[k.scope] = append(u.constructors[k.scope], DeclID(i))
			}
		}
	}
	for i := range f.Imports {
		if f.Imports[i].All {
			u.stars = append(u.stars, ImportID(i+1))
		}
	}
	return u
}

// named are the declarations of a name in a scope, in source order.
func (u *unit) named(scope ScopeID, name string) []DeclID {
	if !u.declares[scope] {
		return nil
	}
	return u.names[declKey{scope, name}]
}

// owner is the scope that what is declared in s belongs to.
func (u *unit) owner(s ScopeID) ScopeID {
	for u.Scopes[s].Kind == BranchScope {
		s = u.Scopes[s].Parent
	}
	return s
}

// within reports whether scope s lies in scope outer or is it. What a scope lies in
// was opened before it.
func (u *unit) within(s, outer ScopeID) bool {
	for s > outer {
		s = u.Scopes[s].Parent
	}
	return s == outer
}

// block is the innermost scope around s, or s, that is no expression's.
func (u *unit) block(s ScopeID) ScopeID {
	for u.Scopes[s].Kind == BlockScope {
		s = u.Scopes[s].Parent
	}
	return s
}

// exclude reports whether scopes a and b lie in branches of which only one runs:
// those below the innermost scope around both.
func (u *unit) exclude(a, b ScopeID) bool {
	var x, y ScopeID
	for a != b {
		if a > b {
			x, a = a, u.Scopes[a].Parent
		} else {
			y, b = b, u.Scopes[b].Parent
		}
	}
	return x != 0 && y != 0 && u.Scopes[x].Group != 0 && u.Scopes[x].Group == u.Scopes[y].Group
}

// classAround is the class whose body surrounds a scope.
func (u *unit) classAround(sc ScopeID) DeclID {
	for ; sc >= 0; sc = u.Scopes[sc].Parent {
		if u.Scopes[sc].Kind == ClassScope {
			return u.Scopes[sc].Decl
		}
	}
	return 0
}

// parameter is the declaration that takes argument i of a function.
func (u *unit) parameter(f DeclID, i int) *Decl {
	params := u.Decls[f].Params
	if n := len(params); i >= n && n > 0 && u.Decls[params[n-1]].Rest {
		i = n - 1
	}
	if i < 0 || i >= len(params) {
		return nil
	}
	return &u.Decls[params[i]]
}
