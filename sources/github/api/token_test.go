package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
)

// users answers /user for the tokens of a table and all else with h.
func users(t *testing.T, of map[string]string, h func(w http.ResponseWriter, r *http.Request, user string)) *world {
	return serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		user, ok := of[bearer(r)]
		switch {
		case !ok:
			say(w, 401, `{"message":"Bad credentials"}`)
		case r.URL.Path == "/user" && user == "":
			say(w, 403, `{"message":"Resource not accessible by integration"}`)
		case r.URL.Path == "/user":
			say(w, 200, fmt.Sprintf(`{"login":%q,"id":1}`, user))
		default:
			h(w, r, user)
		}
	})
}

func TestOneTokenNeedsNoName(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 200, `[]`) })
	c := wd.open(t, Settings{}, aToken+" , "+aToken)
	get(t, c, "x")
	if seen := wd.requests(); len(seen) != 1 || seen[0].path != "/x" {
		t.Errorf("asked %+v", seen)
	}
}

// TestBudgetPerUser: tokens of one user share a budget, tokens of two users do not.
func TestBudgetPerUser(t *testing.T) {
	const limit = 30
	for name, tc := range map[string]struct {
		of      map[string]string
		windows int // in which 60 requests are answered
	}{
		"two tokens of one user":  {map[string]string{"token-a1": "ann", "token-a2": "ann"}, 2},
		"two users":               {map[string]string{"token-a1": "ann", "token-b1": "bob"}, 1},
		"two users, three tokens": {map[string]string{"token-a1": "ann", "token-b1": "bob", "token-a2": "ann"}, 1},
		"installations":           {map[string]string{"token-i1": "", "token-i2": ""}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			budgets := map[string]*serverBudget{}
			for token, user := range tc.of {
				budgets[cmp.Or(user, token)] = &serverBudget{limit: limit, window: time.Hour}
			}
			var wd *world
			wd = users(t, tc.of, func(w http.ResponseWriter, r *http.Request, user string) {
				budgets[cmp.Or(user, bearer(r))].answer(w, "core", wd.clock.Now())
			})
			var tokens []string
			for token := range tc.of {
				tokens = append(tokens, token)
			}
			c := wd.open(t, Settings{}, strings.Join(tokens, ","))
			// The limits are told one by one, so that nobody has to guess.
			for i := range 2 * limit {
				get(t, c, fmt.Sprintf("x/%d", i))
			}
			for user, b := range budgets {
				if b.over != 0 {
					t.Errorf("%s was asked %d times too often", user, b.over)
				}
			}
			if got := 1 + int(wd.slept()/time.Hour); got != tc.windows {
				t.Errorf("60 requests took %v", wd.slept())
			}
			asked := 0
			for _, s := range wd.requests() {
				if s.path == "/user" {
					asked++
				}
			}
			if name != "installations" && asked != len(tc.of) {
				t.Errorf("/user was asked %d times", asked)
			}
		})
	}
}

// TestUsersAreLearnedOnce, and by one request of many.
func TestUsersAreLearnedOnce(t *testing.T) {
	wd := users(t, map[string]string{"token-a1": "ann", "token-b1": "bob"}, func(w http.ResponseWriter, r *http.Request, user string) { say(w, 200, `[]`) })
	c := wd.open(t, Settings{}, "token-a1 token-b1")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { get(t, c, fmt.Sprintf("x/%d", i)) })
	}
	wg.Wait()
	if n := c.Stats().Requests; n != 22 {
		t.Errorf("%d requests", n)
	}
}

func TestRefusedTokenIsNamed(t *testing.T) {
	wd := users(t, map[string]string{"token-a1": "ann"}, func(w http.ResponseWriter, r *http.Request, user string) { say(w, 200, `[]`) })
	_, err := wd.open(t, Settings{}, "token-a1 token-expired").Get(context.Background(), "x", Known{})
	if err == nil || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "GITHUB_TOKEN, 2 of 2") || strings.Contains(err.Error(), "token-expired") {
		t.Errorf("%v", err)
	}
}

// TestHomeToken: GitHub makes ETags for one token, so an address is asked with
// the same one always, in every order of the tokens, while its user has budget;
// and all tokens are homes.
func TestHomeToken(t *testing.T) {
	of := map[string]string{"token-a1": "ann", "token-b1": "bob", "token-a2": "ann"}
	ask := func(tokens string) (asked map[string]string) {
		wd := users(t, of, func(w http.ResponseWriter, r *http.Request, user string) {
			if r.Header.Get("If-None-Match") == `"`+bearer(r)+`"` {
				w.WriteHeader(304)
				return
			}
			w.Header().Set("ETag", `"`+bearer(r)+`"`)
			say(w, 200, `[]`)
		})
		c := wd.open(t, Settings{}, tokens)
		for i := range 60 {
			get(t, c, fmt.Sprintf("x/%d", i))
		}
		asked = map[string]string{}
		for _, s := range wd.requests() {
			if s.path != "/user" {
				asked[s.path] = s.token
			}
		}
		return asked
	}
	first, second := ask("token-a1,token-b1,token-a2"), ask("token-a2 token-b1 token-a1")
	homes := map[string]int{}
	for path, token := range first {
		homes[token]++
		if second[path] != token {
			t.Errorf("%s was asked with another token", path)
		}
	}
	if len(first) != 60 || len(homes) != 3 {
		t.Errorf("%d addresses, homes %v", len(first), homes)
	}
}

