package callgraph

import (
	"cmp"
	"slices"
	"sort"

	"benchmill/stages/lang/calls"
)

// collector gathers the edges of a file, each once.
type collector struct {
	edges []calls.Edge
	at    map[edgeKey]int
	skip  func(caller, at int32) bool // calls that do not count
}

type edgeKey struct {
	caller   int32
	evidence calls.Evidence
	callee   calls.Callee
}

// add notes a call at a place.
func (c *collector) add(caller int32, t target, evidence calls.Evidence, via string, at int32) {
	if c.skip(caller, at) {
		return
	}
	key := edgeKey{caller, evidence, t.Callee}
	if i, ok := c.at[key]; ok {
		e := &c.edges[i]
		e.Sites++
		if at < e.First {
			e.First, e.Via = at, via
		}
		return
	}
	c.at[key] = len(c.edges)
	c.edges = append(c.edges, calls.Edge{
		Caller: int(caller), Callee: t.Callee, Evidence: evidence, Via: via, First: at, Sites: 1, Alternatives: t.alternatives,
	})
}

// edges are those of the open file.
func (s *sight) edges() []calls.Edge {
	s.collect = collector{at: map[edgeKey]int{}, skip: s.elsewhere}
	u := s.unit
	for i := range u.sites {
		s.site(&u.sites[i])
	}
	if s.typed != nil {
		s.typed.rest(s)
	}
	for i := range u.mentions {
		s.mention(&u.mentions[i])
	}
	slices.SortStableFunc(s.collect.edges, func(a, b calls.Edge) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.First, b.First), cmp.Compare(a.Callee.Name, b.Callee.Name),
			cmp.Compare(a.Callee.Path, b.Callee.Path), cmp.Compare(a.Callee.Start, b.Callee.Start), cmp.Compare(a.Evidence, b.Evidence))
	})
	return s.collect.edges
}

// elsewhere reports whether a call stands in a branch of #if that only other systems
// take, in a function that this one has.
func (s *sight) elsewhere(caller, at int32) bool {
	spans := s.unit.elsewhere
	i := sort.Search(len(spans), func(i int) bool { return spans[i].end > at })
	return i < len(spans) && spans[i].start <= at && spans[i].start > s.files[s.file].Functions[caller].Start
}

// site answers for one call.
func (s *sight) site(c *site) {
	if c.lost && s.options.Upstream || s.typed != nil && s.typed.call(s, c) {
		return
	}
	switch {
	case c.path != none:
		s.indirect(c)
	case c.name == none:
	case c.form == qualifiedForm:
		name := s.ids[s.file][c.name]
		if e, ok := s.system[name]; ok && c.std {
			s.collect.add(c.caller, s.systemTarget(name, e), calls.Written, "", c.at)
		}
	default:
		s.plainCall(c)
	}
}

// plainCall answers for a call of a plain name.
func (s *sight) plainCall(c *site) {
	name := s.ids[s.file][c.name]
	if m := s.macro(name, c.at); m.m != nil && (m.m.params < 0 || !c.functional) && !s.stub(m, name, c.args) {
		if to, ok := s.alias(m, c.at); !ok {
			s.expand.use(c, m)
			return
		} else if to != name && !s.replaced(m, name) && !s.renamed(name, to, c.args) {
			s.written(c, to, s.texts[name])
			return
		}
	}
	s.written(c, name, "")
}

// renamed reports whether a macro gives a function of the repository another name, its
// definition included: in the text it has the first.
func (s *sight) renamed(name, to int32, args int16) bool {
	if s.resolve(to, args).found {
		return false
	}
	t := s.resolve(name, args)
	return t.found && t.Origin == calls.Defined
}

// stub reports whether a macro that calls nothing takes the place of a function of the
// repository in some builds, where a feature is left out.
func (s *sight) stub(m macroRef, name int32, args int16) bool {
	if !m.m.unsure || m.m.params < 0 {
		return false
	}
	body := s.units[m.file].tokens[m.m.from:m.m.to]
	for i := 1; i < len(body); i++ {
		if body[i] == tokOpen && body[i-1] >= 0 {
			return false
		}
	}
	t := s.resolve(name, args)
	return t.found && t.Origin == calls.Defined
}

