package githubtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// node is an object of GraphQL: the name of its type, and its fields.
type node struct {
	kind string
	// get is the value of a field: nil, a bool, number, string, time or raw JSON, a
	// *node, a []*node, a *connection. known is false for a field that is not here.
	get func(field string, args arguments) (value any, known bool, err error)
}

// refusal is an error in one field, which then is null.
type refusal struct{ kind, message string }

func (r *refusal) Error() string { return r.message }

func unresolved(format string, args ...any) error {
	return &refusal{"NOT_FOUND", "Could not resolve to " + fmt.Sprintf(format, args...) + "."}
}

// undefined is a field or a type nobody knows; it refuses the whole query.
type undefined struct{ kind, field string }

func (u *undefined) Error() string {
	return fmt.Sprintf("Field '%s' doesn't exist on type '%s'", u.field, u.kind)
}

// arguments are those of one field.
type arguments map[string]any

func (a arguments) text(name string) string { s, _ := a[name].(string); return s }

func (a arguments) number(name string) (int, bool) {
	switch n := a[name].(type) {
	case int64:
		return int(n), true
	case float64: // a variable
		return int(n), n == float64(int(n))
	case json.Number:
		out, err := strconv.Atoi(n.String())
		return out, err == nil
	}
	return 0, false
}

// list is a list of strings; GraphQL takes a single value for a list of one.
func (a arguments) list(name string) []string {
	switch v := a[name].(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// is tells whether a type is, implements or belongs to another.
func is(kind, condition string) bool {
	return kind == condition || condition == "Node" || strings.Contains(abstract[condition], " "+kind+" ")
}

// abstract lists the object types of the interfaces and unions used here.
var abstract = map[string]string{
	"Actor": " User Bot Organization ", "RepositoryOwner": " User Organization ", "Closer": " Commit PullRequest ",
	"GitObject": " Commit Tree Blob ", "ReferencedSubject": " Issue PullRequest ", "IssueOrPullRequest": " Issue PullRequest ",
	"Closable": " Issue PullRequest ", "Lockable": " Issue PullRequest ", "Labelable": " Issue PullRequest ",
	"Assignable": " Issue PullRequest ", "Comment": " Issue PullRequest IssueComment PullRequestReview ",
	"UniformResourceLocatable": " Repository Issue PullRequest User Bot Organization Commit ClosedEvent CrossReferencedEvent PullRequestCommit ",
}
