package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Server imitates a model API on this machine. It is safe for concurrent use.
type Server struct {
	URL   string // base_url for settings
	Batch BatchPlan

	api    api
	mu     sync.Mutex
	queue  []http.HandlerFunc
	bodies []map[string]any
	keys   []string
	batch  batches
}

// api is how one of the APIs looks from outside.
type api struct {
	path  string
	key   func(http.Header) string
	reply func(request map[string]any, text, finish string) any
	batch batchAPI // nil: it has none
}

// OpenAI starts a server that speaks the Chat Completions API and echoes the last
// message. It ends with the test.
func OpenAI(t testing.TB) *Server {
	s := start(t, api{
		path:  "/v1/chat/completions",
		key:   bearer,
		reply: openAIReply,
		batch: openAIBatches{},
	})
	s.URL += "/v1"
	return s
}

// Anthropic starts a server that speaks the Messages API and echoes the last
// message. It ends with the test.
func Anthropic(t testing.TB) *Server {
	return start(t, api{
		path:  "/v1/messages",
		key:   func(h http.Header) string { return h.Get("X-Api-Key") },
		reply: anthropicReply,
		batch: anthropicBatches{},
	})
}

// Completions starts a server that speaks the Completions API and echoes the
// prompt. It ends with the test.
func Completions(t testing.TB) *Server {
	s := start(t, api{path: "/v1/completions", key: bearer, reply: completionsReply})
	s.URL += "/v1"
	return s
}

// Embeddings starts a server that speaks the Embeddings API and answers with the
// numbers of [VectorOf]. It ends with the test.
func Embeddings(t testing.TB) *Server {
	s := start(t, api{path: "/v1/embeddings", key: bearer, reply: embeddingsReply})
	s.URL += "/v1"
	return s
}

func bearer(h http.Header) string { return h.Get("Authorization") }

func start(t testing.TB, a api) *Server {
	s := &Server{api: a}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Next makes the coming calls be answered by the handlers, one each, in order;
// nil is the usual answer.
func (s *Server) Next(handlers ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, handlers...)
}

// Bodies are the requests so far, as the server read them.
func (s *Server) Bodies() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.bodies...)
}

// Keys are the credentials of the requests so far, as they were sent.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.keys...)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != s.api.path {
		if !s.serveBatch(w, r) {
			http.Error(w, "no such page: "+r.Method+" "+r.URL.Path, http.StatusNotFound)
		}
		return
	}
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.bodies = append(s.bodies, body)
	s.keys = append(s.keys, s.api.key(r.Header))
	var next http.HandlerFunc
	if len(s.queue) > 0 {
		next, s.queue = s.queue[0], s.queue[1:]
	}
	s.mu.Unlock()
	if next == nil {
		next = s.Reply(echo(body), "")
	}
	next(w, r)
}

// echo is the text that was sent, of several the last, as JSON when a schema was
// sent too.
func echo(body map[string]any) string {
	text := lastText(body)
	if text != "" && (body["response_format"] != nil || body["output_config"] != nil) {
		quoted, _ := json.Marshal(map[string]string{"echo": text})
		return string(quoted)
	}
	return text
}

func lastText(body map[string]any) string {
	for _, key := range []string{"prompt", "input"} {
		if text, ok := body[key].(string); ok {
			return text
		}
	}
	messages, _ := body["messages"].([]any)
	if len(messages) == 0 {
		return ""
	}
	last, _ := messages[len(messages)-1].(map[string]any)
	if blocks, ok := last["content"].([]any); ok && len(blocks) > 0 {
		return fmt.Sprint(blocks[0].(map[string]any)["text"])
	}
	return fmt.Sprint(last["content"])
}

// Reply answers with a text, 11 input tokens and 7 output tokens. An empty finish
// is the API's word for a natural end.
func (s *Server) Reply(text, finish string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		bodies := s.Bodies()
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s.api.reply(bodies[len(bodies)-1], text, finish))
	}
}

// Fail answers with a status, the headers given as pairs, and a body.
func Fail(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// BreakOff promises more bytes than it sends.
func BreakOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, `{"id": "x", "cho`)
}

// Hang answers only when the client has gone.
func Hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func openAIReply(request map[string]any, text, finish string) any {
	if finish == "" {
		finish = "stop"
	}
	return map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": fmt.Sprint(request["model"], "-0125"),
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": finish, "message": map[string]any{"role": "assistant", "content": text},
		}},
		"usage": map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
	}
}

func completionsReply(request map[string]any, text, finish string) any {
	if finish == "" {
		finish = "stop"
	}
	return map[string]any{
		"id": "cmpl-1", "object": "text_completion", "created": 1, "model": fmt.Sprint(request["model"], "-0125"),
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "text": text, "logprobs": nil}},
		"usage":   map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
	}
}

func embeddingsReply(request map[string]any, text, _ string) any {
	return map[string]any{
		"object": "list", "model": fmt.Sprint(request["model"], "-0125"),
		"data":  []any{map[string]any{"object": "embedding", "index": 0, "embedding": VectorOf(text)}},
		"usage": map[string]any{"prompt_tokens": 11, "total_tokens": 11},
	}
}

// VectorOf is the embedding of a text that [Embeddings] answers with: how often
// it has letters, digits, blanks and other bytes, as shares.
func VectorOf(text string) []float32 {
	out := make([]float32, 4)
	for i := range len(text) {
		switch b := text[i]; {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			out[0]++
		case b >= '0' && b <= '9':
			out[1]++
		case b == ' ' || b == '\n':
			out[2]++
		default:
			out[3]++
		}
	}
	for i := range out {
		out[i] /= float32(max(1, len(text)))
	}
	return out
}

func anthropicReply(request map[string]any, text, finish string) any {
	if finish == "" {
		finish = "end_turn"
	}
	return map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": fmt.Sprint(request["model"], "-0125"),
		"content":     []any{map[string]any{"type": "text", "text": text}},
		"stop_reason": finish,
		"usage":       map[string]any{"input_tokens": 8, "cache_read_input_tokens": 3, "output_tokens": 7},
	}
}
