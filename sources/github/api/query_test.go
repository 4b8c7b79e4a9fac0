package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
)

type repositoryData struct {
	Repository *struct{ Name string } `json:"repository"`
}

func TestQuery(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		var asked struct {
			Query     string
			Variables map[string]any
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &asked); err != nil || asked.Query != "query { x }" || asked.Variables["n"] != "<b>" {
			t.Errorf("asked %s, %v", body, err)
		}
		if r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" || bearer(r) != aToken {
			t.Errorf("%s %v", r.Method, r.Header)
		}
		say(w, 200, `{"data":{"repository":{"name":"n"}}}`)
	})
	c := wd.open(t, Settings{}, aToken)
	var out repositoryData
	if err := c.Query(context.Background(), "query { x }", map[string]any{"n": "<b>"}, &out); err != nil || out.Repository.Name != "n" {
		t.Errorf("%+v, %v", out, err)
	}
	if p := wd.requests()[0].path; p != "/graphql" {
		t.Errorf("asked %s", p)
	}
}

func TestGraphEndpoint(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.github.com":     "https://api.github.com/graphql",
		"https://ghe.example/api/v3": "https://ghe.example/api/graphql",
		"http://127.0.0.1:1/prefix":  "http://127.0.0.1:1/prefix/graphql",
		"https://api.tenant.ghe.com": "https://api.tenant.ghe.com/graphql",
	} {
		if got := graphEndpoint(mustURL(base)).String(); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}

