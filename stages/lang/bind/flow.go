package bind

import "slices"

// flowing are those of a name's declarations that no later one replaces before
// the use at an offset of a scope. Of each branch the last one counts; what
// stands before one in a branch around the use does not. The checkers see less:
// only what stands in the very branch of the use hides what was before.
func (s *session) flowing(u *unit, decls []DeclID, scope ScopeID, at int32, crossed bool) []DeclID {
	slices.SortStableFunc(decls, func(a, b DeclID) int { return int(u.Decls[a].From - u.Decls[b].From) })
	if !crossed {
		if n := slices.IndexFunc(decls, func(d DeclID) bool { return u.Decls[d].From > at }); n > 0 || n == 0 && s.mode == Compat {
			decls = decls[:n]
		}
	}
	block := u.block(scope)
	var out []DeclID
	seen := map[ScopeID]bool{}
	for _, id := range slices.Backward(decls) {
		d := &u.Decls[id]
		if !s.look(int(u.depth[scope]+u.depth[d.Scope]) / 8) {
			break
		}
		if seen[d.Scope] || u.exclude(d.Scope, scope) {
			continue
		}
		seen[d.Scope] = true
		out = append(out, id)
		around := u.within(scope, d.Scope)
		if d.Hides && around || d.Scope == block || s.mode == Extended && !crossed && around {
			break
		}
	}
	slices.Reverse(out)
	return out
}
