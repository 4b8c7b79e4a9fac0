package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// world is a server with batches and a folder that outlives the programs on it.
// Everything happens in a bubble of time and without a network.
type world struct {
	*llmtest.Server
	flavour
	dir   string
	s     llm.Settings
	usage llm.Usage
	log   bytes.Buffer
}

// eachWorld runs a test against both APIs.
func eachWorld(t *testing.T, test func(t *testing.T, w *world)) {
	eachOf(t, chats, func(t *testing.T, f flavour, server *llmtest.Server) {
		w := &world{Server: server, flavour: f, dir: filepath.Join(t.TempDir(), "journal"), s: settings(f.provider, "m-1", server.URL)}
		w.s.Batch = true
		synctest.Test(t, func(t *testing.T) { test(t, w) })
	})
}

// program is a fresh provider on the world's journal.
func (w *world) program(t *testing.T) llm.Provider {
	t.Helper()
	p, err := llm.Open(w.s, func(string) string { return key }, llm.Options{
		Usage: &w.usage, Transport: w.Server, Journal: w.dir, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (w *world) ask(text string) pipeline.Request {
	req := llmtest.Request(w.provider, "m-1")
	req.Messages = []pipeline.Message{{Role: "user", Text: text}}
	return req
}

type result struct {
	reply pipeline.Reply
	err   error
}

// all asks everything at once and returns when everything is answered.
func (w *world) all(ctx context.Context, p llm.Provider, texts ...string) []result {
	out := make([]result, len(texts))
	var all sync.WaitGroup
	for i, text := range texts {
		all.Go(func() { out[i].reply, out[i].err = p.Complete(ctx, w.ask(text)) })
	}
	all.Wait()
	return out
}

// answered checks that everything was answered, each with its own.
func answered(t *testing.T, texts []string, results []result) {
	t.Helper()
	for i, r := range results {
		if r.err != nil || r.reply.Text != texts[i] {
			t.Errorf("%s: %q, %v", texts[i], r.reply.Text, r.err)
		}
	}
}

func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("question ", i)
	}
	return out
}

// sizes are the requests of every batch so far.
func (w *world) sizes() []int {
	var out []int
	for _, b := range w.Batches() {
		out = append(out, len(b.Items))
	}
	return out
}

// noted are the files in the journal.
func (w *world) noted(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBatchGathers(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.Batch.Polls = 10
		begun := time.Now()
		texts := numbered(50)
		answered(t, texts, w.all(t.Context(), w.program(t), texts...))
		if !slices.Equal(w.sizes(), []int{50}) {
			t.Errorf("batches of %v", w.sizes())
		}
		if took := time.Since(begun); took != 5*time.Second+10*30*time.Second {
			t.Errorf("took %s", took)
		}
		if len(w.noted(t)) != 0 {
			t.Errorf("the journal holds %v", w.noted(t))
		}
		if n := len(w.Bodies()); n != 0 {
			t.Errorf("%d requests outside a batch", n)
		}
	})
}

// Who comes within the wait puts the batch off; who comes later is in the next.
func TestBatchWaitsAfterTheLast(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.BatchWait = 10 * time.Second
		p := w.program(t)
		var all sync.WaitGroup
		for i, pause := range []int{0, 9, 9, 11, 5} {
			time.Sleep(time.Duration(pause) * time.Second)
			all.Go(func() { p.Complete(t.Context(), w.ask(fmt.Sprint(i))) })
		}
		all.Wait()
		if !slices.Equal(w.sizes(), []int{3, 2}) {
			t.Errorf("batches of %v", w.sizes())
		}
		// A steady trickle is cut after twenty waits.
		for i := range 60 {
			all.Go(func() { p.Complete(t.Context(), w.ask(fmt.Sprint("trickle ", i))) })
			time.Sleep(9 * time.Second)
		}
		all.Wait()
		if got := w.sizes()[2:]; !slices.Equal(got, []int{23, 23, 14}) {
			t.Errorf("a trickle made batches of %v", got)
		}
	})
}

