package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

const key = "sk-test-0123456789abcdef"

// flavour is one of the HTTP APIs.
type flavour struct {
	provider, env string
	start         func(testing.TB) *llmtest.Server
	// how the API says these things
	lengthWord, refusalWord, keyForm string
}

var flavours = []flavour{
	{"openai", "OPENAI_API_KEY", llmtest.OpenAI, "length", "content_filter", "Bearer " + key},
	{"anthropic", "ANTHROPIC_API_KEY", llmtest.Anthropic, "max_tokens", "refusal", key},
	{"completions", "OPENAI_API_KEY", llmtest.Completions, "length", "content_filter", "Bearer " + key},
	{"embeddings", "OPENAI_API_KEY", llmtest.Embeddings, "", "", "Bearer " + key},
}

// Flavours that talk, and have batches; and those that answer in words.
var chats, writers = flavours[:2], flavours[:3]

func eachFlavour(t *testing.T, test func(t *testing.T, f flavour, server *llmtest.Server)) {
	eachOf(t, flavours, test)
}

func eachOf(t *testing.T, some []flavour, test func(t *testing.T, f flavour, server *llmtest.Server)) {
	for _, f := range some {
		t.Run(f.provider, func(t *testing.T) { test(t, f, f.start(t)) })
	}
}

// ask sends one request and returns the clock its waits went to.
func ask(t *testing.T, f flavour, server *llmtest.Server, change func(*llm.Settings)) (pipeline.Reply, error, *clock.Fake) {
	t.Helper()
	s := settings(f.provider, "m-1", server.URL)
	if change != nil {
		change(&s)
	}
	c := &clock.Fake{}
	p := open(t, s, map[string]string{f.env: key}, llm.Options{Clock: c})
	reply, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
	return reply, err, c
}

func TestReplies(t *testing.T) {
	eachOf(t, writers, func(t *testing.T, f flavour, server *llmtest.Server) {
		server.Next(server.Reply("done", ""), server.Reply("half a sen", f.lengthWord), server.Reply("I will not.", f.refusalWord))
		for _, want := range []pipeline.Reply{{Text: "done", Finish: "stop"}, {Text: "half a sen", Finish: "length"}, {Text: "I will not.", Finish: "refusal"}} {
			reply, err, _ := ask(t, f, server, func(s *llm.Settings) { s.InputUSDPerMTok, s.OutputUSDPerMTok = 2.5, 10 })
			want.Origin, want.Provider, want.Model = pipeline.OriginModel, f.provider, "m-1-0125"
			want.InputTokens, want.OutputTokens, want.CostMicroUSD = 11, 7, 98 // 27.5 + 70, rounded up
			if err != nil || reply != want {
				t.Errorf("reply %+v, error %v, want %+v", reply, err, want)
			}
		}
		for _, k := range server.Keys() {
			if k != f.keyForm {
				t.Errorf("the key came as %q", k)
			}
		}
	})
}

func TestRefusalField(t *testing.T) {
	server := llmtest.OpenAI(t)
	server.Next(
		llmtest.Fail(200, `{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"No."}}]}`),
		llmtest.Fail(400, `{"error":{"message":"filtered","code":"content_filter"}}`),
	)
	for _, text := range []string{"No.", "filtered"} {
		reply, err, _ := ask(t, flavours[0], server, nil)
		if err != nil || reply.Finish != "refusal" || reply.Text != text {
			t.Errorf("reply %+v, error %v", reply, err)
		}
	}
}

func TestJSONLabelledAsText(t *testing.T) {
	eachOf(t, writers, func(t *testing.T, f flavour, server *llmtest.Server) {
		reply := server.Reply("fine", "")
		server.Next(func(w http.ResponseWriter, r *http.Request) {
			reply(relabelled{w}, r)
		})
		if reply, err, _ := ask(t, f, server, nil); err != nil || reply.Text != "fine" {
			t.Errorf("reply %+v, error %v", reply, err)
		}
	})
}

// relabelled says of every body that it is plain text.
type relabelled struct{ http.ResponseWriter }

func (w relabelled) Write(b []byte) (int, error) {
	w.Header().Set("Content-Type", "text/plain")
	return w.ResponseWriter.Write(b)
}

