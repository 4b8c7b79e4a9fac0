package filter

import (
	"fmt"

	"github.com/benchmill-samples/harborlog/record"
)

// A Predicate decides whether a record is kept.
type Predicate func(r *record.Record) bool

// parser walks over the tokens; its position is all its state.
type parser struct {
	tokens []token
	next   int
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != end {
		p.next++
	}
	return t
}

// accept takes a word or parenthesis when it is the given one.
func (p *parser) accept(text string) bool {
	t := p.peek()
	if (t.kind == word || t.kind == parenthesis) && t.text == text {
		p.next++
		return true
	}
	return false
}

// Compile checks an expression and builds its predicate. The empty one keeps everything.
func Compile(expression string) (Predicate, error) {
	tokens, err := tokenise(expression)
	if err != nil {
		return nil, err
	}
	if len(tokens) == 1 {
		return keepAll, nil
	}
	p := &parser{tokens: tokens}
	built, err := parseOr(p)
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != end {
		return nil, unexpected(t, "and, or, or the end")
	}
	return built, nil
}

func keepAll(*record.Record) bool { return true }

func unexpected(t token, wanted string) error {
	return fmt.Errorf("column %d: %q where %s should be", t.at+1, t.text, wanted)
}

func parseOr(p *parser) (Predicate, error) {
	left, err := parseAnd(p)
	for err == nil && p.accept("or") {
		var right Predicate
		right, err = parseAnd(p)
		left = either(left, right)
	}
	return left, err
}

func parseAnd(p *parser) (Predicate, error) {
	left, err := parseNot(p)
	for err == nil && p.accept("and") {
		var right Predicate
		right, err = parseNot(p)
		left = both(left, right)
	}
	return left, err
}

func parseNot(p *parser) (Predicate, error) {
	if p.accept("not") {
		inner, err := parseNot(p)
		return negated(inner), err
	}
	if !p.accept("(") {
		return parseComparison(p)
	}
	inner, err := parseOr(p)
	if err == nil && !p.accept(")") {
		err = unexpected(p.peek(), "a closing parenthesis")
	}
	return inner, err
}

// parseComparison reads "key operator value" or "has key".
func parseComparison(p *parser) (Predicate, error) {
	key := p.take()
	if key.kind != word && key.kind != quoted {
		return nil, unexpected(key, "a key")
	}
	if key.kind == word && key.text == "has" {
		name := p.take()
		if name.kind != word && name.kind != quoted {
			return nil, unexpected(name, "a key")
		}
		return present(name.text), nil
	}
	op := p.take()
	if op.kind != operator {
		return nil, unexpected(op, "an operator")
	}
	value := p.take()
	if value.kind != word && value.kind != quoted {
		return nil, unexpected(value, "a value")
	}
	return comparison(key.text, op.text, value.text), nil
}

func either(a, b Predicate) Predicate {
	return func(r *record.Record) bool { return a(r) || b(r) }
}

func both(a, b Predicate) Predicate {
	return func(r *record.Record) bool { return a(r) && b(r) }
}

func negated(a Predicate) Predicate {
	return func(r *record.Record) bool { return !a(r) }
}

func present(key string) Predicate {
	return func(r *record.Record) bool {
		_, ok := r.Get(key)
		return ok
	}
}