func TestBatchIsBounded(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.BatchRequests = 4
		p := w.program(t)
		texts := numbered(10)
		answered(t, texts, w.all(t.Context(), p, texts...))
		if got := w.sizes(); !slices.Equal(slices.Sorted(slices.Values(got)), []int{2, 4, 4}) {
			t.Errorf("batches of %v", got)
		}
	})
}

func TestBatchOfEachModel(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		p := w.program(t)
		var all sync.WaitGroup
		for i := range 6 {
			req := w.ask("same")
			req.Model = fmt.Sprint("m-", i%2)
			req.MaxTokens += i
			all.Go(func() {
				if reply, err := p.Complete(t.Context(), req); err != nil || reply.Model != req.Model+"-0125" {
					t.Errorf("%+v, %v", reply, err)
				}
			})
		}
		all.Wait()
		for _, b := range w.Batches() {
			if len(b.Items) != 3 || b.Bodies[0]["model"] != b.Bodies[1]["model"] {
				t.Errorf("batch %v", b.Bodies)
			}
		}
	})
}

// The same request is the same on the wire, and the same reply comes back,
// whether it goes alone or in a batch.
func TestBatchAndNormalAreAlike(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.InputUSDPerMTok, w.s.OutputUSDPerMTok, w.s.BatchDiscount = 2, 4, 1
		seed, no := int64(3), false
		requests := []pipeline.Request{w.ask("plain"), w.ask("seeded"), w.ask("structured"), w.ask("a & b < c \u2028 \\ \"")}
		requests[1].Seed, requests[1].TopP = &seed, 0.5
		requests[2].SchemaName, requests[2].Schema = "x", json.RawMessage(llmtest.Schema)
		for _, structured := range []*bool{nil, &no} {
			w.s.Structured = structured
			for _, req := range requests {
				w.s.Batch = false
				alone, err := w.program(t).Complete(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				w.s.Batch = true
				together, err := w.program(t).Complete(t.Context(), req)
				if err != nil || together != alone {
					t.Errorf("%+v, %v, alone %+v", together, err, alone)
				}
				bodies, batches := w.Bodies(), w.Batches()
				if one, other := bodies[len(bodies)-1], batches[len(batches)-1].Bodies[0]; !reflect.DeepEqual(one, other) {
					t.Errorf("alone %v, in a batch %v", one, other)
				}
			}
		}
	})
}

// What happens to one request in a batch is told to its asker alone.
func TestBatchSingleFailures(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries = -1
		w.Batch.Strangers = 3
		w.Batch.Outcome = func(_ int, text string) string { return strings.TrimSpace(strings.TrimLeft(text, "0123456789")) }
		texts := []string{"1", "2 400", "3 401", "4 429", "5 500", "6 expired", "7 canceled", "8 missing", "9 twice", "10"}
		got := w.all(t.Context(), w.program(t), texts...)
		for i, want := range []struct {
			class pipeline.Class
			says  string // "": answered
		}{
			{}, {pipeline.Permanent, "the server says 400"}, {pipeline.Fatal, w.env + " was refused"}, {pipeline.Transient, "the server says 429"},
			{pipeline.Transient, "the server says 500"}, {pipeline.Transient, "expired before"}, {pipeline.Permanent, "canceled at the provider"},
			{pipeline.Transient, "say nothing of this request"}, {}, {},
		} {
			r := got[i]
			switch {
			case want.says == "" && (r.err != nil || r.reply.Text != texts[i]):
				t.Errorf("%s: %q, %v", texts[i], r.reply.Text, r.err)
			case want.says != "" && (r.err == nil || pipeline.ClassOf(r.err) != want.class || !strings.Contains(r.err.Error(), want.says)):
				t.Errorf("%s: %v of class %v, want %v: %s", texts[i], r.err, pipeline.ClassOf(r.err), want.class, want.says)
			}
		}
		if len(w.noted(t)) != 0 {
			t.Errorf("the journal holds %v", w.noted(t))
		}
		if n := w.Calls(llmtest.StepCreate); n != 1 {
			t.Errorf("%d batches", n)
		}
	})
}

