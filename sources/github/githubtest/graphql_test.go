package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestGraphQLErrors(t *testing.T) {
	w, r := small(3)
	w.AddRepository(&Repository{Owner: "o", Name: "blocked", Blocked: day})
	s := serve(t, w, Options{})
	id := nodeID("Repository", r.ID)
	for text, want := range map[string]string{
		`{ repository(owner:"o", name:"x") { name } }`:                                                          `{"repository":null} NOT_FOUND [repository]`,
		`{ repository(owner:"o", name:"blocked") { name } }`:                                                    `{"repository":null} NOT_FOUND [repository]`,
		`{ repository(owner:"o", name:"n") { a: issue(number: 9) { number } b: issue(number: 2) { number } } }`: `{"repository":{"a":null,"b":{"number":2}}} NOT_FOUND [repository a]`,
		`{ repository(owner:"o", name:"n") { pullRequest(number: 1) { number } } }`:                             `{"repository":{"pullRequest":null}} NOT_FOUND [repository pullRequest]`,
		`{ nodes(ids: ["` + id + `", "nothing"]) { ... on Repository { name } ... on Issue { title } } }`:       `{"nodes":[{"name":"n"},null]} NOT_FOUND [nodes 1]`,
		`{ node(id: "x") { id } }`: `{"node":null} NOT_FOUND [node]`,
		`{ repository(owner:"o", name:"n") { issues { nodes { number } } } }`:                       `{"repository":{"issues":null}} MISSING_PAGINATION_BOUNDARIES [repository issues]`,
		`{ repository(owner:"o", name:"n") { issues(first: 101) { nodes { number } } } }`:           `{"repository":{"issues":null}} EXCESSIVE_PAGINATION [repository issues]`,
		`{ repository(owner:"o", name:"n") { issues(first: 1, after: "?") { nodes { number } } } }`: `{"repository":{"issues":null}} INVALID_CURSOR_ARGUMENTS [repository issues]`,
		`{ repository(owner:"o", name:"n") { teapots } }`:                                           `null  []`,
		`{ repository(owner:"o", name:"n") { name `:                                                 `null  []`,
		`mutation { x }`: `null  []`,
		`query($n: Int!) { repository(owner:"o", name:"n") { issue(number: $n) { number } } }`: `null  []`,
		`{ ...a } fragment a on Query { ...a viewer { login } }`:                               `null MAX_NODE_LIMIT_EXCEEDED []`,
		`{ repository(owner:"o",name:"n") { issues(first:100) { nodes { comments(first:100) { nodes { id } } timelineItems(first:100) { nodes { ... on ClosedEvent { closable { ... on Issue { comments(first: 100) { totalCount } } } } } } } } } }`: `null MAX_NODE_LIMIT_EXCEEDED []`,
		`{ viewer { login @skip(if: true) id @include(if: false) } }`: `{"viewer":{}}`,
	} {
		data, errs := query(t, s, text, nil)
		got, _ := json.Marshal(data)
		if len(errs) > 0 {
			first := errs[0].(map[string]any)
			path, _ := first["path"].([]any)
			kind, _ := first["type"].(string)
			got = fmt.Appendf(got, " %s %v", kind, path)
		}
		if string(got) != want {
			t.Errorf("%s\n%s, want %s (%v)", text, got, want, errs)
		}
	}
}

func TestGraphQLPages(t *testing.T) {
	w, _ := small(7)
	s := serve(t, w, Options{})
	const text = `query($after: String) { repository(owner:"o", name:"n") { issues(first: 3, after: $after, states: [OPEN]) {
		totalCount nodes { number } pageInfo { hasNextPage endCursor } } } }`
	var got []string
	variables := map[string]any{}
	for {
		data, errs := query(t, s, text, variables)
		if errs != nil {
			t.Fatal(errs)
		}
		issues := data["repository"].(map[string]any)["issues"].(map[string]any)
		for _, n := range issues["nodes"].([]any) {
			got = append(got, fmt.Sprint(n.(map[string]any)["number"]))
		}
		page := issues["pageInfo"].(map[string]any)
		if page["hasNextPage"] != true {
			break
		}
		variables["after"] = page["endCursor"]
	}
	if strings.Join(got, " ") != "1 2 3 4 5 6 7" {
		t.Errorf("%v", got)
	}
	data, _ := query(t, s, `{ repository(owner:"o", name:"n") { issues(last: 2) { nodes { number } pageInfo { hasPreviousPage hasNextPage } } } }`, nil)
	if text, _ := json.Marshal(data); string(text) != `{"repository":{"issues":{"nodes":[{"number":6},{"number":7}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":true}}}}` {
		t.Errorf("%s", text)
	}
}

