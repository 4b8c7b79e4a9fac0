package githubtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"benchmill/internal/testdeps"
)

const notChecked = "the fake's REST answers are not held against GitHub's own description"

// checker asks the fake and validates every answer.
type checker struct {
	t    *testing.T
	s    *Server
	doc  *openapi3.T
	seen map[string]int // operation and status -> answers
}

// ask validates the answer to an address as one of the operation of a route.
func (c *checker) ask(route, address string, status int) {
	c.t.Helper()
	res, body := get(c.t, c.s, address)
	if res.StatusCode != status {
		c.t.Errorf("%s: status %d, want %d: %.200s", address, res.StatusCode, status, body)
		return
	}
	c.seen[route+" "+strconv.Itoa(status)]++
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		c.t.Errorf("%s: %v", address, err)
		return
	}
	schema := c.schema(route, status)
	if schema == nil {
		if status == 200 {
			c.t.Errorf("%s: GitHub describes no such answer of %s", address, route)
		}
		return
	}
	if err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.EnableFormatValidation()); err != nil {
		c.t.Errorf("%s is not as described: %.1500s", address, err)
	}
	if status != 200 { // the descriptions of errors leave much out
		return
	}
	for _, key := range unknown(schema, value) {
		c.t.Errorf("%s: %q is not in the description", address, key)
	}
}

// schema is that of an answer, nil when GitHub describes none.
func (c *checker) schema(route string, status int) *openapi3.Schema {
	item := c.doc.Paths.Value(route)
	if item == nil || item.Get == nil {
		return nil
	}
	response := item.Get.Responses.Value(strconv.Itoa(status))
	if response == nil {
		return nil
	}
	for _, kind := range []string{"application/json", "application/vnd.github.object"} {
		if content := response.Value.Content[kind]; content != nil && content.Schema != nil {
			return content.Schema.Value
		}
	}
	return nil
}

// unknown are the members of an answer's objects, one level deep, that no variant
// of the schema has.
func unknown(schema *openapi3.Schema, value any) []string {
	known := map[string]*openapi3.Schema{}
	open := false
	var learn func(s *openapi3.Schema)
	learn = func(s *openapi3.Schema) {
		for name, property := range s.Properties {
			known[name] = property.Value
		}
		open = open || s.AdditionalProperties.Schema != nil
		for _, variants := range []openapi3.SchemaRefs{s.AnyOf, s.OneOf, s.AllOf} {
			for _, v := range variants {
				learn(v.Value)
			}
		}
		if s.Items != nil {
			learn(s.Items.Value)
		}
	}
	learn(schema)
	out := map[string]bool{}
	look := func(object map[string]any) {
		for key := range object {
			if known[key] == nil && !open {
				out[key] = true
			}
		}
	}
	switch value := value.(type) {
	case map[string]any:
		look(value)
		if items, ok := value["items"].([]any); ok && known["items"] != nil && len(items) > 0 {
			return append(unknown(known["items"], items), keys(out)...)
		}
	case []any:
		for _, item := range value {
			if object, ok := item.(map[string]any); ok {
				look(object)
			}
		}
	}
	return keys(out)
}

