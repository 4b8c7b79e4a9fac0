package llm_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// killed is the journal as a program killed right now leaves it.
func (w *world) killed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// However a program ends, the next one pays for nothing again: its requests are
// asked once, in one batch, and then the journal is empty.
func TestPromise3BatchSurvivesKill(t *testing.T) {
	for name, test := range map[string]struct {
		polls int
		kill  func(t *testing.T, w *world, die func())
	}{
		"before the submission": {0, func(t *testing.T, w *world, die func()) {
			w.Instead(llmtest.StepCreate, func(rw http.ResponseWriter, r *http.Request) { die(); llmtest.Hang(rw, r) })
		}},
		"before the name came": {0, func(t *testing.T, w *world, die func()) {
			w.After(llmtest.StepCreate, func(rw http.ResponseWriter, r *http.Request, _ []byte) { die(); llmtest.Hang(rw, r) })
		}},
		"before the name came, and the batch has ended": {-1, func(t *testing.T, w *world, die func()) {
			w.After(llmtest.StepCreate, func(rw http.ResponseWriter, r *http.Request, _ []byte) { die(); llmtest.Hang(rw, r) })
		}},
		"while it waits": {9, func(t *testing.T, w *world, die func()) {
			w.Instead(llmtest.StepGet, llmtest.Fail(500, ""), func(rw http.ResponseWriter, r *http.Request) { die(); llmtest.Hang(rw, r) })
		}},
		"while it reads": {0, func(t *testing.T, w *world, die func()) {
			w.After(llmtest.StepResults, func(rw http.ResponseWriter, r *http.Request, answer []byte) { die(); llmtest.Cut(rw, r, answer) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				w.Batch.Polls = test.polls
				ctx, cancel := context.WithCancel(t.Context())
				var left string
				test.kill(t, w, func() {
					left = w.killed(t)
					cancel()
				})
				texts := numbered(5)
				w.all(ctx, w.program(t), texts...)
				synctest.Wait()
				if left == "" {
					t.Fatal("lived on")
				}
				// The one that ran on after it was canceled left the same behind as the one
				// that was killed at once, or less.
				w.dir = left
				time.Sleep(time.Hour)
				answered(t, texts, w.all(t.Context(), w.program(t), texts...))
				if !slices.Equal(w.sizes(), []int{5}) || len(w.noted(t)) != 0 {
					t.Errorf("batches of %v, the journal holds %v", w.sizes(), w.noted(t))
				}
			})
		})
	}
}

// An answer that was handed out and not kept is handed out again.
func TestBatchReceipt(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, receipt := llm.WithReceipt(t.Context())
		p := w.program(t)
		answered(t, []string{"x"}, w.all(ctx, p, "x"))
		answered(t, []string{"x"}, w.all(t.Context(), w.program(t), "x")) // by another program
		if len(w.noted(t)) != 0 {
			t.Errorf("the journal holds %v", w.noted(t))
		}
		receipt.Sign()
		receipt.Sign()

		ctx, receipt = llm.WithReceipt(t.Context())
		answered(t, []string{"y"}, w.all(ctx, p, "y"))
		if len(w.noted(t)) == 0 {
			t.Error("the journal forgot an answer nobody kept")
		}
		receipt.Sign()
		if len(w.noted(t)) != 0 || len(w.Batches()) != 2 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
	})
}

// Answers nobody asks for stay until the provider deletes them.
func TestBatchExpiryOfTheJournal(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, _ := llm.WithReceipt(t.Context())
		w.all(ctx, w.program(t), "x", "y")
		time.Sleep(28 * 24 * time.Hour)
		answered(t, []string{"x"}, w.all(t.Context(), w.program(t), "x"))
		if len(w.Batches()) != 1 || len(w.noted(t)) != 2 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
		// What was taken may be asked anew; what was not is still there.
		answered(t, []string{"x"}, w.all(t.Context(), w.program(t), "x"))
		if len(w.Batches()) != 2 || len(w.noted(t)) != 2 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
		time.Sleep(2 * 24 * time.Hour)
		answered(t, []string{"y"}, w.all(t.Context(), w.program(t), "y"))
		if len(w.Batches()) != 3 || len(w.noted(t)) != 0 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
	})
}

// A submission whose answer is lost is looked for before it is made again.
func TestBatchSubmissionInDoubt(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.MaxRetries, w.s.BudgetTokens = 1, 280 // room for the worst of three, once
		p := w.program(t)
		texts := numbered(3)
		w.After(llmtest.StepCreate, llmtest.Lose)
		w.Instead(llmtest.StepList, llmtest.Fail(500, ""), llmtest.Fail(429, ""))
		answered(t, texts, w.all(t.Context(), p, texts...))
		if !slices.Equal(w.sizes(), []int{3}) {
			t.Errorf("batches of %v", w.sizes())
		}
		w.Instead(llmtest.StepCreate, llmtest.Fail(502, "<html>")) // nothing was made
		texts = []string{"a", "b"}
		answered(t, texts, w.all(t.Context(), p, texts...))
		if !slices.Equal(w.sizes(), []int{3, 2}) || len(w.noted(t)) != 0 {
			t.Errorf("batches of %v, the journal holds %v", w.sizes(), w.noted(t))
		}
	})
}