func TestQueryFaults(t *testing.T) {
	const fine = `{"data":{"repository":{"name":"n"}}}`
	cases := []struct {
		name   string
		status int
		body   string
		times  int // how often it is said before the good answer
		sent   int
		waited time.Duration // at least
		name0  string        // what out gets
		faults int
		heavy  bool
		class  pipeline.Class
		err    string
	}{
		{name: "partial", body: `{"data":{"repository":{"name":"p"}},"errors":[{"type":"NOT_FOUND","path":["repository","i7",0],"message":"Could not resolve"},{"type":"FORBIDDEN","message":"x"}]}`,
			times: 99, sent: 1, name0: "p", faults: 2, err: "NOT_FOUND: Could not resolve (at repository.i7.0), and 1 more"},
		{name: "no data", body: `{"data":null,"errors":[{"message":"Field 'x' doesn't exist on type 'Query'","extensions":{"code":"undefinedField"}}]}`, times: 99, sent: 1, faults: 1, err: "doesn't exist"},
		{name: "no data at all", body: `{"errors":[{"message":"A query attribute must be specified"}]}`, times: 99, sent: 1, faults: 1, err: "must be specified"},
		{name: "points spent", body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`, times: 1, sent: 2, waited: 30 * time.Minute, name0: "n"},
		{name: "points spent, another name", body: `{"errors":[{"type":"RATE_LIMIT","code":"graphql_rate_limit","message":"already exceeded"}]}`, times: 1, sent: 2, waited: 30 * time.Minute, name0: "n"},
		{name: "secondary limit", body: `{"data":null,"errors":[{"message":"You have exceeded a secondary rate limit"}]}`, times: 1, sent: 2, waited: time.Minute, name0: "n"},
		{name: "secondary limit, 403", status: 403, body: `{"message":"You have exceeded a secondary rate limit"}`, times: 1, sent: 2, waited: time.Minute, name0: "n"},
		{name: "one bad gateway", status: 502, body: `<html>`, times: 1, sent: 2, name0: "n"},
		{name: "bad gateways", status: 502, body: `{"message":"too slow"}`, times: 99, sent: 3, heavy: true, class: pipeline.Transient, err: "gave up after 3 tries"},
		{name: "gateway timeouts", status: 504, times: 99, sent: 3, heavy: true, class: pipeline.Transient, err: "504"},
		{name: "out of time", body: `{"data":null,"errors":[{"message":"We couldn't respond to your request in time."}]}`, times: 99, sent: 3, heavy: true, class: pipeline.Transient, err: "in time"},
		{name: "in trouble once", body: `{"errors":[{"message":"Something went wrong while executing your query. Please include the id"}]}`, times: 1, sent: 2, name0: "n"},
		{name: "too many nodes", body: `{"data":null,"errors":[{"type":"MAX_NODE_LIMIT_EXCEEDED","message":"requests up to 1,000,000 nodes"}]}`, times: 99, sent: 1, faults: 1, heavy: true, err: "nodes"},
		{name: "too many resources", body: `{"data":{"repository":{"name":"p"}},"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"Resource limits for this query exceeded."}]}`, times: 99, sent: 1, name0: "p", faults: 1, heavy: true, err: "exceeded"},
		{name: "neither", body: `{}`, times: 1, sent: 2, name0: "n"},
		{name: "data of nothing", body: `{"data":null}`, times: 1, sent: 2, name0: "n"},
		{name: "a list", body: `[]`, times: 1, sent: 2, name0: "n"},
		{name: "errors of another form", body: `{"data":{},"errors":"none"}`, times: 99, sent: 8, class: pipeline.Transient, err: "neither data nor errors"},
		{name: "data of another form", body: `{"data":{"repository":[1]}}`, times: 99, sent: 1, err: "not of the form"},
		{name: "server errors", status: 500, body: `{}`, times: 99, sent: 8, class: pipeline.Transient, err: "500"},
		{name: "moved", status: 301, body: `{}`, times: 99, sent: 3, err: "301"},
		{name: "not there", status: 404, body: `{"message":"Not Found"}`, times: 99, sent: 3, err: "404"},
		{name: "who", status: 401, body: `{"message":"Bad credentials"}`, times: 99, sent: 3, class: pipeline.Fatal, err: "GITHUB_TOKEN"},
		{name: "unasked 304", status: 304, times: 1, sent: 2, name0: "n"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var wd *world
			wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n > tc.times {
					say(w, 200, fine)
					return
				}
				if tc.waited > time.Minute {
					// GitHub may say that some points are left: too few for the query.
					budgetHeaders(w, "graphql", 5000, 3, wd.clock.Now().Add(tc.waited))
				}
				w.Header().Set("Location", "/elsewhere")
				say(w, max(tc.status, 200), tc.body)
			})
			c := wd.open(t, Settings{}, aToken)
			var out repositoryData
			err := c.Query(context.Background(), "query { x }", nil, &out)
			if n := len(wd.requests()); n != tc.sent {
				t.Errorf("%d requests, want %d", n, tc.sent)
			}
			if got := wd.slept(); got < tc.waited || got > tc.waited+3*time.Minute {
				t.Errorf("waited %v, want %v", got, tc.waited)
			}
			name := ""
			if out.Repository != nil {
				name = out.Repository.Name
			}
			if name != tc.name0 {
				t.Errorf("out holds %q", name)
			}
			if (err == nil) != (tc.err == "") || err != nil && (!strings.Contains(err.Error(), tc.err) || !strings.Contains(err.Error(), wd.url+"/graphql")) {
				t.Fatalf("error %v, want %q", err, tc.err)
			}
			var q *QueryError
			if errors.As(err, &q) != (tc.faults > 0) || q != nil && len(q.Errors) != tc.faults {
				t.Errorf("%#v", err)
			}
			if TooHeavy(err) != tc.heavy || pipeline.ClassOf(err) != tc.class {
				t.Errorf("%v: too heavy %v, class %v", err, TooHeavy(err), pipeline.ClassOf(err))
			}
		})
	}
}

func TestUnspeakableVariables(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 200, `{}`) })
	err := wd.open(t, Settings{}, "").Query(context.Background(), "query { x }", map[string]any{"f": func() {}}, nil)
	if err == nil || len(wd.requests()) != 0 {
		t.Errorf("%v", err)
	}
}

func FuzzGraph(f *testing.F) {
	f.Add([]byte(`{"data":{"a":1},"errors":[{"type":"NOT_FOUND","path":["a",0,{"b":[]}],"message":"m"}]}`))
	f.Add([]byte(`{"data":null,"errors":[]}`))
	f.Add([]byte(`{"errors":[{"message":"ghp_aaaaaaaaaaaaaaaaaaaaaaaa"}]}`))
	c := &Client{hide: newRedactor([]string{aToken})}
	f.Fuzz(func(t *testing.T, body []byte) {
		g := c.parseGraph(body)
		if g == nil {
			return
		}
		if !json.Valid(body) || !g.hasData() && len(g.Errors) == 0 {
			t.Errorf("%q was read as an answer", body)
		}
		_ = (&QueryError{Errors: g.Errors}).Error()
	})
}
