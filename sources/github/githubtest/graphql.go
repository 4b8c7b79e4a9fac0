package githubtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// parsedQuery is a query text, kept because clients repeat theirs.
type parsedQuery struct {
	doc *ast.QueryDocument
	err error
}

// execution is one query being answered.
type execution struct {
	*call
	doc    *ast.QueryDocument
	vars   map[string]any
	errors []raw
	nodes  int // requested at most
	cost   int
	depth  int
}

const maxDepth = 40

// graphql answers a query. The world is locked for reading.
func (c *call) graphql() answer {
	var body struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
		Operation string         `json:"operationName"`
	}
	if err := json.Unmarshal(c.body, &body); err != nil {
		return failure(http.StatusBadRequest, "Problems parsing JSON")
	}
	kept, found := c.s.queries.Load(body.Query)
	if !found {
		doc, err := parser.ParseQuery(&ast.Source{Input: body.Query})
		kept = &parsedQuery{doc, err}
		c.s.queries.Store(body.Query, kept)
	}
	parsed := kept.(*parsedQuery)
	if parsed.err != nil {
		return refuse("", "Parse error on "+parsed.err.Error())
	}
	op := parsed.doc.Operations.ForName(body.Operation)
	if op == nil || op.Operation != ast.Query {
		return refuse("", "No query of that name, or more than a query")
	}
	e := &execution{call: c, doc: parsed.doc, vars: map[string]any{}}
	for _, v := range op.VariableDefinitions {
		value, given := body.Variables[v.Variable]
		switch {
		case given && value != nil:
		case v.DefaultValue != nil:
			value, _ = v.DefaultValue.Value(nil)
		case v.Type.NonNull:
			return refuse("", "Variable $"+v.Variable+" of type "+v.Type.String()+" was provided invalid value")
		}
		e.vars[v.Variable] = value
	}
	if refused := e.price(op.SelectionSet); refused != nil {
		return *refused
	}
	data, err := e.object(e.query(), op.SelectionSet, nil)
	var unknown *undefined
	if errors.As(err, &unknown) {
		return ok(new(object).add("errors", list([]raw{new(object).
			add("extensions", new(object).add("code", "undefinedField").add("typeName", unknown.kind).add("fieldName", unknown.field).end()).
			add("message", err.Error()).end()})).end())
	} else if err != nil {
		return refuse("", err.Error())
	}
	o := new(object).add("data", data)
	if len(e.errors) > 0 {
		o.add("errors", list(e.errors))
	}
	out := ok(o.end())
	out.cost = e.cost
	return out
}

// refuse is a query refused as a whole; it comes as a success.
func refuse(kind, message string) answer {
	e := new(object)
	if kind != "" {
		e.add("type", kind)
	}
	return ok(new(object).add("errors", list([]raw{e.add("message", message).end()})).end())
}

// object answers a selection on a node.
func (e *execution) object(n *node, set ast.SelectionSet, path []raw) (raw, error) {
	if e.depth++; e.depth > maxDepth {
		return nil, fmt.Errorf("the query is nested too deeply")
	}
	defer func() { e.depth-- }()
	o := new(object)
	for _, field := range e.collect(n, set, 0) {
		at := append(path[:len(path):len(path)], appendString(nil, field.Alias))
		value, err := e.field(n, field, at)
		if err != nil {
			return nil, err
		}
		o.add(field.Alias, value)
	}
	return o.end(), nil
}

// collect are the fields that a selection asks of a node, those of one name
// merged, in the order asked.
func (e *execution) collect(n *node, set ast.SelectionSet, depth int) []*ast.Field {
	var out []*ast.Field
	if depth > maxDepth {
		return nil // fragments in a circle
	}
	add := func(f *ast.Field) {
		for k, other := range out {
			if other.Alias == f.Alias {
				merged := *other
				merged.SelectionSet = append(merged.SelectionSet[:len(merged.SelectionSet):len(merged.SelectionSet)], f.SelectionSet...)
				out[k] = &merged
				return
			}
		}
		out = append(out, f)
	}
	for _, s := range set {
		var inner ast.SelectionSet
		switch s := s.(type) {
		case *ast.Field:
			if e.included(s.Directives) {
				add(s)
			}
		case *ast.InlineFragment:
			if e.included(s.Directives) && (s.TypeCondition == "" || is(n.kind, s.TypeCondition)) {
				inner = s.SelectionSet
			}
		case *ast.FragmentSpread:
			if f := e.doc.Fragments.ForName(s.Name); f != nil && e.included(s.Directives) && is(n.kind, f.TypeCondition) {
				inner = f.SelectionSet
			}
		}
		for _, f := range e.collect(n, inner, depth+1) {
			add(f)
		}
	}
	return out
}

func (e *execution) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		yes, _ := e.arguments(d.Arguments)["if"].(bool)
		if d.Name == "skip" && yes || d.Name == "include" && !yes {
			return false
		}
	}
	return true
}

func (e *execution) arguments(list ast.ArgumentList) arguments {
	out := arguments{}
	for _, a := range list {
		if value, err := a.Value.Value(e.vars); err == nil && value != nil {
			out[a.Name] = value
		}
	}
	return out
}

// field is the finished value of one field.
func (e *execution) field(n *node, f *ast.Field, path []raw) (any, error) {
	if f.Name == "__typename" {
		return n.kind, nil
	}
	args := e.arguments(f.Arguments)
	value, known, err := n.get(f.Name, args)
	if !known {
		return nil, &undefined{n.kind, f.Name}
	}
	if conn, ok := value.(*connection); ok && err == nil {
		value, err = conn.node(f, args)
	}
	if err != nil {
		e.refuse(err, path, f)
		value = nil
	}
	switch value := value.(type) {
	case *node:
		if value == nil {
			return nil, nil
		}
		return e.object(value, f.SelectionSet, path)
	case []*node:
		items := make([]raw, len(value))
		for k, item := range value {
			at := append(path[:len(path):len(path)], raw(strconv.Itoa(k)))
			if item == nil {
				items[k] = null
			} else if item.get == nil { // a node nobody found
				e.refuse(unresolved("a node with the global id of '%s'", item.kind), at, f)
				items[k] = null
			} else if items[k], err = e.object(item, f.SelectionSet, at); err != nil {
				return nil, err
			}
		}
		return list(items), nil
	}
	return value, nil
}

// refuse notes an error in a field.
func (e *execution) refuse(err error, path []raw, f *ast.Field) {
	kind := ""
	var r *refusal
	if errors.As(err, &r) {
		kind = r.kind
	}
	at := new(object)
	if f.Position != nil {
		at.add("line", f.Position.Line).add("column", f.Position.Column)
	}
	e.errors = append(e.errors, new(object).add("type", kind).add("path", list(path)).add("locations", list([]raw{at.end()})).
		add("message", err.Error()).end())
}