// Another's batch of the same size and hour may be taken for the one that was
// looked for, but its answers are not, and ours is asked then.
func TestBatchOfSomebodyElse(t *testing.T) {
	for _, polls := range []int{-1, 3} { // it has ended, or is under way
		eachWorld(t, func(t *testing.T, w *world) {
			w.s.MaxRetries = -1
			ctx, cancel := context.WithCancel(t.Context())
			w.Instead(llmtest.StepCreate, func(rw http.ResponseWriter, r *http.Request) { cancel(); llmtest.Hang(rw, r) })
			w.all(ctx, w.program(t), "ours", "too")
			synctest.Wait()
			if len(w.noted(t)) != 1 {
				t.Fatalf("the journal holds %v", w.noted(t))
			}
			w.Batch.Polls = polls
			ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			ours := w.dir
			w.dir = ""
			w.all(ctx, w.program(t), "theirs", "as well")
			w.dir = ours
			texts := []string{"ours", "too"}
			answered(t, texts, w.all(t.Context(), w.program(t), texts...))
			if !slices.Equal(w.sizes(), []int{2, 2}) || len(w.noted(t)) != 0 {
				t.Errorf("batches of %v, the journal holds %v", w.sizes(), w.noted(t))
			}
		})
	}
}

// A batch of another server is not waited for here.
func TestBatchOfAnotherHost(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, _ := llm.WithReceipt(t.Context())
		w.all(ctx, w.program(t), "x")
		w.s.BaseURL = strings.Replace(w.s.BaseURL, "127.0.0.1", "localhost", 1)
		w.all(t.Context(), w.program(t), "x")
		if len(w.Batches()) != 2 || len(w.noted(t)) != 1 {
			t.Errorf("%d batches, the journal holds %v", len(w.Batches()), w.noted(t))
		}
	})
}

func TestBatchDeletedAtTheProvider(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.Instead(llmtest.StepGet, llmtest.Fail(404, `{"error":{"message":"gone"}}`))
		_, err := w.program(t).Complete(t.Context(), w.ask("x"))
		if pipeline.ClassOf(err) != pipeline.Fatal || len(w.noted(t)) != 1 || !strings.Contains(err.Error(), w.noted(t)[0]) {
			t.Errorf("%v of class %v, the journal holds %v", err, pipeline.ClassOf(err), w.noted(t))
		}
	})
}

func TestBatchJournalCannotBeUsed(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		if err := os.WriteFile(w.dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		check := func(name string) {
			t.Helper()
			_, err := w.program(t).Complete(t.Context(), w.ask("x"))
			if pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), name) || len(w.Batches()) != 0 {
				t.Errorf("%v of class %v, %d batches", err, pipeline.ClassOf(err), len(w.Batches()))
			}
		}
		check(w.dir)
		os.Remove(w.dir)
		damaged := filepath.Join(w.dir, "0123456789abcdef0123.json")
		os.Mkdir(w.dir, 0o755)
		if err := os.WriteFile(damaged, []byte(`{"format":1,`), 0o600); err != nil {
			t.Fatal(err)
		}
		check(damaged)
	})
}

// Requests are in a batch only when the budget has room for the worst of them,
// what comes back is booked as it was, and batches cost their share of the price.
func TestBatchBudget(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		// At worst a request takes 93 tokens, and in truth 18: two fit, then one at a
		// time while what is left is not below 93.
		w.s.BudgetTokens = 200
		w.s.InputUSDPerMTok, w.s.OutputUSDPerMTok = 2, 4
		done, refused := 0, 0
		for _, r := range w.all(t.Context(), w.program(t), numbered(10)...) {
			switch {
			case r.err == nil && r.reply.CostMicroUSD == 25: // 11 + 2*7
				done++
			case pipeline.ClassOf(r.err) == pipeline.Fatal && strings.Contains(r.err.Error(), "budget of 200 tokens"):
				refused++
			default:
				t.Errorf("%+v, %v", r.reply, r.err)
			}
		}
		if done != 6 || refused != 4 || !slices.Equal(w.sizes(), []int{2, 1, 1, 1, 1}) {
			t.Errorf("%d answered, %d refused, in batches of %v", done, refused, w.sizes())
		}
		want := []llm.ModelUsage{{Provider: w.provider, Model: "m-1", Requests: 6, InputTokens: 66, OutputTokens: 42, CostMicroUSD: 150}}
		if got := w.usage.Models(); !slices.Equal(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		// 93 tokens cost at worst 29 + 2*64 = 157 millionths in a batch, twice that outside.
		w.s.BudgetTokens, w.s.BudgetUSD = 0, 0.000157
		answered(t, []string{"question 0"}, w.all(t.Context(), w.program(t), "question 0"))
		w.s.BudgetUSD = 0.000156
		if r := w.all(t.Context(), w.program(t), "question 1")[0]; pipeline.ClassOf(r.err) != pipeline.Fatal {
			t.Errorf("%+v, %v", r.reply, r.err)
		}
	})
}

// Rates and concurrency hold nobody back who only waits for a batch.
func TestBatchKnowsNoRates(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.s.Concurrency, w.s.RequestsPerMinute, w.s.TokensPerMinute = 1, 1, 1
		texts := numbered(2000)
		begun := time.Now()
		answered(t, texts, w.all(t.Context(), w.program(t), texts...))
		if took := time.Since(begun); took > time.Minute || !slices.Equal(w.sizes(), []int{2000}) {
			t.Errorf("took %s, batches of %v", took, w.sizes())
		}
	})
}
