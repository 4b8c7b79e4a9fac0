package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"benchmill/pipeline"
)

// try asks and tells what came of it: a status, "error", "cut off", and whether the
// body is a JSON list.
func try(s *Server, method, path string) (res *http.Response, outcome string) {
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(`{"query":"{viewer{login}}"}`))
	if method == http.MethodGet {
		r, err = http.NewRequest(method, s.URL+path, nil)
	}
	if err != nil {
		return nil, err.Error()
	}
	res, err = http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, "error"
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return res, "cut off"
	case res.StatusCode != 200:
		return res, fmt.Sprint(res.StatusCode)
	case !json.Valid(body):
		return res, "no JSON"
	case strings.Contains(string(body), "RATE_LIMITED"):
		return res, "limited"
	case strings.Contains(string(body), `"incomplete_results":true`):
		return res, "incomplete"
	case body[0] == '[':
		return res, "list"
	}
	return res, "object"
}

func TestEveryFault(t *testing.T) {
	w, r := small(3)
	s := serve(t, w, Options{})
	list, search := "/repos/o/n/issues", "/search/repositories?q=stars:>=0"
	for kind, want := range map[string]struct{ method, path, outcome string }{
		FaultMoved: {"GET", list, "301"}, FaultFound: {"GET", list, "302"}, FaultUnmodified: {"GET", list, "304"},
		FaultForbidden: {"GET", list, "403"}, FaultLimited: {"GET", list, "403"}, FaultSecondary: {"GET", list, "403"},
		FaultMissing: {"GET", list, "404"}, FaultGone: {"GET", list, "410"}, FaultInvalid: {"GET", list, "422"}, FaultTooMany: {"GET", list, "429"},
		FaultBlocked: {"GET", list, "451"}, FaultInternal: {"GET", list, "500"}, FaultGateway: {"GET", list, "502"},
		FaultTruncated: {"GET", list, "cut off"}, FaultReset: {"GET", list, "error"}, FaultPage: {"GET", list, "no JSON"},
		FaultShape: {"GET", list, "object"}, FaultIncomplete: {"GET", search, "incomplete"}, FaultUnlimited: {"POST", "/graphql", "limited"},
	} {
		s.SetFaults(Faults{Share: 1, Kinds: []string{kind}, Run: -1})
		s.ResetLog()
		res, got := try(s, want.method, want.path)
		if got != want.outcome {
			t.Errorf("%s: %s, want %s", kind, got, want.outcome)
		}
		if log := s.Log(); kind != FaultReset && (len(log) != 1 || log[0].Fault != kind || s.Counts().Faults != 1) {
			t.Errorf("%s: the log is %+v", kind, log)
		}
		switch kind {
		case FaultMoved, FaultFound:
			if to := res.Header.Get("Location"); to != fmt.Sprintf("%s/repositories/%d/issues", s.URL, r.ID) {
				t.Errorf("%s to %s", kind, to)
			}
		case FaultLimited:
			if res.Header.Get("X-RateLimit-Remaining") != "0" {
				t.Errorf("%s: %v", kind, res.Header)
			}
		case FaultForbidden, FaultSecondary:
			if res.Header.Get("X-RateLimit-Remaining") == "0" || res.Header.Get("Retry-After") != "" {
				t.Errorf("%s: %v", kind, res.Header)
			}
		case FaultTooMany:
			if res.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %v", kind, res.Header)
			}
		}
	}
	if len(AllFaults()) != 19 {
		t.Error("a fault is not tested here")
	}
	// A fault that makes no sense for a request does not happen.
	s.SetFaults(Faults{Share: 1, Kinds: []string{FaultIncomplete, FaultUnlimited}})
	if _, got := try(s, "GET", list); got != "list" {
		t.Errorf("an impossible fault: %s", got)
	}
	s.SetFaults(Faults{Share: 1, Kinds: []string{FaultMoved}})
	if _, got := try(s, "GET", fmt.Sprintf("/repositories/%d/issues", r.ID)); got != "list" {
		t.Errorf("a redirect in a circle: %s", got)
	}
	s.SetFaults(Faults{})
	if _, got := try(s, "GET", list); got != "list" {
		t.Errorf("faults switched off: %s", got)
	}
}

// The same seed gives the same faults, about as many as asked for, and never more
// in a row for one address than allowed.
func TestFaultSeed(t *testing.T) {
	outcomes := func(seed int64) (out []string) {
		w, _ := small(3)
		s := serve(t, w, Options{Faults: Faults{Share: 0.3, Seed: pipeline.Seed{Pipeline: seed}}})
		for range 300 {
			try(s, "GET", "/repos/o/n/issues")
		}
		run := 0
		for _, r := range s.Log() {
			out = append(out, r.Fault)
			if run++; r.Fault == "" {
				run = 0
			}
			if run > 2 {
				t.Errorf("%d faults in a row", run)
			}
		}
		return out
	}
	one, again, two := outcomes(1), outcomes(1), outcomes(2)
	if fmt.Sprint(one) != fmt.Sprint(again) {
		t.Error("the same seed gives other faults")
	}
	if fmt.Sprint(one) == fmt.Sprint(two) {
		t.Error("another seed gives the same faults")
	}
	faults := 0
	for _, f := range one {
		if f != "" {
			faults++
		}
	}
	if faults < 50 || faults > 110 {
		t.Errorf("%d faults of 300, want about 80", faults)
	}
}
