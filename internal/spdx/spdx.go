// Package spdx reads SPDX licence expressions (annex D of the SPDX specification,
// version 2.3) and decides whether a list of accepted licences satisfies one.
//
// Identifiers are not looked up in a list: any word of the right form is one. What
// is not on a list of accepted licences is then not accepted.
package spdx

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Expr is a licence expression. The zero value is no licence at all.
type Expr struct {
	op   string // "AND", "OR", or "" for a licence
	args []Expr
	licence
}

// licence is one licence, perhaps with an exception.
type licence struct {
	id        string // as written, without "+"
	later     bool   // or any later version
	exception string
}

// Bounds of what [Parse] reads.
const (
	maxLength = 4096 // bytes
	maxDepth  = 32   // of parentheses
)

// Parse reads an expression. Operators may be in upper or lower case, as the
// specification has it since version 3.
func Parse(s string) (Expr, error) {
	if len(s) > maxLength {
		return Expr{}, fmt.Errorf("an expression of %d bytes", len(s))
	}
	p := parser{words: words(s)}
	e, err := p.either(0)
	if err == nil && len(p.words) > 0 {
		err = fmt.Errorf("%q where the expression should end", p.words[0])
	}
	if err != nil {
		return Expr{}, fmt.Errorf("licence expression %q: %w", s, err)
	}
	return e, nil
}

// words cuts at blanks and around parentheses.
func words(s string) []string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "(", " ( "), ")", " ) ")
	return strings.Fields(s)
}

type parser struct{ words []string }

// take removes the next word if it is the given operator.
func (p *parser) take(op string) bool {
	if len(p.words) > 0 && (p.words[0] == op || p.words[0] == strings.ToLower(op)) {
		p.words = p.words[1:]
		return true
	}
	return false
}

func (p *parser) either(depth int) (Expr, error) { return p.list("OR", p.all, depth) }
func (p *parser) all(depth int) (Expr, error)    { return p.list("AND", p.one, depth) }

func (p *parser) list(op string, next func(int) (Expr, error), depth int) (Expr, error) {
	var args []Expr
	for {
		e, err := next(depth)
		if err != nil {
			return Expr{}, err
		}
		args = append(args, e)
		if !p.take(op) {
			return join(op, args), nil
		}
	}
}

func (p *parser) one(depth int) (Expr, error) {
	if depth > maxDepth {
		return Expr{}, errors.New("too many parentheses")
	}
	if p.take("(") {
		e, err := p.either(depth + 1)
		if err == nil && !p.take(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return e, err
	}
	id, err := p.id()
	if err != nil {
		return Expr{}, err
	}
	l := licence{id: strings.TrimSuffix(id, "+"), later: strings.HasSuffix(id, "+")}
	if p.take("WITH") {
		if l.exception, err = p.id(); err != nil {
			return Expr{}, err
		}
	}
	return Expr{licence: l}, nil
}

func (p *parser) id() (string, error) {
	if len(p.words) == 0 {
		return "", errors.New("it ends where a licence is due")
	}
	w := p.words[0]
	if !isID(strings.TrimSuffix(w, "+")) {
		return "", fmt.Errorf("%q is no licence identifier", w)
	}
	p.words = p.words[1:]
	return w, nil
}

func isID(w string) bool {
	if w == "" || slices.Contains([]string{"AND", "OR", "WITH"}, strings.ToUpper(w)) {
		return false
	}
	for _, c := range []byte(w) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == ':') {
			return false
		}
	}
	return true
}

// Licence is the expression of one identifier, as licence scanners report it.
func Licence(id string) Expr {
	return Expr{licence: licence{id: strings.TrimSuffix(id, "+"), later: strings.HasSuffix(id, "+")}}
}

// And is the expression that asks for all of es: ascending, each once.
func And(es ...Expr) Expr { return join("AND", es) }

// Or is the expression that any of es satisfies: ascending, each once.
func Or(es ...Expr) Expr { return join("OR", es) }

func join(op string, es []Expr) Expr {
	var args []Expr
	for _, e := range es {
		switch {
		case e.IsZero():
		case e.op == op:
			args = append(args, e.args...)
		default:
			args = append(args, e)
		}
	}
	slices.SortFunc(args, func(a, b Expr) int { return strings.Compare(a.String(), b.String()) })
	args = slices.CompactFunc(args, func(a, b Expr) bool { return a.String() == b.String() })
	switch len(args) {
	case 0:
		return Expr{}
	case 1:
		return args[0]
	}
	return Expr{op: op, args: args}
}

// IsZero reports whether there is no licence in the expression.
func (e Expr) IsZero() bool { return e.op == "" && e.id == "" }

// String is the expression in its canonical form: operands ascending, each once,
// parentheses only where they are needed. The zero value is "".
func (e Expr) String() string {
	if e.op == "" {
		s := e.id
		if e.later {
			s += "+"
		}
		if e.exception != "" {
			s += " WITH " + e.exception
		}
		return s
	}
	parts := make([]string, len(e.args))
	for i, a := range e.args {
		parts[i] = a.String()
		if a.op == "OR" {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " "+e.op+" ")
}