// What expired is asked again in the next batch, as often as other requests are.
func TestBatchExpired(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries = 2
		w.Batch.Outcome = func(batch int, text string) string {
			if text == "never" || text == "late" && batch == 1 {
				return "expired"
			}
			return ""
		}
		got := w.all(t.Context(), w.program(t), "at once", "late", "never")
		answered(t, []string{"at once", "late"}, got[:2])
		if pipeline.ClassOf(got[2].err) != pipeline.Transient || !strings.Contains(got[2].err.Error(), "after 3 tries") {
			t.Errorf("never: %v", got[2].err)
		}
		if !slices.Equal(w.sizes(), []int{3, 2, 1}) {
			t.Errorf("batches of %v", w.sizes())
		}
	})
}

func TestBatchFates(t *testing.T) {
	for _, test := range []struct {
		fate  string
		class pipeline.Class
		says  string
	}{
		{"expired", pipeline.Transient, "expired"},
		{"canceled", pipeline.Permanent, "canceled"},
		{"failed:token_limit_exceeded", pipeline.Transient, "refused"},
		{"failed:model_not_found", pipeline.Permanent, "the server says model_not_found"},
		{"failed:bad_line:99", pipeline.Transient, "other requests"},
		{"failed:bad_line:1", pipeline.Permanent, "the server says bad_line"},
	} {
		w := &world{Server: llmtest.OpenAI(t), flavour: flavours[0], dir: t.TempDir()}
		w.s = settings("openai", "m-1", w.URL)
		w.s.Batch, w.s.MaxRetries = true, -1
		w.Batch.Fate = test.fate
		w.Batch.Outcome = func(int, string) string { return "missing" }
		synctest.Test(t, func(t *testing.T) {
			_, err := w.program(t).Complete(t.Context(), w.ask("x"))
			if pipeline.ClassOf(err) != test.class || err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v of class %v", test.fate, err, pipeline.ClassOf(err))
			}
			if len(w.noted(t)) != 0 {
				t.Errorf("%s: the journal holds %v", test.fate, w.noted(t))
			}
		})
	}
}

// A batch that is paid for is waited for through whatever passes.
func TestBatchPollingFails(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries = -1
		w.Instead(llmtest.StepGet, llmtest.Fail(429, `{"error":{"message":"slow down"}}`, "Retry-After", "120"), llmtest.Fail(500, ""), llmtest.Fail(502, "<html>"),
			llmtest.BreakOff, llmtest.Fail(200, `{"id":`))
		begun := time.Now()
		texts := numbered(3)
		answered(t, texts, w.all(t.Context(), w.program(t), texts...))
		if took := time.Since(begun); took != 5*time.Second+120*time.Second+4*30*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestBatchResultsBreakOff(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries = -1
		w.Instead(llmtest.StepResults, llmtest.Fail(503, ""), llmtest.BreakOff)
		w.After(llmtest.StepResults, llmtest.Cut, llmtest.Lose)
		texts := numbered(9)
		answered(t, texts, w.all(t.Context(), w.program(t), texts...))
		if len(w.Batches()) != 1 || len(w.noted(t)) != 0 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
	})
}

// Answers that cannot be read now may be another day: they are paid for.
func TestBatchResultsStayBroken(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		for range 5 {
			w.Instead(llmtest.StepResults, llmtest.Fail(503, `{"error":{"message":"storage is down"}}`))
		}
		_, err := w.program(t).Complete(t.Context(), w.ask("x"))
		if pipeline.ClassOf(err) != pipeline.Permanent || !strings.Contains(err.Error(), "storage is down") || !strings.Contains(err.Error(), `"batch_1"`) {
			t.Errorf("%v of class %v", err, pipeline.ClassOf(err))
		}
		if len(w.noted(t)) != 1 || !strings.Contains(err.Error(), w.noted(t)[0]) {
			t.Errorf("the journal holds %v", w.noted(t))
		}
		answered(t, []string{"x"}, w.all(t.Context(), w.program(t), "x"))
		if len(w.Batches()) != 1 || len(w.noted(t)) != 0 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
	})
}