// What a request becomes on the wire.
func TestRequests(t *testing.T) {
	seed := int64(7)
	for _, f := range chats {
		t.Run(f.provider, func(t *testing.T) {
			var sent []byte
			transport := roundTripper(func(r *http.Request) (*http.Response, error) {
				sent, _ = io.ReadAll(r.Body)
				return nil, io.ErrUnexpectedEOF
			})
			s := settings(f.provider, "m-1", "")
			s.MaxRetries = -1
			p := open(t, s, map[string]string{f.env: key}, llm.Options{Transport: transport})
			req := llmtest.Request(f.provider, "m-1")
			req.Messages = append(req.Messages, pipeline.Message{Role: "assistant", Text: "?"}, pipeline.Message{Role: "user", Text: "Again."})
			req.TopP, req.Seed = 0.5, &seed
			req.SchemaName, req.Schema = "my schema", json.RawMessage(`{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"string"}}}`)
			p.Complete(t.Context(), req)

			for _, want := range map[string][]string{
				"openai": {`"temperature":0.2`, `"top_p":0.5`, `"seed":7`, `"max_completion_tokens":64`, `"role":"system"`, `"role":"assistant"`,
					`"name":"my_schema"`, `"strict":true`, `{"zeta":{"type":"string"},"alpha":{"type":"string"}}`},
				"anthropic": {`"temperature":0.2`, `"top_p":0.5`, `"max_tokens":64`, `"system":[{"text":"You explain code."`, `"role":"assistant"`,
					`"output_config":{"format":`, `{"zeta":{"type":"string"},"alpha":{"type":"string"}}`},
			}[f.provider] {
				if !bytes.Contains(sent, []byte(want)) {
					t.Errorf("no %s in %s", want, sent)
				}
			}
			if bytes.Contains(sent, []byte("double(x):\\n    return")) {
				t.Errorf("the subject was sent: %s", sent)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestOtherServersGetMaxTokens(t *testing.T) {
	server := llmtest.OpenAI(t)
	ask(t, flavours[0], server, nil)
	if body := server.Bodies()[0]; body["max_tokens"] != 64.0 || body["max_completion_tokens"] != nil {
		t.Errorf("sent %v", body)
	}
}

func TestUnstructured(t *testing.T) {
	no := false
	eachOf(t, chats, func(t *testing.T, f flavour, server *llmtest.Server) {
		server.Next(server.Reply("```json\n{\"a\": 1}\n```\n", ""), server.Reply("{\"b\": 2}", ""),
			server.Reply("```\n{\"c\": 3}\n```\nThat is all.", ""), server.Reply("{\"d\":\n```\n4\n```\n}", ""))
		s := settings(f.provider, "m-1", server.URL)
		s.Structured = &no
		p := open(t, s, nil, llm.Options{})
		req := llmtest.Request(f.provider, "m-1")
		req.Schema = json.RawMessage(`{"type":"object","title":"unusual"}`)
		for _, want := range []string{`{"a": 1}`, `{"b": 2}`, `{"c": 3}`, "{\"d\":\n```\n4\n```\n}"} {
			if reply, err := p.Complete(t.Context(), req); err != nil || reply.Text != want {
				t.Errorf("reply %q, error %v", reply.Text, err)
			}
		}
		body, _ := json.Marshal(server.Bodies()[0])
		if !bytes.Contains(body, []byte("unusual")) || bytes.Contains(body, []byte("response_format")) || bytes.Contains(body, []byte("output_config")) {
			t.Errorf("sent %s", body)
		}
	})
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		class  pipeline.Class
		calls  int // with two tries allowed
		says   []string
	}{
		{"wrong key", llmtest.Fail(401, `{"error":{"message":"invalid key"}}`), pipeline.Fatal, 1, []string{"$ENV", "invalid key", "m-1"}},
		{"forbidden", llmtest.Fail(403, `{"error":{"message":"not in your country"}}`), pipeline.Fatal, 1, []string{"$ENV", "not in your country"}},
		{"no credit", llmtest.Fail(429, `{"error":{"message":"pay","code":"insufficient_quota"}}`), pipeline.Fatal, 1, []string{"credit"}},
		{"no such model", llmtest.Fail(404, `{"error":{"message":"no m-1"}}`), pipeline.Fatal, 1, []string{"no m-1", "base_url"}},
		{"bad request", llmtest.Fail(400, `{"error":{"message":"too many tokens"}}`), pipeline.Permanent, 1, []string{"too many tokens"}},
		{"too large", llmtest.Fail(413, `too large`), pipeline.Permanent, 1, []string{"too large"}},
		{"temperature", llmtest.Fail(400, `{"error":{"message":"temperature is not supported"}}`), pipeline.Permanent, 1, []string{"temperature: 1"}},
		{"no schemas", llmtest.Fail(400, `{"error":{"message":"response_format json_schema is not supported"}}`), pipeline.Fatal, 1, []string{"structured: false"}},
		{"moved", llmtest.Fail(302, ``, "Location", "https://elsewhere.invalid/"), pipeline.Fatal, 1, []string{"https://elsewhere.invalid/", "base_url"}},
		{"overloaded", llmtest.Fail(529, `{"error":{"message":"busy"}}`), pipeline.Transient, 2, []string{"busy", "2 tries"}},
		{"error in words", llmtest.Fail(500, `{"error":"out of memory"}`), pipeline.Transient, 2, []string{"out of memory"}},
		{"error in HTML", llmtest.Fail(502, "<html>\n<b>Bad</b> gateway</html>"), pipeline.Transient, 2, []string{"502", "<html> <b>Bad</b> gateway</html>"}},
		{"detail", llmtest.Fail(503, `{"detail":"loading"}`), pipeline.Transient, 2, []string{"loading"}},
		{"malformed JSON", llmtest.Fail(200, `{"id": `), pipeline.Transient, 2, []string{"not JSON"}},
		{"a page", llmtest.Fail(200, `<html>Sign in</html>`), pipeline.Transient, 2, []string{"not JSON: <html>Sign in</html>"}},
		{"another object", llmtest.Fail(200, `{"ok":true}`), pipeline.Transient, 2, []string{"form of a reply"}},
		{"broken off", llmtest.BreakOff, pipeline.Transient, 2, []string{"broke off"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
				server.Next(test.answer, test.answer)
				_, err, _ := ask(t, f, server, func(s *llm.Settings) { s.MaxRetries = 1 })
				if err == nil || pipeline.ClassOf(err) != test.class {
					t.Fatalf("error %v of class %v, want %v", err, pipeline.ClassOf(err), test.class)
				}
				for _, want := range test.says {
					if want == "$ENV" {
						want = f.env
					}
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q is not in: %v", want, err)
					}
				}
				if n := len(server.Bodies()); n != test.calls {
					t.Errorf("%d calls, want %d", n, test.calls)
				}
			})
		})
	}
}

func TestFailsThenSucceeds(t *testing.T) {
	for name, failure := range map[string]http.HandlerFunc{
		"500": llmtest.Fail(500, ""), "malformed": llmtest.Fail(200, "{"), "broken off": llmtest.BreakOff,
	} {
		t.Run(name, func(t *testing.T) {
			eachOf(t, writers, func(t *testing.T, f flavour, server *llmtest.Server) {
				server.Next(failure, failure, server.Reply("at last", ""))
				reply, err, c := ask(t, f, server, nil)
				if err != nil || reply.Text != "at last" || len(server.Bodies()) != 3 || len(c.Slept()) != 2 {
					t.Errorf("reply %q, error %v, %d calls, slept %v", reply.Text, err, len(server.Bodies()), c.Slept())
				}
			})
		})
	}
}

// The clock of these tests begins at midnight of 2020-01-01.
func TestRetryAfter(t *testing.T) {
	for _, test := range []struct {
		name, header, value string
		at                  time.Duration // the pause, without the spread of up to a second
	}{
		{"seconds", "Retry-After", "17", 17 * time.Second},
		{"date", "Retry-After", "Wed, 01 Jan 2020 00:00:40 GMT", 40 * time.Second},
		{"milliseconds", "Retry-After-Ms", "2500", 2500 * time.Millisecond},
		{"a year", "Retry-After", "31536000", 5 * time.Minute},
		{"endless", "Retry-After", "1e400", 0},
		{"past", "Retry-After", "Wed, 01 Jan 2014 00:00:40 GMT", 0},
		{"nonsense", "Retry-After", "soon", 0},
		{"not a number", "Retry-After", "NaN", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
				server.Next(llmtest.Fail(429, `{"error":{"message":"slow down"}}`, test.header, test.value))
				_, err, c := ask(t, f, server, nil)
				if err != nil {
					t.Fatal(err)
				}
				passed := c.Now().Sub(new(clock.Fake).Now())
				if passed < test.at || passed > test.at+time.Second {
					t.Errorf("waited %s, want %s and at most a second more", passed, test.at)
				}
			})
		})
	}
}

