package callgraph

import "strconv"

// truth is what is known of a condition.
type truth uint8

const (
	unknown truth = iota
	yes
	no
)

func known(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

// and has no if either is, whatever the other one is.
func (t truth) and(o truth) truth {
	switch {
	case t == no || o == no:
		return no
	case t == yes && o == yes:
		return yes
	}
	return unknown
}

func (t truth) or(o truth) truth { return t.not().and(o.not()).not() }

// branch is an open #if.
type branch struct {
	taken truth // whether a branch before this one is
	now   truth // whether this one is
	outer truth // whether what is around it is
}

// conditions follows #if through a file.
type conditions struct {
	open    []branch
	state   truth            // of the place that has been reached
	defined map[string]truth // of names that the file itself has surely defined or undefined
	off     []span           // what is surely off, ascending
	unsure  []span           // what may be off, ascending
	since   int32            // where state began
}

type span struct{ start, end int32 }

// enter takes a state from a place on.
func (c *conditions) enter(t truth, at int32) {
	if t == c.state {
		return
	}
	if s := (span{c.since, at}); s.start < s.end {
		switch c.state {
		case no:
			c.off = append(c.off, s)
		case unknown:
			c.unsure = append(c.unsure, s)
		}
	}
	c.state, c.since = t, at
}

func (c *conditions) begin(t truth, at int32) {
	c.open = append(c.open, branch{taken: t, now: t, outer: c.state})
	c.enter(c.state.and(t), at)
}

// middle is #elif and #else.
func (c *conditions) middle(t truth, at int32) {
	if len(c.open) == 0 {
		return
	}
	b := &c.open[len(c.open)-1]
	b.now = t.and(b.taken.not())
	b.taken = b.taken.or(t)
	c.enter(b.outer.and(b.now), at)
}

func (c *conditions) end(at int32) {
	if len(c.open) == 0 {
		return
	}
	b := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	c.enter(b.outer, at)
}

// define notes that a name is defined, or is no more, at the place reached.
func (c *conditions) define(name string, t truth) {
	switch c.state {
	case yes:
		c.defined[name] = t
	case unknown:
		if c.defined[name] != t {
			delete(c.defined, name)
		}
	}
}

// evaluator reads the condition of an #if.
type evaluator struct {
	x     *lexer
	tok   token
	c     *conditions
	depth int
}

// maxConditionDepth bounds parentheses; what is deeper is not known.
const maxConditionDepth = 100

// value is a number that may not be known.
type value struct {
	n     int64
	known bool
}

func (v value) truth() truth {
	if !v.known {
		return unknown
	}
	return known(v.n != 0)
}

func fromTruth(t truth) value { return value{map[truth]int64{yes: 1}[t], t != unknown} }

// evaluate is what is known of the condition that the lexer stands before.
func (c *conditions) evaluate(x *lexer) truth {
	e := &evaluator{x: x, c: c}
	e.advance()
	v := e.or()
	if e.tok != tokEnd {
		return unknown
	}
	return v.truth()
}

func (e *evaluator) advance() { e.tok = e.x.next() }

// follows takes an operator of two equal characters.
func (e *evaluator) follows(c byte) bool {
	if e.tok != charToken(c) || e.x.at >= len(e.x.src) || e.x.src[e.x.at] != c {
		return false
	}
	e.advance()
	e.advance()
	return true
}

func (e *evaluator) or() value {
	v := e.and()
	for e.follows('|') {
		v = fromTruth(v.truth().or(e.and().truth()))
	}
	return v
}

func (e *evaluator) and() value {
	v := e.not()
	for e.follows('&') {
		v = fromTruth(v.truth().and(e.not().truth()))
	}
	return v
}

func (e *evaluator) not() value {
	if e.depth++; e.depth > maxConditionDepth {
		for e.tok != tokEnd {
			e.advance()
		}
		return value{}
	}
	defer func() { e.depth-- }()
	switch {
	case e.tok == charToken('!'):
		e.advance()
		return fromTruth(e.not().truth().not())
	case e.tok == tokOpen:
		e.advance()
		v := e.or()
		if e.tok == tokShut {
			e.advance()
		} else {
			v = e.lost()
		}
		return e.compared(v)
	case e.tok >= 0:
		name := e.x.names.String(int32(e.tok))
		e.advance()
		if name == "defined" {
			return e.isDefined()
		}
		if n, err := strconv.ParseInt(name, 0, 64); err == nil {
			return e.compared(value{n, true})
		}
		if e.tok == tokOpen {
			return e.lost()
		}
		return e.compared(value{})
	}
	return e.lost()
}

// compared takes what follows a number: what is compared with anything is not known.
func (e *evaluator) compared(v value) value {
	if e.tok == tokEnd || e.tok == tokShut || e.tok == charToken('|') || e.tok == charToken('&') {
		return v
	}
	return e.lost()
}

// lost passes over the rest up to what ends the operand.
func (e *evaluator) lost() value {
	deep := 0
	for ; e.tok != tokEnd; e.advance() {
		switch {
		case e.tok == tokOpen:
			deep++
		case e.tok == tokShut && deep == 0:
			return value{}
		case e.tok == tokShut:
			deep--
		case deep == 0 && (e.tok == charToken('|') || e.tok == charToken('&')) && e.x.at < len(e.x.src) && e.x.src[e.x.at] == e.x.src[e.x.start]:
			return value{}
		}
	}
	return value{}
}

func (e *evaluator) isDefined() value {
	parens := e.tok == tokOpen
	if parens {
		e.advance()
	}
	if e.tok < 0 {
		return e.lost()
	}
	t := e.c.defined[e.x.names.String(int32(e.tok))]
	e.advance()
	if parens && e.tok == tokShut {
		e.advance()
	}
	return fromTruth(t)
}
