package callgraph

import (
	"sort"
	"strings"
)

// scanner reads the tokens and directives of a file.
type scanner struct {
	u     *unit
	names *names
	x     lexer
	cond  conditions
	host  conditions // the same with what is known of the [platform]
	// The tokens outside of directives, with their places.
	toks    []token
	starts  []int32
	match   []int32          // of parentheses: the other one, or none
	count   int              // of directives
	headers map[int32]string // of macros that stand for the header in #include
	// turns are the places among tokens where #if, #else and #endif stand.
	turns []turn
}

// turn is a directive that parts alternatives.
type turn struct {
	tok int32 // the token behind it
	how int8  // 1 for #if, 0 for #else, -1 for #endif
}

func (s *scanner) turn(how int8) { s.turns = append(s.turns, turn{int32(len(s.toks)), how}) }

// scan reads a file from its beginning to its end.
func scan(u *unit, src []byte, n *names) *scanner {
	s := &scanner{u: u, names: n}
	s.cond = conditions{defined: map[string]truth{}, state: yes}
	s.host = conditions{defined: platform(), state: yes}
	s.toks = make([]token, 0, len(src)/4)
	s.starts = make([]int32, 0, len(src)/4)
	s.x = lexer{src: src, names: n, fresh: true}
	for {
		s.x.skip()
		fresh := s.x.fresh
		s.x.fresh = false
		t := s.x.next()
		if t == tokEnd {
			break
		}
		if t == tokHash && fresh {
			s.directive(int32(s.x.start))
			s.x.fresh = true
			continue
		}
		if s.cond.state == no {
			continue
		}
		s.toks = append(s.toks, t)
		s.starts = append(s.starts, int32(s.x.start))
	}
	s.cond.enter(yes, int32(len(src)))
	s.host.enter(yes, int32(len(src)))
	u.elsewhere = s.host.off
	s.pair()
	return s
}

// pair finds what closes what. A brace closes all parentheses that are open in it.
func (s *scanner) pair() {
	s.match = make([]int32, len(s.toks))
	var open []int32
	for i, t := range s.toks {
		s.match[i] = none
		switch t {
		case tokOpen, tokBrace:
			open = append(open, int32(i))
		case tokShut:
			if n := len(open); n > 0 && s.toks[open[n-1]] == tokOpen {
				s.match[i], s.match[open[n-1]] = open[n-1], int32(i)
				open = open[:n-1]
			}
		case tokCurly:
			n := len(open)
			for n > 0 && s.toks[open[n-1]] == tokOpen {
				n--
			}
			open = open[:max(0, n-1)]
		}
	}
}

// directive reads a line behind its #.
func (s *scanner) directive(at int32) {
	d := &s.x
	d.line, d.all = true, true
	defer func() {
		for d.next() != tokEnd {
		}
		d.line, d.all = false, false
	}()
	t := d.next()
	if t < 0 {
		return
	}
	s.count++
	switch s.names.String(int32(t)) {
	case "include", "include_next", "import":
		s.include(at)
	case "define":
		s.define(at)
	case "undef":
		if name := d.next(); name >= 0 {
			s.u.macros = append(s.u.macros, macro{name: int32(name), at: at, undef: true})
			s.note(name, no)
		}
	case "if":
		s.turn(1)
		again := *d
		s.host.begin(s.host.evaluate(&again), at)
		s.cond.begin(s.cond.evaluate(d), at)
	case "ifdef", "ifndef":
		s.turn(1)
		s.ifdef(t, at)
	case "elif":
		s.turn(0)
		again := *d
		s.host.middle(s.host.evaluate(&again), at)
		s.cond.middle(s.cond.evaluate(d), at)
	case "elifdef", "elifndef":
		s.turn(0)
		s.cond.middle(unknown, at)
		s.host.middle(unknown, at)
	case "else":
		s.turn(0)
		s.cond.middle(yes, at)
		s.host.middle(yes, at)
	case "endif":
		s.turn(-1)
		s.cond.end(at)
		s.host.end(at)
	}
}

func (s *scanner) ifdef(how token, at int32) {
	name := s.x.next()
	if name < 0 {
		s.cond.begin(unknown, at)
		s.host.begin(unknown, at)
		return
	}
	text := s.names.String(int32(name))
	not := s.names.String(int32(how)) == "ifndef"
	guard := not && s.count == 1 && s.guarded(text) // it keeps a header from being read twice
	for _, c := range []*conditions{&s.cond, &s.host} {
		t := c.defined[text]
		switch {
		case guard:
			t = yes
		case not:
			t = t.not()
		}
		c.begin(t, at)
	}
}