func TestSlowServer(t *testing.T) {
	eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
		server.Next(llmtest.Hang)
		_, err, _ := ask(t, f, server, func(s *llm.Settings) { s.Timeout, s.MaxRetries = 20*time.Millisecond, -1 })
		if pipeline.ClassOf(err) != pipeline.Transient || !strings.Contains(err.Error(), "no answer within 20ms") {
			t.Errorf("timeout: %v of class %v", err, pipeline.ClassOf(err))
		}
	})
}

func TestCancelUnderWay(t *testing.T) {
	eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		server.Next(func(w http.ResponseWriter, r *http.Request) {
			cancel()
			llmtest.Hang(w, r)
		})
		p := open(t, settings(f.provider, "m-1", server.URL), nil, llm.Options{})
		_, err := p.Complete(ctx, llmtest.Request(f.provider, "m-1"))
		if pipeline.ClassOf(err) != pipeline.Canceled || len(server.Bodies()) != 1 {
			t.Errorf("%v of class %v after %d calls", err, pipeline.ClassOf(err), len(server.Bodies()))
		}
	})
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	for _, f := range flavours {
		s := settings(f.provider, "m-1", url)
		s.MaxRetries, s.BudgetTokens = -1, 3000
		p := open(t, s, nil, llm.Options{})
		for range 50 { // nothing was sent, so nothing is booked
			if _, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1")); pipeline.ClassOf(err) != pipeline.Transient {
				t.Fatalf("%s: %v of class %v", f.provider, err, pipeline.ClassOf(err))
			}
		}
	}
}

