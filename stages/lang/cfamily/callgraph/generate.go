package callgraph

// generate finds the functions that macros outside of functions make: a name, its
// parameters in parentheses and a body between braces.
func (g *graph) generate() {
	g.generated = map[int32][]ref{}
	s := newSight(g)
	for i := range g.units {
		u := g.units[i]
		if len(u.uses) == 0 {
			continue
		}
		s.open(int32(i))
		for j := range u.uses {
			c := &u.uses[j]
			m := s.macro(g.ids[i][c.name], c.at)
			if m.m == nil || (m.m.params < 0) != c.bare {
				continue
			}
			e := &s.expand
			args := e.split(e.written(int32(i), c.from, c.to, nil))
			for k := range args { // what they are makes functions, too
				for n := range args[k] {
					args[k][n].source = false
				}
			}
			e.begin(c.at)
			e.body(m, args)
			for _, name := range defined(e.out, s) {
				if int(name) >= len(g.texts) {
					continue // nothing calls it
				}
				list := g.generated[name]
				if r := (ref{int32(i), int32(j)}); len(list) == 0 || list[len(list)-1] != r {
					g.generated[name] = append(list, r)
				}
			}
		}
	}
}

// defined are the names of the functions that a list of tokens defines.
func defined(list []xtoken, s *sight) []int32 {
	var out []int32
	for i := 0; i < len(list); i++ {
		switch list[i].t {
		case tokBrace:
			i = closingBrace(list, i)
		case tokOpen:
			shut := shutting(list, i)
			if shut < 0 {
				return out
			}
			if i > 0 && list[i-1].t >= 0 && shut+1 < len(list) && list[shut+1].t == tokBrace && !notNames[s.textOf(int32(list[i-1].t))] {
				out = append(out, int32(list[i-1].t))
			}
			i = shut
		}
	}
	return out
}

func closingBrace(list []xtoken, i int) int {
	deep := 0
	for ; i < len(list); i++ {
		switch list[i].t {
		case tokBrace:
			deep++
		case tokCurly:
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return i
}