// note notes that a name is defined, or is no more.
func (s *scanner) note(name token, t truth) {
	text := s.names.String(int32(name))
	s.cond.define(text, t)
	s.host.define(text, t)
}

// guarded reports whether the next line defines a name.
func (s *scanner) guarded(name string) bool {
	x := s.x
	x.line = false
	if x.next() != tokHash {
		return false
	}
	if t := x.next(); t < 0 || s.names.String(int32(t)) != "define" {
		return false
	}
	t := x.next()
	return t >= 0 && s.names.String(int32(t)) == name
}

func (s *scanner) include(at int32) {
	d := &s.x
	if !d.skip() {
		return
	}
	open := d.src[d.at]
	shut := byte('"')
	switch open {
	case '"':
	case '<':
		shut = '>'
	default: // a macro says which
		if text := s.headers[int32(d.next())]; text != "" {
			s.u.includes = append(s.u.includes, inclusion{path: text[1 : len(text)-1], at: at, angled: text[0] == '<'})
		}
		return
	}
	rest := string(d.src[d.at+1 : min(len(d.src), d.at+1+maxIncludePath)])
	if end := strings.IndexAny(rest, "\n"+string(shut)); end > 0 && rest[end] == shut {
		if s.cond.state != no {
			s.u.includes = append(s.u.includes, inclusion{path: strings.Clone(rest[:end]), at: at, angled: open == '<'})
		}
		d.at += end + 2
	}
}

// headerName is the name of a header that text begins with, with what is around it,
// or "".
func headerName(text []byte) string {
	line := string(text[:min(len(text), maxIncludePath)])
	shut := byte('"')
	if line[0] == '<' {
		shut = '>'
	}
	end := strings.IndexAny(line[1:], "\n"+string(shut))
	if end < 1 || line[1+end] != shut || !strings.Contains(line[:end+1], ".") {
		return ""
	}
	return line[:end+2]
}

const maxIncludePath = 1024

// maxParams bounds the parameters of a macro; one with more is taken for one
// without a body.
const maxParams = 255

func (s *scanner) define(at int32) {
	d := &s.x
	name := d.next()
	if name < 0 {
		return
	}
	s.note(name, yes)
	m := macro{name: int32(name), at: at, params: -1, unsure: s.cond.state == unknown, from: int32(len(s.u.tokens))}
	m.to = m.from
	var params []token
	if d.at < len(d.src) && d.src[d.at] == '(' {
		d.next()
		m.params = 0
		for t := d.next(); t != tokShut && t != tokEnd; t = d.next() {
			switch {
			case t >= 0:
				params = append(params, t)
			case t == tokDots:
				m.variadic = true
				if n := len(params); n == 0 || d.before(tokDots) {
					params = append(params, token(s.names.name("__VA_ARGS__")))
				}
			}
		}
		if len(params) > maxParams {
			params = nil
		}
		m.params = int16(len(params))
	}
	calls := false
	if d.skip() && m.params < 0 && (d.src[d.at] == '"' || d.src[d.at] == '<') {
		if line := headerName(d.src[d.at:]); line != "" {
			if s.headers == nil {
				s.headers = map[int32]string{}
			}
			s.headers[m.name] = line
		}
	}
	for t := d.next(); t != tokEnd; t = d.next() {
		if t >= 0 {
			calls = true
			for i, p := range params {
				if p == t {
					t = paramBase + token(i)
					break
				}
			}
		}
		s.u.tokens = append(s.u.tokens, t)
	}
	off := s.cond.state == no || s.host.state == no
	if !calls || off { // nothing in it can be called
		s.u.tokens = s.u.tokens[:m.from]
	}
	m.to = int32(len(s.u.tokens))
	if !off {
		s.u.macros = append(s.u.macros, m)
	}
}

// before reports whether the last token was one of its own, not the end of a named
// parameter ("args...").
func (x *lexer) before(token) bool {
	i := x.start - 1
	for i >= 0 && (x.src[i] == ' ' || x.src[i] == '\t') {
		i--
	}
	return i < 0 || !identPart[x.src[i]]
}

// index is the first token at a place or behind it.
func (s *scanner) index(at int32) int {
	return sort.Search(len(s.starts), func(i int) bool { return s.starts[i] >= at })
}

// inside reports whether a place is in one of ascending spans.
func inside(spans []span, at int32) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].end > at })
	return i < len(spans) && spans[i].start <= at
}