func TestBatchTakesTooLong(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.BatchPoll = time.Hour
		w.Batch.Polls = 30
		begun := time.Now()
		_, err := w.program(t).Complete(t.Context(), w.ask("x"))
		if pipeline.ClassOf(err) != pipeline.Permanent || !strings.Contains(err.Error(), "not ended 26h0m0s after") {
			t.Errorf("%v of class %v", err, pipeline.ClassOf(err))
		}
		if took := time.Since(begun); took != 5*time.Second+26*time.Hour {
			t.Errorf("took %s", took)
		}
		w.Batch.Polls = 0
		answered(t, []string{"x"}, w.all(t.Context(), w.program(t), "x"))
		if len(w.Batches()) != 1 {
			t.Errorf("%d batches", len(w.Batches()))
		}
	})
}

// A request nobody can answer is refused before it is in a batch.
func TestBatchBadRequest(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		req := w.ask("x")
		req.MaxTokens = 0
		if _, err := w.program(t).Complete(t.Context(), req); pipeline.ClassOf(err) != pipeline.Permanent || err == nil || w.Calls(llmtest.StepCreate) != 0 {
			t.Errorf("%v", err)
		}
	})
}

func TestBatchIsRefused(t *testing.T) {
	for _, test := range []struct {
		answer int
		class  pipeline.Class
		calls  int // with one retry allowed
		says   string
	}{
		{400, pipeline.Permanent, 1, "the words"},
		{401, pipeline.Fatal, 1, "was refused"},
		{429, pipeline.Transient, 2, "the words"},
		{503, pipeline.Transient, 2, "the words"},
	} {
		eachWorld(t, func(t *testing.T, w *world) {
			w.s.MaxRetries, w.s.BudgetTokens = 1, 1000
			no := llmtest.Fail(test.answer, `{"error":{"message":"the words"}}`)
			w.Instead(llmtest.StepCreate, slices.Repeat([]http.HandlerFunc{no}, test.calls)...)
			p := w.program(t)
			for _, r := range w.all(t.Context(), p, numbered(4)...) {
				if pipeline.ClassOf(r.err) != test.class || r.err == nil || !strings.Contains(r.err.Error(), test.says) {
					t.Errorf("%d: %v of class %v", test.answer, r.err, pipeline.ClassOf(r.err))
				}
			}
			if n := w.Calls(llmtest.StepCreate); n != test.calls || len(w.noted(t)) != 0 {
				t.Errorf("%d: %d calls, the journal holds %v", test.answer, n, w.noted(t))
			}
			texts := numbered(4) // nothing is booked for what never was: the budget takes four, and no more
			answered(t, texts, w.all(t.Context(), p, texts...))
		})
	}
}

func TestBatchesUnknownToTheServer(t *testing.T) {
	w := &world{Server: llmtest.OpenAI(t), flavour: flavours[0], dir: t.TempDir()}
	w.s = settings("openai", "m-1", w.URL)
	w.s.Batch = true
	w.Instead(llmtest.StepUpload, llmtest.Fail(404, "page not found"))
	synctest.Test(t, func(t *testing.T) {
		_, err := w.program(t).Complete(t.Context(), w.ask("x"))
		if pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "`batch: false`") {
			t.Errorf("%v of class %v", err, pipeline.ClassOf(err))
		}
	})
}

