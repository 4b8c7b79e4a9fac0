package treesitter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQueryDepth is far above what a query needs; the library's own parser,
// which runs after this one, goes down on the C stack.
const maxQueryDepth = 100

type queryParser struct {
	grammar *Grammar
	rest    string
	depth   int
	tests   []test // of the pattern under way
}

func (p *queryParser) line(source string) int {
	return 1 + strings.Count(source[:len(source)-len(p.rest)], "\n")
}

func (p *queryParser) space() {
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r\n")
		if !strings.HasPrefix(p.rest, ";") {
			return
		}
		_, p.rest, _ = strings.Cut(p.rest, "\n")
	}
}

func (p *queryParser) take(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *queryParser) word() string {
	p.space()
	n := 0
	for n < len(p.rest) && strings.IndexByte(" \t\r\n()[]\":@;*+", p.rest[n]) < 0 {
		n++
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w
}

func (p *queryParser) parse() ([]*pattern, error) {
	if !utf8.ValidString(p.rest) {
		return nil, errors.New("not UTF-8")
	}
	var roots []*pattern
	for {
		p.space()
		if p.rest == "" {
			return roots, nil
		}
		p.tests = nil
		alternatives, err := p.pattern()
		if err != nil {
			return nil, err
		}
		for _, one := range alternatives {
			if one.any {
				return nil, errors.New("a pattern cannot start at (_)")
			}
			one.tests = p.tests
		}
		roots = append(roots, alternatives...)
	}
}

// pattern reads one pattern; an alternation gives several.
func (p *queryParser) pattern() ([]*pattern, error) {
	if p.depth++; p.depth > maxQueryDepth {
		return nil, fmt.Errorf("more than %d levels", maxQueryDepth)
	}
	defer func() { p.depth-- }()
	var out []*pattern
	switch {
	case p.take("["):
		for !p.take("]") {
			if p.rest == "" {
				return nil, errors.New("missing ]")
			}
			alternatives, err := p.pattern()
			if err != nil {
				return nil, err
			}
			out = append(out, alternatives...)
		}
	case p.take("("):
		some, err := p.node()
		if err != nil {
			return nil, err
		}
		out = some
	default:
		return nil, fmt.Errorf("expected ( or [ at %.20q", p.rest)
	}
	for p.take("@") {
		name := p.word()
		for _, one := range out {
			one.captures = append(one.captures, name)
		}
	}
	return out, nil
}

// node reads what follows an opening parenthesis. A parenthesis around a whole
// pattern and its predicates is a group.
func (p *queryParser) node() ([]*pattern, error) {
	p.space()
	var out []*pattern
	group := strings.HasPrefix(p.rest, "(") || strings.HasPrefix(p.rest, "[")
	if group {
		some, err := p.pattern()
		if err != nil {
			return nil, err
		}
		out = some
	} else {
		kind := p.word()
		one := &pattern{any: kind == "_", kinds: slices.Clone(p.grammar.named[kind])}
		if !one.any && len(one.kinds) == 0 {
			return nil, fmt.Errorf("no node kind %q", kind)
		}
		out = []*pattern{one}
	}
	anchored := false
	for {
		switch p.space(); {
		case strings.HasPrefix(p.rest, ")") && anchored:
			return nil, errors.New("an anchor after the last child is not supported")
		case p.take(")"):
			return out, nil
		case p.rest == "":
			return nil, errors.New("missing )")
		case strings.HasPrefix(p.rest, "(#"):
			if err := p.predicate(); err != nil {
				return nil, err
			}
		case group:
			return nil, errors.New("a group of several nodes is not supported")
		case p.take("."):
			anchored = true
		default:
			if err := p.child(out[0], anchored); err != nil {
				return nil, err
			}
			anchored = false
		}
	}
}

func (p *queryParser) child(one *pattern, anchored bool) error {
	var field uint16
	if p.rest[0] != '(' && p.rest[0] != '[' {
		name := p.word()
		if field = p.grammar.fields[name]; field == 0 || !p.take(":") {
			return fmt.Errorf("expected a field or a node, found %.20q", name+p.rest)
		}
	}
	alternatives, err := p.pattern()
	if err != nil {
		return err
	}
	if len(alternatives) == 0 {
		return errors.New("an alternation of nothing")
	}
	child := alternatives[0]
	for _, other := range alternatives[1:] {
		if len(other.children)+len(child.children) > 0 || !slices.Equal(other.captures, child.captures) {
			return errors.New("alternatives inside a pattern cannot have children or captures of their own")
		}
		child.any = child.any || other.any
		child.kinds = append(child.kinds, other.kinds...)
	}
	child.field, child.anchored = field, anchored
	one.children = append(one.children, child)
	return nil
}

func (p *queryParser) predicate() error {
	p.take("(")
	name := p.word()
	if !p.take("@") {
		return fmt.Errorf("predicate %s without a capture", name)
	}
	capture := p.word()
	var values []string
	for !p.take(")") {
		value, err := p.quoted()
		if err != nil {
			return fmt.Errorf("predicate %s: %w", name, err)
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return fmt.Errorf("predicate %s without a value", name)
	}
	ok, err := predicate(name, values)
	if err == nil {
		p.tests = append(p.tests, test{capture, ok})
	}
	return err
}

// quoted reads a text with the escapes that the library and Go agree on.
func (p *queryParser) quoted() (string, error) {
	quoted, err := strconv.QuotedPrefix(p.rest)
	if err != nil || quoted[0] != '"' {
		return "", errors.New("expected a quoted text")
	}
	for i := 1; i < len(quoted)-1; i++ {
		if quoted[i] == '\\' {
			if i++; strings.IndexByte(`nrt\"`, quoted[i]) < 0 {
				return "", fmt.Errorf("escape \\%c is not supported", quoted[i])
			}
		}
	}
	p.rest = p.rest[len(quoted):]
	return strconv.Unquote(quoted)
}