// TestSpentHomeIsLeft: the user with most left helps out when the home's is spent.
func TestSpentHomeIsLeft(t *testing.T) {
	left := map[string]int{"ann": 0, "bob": 10, "cyd": 500}
	var wd *world
	wd = users(t, map[string]string{"token-a1": "ann", "token-b1": "bob", "token-c1": "cyd"}, func(w http.ResponseWriter, r *http.Request, user string) {
		budgetHeaders(w, "core", 5000, left[user], wd.clock.Now().Add(time.Hour))
		say(w, 200, `[]`)
	})
	c := wd.open(t, Settings{}, "token-a1,token-b1,token-c1")
	for i := range 40 { // every user becomes known
		get(t, c, fmt.Sprintf("x/%d", i))
	}
	before := len(wd.requests())
	for i := range 120 {
		get(t, c, fmt.Sprintf("y/%d", i))
	}
	asked := map[string]int{}
	for _, s := range wd.requests()[before:] {
		asked[s.token]++
	}
	if asked["token-a1"] != 0 || asked["token-b1"] == 0 || asked["token-c1"] < asked["token-b1"] || wd.slept() > time.Minute {
		t.Errorf("asked %v, slept %v", asked, wd.slept())
	}
}

// TestLimitedUserIsLeft: a secondary limit stops one user only.
func TestLimitedUserIsLeft(t *testing.T) {
	wd := users(t, map[string]string{"token-a1": "ann", "token-b1": "bob"}, func(w http.ResponseWriter, r *http.Request, user string) {
		if user == "ann" {
			say(w, 403, `{"message":"You have exceeded a secondary rate limit"}`)
			return
		}
		say(w, 200, `[]`)
	})
	c := wd.open(t, Settings{}, "token-a1,token-b1")
	for i := range 20 {
		get(t, c, fmt.Sprintf("x/%d", i))
	}
	if st := c.Stats(); st.Waits != 0 || st.Limited != 1 {
		t.Errorf("stats %+v", st)
	}
}

func TestMissingToken(t *testing.T) {
	none := func(string) string { return " , " }
	for _, tc := range []struct {
		base   string
		s      Settings
		getenv func(string) string
		want   string
	}{
		{"https://api.github.com", Settings{}, none, "GITHUB_TOKEN is empty"},
		{"https://api.github.com", Settings{TokensEnv: "MINE"}, none, "MINE is empty"},
		{"https://api.github.com", Settings{TokensEnv: "none"}, none, ""},
		{"http://127.0.0.1:1", Settings{}, none, ""},
		{"https://api.github.com", Settings{}, func(n string) string { return map[string]string{"GH_TOKEN": "x"}[n] }, ""},
		{"https://api.github.com", Settings{}, func(string) string { return "good,b\x00d" }, "GITHUB_TOKEN, 2 of 2 holds a character"},
		{"https://ghe.example/api/v3", Settings{}, none, "GH_ENTERPRISE_TOKEN is empty"},
		{"https://ghe.example/api/v3", Settings{}, func(n string) string { return map[string]string{"GITHUB_TOKEN": "x", "GH_TOKEN": "x"}[n] }, "GH_ENTERPRISE_TOKEN is empty"},
	} {
		c, err := Open(tc.base, tc.s, Options{Getenv: tc.getenv, Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("asked") })})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			tc.s.MissingToken(tc.base, tc.getenv),
			func() error {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				_, err := c.Get(ctx, "x", Known{})
				if pipeline.ClassOf(err) == pipeline.Canceled {
					return nil
				}
				return err
			}(),
		} {
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || pipeline.ClassOf(err) != pipeline.Fatal) {
				t.Errorf("%s %+v: %v", tc.base, tc.s, err)
			}
		}
	}
}

