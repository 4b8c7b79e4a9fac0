package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// secrets are tokens of every form, and the part of each that must never be seen.
var secrets = map[string]string{
	"classic":      aToken,
	"fine-grained": "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
	"old":          "0123456789abcdef0123456789abcdef01234567",
	"installation": "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
	"odd":          `p+a/s.s~w_o-rd+marker/==`,
}

// echoes are the ways a server may give a token back.
var echoes = map[string]func(w http.ResponseWriter, status int, token string){
	"JSON message": func(w http.ResponseWriter, status int, token string) {
		b, _ := json.Marshal(map[string]any{"message": "You sent Authorization: Bearer " + token, "errors": []any{map[string]string{"message": token}}})
		say(w, status, string(b))
	},
	"bare message": func(w http.ResponseWriter, status int, token string) {
		b, _ := json.Marshal(map[string]any{"message": token})
		say(w, status, string(b))
	},
	"headers": func(w http.ResponseWriter, status int, token string) {
		h := w.Header()
		for _, name := range []string{"ETag", "Last-Modified", "Retry-After", "X-RateLimit-Resource", "X-OAuth-Scopes", "Date", "Warning", "X-RateLimit-Reset"} {
			h.Set(name, token)
		}
		h.Set("Link", "</x?page=2&access_token="+url.QueryEscape(token)+">; rel=next")
		h.Set("Location", "/x?access_token="+url.QueryEscape(token))
		say(w, status, `{}`)
	},
	"link": func(w http.ResponseWriter, status int, token string) {
		w.Header().Set("Link", "<https://elsewhere.example/"+url.PathEscape(token)+">; rel=next")
		w.Header().Set("Location", "ftp://elsewhere.example/"+url.PathEscape(token)+"?"+token)
		say(w, status, `[]`)
	},
	"type": func(w http.ResponseWriter, status int, token string) {
		w.Header().Set("Content-Type", "text/"+token)
		say(w, status, token)
	},
	"page": func(w http.ResponseWriter, status int, token string) {
		w.Header().Set("Content-Type", "text/html")
		say(w, status, "<html>"+token)
	},
	"broken": func(w http.ResponseWriter, status int, token string) { say(w, status, `{"message":"`+token) },
	"data": func(w http.ResponseWriter, status int, token string) {
		b, _ := json.Marshal(token)
		say(w, status, `{"data":{"x":`+string(b)+`},"login":`+string(b)+`}`)
	},
	"errors": func(w http.ResponseWriter, status int, token string) {
		b, _ := json.Marshal(token)
		say(w, status, strings.ReplaceAll(`{"data":{},"errors":[{"type":T,"path":[T],"message":T}]}`, "T", string(b)))
	},
	"no HTTP": func(w http.ResponseWriter, status int, token string) { raw(w, token+" "+token+"\r\n\r\n") },
	"bad header": func(w http.ResponseWriter, status int, token string) {
		raw(w, "HTTP/1.1 200 "+token+"\r\n"+token+"\r\n\r\n")
	},
	"bad status": func(w http.ResponseWriter, status int, token string) { raw(w, "HTTP/1.1 "+token+"\r\n\r\n") },
	"bad length": func(w http.ResponseWriter, status int, token string) {
		raw(w, "HTTP/1.1 200 OK\r\nContent-Length: "+token+"\r\n\r\n")
	},
}

func raw(w http.ResponseWriter, text string) {
	conn, _, _ := w.(http.Hijacker).Hijack()
	defer conn.Close()
	io.WriteString(conn, text)
}

