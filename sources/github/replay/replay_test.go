package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/github/githubtest"
)

const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"

// ask sends one request through a transport and returns the answer with its body.
func ask(t *testing.T, through http.RoundTripper, address, query string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if query != "" {
		body, _ := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"b": 1, "a": "x"}})
		r, err = http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	for k := 0; k+1 < len(header); k += 2 {
		r.Header.Set(header[k], header[k+1])
	}
	res, err := through.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return res, string(b)
}

const viewer = "query($a: String) {\n  rateLimit { cost }\n\n  # " + "trailing \n  viewer { login }\n}"

// conversation is what the tests record: pages, a redirect, a refusal, a query.
func conversation(t *testing.T, through http.RoundTripper, api string) (bodies []string) {
	t.Helper()
	graphql := api + "/graphql"
	if base, ok := strings.CutSuffix(api, "/v3"); ok {
		graphql = base + "/graphql"
	}
	for _, path := range []string{
		"/repos/birchwood/parser-0/issues?state=all&per_page=3", "/repositories/77/issues?page=2&per_page=3&state=all",
		"/repos/birchwood/old", "/repos/birchwood/none", "/search/repositories?q=stars:>=0", "/user",
	} {
		res, body := ask(t, through, api+path, "")
		bodies = append(bodies, res.Status+res.Header.Get("ETag")+res.Header.Get("Link")+res.Header.Get("Location")+body)
	}
	res, body := ask(t, through, graphql, viewer)
	return append(bodies, res.Status+body)
}

func world() *githubtest.World {
	w := githubtest.Generate(3, 1, 7)
	r := w.AddRepository(&githubtest.Repository{ID: 77, Owner: "birchwood", Name: "parser-0", Was: []string{"birchwood/old"}})
	for k := range 7 {
		at := time.Date(2020, 1, 1+k, 0, 0, 0, 0, time.UTC)
		w.AddIssue(r, &githubtest.Issue{Title: "Über <b> \u2028", Body: "a token " + secret + " in a text, password=keep", Author: w.User("ada"), Created: at})
	}
	return w
}

var date = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func record(t *testing.T) (dir string, bodies []string) {
	t.Helper()
	dir = t.TempDir()
	s := githubtest.New(world(), githubtest.Options{})
	r := &Recorder{Through: s.Transport(), Date: date}
	bodies = conversation(t, r, "https://api.github.com")
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	return dir, bodies
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(data)
	}
	return out
}

