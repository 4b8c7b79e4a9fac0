package bind

import (
	"cmp"
	"slices"
	"strings"
)

// unit is a file with its declarations by name.
type unit struct {
	*File
	// order are the declarations by the scopes they belong to, then by name, then in
	// source order; those of a scope begin at first.
	order []DeclID
	first []int32
	// members are the declarations of each class scope, in source order.
	members map[ScopeID][]DeclID
	// constructors are those of the class scopes that have any.
	constructors map[ScopeID][]DeclID
	depth        []int32    // of scopes
	stars        []ImportID // that import all names of something
}

func newUnit(f *File) *unit {
	u := &unit{
		File: f, order: make([]DeclID, max(0, len(f.Decls)-1)), first: make([]int32, len(f.Scopes)+1), members: map[ScopeID][]DeclID{},
		constructors: map[ScopeID][]DeclID{}, depth: make([]int32, len(f.Scopes)),
	}
	for i := 1; i < len(f.Scopes); i++ {
		u.depth[i] = u.depth[f.Scopes[i].Parent] + 1
	}
	for i := 1; i < len(f.Decls); i++ {
		sc := u.belongs(DeclID(i))
		u.first[sc+1]++
		if f.Scopes[sc].Kind == ClassScope {
			u.members[sc] = append(u.members[sc], DeclID(i))
			if f.Decls[i].Constructor {
				u.constructors[sc] = append(u.constructors[sc], DeclID(i))
			}
		}
	}
	for sc := range f.Scopes {
		u.first[sc+1] += u.first[sc]
	}
	next := slices.Clone(u.first)
	for i := 1; i < len(f.Decls); i++ {
		at := &next[u.belongs(DeclID(i))]
		u.order[*at] = DeclID(i)
		*at++
	}
	for sc := range f.Scopes {
		slices.SortFunc(u.order[u.first[sc]:u.first[sc+1]], func(a, b DeclID) int {
			return cmp.Or(strings.Compare(f.Decls[a].Name, f.Decls[b].Name), cmp.Compare(a, b))
		})
	}
	for i := range f.Imports {
		if f.Imports[i].All {
			u.stars = append(u.stars, ImportID(i+1))
		}
	}
	return u
}

// belongs is the scope that a declaration belongs to.
func (u *unit) belongs(d DeclID) ScopeID {
	if u.Decls[d].Global {
		return 0
	}
	return u.owner(u.Decls[d].Scope)
}

// named are the declarations of a name in a scope, in source order. The list may not
// be changed.
func (u *unit) named(scope ScopeID, name string) []DeclID {
	all := u.order[u.first[scope]:u.first[scope+1]]
	from, found := slices.BinarySearchFunc(all, name, func(d DeclID, name string) int { return strings.Compare(u.Decls[d].Name, name) })
	if !found {
		return nil
	}
	to := from + 1
	for to < len(all) && u.Decls[all[to]].Name == name {
		to++
	}
	return all[from:to:to]
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