// What a pull request closed, and what merely mentioned an issue, is told apart.
func TestGraphQLLinks(t *testing.T) {
	w, r := small(2)
	bot := w.User("merge[bot]")
	closing := w.AddIssue(r, &Issue{Title: "fix", Created: day, Author: bot, Pull: &Pull{HeadCommit: objectID("h"), Closes: []*Issue{r.Issue(1)}, Files: []File{{Path: "a", Change: "removed"}}}})
	w.Merge(closing, day.AddDate(0, 2, 0), bot, objectID("merge"))
	w.AddEvent(r.Issue(2), &Event{Kind: EventClosed, At: day.AddDate(0, 2, 0), Commit: r.Commits[0].ID})
	s := serve(t, w, Options{Heavy: 300})
	data, errs := query(t, s, `{ repository(owner:"o", name:"n") {
		one: issue(number: 1) { state closedByPullRequestsReferences(first: 1, includeClosedPrs: true) { nodes { number author { __typename login } state } }
			timelineItems(first: 10, itemTypes: CLOSED_EVENT) { nodes { ... on ClosedEvent { closer { __typename ... on PullRequest { number } } } } } }
		two: issue(number: 2) { timelineItems(first: 10) { nodes { __typename ... on ClosedEvent { closer { ... on Commit { oid } } } } } }
		pullRequest(number: 3) { files(first: 1) { nodes { changeType } } } } }`, nil)
	text, _ := json.Marshal(data)
	want := `{"repository":{"one":{"closedByPullRequestsReferences":{"nodes":[{"author":{"__typename":"Bot","login":"merge"},"number":3,"state":"MERGED"}]},"state":"CLOSED",` +
		`"timelineItems":{"nodes":[{"closer":{"__typename":"PullRequest","number":3}}]}},"pullRequest":{"files":{"nodes":[{"changeType":"DELETED"}]}},` +
		`"two":{"timelineItems":{"nodes":[{"__typename":"IssueComment"},{"__typename":"ClosedEvent","closer":{"oid":"` + r.Commits[0].ID + `"}}]}}}}`
	if errs != nil || string(text) != want {
		t.Errorf("%v\n%s\nwant\n%s", errs, text, want)
	}
	_, errs = query(t, s, `{ repository(owner:"o", name:"n") { issues(first: 10) { nodes { comments(first: 50) { totalCount } } } } }`, nil)
	if got := s.Log()[len(s.Log())-1].Status; got != 502 || !strings.Contains(fmt.Sprint(errs), "timeout") {
		t.Errorf("a heavy query: %d %v", got, errs)
	}
}

// FuzzGraphQL: no query and no variables panic or take long.
func FuzzGraphQL(f *testing.F) {
	f.Add(everything, `{"owner":"o","name":"n","id":"x","ids":["y"]}`)
	f.Add(`query($a:[String!]){repository(owner:"o",name:"n"){issues(first:2,last:1,after:"Y3Vyc29yOjE=",states:$a){nodes{...x}}}} fragment x on Issue{...x title}`, `{"a":[1]}`)
	w, _ := small(3)
	s := New(w, Options{})
	f.Fuzz(func(t *testing.T, text, variables string) {
		body := `{"query":` + string(appendString(nil, text)) + `,"variables":` + variables + `}`
		r, err := http.NewRequest(http.MethodPost, "https://api.github.com/graphql", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Transport().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := io.ReadAll(res.Body); err != nil || !json.Valid(out) {
			t.Fatalf("%s answers %s, %v", body, out, err)
		}
	})
}