// replaced reports whether a macro is another name for a function of the system that
// only some builds use.
func (s *sight) replaced(m macroRef, name int32) bool {
	e, ok := s.system[name]
	return ok && e.kind == systemFunction && m.m.unsure && m.m.params < 0
}

// written is a call of a name that is no macro.
func (s *sight) written(c *site, name int32, via string) {
	t := s.resolve(name, c.args)
	if !t.found {
		if system, ok := s.system[name]; ok {
			s.systemMacro(c.caller, system, s.texts[name], c.at)
			return
		}
		if v, ok := s.global(name); ok {
			s.pseudo(c.caller, v, via, c.at)
			return
		}
		if c.functional && c.args == 1 && (len(s.typedefs.of(name)) > 0 || systemTypes[s.texts[name]]) {
			return // a cast
		}
	}
	if s.options.Upstream && (t.lost || via != "") {
		return
	}
	s.collect.add(c.caller, t, calls.Written, via, c.at)
}

// systemTypes are types of the system that stand in casts.
var systemTypes = map[string]bool{
	"size_t": true, "ssize_t": true, "ptrdiff_t": true, "intptr_t": true, "uintptr_t": true, "off_t": true, "time_t": true, "pid_t": true,
	"int8_t": true, "int16_t": true, "int32_t": true, "int64_t": true, "uint8_t": true, "uint16_t": true, "uint32_t": true, "uint64_t": true,
	"intmax_t": true, "uintmax_t": true, "wchar_t": true, "mode_t": true, "socklen_t": true, "uid_t": true, "gid_t": true, "clock_t": true,
}

// maxAliases bounds macros that stand for each other.
const maxAliases = 10

// alias is the name that a macro stands for where it stands for nothing but a name,
// or for a call of one with its own arguments.
func (s *sight) alias(m macroRef, at int32) (name int32, ok bool) {
	for range maxAliases {
		u := s.units[m.file]
		body := u.tokens[m.m.from:m.m.to]
		for len(body) > 2 && body[0] == tokOpen && body[len(body)-1] == tokShut && m.m.params < 0 {
			body = body[1 : len(body)-1]
		}
		if len(body) == 0 || body[0] < 0 || body[0] >= paramBase {
			return 0, false
		}
		if m.m.params < 0 && len(body) != 1 || m.m.params >= 0 && !passes(body[1:], int(m.m.params)) {
			return 0, false
		}
		name = s.ids[m.file][body[0]]
		next := s.macro(name, at)
		if next.m == nil || next.m == m.m {
			return name, true
		}
		if next.m.params >= 0 && m.m.params < 0 || next.m.params < 0 {
			m = next
			continue
		}
		return 0, false
	}
	return 0, false
}

// passes reports whether tokens are parentheses with the parameters of a macro in
// their order.
func passes(body []token, params int) bool {
	if len(body) != 2+max(0, 2*params-1) || body[0] != tokOpen || body[len(body)-1] != tokShut {
		return false
	}
	for i := range params {
		if body[1+2*i] != paramBase+token(i) || i > 0 && body[2*i] != tokComma {
			return false
		}
	}
	return true
}

// mention answers for a name that may be a macro without arguments.
func (s *sight) mention(m *mention) {
	name := s.ids[s.file][m.name]
	got := s.macro(name, m.at)
	if got.m == nil {
		if system, ok := s.system[name]; ok && system.kind == systemObject {
			s.systemMacro(m.caller, system, s.texts[name], m.at)
		}
		return
	}
	if got.m.params < 0 && got.m.to > got.m.from {
		s.expand.object(m, got)
	}
}

// systemMacro notes what a macro of the system calls.
func (s *sight) systemMacro(caller int32, e systemEntry, via string, at int32) {
	if e.calls == "" {
		return
	}
	t := target{Callee: calls.Callee{Name: e.calls, Origin: calls.System, Path: e.header, Start: -1, Line: -1}, found: true}
	s.collect.add(caller, t, calls.Macro, via, at)
}

// macroEdge notes a call in the body of a macro.
func (s *sight) macroEdge(caller int32, t target, via string, at int32) {
	if !s.options.Upstream {
		s.collect.add(caller, t, calls.Macro, via, at)
	}
}
