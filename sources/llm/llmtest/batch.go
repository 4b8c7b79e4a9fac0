package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"time"
)

// BatchPlan is how the batches of a [Server] go. Its fields are set before the
// first request. The zero value ends every batch at once and answers each request
// as the server would outside a batch, in reversed order.
type BatchPlan struct {
	// Polls is how often a batch is asked after and has not ended.
	Polls int
	// Outcome says what becomes of a request, by the number of its batch from 1 and
	// the text of its last message: "" an answer; "missing", "twice", "expired",
	// "canceled"; or a status, such as "400", it fails with.
	Outcome func(batch int, text string) string
	// Fate is what becomes of a whole batch: "" it is done; "expired", "canceled"
	// with the answers there are; "failed:code" or "failed:code:line", for OpenAI,
	// without any.
	Fate string
	// Strangers adds so many results for requests that are in no batch.
	Strangers int
	// Now dates the batches; nil: [time.Now].
	Now func() time.Time
}

// Steps of a batch, as calls of the API.
const (
	StepUpload  = "upload" // OpenAI
	StepCreate  = "create"
	StepList    = "list"
	StepGet     = "get"
	StepResults = "results"
)

// Spoil answers the request in the place of the server, which has done what was
// asked and would have said so.
type Spoil func(w http.ResponseWriter, r *http.Request, answer []byte)

// ServerBatch is a batch as the server knows it.
type ServerBatch struct {
	ID       string
	Items    []string // custom_id of every request, in order
	Bodies   []map[string]any
	Metadata map[string]string

	created time.Time
	polls   int
	file    string
}

type batches struct {
	mu      sync.Mutex
	all     []*ServerBatch
	files   map[string][]byte
	calls   map[string]int
	instead map[string][]http.HandlerFunc
	after   map[string][]Spoil
}

// batchAPI is how one of the two batch APIs looks from outside.
type batchAPI interface {
	// step names what a request asks for, with the id of what it is about; "": nothing.
	step(r *http.Request) (step, id string)
	create(s *Server, r *http.Request) (*ServerBatch, error)
	show(s *Server, b *ServerBatch, ended bool) any
	page(all []any, more bool) any
	cursor(r *http.Request) string
	line(s *Server, item, outcome string, body map[string]any) any
	// batchOf is the batch whose results have an id, and whether they are its
	// failures, where those are apart.
	batchOf(id string) (batch string, failures bool)
	split() bool // failures are apart
}

// Instead makes the coming calls of a step be answered by the handlers, one each,
// and nothing else happens.
func (s *Server) Instead(step string, handlers ...http.HandlerFunc) {
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	if s.batch.instead == nil {
		s.batch.instead = map[string][]http.HandlerFunc{}
	}
	s.batch.instead[step] = append(s.batch.instead[step], handlers...)
}

// After makes the coming calls of a step be done, and answered otherwise.
func (s *Server) After(step string, spoils ...Spoil) {
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	if s.batch.after == nil {
		s.batch.after = map[string][]Spoil{}
	}
	s.batch.after[step] = append(s.batch.after[step], spoils...)
}

// Calls is how often a step was asked for.
func (s *Server) Calls(step string) int {
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	return s.batch.calls[step]
}

// Batches are the batches so far, in order.
func (s *Server) Batches() []ServerBatch {
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	var out []ServerBatch
	for _, b := range s.batch.all {
		out = append(out, *b)
	}
	return out
}

// Lose answers nothing though everything was done.
func Lose(w http.ResponseWriter, r *http.Request, _ []byte) { BreakOff(w, r) }

// Cut sends the first half and says that it is all.
func Cut(w http.ResponseWriter, _ *http.Request, answer []byte) { w.Write(answer[:len(answer)/2]) }

