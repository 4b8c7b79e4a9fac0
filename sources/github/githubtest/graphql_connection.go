package githubtest

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// connection is a list given in pages.
type connection struct {
	kind  string // "IssueConnection"
	total int
	at    func(k int) *node
	edge  func(k int, field string) (any, bool)   // fields an edge has beyond its node
	more  func(field string) (value any, ok bool) // fields the connection has beyond
}

func cursor(k int) string {
	return base64.StdEncoding.EncodeToString([]byte("cursor:" + strconv.Itoa(k)))
}

// position is the place of a cursor.
func position(text string) (int, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return 0, err
	}
	n, ok := strings.CutPrefix(string(b), "cursor:")
	if !ok {
		return 0, fmt.Errorf("no cursor")
	}
	return strconv.Atoi(n)
}

// node is the page that the arguments ask for.
func (c *connection) node(f *ast.Field, args arguments) (*node, error) {
	from, to := 0, c.total
	first, isFirst := args.number("first")
	last, isLast := args.number("last")
	if !isFirst && !isLast && !onlyCounts(f.SelectionSet) {
		return nil, &refusal{"MISSING_PAGINATION_BOUNDARIES", fmt.Sprintf(
			"You must provide a `first` or `last` value to properly paginate the `%s` connection.", f.Name)}
	}
	if first < 0 || last < 0 || first > 100 || last > 100 {
		return nil, &refusal{"EXCESSIVE_PAGINATION", fmt.Sprintf(
			"Requesting %d records on the `%s` connection exceeds the `first` limit of 100 records.", max(first, last), f.Name)}
	}
	for _, name := range []string{"after", "before"} {
		text := args.text(name)
		if text == "" {
			continue
		}
		k, err := position(text)
		if err != nil {
			return nil, &refusal{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", text)}
		}
		if name == "after" {
			from = min(max(from, k+1), c.total)
		} else {
			to = max(min(to, k), from)
		}
	}
	if isFirst {
		to = min(to, from+first)
	}
	if isLast {
		from = max(from, to-last)
	}
	return &node{c.kind, func(field string, _ arguments) (any, bool, error) {
		switch field {
		case "totalCount":
			return c.total, true, nil
		case "nodes":
			out := []*node{}
			for k := from; k < to; k++ {
				out = append(out, c.at(k))
			}
			return out, true, nil
		case "edges":
			out := []*node{}
			for k := from; k < to; k++ {
				out = append(out, c.edgeNode(k))
			}
			return out, true, nil
		case "pageInfo":
			return c.pageInfo(from, to), true, nil
		}
		if c.more != nil {
			value, known := c.more(field)
			return value, known, nil
		}
		return nil, false, nil
	}}, nil
}

func (c *connection) edgeNode(k int) *node {
	return &node{strings.TrimSuffix(c.kind, "Connection") + "Edge", func(field string, _ arguments) (any, bool, error) {
		switch field {
		case "node":
			return c.at(k), true, nil
		case "cursor":
			return cursor(k), true, nil
		}
		if c.edge != nil {
			value, known := c.edge(k, field)
			return value, known, nil
		}
		return nil, false, nil
	}}
}

func (c *connection) pageInfo(from, to int) *node {
	values := map[string]any{"hasNextPage": to < c.total, "hasPreviousPage": from > 0, "startCursor": nil, "endCursor": nil}
	if from < to {
		values["startCursor"], values["endCursor"] = cursor(from), cursor(to-1)
	}
	return fields("PageInfo", values)
}

// fields is a node of plain values.
func fields(kind string, values map[string]any) *node {
	return &node{kind, func(field string, _ arguments) (any, bool, error) {
		value, known := values[field]
		return value, known, nil
	}}
}

// onlyCounts tells whether no page of a connection is asked for.
func onlyCounts(set ast.SelectionSet) bool {
	for _, s := range set {
		f, ok := s.(*ast.Field)
		if !ok || f.Name == "nodes" || f.Name == "edges" || f.Name == "pageInfo" {
			return false
		}
	}
	return true
}

const (
	maxNodes = 500_000 // one query may ask for
	maxSteps = 100_000 // fields of a query, fragments written out
)

// price counts what a query asks for at most, and refuses too much: a node for
// each item of each page, a point for a hundred pages.
func (e *execution) price(set ast.SelectionSet) *answer {
	pages, steps := 0.0, 0
	var walk func(set ast.SelectionSet, times float64, depth int) (nodes float64)
	walk = func(set ast.SelectionSet, times float64, depth int) (nodes float64) {
		for _, s := range set {
			if steps++; depth > maxDepth || steps > maxSteps {
				return math.Inf(1) // fragments in a circle, or far too many
			}
			switch s := s.(type) {
			case *ast.InlineFragment:
				nodes += walk(s.SelectionSet, times, depth+1)
			case *ast.FragmentSpread:
				if f := e.doc.Fragments.ForName(s.Name); f != nil {
					nodes += walk(f.SelectionSet, times, depth+1)
				}
			case *ast.Field:
				args, many := e.arguments(s.Arguments), 1
				if n, ok := args.number("first"); ok {
					many = max(n, 1)
				} else if n, ok := args.number("last"); ok {
					many = max(n, 1)
				} else if s.Name == "nodes" && args["ids"] != nil {
					many = max(len(args.list("ids")), 1)
				}
				if many > 1 || args["first"] != nil {
					pages += times
					nodes += times * float64(many)
				}
				nodes += walk(s.SelectionSet, times*float64(many), depth+1)
			}
		}
		return nodes
	}
	nodes := walk(set, 1, 0)
	if nodes > maxNodes {
		out := refuse("MAX_NODE_LIMIT_EXCEEDED", "This query requests more possible nodes than the maximum limit of 500,000.")
		return &out
	}
	e.nodes, e.cost = int(nodes), max(int(math.Round(pages/100)), 1)
	if heavy := e.s.options.Heavy; heavy > 0 && e.nodes > heavy {
		out := refuse("", "Something went wrong while executing your query. This may be the result of a timeout.")
		out.status = http.StatusBadGateway
		return &out
	}
	return nil
}