// TestNoTokenComesOut asks a server that gives the token back in every way, with
// every status, and looks for it in all that leaves the package.
func TestNoTokenComesOut(t *testing.T) {
	statuses := []int{200, 202, 204, 301, 302, 304, 307, 400, 401, 403, 404, 409, 410, 422, 429, 451, 500, 502, 503}
	for form, secret := range secrets {
		t.Run(form, func(t *testing.T) {
			statuses := statuses
			if form != "classic" { // the rest differs in what is looked for only
				statuses = []int{200, 302, 401, 403, 500}
			}
			marks := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
			check := func(where string, text string) {
				t.Helper()
				for _, m := range marks {
					if strings.Contains(text, m) || strings.Contains(text, m[:len(m)*2/3]) {
						t.Errorf("%s: %s", where, text)
					}
				}
			}
			for how, echo := range echoes {
				for _, status := range statuses {
					wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
						w.Header().Del("Date")
						if status == 204 || status == 304 {
							w.Header().Set("ETag", bearer(r))
							w.WriteHeader(status)
							return
						}
						echo(w, status, bearer(r))
					})
					c := wd.open(t, Settings{PointsPerMinute: 1 << 30, Tries: 4}, secret)
					where := fmt.Sprintf("%s, status %d", how, status)
					a, err := c.Get(context.Background(), "x?access_token="+url.QueryEscape(secret), Known{})
					check(where+", get", everything(a, err))
					a, err = c.Get(context.Background(), "y", Known{ETag: "x"})
					check(where+", conditional", everything(a, err))
					var out map[string]any
					err = c.Query(context.Background(), "query { x }", nil, &out)
					check(where+", query", everything(out, err))
					ids, err := c.Identities(context.Background())
					check(where+", identities", everything(ids, err))
					for _, id := range ids {
						check(where+", identity", everything(nil, id.Err))
					}
					stats, _ := json.Marshal(c.Stats())
					check(where+", stats", string(stats))
					check(where+", log", wd.log.String())
					if len(wd.requests()) == 0 || wd.requests()[0].token != secret {
						t.Fatalf("%s: the token was not even sent", where)
					}
				}
			}
		})
	}
}

// everything is all the text of a value and of each error inside an error.
func everything(v any, err error) string {
	text := fmt.Sprintf("%+v %#v", v, v)
	if b, e := json.Marshal(v); e == nil {
		text += string(b)
	}
	if a, ok := v.(*Answer); ok && a != nil {
		text += string(a.Body)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		text += fmt.Sprintf("\n%v %+v %#v", err, err, err)
	}
	return text
}

// TestOtherCredentials: what looks like a credential is hidden though it is not
// ours, and what does not is left alone.
func TestOtherCredentials(t *testing.T) {
	r := newRedactor(nil)
	for _, secret := range []string{
		"ghp_0123456789abcdefghijABCDEFGHIJ999999", "gho_x1234", "ghu_16C7e42F292c", "ghs_appid_ey.J-x", "ghr_1B4a2e77838347a7E420",
		"github_pat_11ABCDE_zz", "v1.0123456789abcdef0123456789abcdef01234567",
		"Authorization: token 0123456789abcdef0123456789abcdef01234567", `"authorization": "Basic dXNlcjpwYXNzd29yZA=="`, "bearer eyJhbGciOi.x.y",
		"?access_token=abc123", "client_secret=shh", "token=0123456789abcdef0123456789abcdef01234567",
	} {
		got := r.words("before " + secret + " after")
		_, value, _ := strings.Cut(secret, " ")
		if strings.Contains(got, secret) || value != "" && strings.Contains(got, value) || !strings.Contains(got, redacted) || !strings.Contains(got, "before") {
			t.Errorf("%s became %s", secret, got)
		}
	}
	for _, plain := range []string{
		"commit 0123456789abcdef0123456789abcdef01234567 not found", "Bad credentials", "Requires authentication",
		"Resource requires authorization permissions", "token authentication is required", "API rate limit exceeded for user ID 1.",
	} {
		if got := r.words(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
}

func TestWordsAreFitForAnError(t *testing.T) {
	r := newRedactor([]string{aToken})
	for name, text := range map[string]string{
		"token at the edge": strings.Repeat("a ", 150) + aToken,
		"token at the cut":  strings.Repeat(" ", 16<<10-12) + aToken + strings.Repeat("x", 100),
		"control sequences": "\x1b[31mred\x00\r\n\u009b" + aToken[:10] + "\x00" + aToken[10:],
		"no text":           "\xff\xfe" + aToken,
		"long":              strings.Repeat("é", 5000),
	} {
		got := r.words(text)
		if strings.Contains(got, aToken[:8]) || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 320 || strings.ContainsAny(got, "\x1b\x00\n\r\u009b") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Bearer ", " and more")
	f.Add("\x1b[0m", strings.Repeat("x", 400))
	r := newRedactor([]string{aToken})
	f.Fuzz(func(t *testing.T, before, after string) {
		got := r.words(before + aToken + after)
		if strings.Contains(got, aToken[4:24]) || !utf8.ValidString(got) || strings.Contains(got, "\n") {
			t.Errorf("%q", got)
		}
	})
}