// serveBatch answers what is about batches, and reports whether r was.
func (s *Server) serveBatch(w http.ResponseWriter, r *http.Request) bool {
	if s.api.batch == nil {
		return false
	}
	step, id := s.api.batch.step(r)
	if step == "" {
		return false
	}
	s.mu.Lock()
	s.keys = append(s.keys, s.api.key(r.Header))
	s.mu.Unlock()

	s.batch.mu.Lock()
	if s.batch.calls == nil {
		s.batch.calls, s.batch.files = map[string]int{}, map[string][]byte{}
	}
	s.batch.calls[step]++
	if next := s.batch.instead[step]; len(next) > 0 {
		s.batch.instead[step] = next[1:]
		s.batch.mu.Unlock()
		next[0](w, r)
		return true
	}
	var spoil Spoil
	if next := s.batch.after[step]; len(next) > 0 {
		spoil, s.batch.after[step] = next[0], next[1:]
	}
	done := httptest.NewRecorder()
	s.doStep(done, r, step, id)
	s.batch.mu.Unlock()
	if spoil != nil {
		spoil(w, r, done.Body.Bytes())
		return true
	}
	w.Header().Set("Content-Type", done.Header().Get("Content-Type"))
	w.WriteHeader(done.Code)
	w.Write(done.Body.Bytes())
	return true
}

func (s *Server) doStep(w http.ResponseWriter, r *http.Request, step, id string) {
	switch step {
	case StepUpload:
		data, err := upload(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		file := fmt.Sprint("file-", len(s.batch.files)+1)
		s.batch.files[file] = data
		send(w, map[string]any{"id": file, "object": "file", "purpose": "batch", "bytes": len(data), "filename": "x", "created_at": 1, "status": "processed"})
	case StepCreate:
		b, err := s.api.batch.create(s, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b.ID, b.created = fmt.Sprint("batch_", len(s.batch.all)+1), s.now()
		s.batch.all = append(s.batch.all, b)
		send(w, s.api.batch.show(s, b, false))
	case StepList:
		s.list(w, r)
	default:
		batch, failures := s.api.batch.batchOf(id)
		i := slices.IndexFunc(s.batch.all, func(b *ServerBatch) bool { return b.ID == batch })
		if i < 0 {
			Fail(http.StatusNotFound, `{"error":{"message":"no such batch"}}`)(w, r)
			return
		}
		b := s.batch.all[i]
		if step == StepResults {
			s.results(w, i+1, b, failures)
			return
		}
		b.polls++
		send(w, s.api.batch.show(s, b, b.polls > s.Batch.Polls))
	}
}

// list shows two batches at a time, the youngest first.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	cursor := s.api.batch.cursor(r)
	var page []any
	seen := cursor == ""
	for _, b := range slices.Backward(s.batch.all) {
		if seen && len(page) == 2 {
			send(w, s.api.batch.page(page, true))
			return
		}
		if seen {
			page = append(page, s.api.batch.show(s, b, b.polls > s.Batch.Polls))
		}
		seen = seen || b.ID == cursor
	}
	send(w, s.api.batch.page(page, false))
}

// results writes the lines of the n-th batch: failures alone, the rest alone, or
// with an API that has one file, both.
func (s *Server) results(w http.ResponseWriter, n int, b *ServerBatch, failures bool) {
	w.Header().Set("Content-Type", "application/octet-stream")
	encoder := json.NewEncoder(w)
	for i, body := range slices.Backward(b.Bodies) {
		outcome := ""
		if s.Batch.Outcome != nil {
			outcome = s.Batch.Outcome(n, lastText(body))
		}
		failed := outcome != "" && outcome != "twice"
		if outcome == "missing" || s.api.batch.split() && failed != failures {
			continue
		}
		line := s.api.batch.line(s, b.Items[i], outcome, body)
		encoder.Encode(line)
		if outcome == "twice" {
			encoder.Encode(line)
		}
	}
	for n := range s.Batch.Strangers {
		encoder.Encode(s.api.batch.line(s, fmt.Sprint("stranger-", n), "", map[string]any{"model": "m"}))
	}
}

func (s *Server) now() time.Time {
	if s.Batch.Now == nil {
		return time.Now()
	}
	return s.Batch.Now()
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func statusOf(outcome string) (int, bool) {
	n, err := strconv.Atoi(outcome)
	return n, err == nil
}

func upload(r *http.Request) ([]byte, error) {
	f, _, err := r.FormFile("file")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if r.FormValue("purpose") != "batch" {
		return nil, fmt.Errorf("purpose %q", r.FormValue("purpose"))
	}
	var out bytes.Buffer
	_, err = out.ReadFrom(f)
	return out.Bytes(), err
}