// TestTokensByHost: a token of github.com goes to github.com, one of an Enterprise
// server to those, and a variable that is named to all.
func TestTokensByHost(t *testing.T) {
	all := map[string]string{"GITHUB_TOKEN": "hub-1", "GH_TOKEN": "hub-2", "GH_ENTERPRISE_TOKEN": "firm-1", "GITHUB_ENTERPRISE_TOKEN": "firm-2", "MINE": "mine"}
	second := map[string]string{"GH_TOKEN": "hub-2", "GITHUB_ENTERPRISE_TOKEN": "firm-2"}
	for _, tc := range []struct {
		base  string
		named string
		env   map[string]string
		want  string // what is sent
	}{
		{"https://api.github.com", "", all, "hub-1"},
		{"https://API.GitHub.com/", "", second, "hub-2"},
		{"http://127.0.0.1:1/api/v3", "", all, "hub-1"},
		{"http://localhost", "", second, "hub-2"},
		{"https://ghe.example/api/v3", "", all, "firm-1"},
		{"https://ghe.example/api/v3", "", second, "firm-2"},
		{"https://api.octo.ghe.com", "", all, "firm-1"},
		{"https://api.github.com.evil.example", "", all, "firm-1"},
		{"https://evil.example/api.github.com", "", all, "firm-1"},
		{"https://ghe.example/api/v3", "MINE", all, "mine"},
		{"https://api.github.com", "MINE", all, "mine"},
		{"https://api.github.com", "none", all, ""},
	} {
		var sent string
		c, err := Open(tc.base, Settings{TokensEnv: tc.named}, Options{
			Clock:  &clock.Fake{},
			Getenv: func(name string) string { return tc.env[name] },
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				sent = bearer(r)
				return answer(200, nil, `[]`), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if get(t, c, "x"); sent != tc.want {
			t.Errorf("%s, tokens_env %q: %q was sent, want %q", tc.base, tc.named, sent, tc.want)
		}
	}
}

func TestSettings(t *testing.T) {
	bad := Settings{TokensEnv: "ghp_x y", Concurrency: 101, PointsPerMinute: -1, MaxWait: -1, Tries: -1}
	err := bad.Validate()
	if err == nil || strings.Contains(err.Error(), "ghp_x") {
		t.Fatalf("%v", err)
	}
	for _, key := range []string{"tokens_env", "concurrency", "points_per_minute", "max_wait", "tries"} {
		if !strings.Contains(err.Error(), key+":") {
			t.Errorf("%v does not name %s", err, key)
		}
	}
	if err := (&Settings{Concurrency: 100, TokensEnv: "none"}).Validate(); err != nil {
		t.Error(err)
	}
	// A token has the form of a variable's name.
	if err := (&Settings{TokensEnv: "ghp_MarkerMarkerMarker"}).Validate(); err == nil || strings.Contains(err.Error(), "Marker") {
		t.Errorf("%v", err)
	}
	for base, want := range map[string]string{
		"https://api.github.com": "", "https://api.github.com/": "", "https://ghe.example/api/v3": "", "http://127.0.0.1:80": "",
		"http://api.github.com": "without encryption", "https://u:secret@h": "must not hold a user", "https://h/?token=secret": "query",
		"ftp://h": "must begin with", "%zz": "not a URL", "https://github.com": "https://api.github.com", "https://h/a/../b": "go up",
	} {
		_, err := Open(base, Settings{}, Options{Getenv: func(string) string { return aToken }})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestIdentities(t *testing.T) {
	var wd *world
	wd = users(t, map[string]string{"token-a1": "ann", "token-b1": "bob", "token-i1": ""}, func(w http.ResponseWriter, r *http.Request, user string) {
		if r.URL.Path != "/rate_limit" {
			t.Errorf("asked %s", r.URL.Path)
		}
		w.Header().Set("X-OAuth-Scopes", "repo, gist")
		say(w, 200, fmt.Sprintf(`{"resources":{"search":{"limit":30,"used":0,"remaining":30,"reset":%[1]d},"core":{"limit":5000,"remaining":12,"reset":%[1]d000}},"rate":{}}`, wd.clock.Now().Add(time.Hour).Unix()))
	})
	ids, err := wd.open(t, Settings{}, "token-a1,token-expired,token-i1").Identities(context.Background())
	if err != nil || len(ids) != 3 {
		t.Fatalf("%+v, %v", ids, err)
	}
	if a := ids[0]; a.User != "ann" || a.Token != "GITHUB_TOKEN, 1 of 3" || a.Err != nil || len(a.Budgets) != 2 ||
		a.Budgets[0].Resource != "core" || a.Budgets[0].Remaining != 12 || !a.Budgets[0].Reset.Equal(a.Budgets[1].Reset) {
		t.Errorf("%+v", a)
	}
	if b := ids[1]; b.Err == nil || pipeline.ClassOf(b.Err) != pipeline.Fatal {
		t.Errorf("%+v", b)
	}
	if i := ids[2]; i.User != "" || i.Err != nil || len(i.Budgets) != 2 {
		t.Errorf("%+v", i)
	}
}

func TestIdentityOfNobody(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		say(w, 404, `{"message":"Rate limiting is not enabled."}`)
	})
	ids, err := wd.open(t, Settings{}, "").Identities(context.Background())
	if err != nil || len(ids) != 1 || ids[0].User != "" || ids[0].Err != nil || ids[0].Budgets != nil {
		t.Errorf("%+v, %v", ids, err)
	}
}
