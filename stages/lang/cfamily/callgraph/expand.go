package callgraph

import (
	"slices"

	"benchmill/stages/lang/calls"
)

// Bounds of expanding macros.
const (
	maxExpansion  = 200_000 // tokens about one file, and
	perToken      = 50      // for each of its own
	maxUse        = 50_000  // tokens of one use
	maxNesting    = 60
	maxPastedName = 200
)

// xtoken is a token of an expansion: a name of the repository where it is not
// negative. source says that it stands in an argument of the outermost use, as
// written in the function.
type xtoken struct {
	t      token
	source bool
}

// expander expands macros as a file sees them.
type expander struct {
	sight *sight
	left  int // tokens that may still be made
	until int // what is left when a use has had its share

	at     int32 // the place of the use
	hidden []int32
	out    []xtoken
}

// use answers for a call of what is a macro with arguments, or of one without that
// stands before the arguments.
func (e *expander) use(c *site, m macroRef) {
	s := e.sight
	args := e.split(e.written(s.file, c.from, c.to, nil))
	e.begin(c.at)
	if m.m.params < 0 {
		e.body(m, nil)
		e.out = append(e.out, xtoken{t: tokOpen}, xtoken{t: tokShut, source: true})
	} else {
		e.body(m, args)
	}
	e.report(c.caller, s.texts[s.ids[s.file][c.name]])
}

// object answers for a macro without arguments.
func (e *expander) object(m *mention, got macroRef) {
	e.begin(m.at)
	e.body(got, nil)
	e.report(m.caller, e.sight.texts[e.sight.ids[e.sight.file][m.name]])
}

func (e *expander) begin(at int32) {
	e.at, e.out, e.hidden = at, e.out[:0], e.hidden[:0]
	e.until = max(0, e.left-maxUse)
}

// written are tokens of the file as they stand in it.
func (e *expander) written(file, from, to int32, out []xtoken) []xtoken {
	ids := e.sight.ids[file]
	for _, t := range e.sight.units[file].tokens[from:to] {
		if t >= 0 {
			t = token(ids[t])
		}
		out = append(out, xtoken{t, true})
	}
	return out
}

// split parts arguments at their commas.
func (e *expander) split(list []xtoken) [][]xtoken {
	var out [][]xtoken
	deep, from := 0, 0
	for i, x := range list {
		switch x.t {
		case tokOpen, tokBracket, tokBrace:
			deep++
		case tokShut, tokSquare, tokCurly:
			deep--
		case tokComma:
			if deep == 0 {
				out = append(out, list[from:i:i])
				from = i + 1
			}
		}
	}
	return append(out, list[from:len(list):len(list)])
}

