package callgraph

// macroPath notes a call through the expression that ends with a token of what has
// been expanded.
func (s *sight) macroPath(e *expander, last int, caller int32, via string) {
	p := pathReader{sight: s, out: e.out, caller: caller, at: e.at}
	_, base, field, name := p.read(last, 0)
	switch {
	case field.found || base.found:
		s.through(caller, base, field, via, e.at)
	case name != none && !notNames[s.textOf(name)]: // (f)(x)
		if got := s.resolve(name, -1); got.found {
			s.macroEdge(caller, got, via, e.at)
		}
	}
}

// pathReader reads an expression from its end.
type pathReader struct {
	*sight
	out    []xtoken
	caller int32
	at     int32
}

// read is the type of an expression that ends with a token, the variable it begins
// with, the field it ends with, and its name where it is nothing but that.
func (p *pathReader) read(last, depth int) (at rtype, base, field target, name int32) {
	if last < 0 || depth > maxNesting {
		return lostType, target{}, target{}, none
	}
	x := p.out[last]
	switch {
	case x.t >= 0:
		if last > 1 && (p.out[last-1].t == tokDot || p.out[last-1].t == tokArrow) {
			at, base, _, _ = p.read(last-2, depth+1)
			at, field = p.field(at, int32(x.t))
			return at, base, field, none
		}
		if l := p.localAt(p.caller, int32(x.t), p.at); l != nil && !l.function {
			return rtype{p.file, p.unit.types[l.typ]}, p.variable(p.textOf(int32(x.t)), p.file, l.at), target{}, none
		}
		at, base = p.begins(int32(x.t), p.at)
		if base.found {
			return at, base, target{}, none
		}
		return at, base, target{}, int32(x.t)
	case x.t == tokSquare:
		open := opening(p.out, last, tokBracket, tokSquare)
		return p.read(open-1, depth+1)
	case x.t == tokShut:
		open := opening(p.out, last, tokOpen, tokShut)
		if open < 0 {
			break
		}
		if open > 0 && (p.out[open-1].t >= 0 && !notNames[p.textOf(int32(p.out[open-1].t))] || p.out[open-1].t == tokSquare) { // a call
			at, _, _, _ = p.read(open-1, depth+1)
			return p.result(at), target{}, target{}, none
		}
		return p.inside(open+1, last-1, depth+1)
	}
	return lostType, target{}, target{}, none
}

// inside reads what stands between parentheses: *x, &x, (type)x, x.
func (p *pathReader) inside(from, to, depth int) (at rtype, base, field target, name int32) {
	for from < to && (p.out[from].t == tokStar || p.out[from].t == charToken('&')) {
		from++
	}
	if from < to && p.out[from].t == tokOpen {
		if shut := shutting(p.out[:to+1], from); shut > 0 && shut < to && (p.out[shut+1].t >= 0 || p.out[shut+1].t == tokOpen || p.out[shut+1].t == charToken('&') || p.out[shut+1].t == tokStar) {
			_, base, _, _ = p.read(to, depth)
			return p.cast(from+1, shut), base, target{}, none
		}
	}
	return p.read(to, depth)
}

// cast is the type between two tokens.
func (p *pathReader) cast(from, to int) rtype {
	for i := to - 1; i >= from; i-- {
		t := p.out[i].t
		if t < 0 {
			continue
		}
		if i > from && p.out[i-1].t >= 0 {
			switch p.textOf(int32(p.out[i-1].t)) {
			case "struct", "union", "class", "enum":
				if r, ok := p.meant(p.records.of(int32(t)), p.file); ok {
					return rtype{r.file, typ{base: ^r.index}}
				}
				return lostType
			}
		}
		if r, ok := p.meant(p.typedefs.of(int32(t)), p.file); ok {
			u := p.units[r.file]
			return rtype{r.file, u.types[u.typedefs[r.index].typ]}
		}
	}
	return lostType
}
