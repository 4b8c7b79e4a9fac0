package csharp

import (
	"bytes"
	"strings"
)

// compiled is a file as a compiler reads it for which no symbol is defined but by
// the file: preprocessor lines, and what they leave out, are blank, and nothing
// moves. It is nil where there are no such lines. The grammar knows directives
// only between statements and members, and all branches at once.
func compiled(src []byte) []byte {
	if !bytes.Contains(src, []byte("#")) {
		return nil
	}
	p := preprocessor{defined: map[string]bool{}}
	var out []byte
	for at := 0; at < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := src[at:end]
		directive := p.inside == 0 && bytes.HasPrefix(bytes.TrimLeft(line, " \t\ufeff"), []byte("#"))
		if directive {
			p.directive(string(bytes.TrimSpace(bytes.TrimLeft(line, "\ufeff"))))
		}
		if directive || p.off() {
			if out == nil {
				out = bytes.Clone(src)
			}
			for i := at; i < end; i++ {
				if c := out[i]; c != '\n' && c != '\r' {
					out[i] = ' '
				}
			}
		} else {
			p.scan(line)
		}
		at = end
	}
	return out
}

// maxConditions bounds the nesting of #if.
const maxConditions = 200

// condition is one #if that is open.
type condition struct {
	outer, taken, on bool // what is around is read; a branch was; this one is
}

type preprocessor struct {
	defined map[string]bool
	open    []condition
	// inside is what a line begins in: 0, '*' a comment, '@' a verbatim string,
	// '"' a raw string with so many quotes.
	inside byte
	quotes int
}

func (p *preprocessor) off() bool { return len(p.open) > 0 && !p.open[len(p.open)-1].on }

func (p *preprocessor) directive(line string) {
	word, rest := cutWord(strings.TrimLeft(line[1:], " \t"))
	rest, _, _ = strings.Cut(rest, "//")
	var top *condition
	if len(p.open) > 0 {
		top = &p.open[len(p.open)-1]
	}
	switch {
	case word == "if" && len(p.open) < maxConditions:
		outer := !p.off()
		on := outer && p.holds(rest)
		p.open = append(p.open, condition{outer, on, on})
	case word == "elif" && top != nil:
		top.on = top.outer && !top.taken && p.holds(rest)
		top.taken = top.taken || top.on
	case word == "else" && top != nil:
		top.on = top.outer && !top.taken
		top.taken = true
	case word == "endif" && top != nil:
		p.open = p.open[:len(p.open)-1]
	case word == "define" && !p.off():
		p.defined[strings.TrimSpace(rest)] = true
	case word == "undef" && !p.off():
		delete(p.defined, strings.TrimSpace(rest))
	}
}

func cutWord(s string) (word, rest string) {
	n := 0
	for n < len(s) && wordBytes[s[n]] {
		n++
	}
	return s[:n], s[n:]
}

// holds evaluates the condition of an #if.
func (p *preprocessor) holds(text string) bool {
	e := formula{text: text, defined: p.defined}
	return e.or()
}

// formula reads a condition from the left. Where it is odd, it does not hold.
type formula struct {
	text    string
	defined map[string]bool
	depth   int
}

func (e *formula) next(token string) bool {
	e.text = strings.TrimLeft(e.text, " \t\r\n")
	rest, ok := strings.CutPrefix(e.text, token)
	if ok {
		e.text = rest
	}
	return ok
}

func (e *formula) or() bool {
	v := e.and()
	for e.next("||") {
		w := e.and()
		v = v || w
	}
	return v
}

func (e *formula) and() bool {
	v := e.equal()
	for e.next("&&") {
		w := e.equal()
		v = v && w
	}
	return v
}

func (e *formula) equal() bool {
	v := e.unary()
	for {
		switch {
		case e.next("=="):
			v = v == e.unary()
		case e.next("!="):
			v = v != e.unary()
		default:
			return v
		}
	}
}

func (e *formula) unary() bool {
	if e.depth++; e.depth > maxConditions {
		e.text = ""
		return false
	}
	switch {
	case e.next("!"):
		return !e.unary()
	case e.next("("):
		v := e.or()
		e.next(")")
		return v
	}
	word, rest := cutWord(e.text)
	e.text = rest
	return word == "true" || e.defined[word]
}

// scan notes what the next line begins in.
func (p *preprocessor) scan(line []byte) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case p.inside == '*':
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return
			}
			p.inside = 0
			i += n + 2
		case p.inside == '@':
			n := bytes.IndexByte(rest, '"')
			if n < 0 {
				return
			}
			i += n + 1
			if i < len(line) && line[i] == '"' { // an escaped quote
				i++
			} else {
				p.inside = 0
			}
		case p.inside == '"':
			n := bytes.Index(rest, bytes.Repeat([]byte{'"'}, p.quotes))
			if n < 0 {
				return
			}
			p.inside = 0
			i += n + count(rest[n:], '"')
		case bytes.HasPrefix(rest, []byte("//")):
			return
		case bytes.HasPrefix(rest, []byte("/*")):
			p.inside = '*'
			i += 2
		case bytes.HasPrefix(rest, []byte(`@"`)), bytes.HasPrefix(rest, []byte(`@$"`)):
			p.inside = '@'
			i += bytes.IndexByte(rest, '"') + 1
		case bytes.HasPrefix(rest, []byte(`"""`)):
			p.inside, p.quotes = '"', count(rest, '"')
			i += p.quotes
		case rest[0] == '"' || rest[0] == '\'':
			i = quoted(line, i+1, rest[0])
		default:
			i++
		}
	}
}
