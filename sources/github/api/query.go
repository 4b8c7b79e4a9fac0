package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// QueryError is what a GraphQL server says beside, or instead of, the data.
type QueryError struct {
	URL    string // the endpoint
	Errors []QueryFault
}

// QueryFault is one error of a GraphQL answer.
type QueryFault struct {
	Type    string   // "NOT_FOUND"; "" when the server gives none
	Path    []string // field names and indices from the root to what is missing
	Message string   // the server's words, shortened
}

func (f QueryFault) String() string {
	text := f.Message
	if f.Type != "" {
		text = f.Type + ": " + text
	}
	if len(f.Path) > 0 {
		text += " (at " + strings.Join(f.Path, ".") + ")"
	}
	return text
}

func (e *QueryError) Error() string {
	text := e.URL + ": the query failed"
	if len(e.Errors) > 0 {
		text += ": " + e.Errors[0].String()
	}
	if more := len(e.Errors) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// TooHeavy reports whether a query failed because it asked for too much at once:
// the same question in smaller parts may pass. That is so when a gateway gave up
// on it three times, when the server ran out of time, or when it named a limit of
// nodes or resources.
func TooHeavy(err error) bool {
	var h *heavyError
	var q *QueryError
	return errors.As(err, &h) || errors.As(err, &q) && slices.ContainsFunc(q.Errors, QueryFault.tooHeavy)
}

type heavyError struct{ error }

func (e *heavyError) Unwrap() error { return e.error }

// budgetSpent: the points of the hour are used up. Both names are seen.
func (f QueryFault) budgetSpent() bool { return f.Type == "RATE_LIMITED" || f.Type == "RATE_LIMIT" }

func (f QueryFault) tooHeavy() bool {
	return f.Type == "MAX_NODE_LIMIT_EXCEEDED" || f.Type == "RESOURCE_LIMITS_EXCEEDED" || f.passing()
}

// passing: the server ran out of time or into trouble, which it says in words only.
func (f QueryFault) passing() bool {
	words := strings.ToLower(f.Message)
	return f.Type == "" && slices.ContainsFunc([]string{"something went wrong while executing", "respond to your request in time", "timed out", "timeout"},
		func(said string) bool { return strings.Contains(words, said) })
}

// Query asks one GraphQL query, which must change nothing: it may be sent several
// times. out gets the field "data". When the server reports errors beside data,
// out is filled and the error is a [*QueryError]; without data it is too, and out
// is left alone. Other errors are those of [Client.Get]; see also [TooHeavy].
func (c *Client) Query(ctx context.Context, query string, variables map[string]any, out any) error {
	if err := c.nameUsers(ctx); err != nil {
		return err
	}
	payload, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return fmt.Errorf("%s: the variables of a query: %w", c.endpoint, err)
	}
	r, err := c.ask(ctx, &question{method: http.MethodPost, url: c.endpoint, payload: payload})
	if err != nil {
		return err
	}
	if r.graph.hasData() {
		if err := json.Unmarshal(r.graph.Data, out); err != nil {
			return fmt.Errorf("%s: the data are not of the form asked for: %s", c.endpoint, c.hide.words(err.Error()))
		}
	}
	if len(r.graph.Errors) > 0 {
		return &QueryError{URL: c.endpoint.String(), Errors: r.graph.Errors}
	}
	return nil
}

// graphEndpoint is where the GraphQL API of a REST API lies.
func graphEndpoint(base *url.URL) *url.URL {
	u := *base
	u.Path = strings.TrimSuffix(u.Path, "/v3") + "/graphql"
	return &u
}

// graph is the answer to a query.
type graph struct {
	Data   json.RawMessage
	Errors []QueryFault
}

func (g *graph) hasData() bool { return len(g.Data) > 0 && string(g.Data) != "null" }

func (g *graph) budgetSpent() bool { return slices.ContainsFunc(g.Errors, QueryFault.budgetSpent) }

// parseGraph reads the answer to a query; nil when it is none.
func (c *Client) parseGraph(body []byte) *graph {
	var a struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Type    string            `json:"type"`
			Path    []json.RawMessage `json:"path"` // texts and numbers
			Message string            `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &a) != nil {
		return nil
	}
	g := &graph{Data: a.Data}
	for _, e := range a.Errors {
		f := QueryFault{Type: c.hide.words(e.Type), Message: c.hide.words(e.Message)}
		for _, step := range e.Path {
			var name string
			if json.Unmarshal(step, &name) != nil {
				name = string(step)
			}
			f.Path = append(f.Path, c.hide.words(name))
		}
		g.Errors = append(g.Errors, f)
	}
	if !g.hasData() && len(g.Errors) == 0 {
		return nil
	}
	return g
}

// judgeGraph gives the verdict on a query's answer. Errors that name a missing
// thing are answers: numbers that were deleted are common.
func (c *Client) judgeGraph(r *reply) (verdict, error) {
	i := slices.IndexFunc(r.graph.Errors, QueryFault.passing)
	if i < 0 {
		return believed, nil
	}
	return passing, fmt.Errorf("%s: %s", c.endpoint, r.graph.Errors[i])
}