// What was recorded is replayed byte for byte, but for the secrets, and recording
// again gives the same files.
func TestRecordAndReplay(t *testing.T) {
	dir, live := record(t)
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range conversation(t, p, "https://api.github.com") {
		if want := strings.ReplaceAll(live[k], secret, removed); got != want {
			t.Errorf("exchange %d: replayed\n%s\nrecorded\n%s", k, got, want)
		}
	}
	again, _ := record(t)
	first, second := files(t, dir), files(t, again)
	if len(first) != 6 || first["birchwood--parser-0.txt"] == "" || first["graphql.txt"] == "" {
		t.Errorf("%d files: %v", len(first), first)
	}
	for name, text := range first {
		if second[name] != text {
			t.Errorf("%s differs when it is recorded again", name)
		}
		for _, word := range []string{secret, "Authorization", "x-ratelimit", "<https://api.github.com/repositories"} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	if !strings.Contains(first["birchwood--parser-0.txt"], "password=keep") {
		t.Error("a text was changed that is no token")
	}
}

// A conversation replays on another host, with its links.
func TestHosts(t *testing.T) {
	dir, _ := record(t)
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	const base = "http://ghe.example/api/v3"
	conversation(t, p, base)
	res, _ := ask(t, p, base+"/repos/birchwood/parser-0/issues?per_page=3&state=all", "") // the other order
	if link := res.Header.Get("Link"); !strings.Contains(link, "<"+base+"/repositories/77/issues?page=2&per_page=3&state=all>; rel=\"next\"") {
		t.Errorf("Link is %s", link)
	}
	if res, _ := ask(t, p, base+"/repos/birchwood/old", ""); res.StatusCode != 301 || res.Header.Get("Location") != base+"/repositories/77" {
		t.Errorf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	if got := res.Header.Get("Date"); got != date.Format(http.TimeFormat) {
		t.Errorf("Date is %q", got)
	}
}

func TestConditional(t *testing.T) {
	dir, _ := record(t)
	p, _ := Open(dir)
	const address = "https://api.github.com/repos/birchwood/parser-0/issues?per_page=3&state=all"
	res, body := ask(t, p, address, "")
	tag := res.Header.Get("ETag")
	if tag == "" || body == "" {
		t.Fatalf("ETag %q, body %q", tag, body)
	}
	if res, body := ask(t, p, address, "", "If-None-Match", tag); res.StatusCode != 304 || body != "" || res.Header.Get("ETag") != tag {
		t.Errorf("known: %d %q", res.StatusCode, body)
	}
	if res, body := ask(t, p, address, "", "If-None-Match", `W/"other"`); res.StatusCode != 200 || body == "" {
		t.Errorf("not known: %d %q", res.StatusCode, body)
	}
	if res, _ := ask(t, p, "https://api.github.com/repos/birchwood/none", "", "If-None-Match", "*"); res.StatusCode != 404 {
		t.Errorf("a refusal: %d", res.StatusCode)
	}
}

func TestUnrecorded(t *testing.T) {
	dir, _ := record(t)
	p, _ := Open(dir)
	r, _ := http.NewRequest(http.MethodGet, "https://api.github.com/repos/x/y/issues?b=2&a=1&access_token=hunter2hunter2", nil)
	_, err := p.RoundTrip(r)
	if err == nil || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "GET /repos/x/y/issues?a=1") {
		t.Errorf("%v", err)
	}
	if err != nil && strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a secret: %v", err)
	}
	body := []byte(`{"query":"query { viewer { login } }","variables":{"a":"other"}}`)
	r, _ = http.NewRequest(http.MethodPost, "https://api.github.com/graphql", bytes.NewReader(body))
	if _, err := p.RoundTrip(r); err == nil || !strings.Contains(err.Error(), `{"a":"other"}`) {
		t.Errorf("%v", err)
	}
	for name, text := range map[string]string{"a.txt": title + "\n\n-- GET /x --\nstatus: 200\n\n1\n", "b.txt": title + "\n\n-- GET /x --\nstatus: 200\n\n2\n"} {
		if _, err := parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	twice := fstest.MapFS{
		"a.txt": {Data: []byte(title + "\n\n-- GET /x --\nstatus: 200\n\n1\n")}, "b.txt": {Data: []byte(title + "\n\n-- GET /x --\nstatus: 200\n\n2\n")},
	}
	if _, err := OpenFS(twice); err == nil || !strings.Contains(err.Error(), "GET /x") {
		t.Errorf("an address in two files: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("an empty folder was opened")
	}
}

// What passes is not kept, what was conditional is asked for whole, and what breaks
// off breaks off for the reader too.
func TestRecorderKeeps(t *testing.T) {
	w := world()
	s := githubtest.New(w, githubtest.Options{})
	r := &Recorder{Through: s.Transport()}
	const address = "https://api.github.com/repos/birchwood/parser-0"
	for _, fault := range []string{githubtest.FaultInternal, githubtest.FaultGateway, githubtest.FaultTooMany, githubtest.FaultLimited} {
		s.SetFaults(githubtest.Faults{Share: 1, Run: -1, Kinds: []string{fault}})
		ask(t, r, address, "")
	}
	if len(r.exchanges) != 0 {
		t.Errorf("%d passing answers were kept", len(r.exchanges))
	}
	s.SetFaults(githubtest.Faults{})
	if res, _ := ask(t, r, address, "", "If-None-Match", "*"); res.StatusCode != 200 || len(r.exchanges) != 1 {
		t.Errorf("conditional: %d, %d kept", res.StatusCode, len(r.exchanges))
	}
	broken := &Recorder{Through: breaking{}}
	req, _ := http.NewRequest(http.MethodGet, address, nil)
	res, err := broken.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(res.Body); string(b) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) || len(broken.exchanges) != 0 {
		t.Errorf("%q, %v", b, err)
	}
}

type breaking struct{}

func (breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.MultiReader(strings.NewReader("half"), failing{io.ErrUnexpectedEOF})
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

func TestConcurrent(t *testing.T) {
	s := githubtest.New(world(), githubtest.Options{})
	r := &Recorder{Through: s.Transport()}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { conversation(t, r, "https://api.github.com") })
	}
	group.Wait()
	dir := t.TempDir()
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		group.Go(func() { conversation(t, p, "https://api.github.com") })
	}
	group.Wait()
}