// A server may echo the key anywhere; nobody may see it.
func TestKeyIsNeverSeen(t *testing.T) {
	eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
		server.Next(
			llmtest.Fail(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`),
			llmtest.Fail(401, `{"error":{"message":"Incorrect API key provided: sk-test-********cdef. See the docs."}}`),
			llmtest.Fail(500, `Authorization: Bearer `+key),
			llmtest.Fail(200, `<html>`+key),
			llmtest.Fail(302, ``, "Location", "https://elsewhere.invalid/?key="+key),
			server.Reply("your key is "+key, ""),
		)
		var log bytes.Buffer
		s := settings(f.provider, "m-1", server.URL)
		p := open(t, s, map[string]string{f.env: key}, llm.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		var seen []string
		for range 4 {
			reply, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
			seen = append(seen, reply.Text)
			for ; err != nil; err = unwrap(err) {
				seen = append(seen, err.Error())
			}
		}
		if n := len(server.Bodies()); n != 6 {
			t.Fatalf("%d calls", n)
		}
		all := strings.Join(seen, "\n") + log.String()
		if strings.Contains(all, key) || strings.Contains(all, "cdef") || strings.Contains(all, "0123456789") {
			t.Errorf("the key, or a part of it, is in:\n%s", all)
		}
		if !strings.Contains(all, "[redacted]") || !strings.Contains(all, "Incorrect API key provided") || log.Len() == 0 {
			t.Errorf("more than the key is gone:\n%s", all)
		}
	})
}

func unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

func TestMissingKey(t *testing.T) {
	for _, f := range flavours {
		for _, test := range []struct {
			name    string
			change  func(*llm.Settings)
			missing string // the variable the error names; "": none is missing
		}{
			{"default", func(*llm.Settings) {}, f.env},
			{"named", func(s *llm.Settings) { s.APIKeyEnv = "TEAM_KEY" }, "TEAM_KEY"},
			{"loopback", func(s *llm.Settings) { s.BaseURL = "http://localhost:1/v1" }, ""},
			{"loopback address", func(s *llm.Settings) { s.BaseURL = "http://[::1]:1/v1" }, ""},
			{"none", func(s *llm.Settings) { s.BaseURL, s.APIKeyEnv = "http://10.0.0.1:1/v1", "none" }, ""},
		} {
			t.Run(f.provider+"/"+test.name, func(t *testing.T) {
				s := settings(f.provider, "m-1", "")
				s.MaxRetries = -1
				test.change(&s)
				calls := 0
				p := open(t, s, nil, llm.Options{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
					calls++
					if r.Header.Get("Authorization")+r.Header.Get("X-Api-Key") != "" {
						t.Errorf("a credential was sent: %v", r.Header)
					}
					return nil, io.ErrUnexpectedEOF
				})})
				_, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
				if test.missing == "" {
					if calls != 1 || s.MissingKey(func(string) string { return "" }) != nil {
						t.Errorf("%d calls, error %v", calls, err)
					}
					return
				}
				if calls != 0 || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), test.missing) {
					t.Errorf("%d calls, error %v of class %v", calls, err, pipeline.ClassOf(err))
				}
			})
		}
	}
}

// The SDKs know many variables of their own; only the settings count.
func TestEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_ADMIN_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS"} {
		t.Setenv(name, "http://stray.invalid: stray-value")
	}
	for _, f := range flavours {
		s := settings(f.provider, "m-1", "")
		s.MaxRetries = -1
		var seen *http.Request
		p := open(t, s, map[string]string{f.env: key}, llm.Options{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			seen = r
			return nil, io.ErrUnexpectedEOF
		})})
		p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
		if seen == nil {
			t.Fatalf("%s: nothing was sent", f.provider)
		}
		for name, values := range seen.Header {
			if strings.Contains(strings.Join(values, " "), "stray") {
				t.Errorf("%s sent %s: %v", f.provider, name, values)
			}
		}
		if want := map[bool]string{true: "api.anthropic.com", false: "api.openai.com"}[f.provider == "anthropic"]; seen.URL.Host != want || seen.URL.Scheme != "https" {
			t.Errorf("%s asked %s", f.provider, seen.URL)
		}
	}
}

func TestRequestsNobodyCanAnswer(t *testing.T) {
	for name, spoil := range map[string]func(*pipeline.Request){
		"no messages": func(r *pipeline.Request) { r.Messages = nil },
		"no model":    func(r *pipeline.Request) { r.Model = "" },
		"no limit":    func(r *pipeline.Request) { r.MaxTokens = 0 },
		"odd role":    func(r *pipeline.Request) { r.Messages[0].Role = "system" },
		"broken JSON": func(r *pipeline.Request) { r.Schema = json.RawMessage("{") },
	} {
		t.Run(name, func(t *testing.T) {
			eachOf(t, writers, func(t *testing.T, f flavour, server *llmtest.Server) {
				req := llmtest.Request(f.provider, "m-1")
				spoil(&req)
				p := open(t, settings(f.provider, "m-1", server.URL), nil, llm.Options{})
				if _, err := p.Complete(t.Context(), req); err == nil || pipeline.ClassOf(err) != pipeline.Permanent || len(server.Bodies()) != 0 {
					t.Errorf("error %v of class %v, %d calls", err, pipeline.ClassOf(err), len(server.Bodies()))
				}
			})
		})
	}
}

// A reply without end must not fill the memory.
func TestEndlessReply(t *testing.T) {
	for _, f := range flavours {
		read := int64(0)
		s := settings(f.provider, "m-1", "http://localhost/")
		s.MaxRetries = -1
		p := open(t, s, nil, llm.Options{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(&blanks{&read})}, nil
		})})
		_, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
		if err == nil || !strings.Contains(err.Error(), "longer than 32 MiB") || read > 40<<20 {
			t.Errorf("%s: %v after %d bytes", f.provider, err, read)
		}
	}
}

type blanks struct{ read *int64 }

func (b *blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	*b.read += int64(len(p))
	return len(p), nil
}