func keys(set map[string]bool) []string {
	var out []string
	for key := range set {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// edges are the repositories that stand for everything unusual.
func edges(w *World) {
	at := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
	w.AddRepository(&Repository{Owner: "edge", Name: "empty", Created: at})
	w.AddRepository(&Repository{Owner: "edge", Name: "off", Created: at, NoIssues: true})
	w.AddRepository(&Repository{Owner: "edge", Name: "blocked", Created: at, Blocked: at})
	w.AddRepository(&Repository{Owner: "edge", Name: "deleted", Created: at, Deleted: true})
	r := w.AddRepository(&Repository{Owner: "edge", Name: "first", Created: at, Organization: true})
	w.Rename(r, "edge/second")
	nobody := &Issue{Title: "by nobody", Created: at, Comments: []*Comment{{Created: at}}}
	w.AddIssue(r, nobody)
	gone := w.User("gone")
	w.AddIssue(r, &Issue{Title: "a pull request of nothing", Author: gone, Created: at, Pull: &Pull{HeadRef: "x", HeadCommit: objectID("x"), BaseCommit: objectID("y"),
		Reviews: []Review{{State: "PENDING"}, {State: "APPROVED", Submitted: at, Author: gone}}, Closes: []*Issue{nobody}}})
	w.Close(nobody, at, nil)
	w.AddEvent(nobody, &Event{Kind: EventLabelled, At: at, Label: "späť"})
	w.AddEvent(nobody, &Event{Kind: EventReferenced, At: at, From: r.Issue(2), Actor: gone})
	w.DeleteUser(gone)
	w.DeleteIssue(w.AddIssue(r, &Issue{Title: "deleted", Created: at}))
}

func TestRESTConformance(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile(testdeps.NPM(t, "@octokit/openapi/generated/api.github.com.json", notChecked))
	if err != nil {
		t.Fatal(err)
	}
	w := Generate(5, 2, 40)
	edges(w)
	s := Serve(w, Options{Tokens: map[string]string{"t": "tester"}})
	defer s.Close()
	c := &checker{t: t, s: s, doc: doc, seen: map[string]int{}}

	c.ask("/user", "/user", 200)
	c.ask("/rate_limit", "/rate_limit", 200)
	c.ask("/search/repositories", "/search/repositories?q=stars:>=0+fork:true&per_page=100", 200)
	c.ask("/search/repositories", "/search/repositories?q=nonsense:yes", 422)
	c.ask("/search/repositories", "/search/repositories?q=stars:>=0&page=1001&per_page=100", 422)
	c.ask("/search/issues", "/search/issues?q=is:issue+is:closed&per_page=100", 200)
	c.ask("/search/issues", "/search/issues?q=is:pr&per_page=100", 200)

	const repo = "/repos/{owner}/{repo}"
	for _, r := range w.Repositories() {
		at := "/repos/" + r.FullName()
		switch r.Name {
		case "blocked":
			c.ask(repo, at, 451)
			continue
		case "deleted":
			c.ask(repo, at, 404)
			c.ask(repo+"/issues", at+"/issues", 404)
			continue
		case "off":
			c.ask(repo+"/issues", at+"/issues", 410)
			c.ask(repo+"/issues/{issue_number}", at+"/issues/1", 410)
		default:
			c.repository(r, at)
			c.repository(r, "/repositories/"+fmt.Sprint(r.ID))
		}
		c.ask(repo, at, 200)
	}
	for _, route := range routes() {
		if c.seen[route.path+" 200"] == 0 {
			t.Errorf("no answer of %s was validated", route.path)
		}
	}
	total := 0
	for _, n := range c.seen {
		total += n
	}
	t.Logf("%d answers of %d operations validated: %v", total, len(routes()), c.seen)
}

// repository asks everything about one repository.
func (c *checker) repository(r *Repository, at string) {
	const repo = "/repos/{owner}/{repo}"
	c.ask(repo, at, 200)
	c.ask(repo+"/issues", at+"/issues?state=all&sort=updated&direction=desc&per_page=100", 200)
	c.ask(repo+"/issues", at+"/issues?state=weird", 422)
	c.ask(repo+"/issues", at+"/issues?since=yesterday", 422)
	c.ask(repo+"/issues/comments", at+"/issues/comments?sort=updated&direction=desc&per_page=100", 200)
	c.ask(repo+"/pulls", at+"/pulls?state=all&per_page=100", 200)
	c.ask(repo+"/languages", at+"/languages", 200)
	for _, i := range r.Issues {
		alone := fmt.Sprintf("%s/issues/%d", at, i.Number)
		if i.Deleted {
			c.ask(repo+"/issues/{issue_number}", alone, 410)
			continue
		}
		c.ask(repo+"/issues/{issue_number}", alone, 200)
		c.ask(repo+"/issues/{issue_number}/comments", alone+"/comments", 200)
		c.ask(repo+"/issues/{issue_number}/timeline", alone+"/timeline?per_page=100", 200)
		if len(i.Comments) > 0 {
			c.ask(repo+"/issues/comments/{comment_id}", fmt.Sprintf("%s/issues/comments/%d", at, i.Comments[0].ID), 200)
		}
		if i.Pull == nil {
			c.ask(repo+"/pulls/{pull_number}", fmt.Sprintf("%s/pulls/%d", at, i.Number), 404)
			continue
		}
		pull := fmt.Sprintf("%s/pulls/%d", at, i.Number)
		c.ask(repo+"/pulls/{pull_number}", pull, 200)
		for _, part := range []string{"/files", "/commits", "/reviews"} {
			c.ask(repo+"/pulls/{pull_number}"+part, pull+part, 200)
		}
	}
	c.ask(repo+"/issues/{issue_number}", at+"/issues/123456", 404)
	if len(r.Commits) == 0 {
		c.ask(repo+"/commits", at+"/commits", 409)
		c.ask(repo+"/commits/{ref}", at+"/commits/main", 409)
		c.ask(repo+"/git/trees/{tree_sha}", at+"/git/trees/main", 409)
		c.ask(repo+"/contents/{path}", at+"/contents/", 404)
		return
	}
	c.ask(repo+"/commits", at+"/commits?per_page=100&since=2015-01-01T00:00:00Z&until=2026-01-01T00:00:00Z", 200)
	c.ask(repo+"/commits/{ref}", at+"/commits/"+r.Commits[0].ID, 200)
	c.ask(repo+"/commits/{ref}", at+"/commits/none", 422)
	for _, path := range []string{"/contents", "/contents/", "/contents/src", "/contents/src/lib", "/contents/README.md"} {
		c.ask(repo+"/contents/{path}", at+path, 200)
	}
	c.ask(repo+"/contents/{path}", at+"/contents/nowhere", 404)
	c.ask(repo+"/git/trees/{tree_sha}", at+"/git/trees/"+r.Branch+"?recursive=1", 200)
	c.ask(repo+"/git/trees/{tree_sha}", at+"/git/trees/none", 404)
}
