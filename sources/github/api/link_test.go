package api

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

func TestNextLink(t *testing.T) {
	for header, want := range map[string]string{
		``:                                 "",
		`<https://h/x?page=2>; rel="next"`: "https://h/x?page=2",
		`<https://h/x?page=1>; rel="prev", <https://h/x?page=3>; rel="next", <https://h/x?page=9>; rel="last"`: "https://h/x?page=3",
		`<https://h/x?a=1,2;3>; rel=next`:                             "https://h/x?a=1,2;3",
		`<a>;rel="last",<b>;rel="next"`:                               "b",
		`<a>; title="x, <b>; rel=\"next\""; rel=last`:                 "",
		`<a>; REL="prev  NEXT"`:                                       "a",
		`<a>; rel=last; rel=next`:                                     "",
		`<a>; rel="next", <b>; rel="next"`:                            "a",
		`<a> ; foo ; rel = next ;, , <b>; rel=prev,`:                  "a",
		`<a>; rel="nextone"`:                                          "",
		"<a>;\trel=\"next\"":                                          "a",
		`<https://h/x?after=Y3Vyc29y%3D%3D&per_page=100>; rel="next"`: "https://h/x?after=Y3Vyc29y%3D%3D&per_page=100",
	} {
		if got, ok := nextLink(header); got != want || !ok {
			t.Errorf("%s: %q, %v", header, got, ok)
		}
	}
	for _, bad := range []string{`x`, `<a`, `<>; rel=next`, `a>; rel="next"`, `<a>; rel="next`, `<a> rel="next"`, `<a>; rel="next" <b>`, strings.Repeat(`<a>;rel=x,`, mostLinks)} {
		if got, ok := nextLink(bad); ok {
			t.Errorf("%.40s was read as %q", bad, got)
		}
	}
}

// TestHostileLinks: a link that cannot be followed never looks like a last page.
func TestHostileLinks(t *testing.T) {
	for name, link := range map[string]string{
		"another host":   `<https://elsewhere.example/repos/o/n?page=2>; rel="next"`,
		"another scheme": `<ftp://HOST/api/v3/x>; rel="next"`,
		"above the base": `</other?page=2>; rel="next"`,
		"up":             `<../../x?page=2>; rel="next"`,
		"up in disguise": `</api/v3/%2e%2e/%2E%2E/x>; rel="next"`,
		"a user":         `<http://u:p@HOST/api/v3/x>; rel="next"`,
		"itself":         `<>; rel="next"`,
		"the same page":  `</api/v3/x?page=1>; rel="next"`,
		"cut off":        `</api/v3/x?page=2>; rel="ne`,
		"no address":     `<http://[::1>; rel="next"`,
	} {
		t.Run(name, func(t *testing.T) {
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				w.Header().Set("Link", strings.ReplaceAll(link, "HOST", r.Host))
				say(w, 200, `[]`)
			})
			c, err := Open(wd.url+"/api/v3", Settings{TokensEnv: "none"}, Options{Clock: wd.clock})
			if err != nil {
				t.Fatal(err)
			}
			a, err := c.Get(context.Background(), "x?page=1", Known{})
			if err == nil || !strings.Contains(err.Error(), "link") || len(wd.requests()) != believe {
				t.Errorf("%+v, %v after %d requests", a, err, len(wd.requests()))
			}
		})
	}
}

func FuzzNextLink(f *testing.F) {
	for _, seed := range []string{
		`<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last"`,
		`<a>; title="x, <b>; rel=\"next\""; rel=last`, `<a>; rel="next`, `;;,,<>`, "<a>;=\"\\",
	} {
		f.Add(seed)
	}
	c, err := Open("https://h/api/v3", Settings{TokensEnv: "none"}, Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header string) {
		target, ok := nextLink(header)
		if target != "" && (!ok || !strings.Contains(header, "<") || !strings.Contains(header, target)) {
			t.Errorf("%q gives %q, %v", header, target, ok)
		}
		r := &reply{url: mustURL("https://h/api/v3/x?page=1"), header: http.Header{"Link": {header}}}
		c.link(r)
		if r.next != "" && !c.below(mustURL(r.next)) {
			t.Errorf("%q leads to %s", header, r.next)
		}
		if r.next != "" && r.problem != "" {
			t.Errorf("both %s and %s", r.next, r.problem)
		}
	})
}