// One asker leaves; the batch and the others go on, and the answer stays.
func TestBatchOneLeaves(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.Batch.Polls = 100
		p := w.program(t)
		ctx, cancel := context.WithCancel(t.Context())
		var gone, stays result
		var all sync.WaitGroup
		all.Go(func() { gone.reply, gone.err = p.Complete(ctx, w.ask("gone")) })
		all.Go(func() { stays.reply, stays.err = p.Complete(t.Context(), w.ask("stays")) })
		time.Sleep(time.Minute)
		cancel()
		synctest.Wait()
		if pipeline.ClassOf(gone.err) != pipeline.Canceled {
			t.Errorf("%v of class %v", gone.err, pipeline.ClassOf(gone.err))
		}
		all.Wait()
		answered(t, []string{"stays"}, []result{stays})
		if len(w.noted(t)) == 0 {
			t.Error("the journal forgot an answer nobody took")
		}
		answered(t, []string{"gone"}, w.all(t.Context(), p, "gone"))
		if !slices.Equal(w.sizes(), []int{2}) || len(w.noted(t)) != 0 {
			t.Errorf("batches of %v, the journal holds %v", w.sizes(), w.noted(t))
		}
	})
}

// Who leaves while a batch gathers is not in it; an empty batch is none.
func TestBatchLeftBeforeItIsSubmitted(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		p := w.program(t)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		go p.Complete(ctx, w.ask("gone"))
		answered(t, []string{"stays"}, w.all(t.Context(), p, "stays"))
		ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		w.all(ctx, p, "gone", "a", "b")
		time.Sleep(time.Hour)
		if !slices.Equal(w.sizes(), []int{1}) || len(w.noted(t)) != 0 {
			t.Errorf("batches of %v, the journal holds %v", w.sizes(), w.noted(t))
		}
		answered(t, []string{"gone", "new"}, w.all(t.Context(), p, "gone", "new"))
		if !slices.Equal(w.sizes(), []int{1, 2}) {
			t.Errorf("batches of %v", w.sizes())
		}
	})
}

// Who leaves a batch that was submitted may have to pay; who leaves before does not.
func TestBatchLeaversPay(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.BudgetTokens = 100 // room for the worst of one
		w.Batch.Polls = 100
		p := w.program(t)
		for i, after := range []time.Duration{time.Second, time.Minute} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			if r := w.all(ctx, p, fmt.Sprint("question ", i))[0]; r.err == nil || pipeline.ClassOf(r.err) == pipeline.Fatal {
				t.Fatalf("left after %s: %v", after, r.err)
			}
		}
		if r := w.all(t.Context(), p, "question 2")[0]; pipeline.ClassOf(r.err) != pipeline.Fatal {
			t.Errorf("nothing was booked: %+v, %v", r.reply, r.err)
		}
	})
}

// The key is in no file, no error and no log, wherever the server puts it.
func TestBatchKeepsTheKey(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries = -1
		echo := llmtest.Fail(500, `{"error":{"message":"bad key `+key+`"}}`)
		var seen []string
		try := func() {
			for _, r := range w.all(t.Context(), w.program(t), "x", key) {
				seen = append(seen, fmt.Sprintf("%+v %v", r.reply, r.err))
			}
			for _, f := range w.noted(t) {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				seen = append(seen, f, string(data))
			}
		}
		w.Instead(llmtest.StepUpload, llmtest.Fail(400, `{"error":{"message":"`+key+`"}}`))
		w.Instead(llmtest.StepCreate, echo)
		w.Instead(llmtest.StepList, echo)
		try()
		w.Instead(llmtest.StepCreate, llmtest.Fail(200, `{"id":"`+key+`"}`))
		try()
		w.Instead(llmtest.StepGet, echo)
		w.Instead(llmtest.StepResults, echo, echo, llmtest.Fail(200, `{"custom_id":"`+key+`"`))
		w.Batch.Fate = "failed:" + key
		try()
		w.Batch.Fate = ""
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		w.Batch.Polls = 99
		w.all(ctx, w.program(t), key)
		try()
		all := strings.Join(seen, "\n") + w.log.String()
		if strings.Contains(all, key) || !strings.Contains(all, "[redacted]") {
			t.Errorf("the key is seen, or nothing was hidden:\n%s", all)
		}
	})
}