// body expands what a macro stands for, and adds it to what is put out.
func (e *expander) body(m macroRef, args [][]xtoken) {
	s := e.sight
	if len(e.hidden) >= maxNesting || e.left <= e.until {
		return
	}
	params := int(m.m.params)
	ids := s.ids[m.file]
	body := s.units[m.file].tokens[m.m.from:m.m.to]
	var list []xtoken
	arg := func(i int) []xtoken {
		if m.m.variadic && i == params-1 && i < len(args) {
			var all []xtoken
			for j, a := range args[i:] {
				if j > 0 {
					all = append(all, xtoken{t: tokComma, source: true})
				}
				all = append(all, a...)
			}
			return all
		}
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	for i := 0; i < len(body) && len(list) < maxUse; i++ {
		t := body[i]
		var now []xtoken
		switch {
		case t >= paramBase:
			now = arg(int(t - paramBase))
			if i+1 < len(body) && body[i+1] == tokPaste || i > 0 && body[i-1] == tokPaste {
				break
			}
			if i > 0 && body[i-1] == tokHash {
				now = []xtoken{{t: tokString}}
			}
		case t >= 0:
			now = []xtoken{{t: token(ids[t])}}
		case t == tokPaste:
			continue
		case t == tokHash:
			continue
		default:
			now = []xtoken{{t: t}}
		}
		if i > 1 && body[i-1] == tokPaste && len(now) > 0 && len(list) > 0 {
			if pasted, ok := e.paste(list[len(list)-1], now[0]); ok {
				list[len(list)-1] = pasted
				now = now[1:]
			}
		}
		list = append(list, now...)
	}
	e.left -= len(list) + 1
	e.hidden = append(e.hidden, ids[m.m.name])
	e.run(list)
	e.hidden = e.hidden[:len(e.hidden)-1]
}

// paste makes one name of two.
func (e *expander) paste(a, b xtoken) (xtoken, bool) {
	s := e.sight
	if a.t < 0 || b.t < 0 {
		return a, false
	}
	text := s.textOf(int32(a.t)) + s.textOf(int32(b.t))
	if len(text) > maxPastedName {
		return a, false
	}
	return xtoken{t: s.nameOf(text)}, true
}

// run puts tokens out, and what the macros among them stand for.
func (e *expander) run(list []xtoken) {
	s := e.sight
	e.left -= len(list)
	for i := 0; i < len(list) && e.left > e.until; i++ {
		x := list[i]
		if x.t < 0 || x.source && (i+1 >= len(list) || list[i+1].t != tokOpen || list[i+1].source) || i > 0 && notBefore(list[i-1].t) {
			e.out = append(e.out, x)
			continue
		}
		m := s.macro(int32(x.t), e.at)
		if m.m == nil || slices.Contains(e.hidden, int32(x.t)) {
			e.out = append(e.out, x)
			continue
		}
		if m.m.params < 0 {
			e.body(m, nil)
			continue
		}
		if i+1 >= len(list) || list[i+1].t != tokOpen {
			e.out = append(e.out, x)
			continue
		}
		end := shutting(list, i+1)
		e.left -= max(end-i, 0)
		if end < 0 {
			e.left -= len(list) - i
			e.out = append(e.out, x)
			continue
		}
		args := e.split(list[i+2 : end])
		from := len(e.out)
		for j := range args { // macros in arguments, whatever becomes of these
			e.run(args[j])
			args[j] = slices.Clone(e.out[from:])
			e.out = e.out[:from]
		}
		e.body(m, args)
		i = end
	}
}

// shutting is the parenthesis that closes the one at i, or -1.
func shutting(list []xtoken, i int) int {
	deep := 0
	for ; i < len(list); i++ {
		switch list[i].t {
		case tokOpen:
			deep++
		case tokShut:
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return -1
}

// report notes the calls in what has been put out that do not stand in arguments
// as they were written.
func (e *expander) report(caller int32, via string) {
	s := e.sight
	for i := 1; i < len(e.out); i++ {
		if e.out[i].t != tokOpen || e.out[i].source {
			continue
		}
		switch prev := e.out[i-1].t; {
		case prev >= 0:
			if notNames[s.textOf(int32(prev))] {
				continue
			}
			if i > 1 && (e.out[i-2].t == tokDot || e.out[i-2].t == tokArrow) {
				s.macroPath(e, i-1, caller, via)
				continue
			}
			s.macroCall(e, i, caller, via)
		case prev == tokSquare || prev == tokShut && !e.condition(i-1):
			s.macroPath(e, i-1, caller, via)
		}
	}
}

// condition reports whether the parenthesis at i ends what a keyword begins: if (x).
func (e *expander) condition(i int) bool {
	open := opening(e.out, i, tokOpen, tokShut)
	return open < 0 || open > 0 && e.out[open-1].t >= 0 && notNames[e.sight.textOf(int32(e.out[open-1].t))]
}

// maxBack bounds the tokens that are gone back over for one bracket.
const maxBack = 2000

// opening is what the bracket at i closes, or -1.
func opening(list []xtoken, i int, open, shut token) int {
	deep := 0
	for from := i; i >= 0 && from-i < maxBack; i-- {
		switch list[i].t {
		case shut:
			deep++
		case open:
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return -1
}

// macroCall notes a call of a plain name in the body of a macro.
func (s *sight) macroCall(e *expander, open int, caller int32, via string) {
	name := int32(e.out[open-1].t)
	if l := s.localAt(caller, name, e.at); l != nil && !l.function {
		s.pseudo(caller, s.variable(s.textOf(name), s.file, l.at), via, e.at)
		return
	}
	t := s.resolve(name, -1)
	if !t.found {
		if v, ok := s.global(name); ok {
			s.pseudo(caller, v, via, e.at)
			return
		}
		if system, ok := s.system[name]; ok {
			s.systemMacro(caller, system, via, e.at)
			return
		}
	}
	s.macroEdge(caller, t, via, e.at)
}

// pseudo notes a call through a pointer.
func (s *sight) pseudo(caller int32, t target, via string, at int32) {
	s.collect.add(caller, t, calls.Indirect, via, at)
}
