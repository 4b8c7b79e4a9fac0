package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

func open(t *testing.T) *Ledger {
	return Open(filepath.Join(t.TempDir(), "ledger"), t.TempDir())
}

func record(t testing.TB, what, text string) *Record {
	t.Helper()
	key, err := Key(KindLLM, pipeline.Request{Model: what})
	if err != nil {
		t.Fatal(err)
	}
	return &Record{Kind: KindLLM, Key: key, What: what, Request: json.RawMessage(`{"model": "x"}`), Reply: &pipeline.Reply{Text: text}}
}

func put(t *testing.T, l *Ledger, r *Record) *Record {
	t.Helper()
	got, err := l.Put(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPutGet(t *testing.T) {
	l := open(t)
	r := record(t, "a", "hello\n\"you\"")
	if _, ok, err := l.Get(KindLLM, r.Key); ok || err != nil {
		t.Errorf("an empty ledger answers: %v", err)
	}
	put(t, l, r)
	got, ok, err := l.Get(KindLLM, r.Key)
	if err != nil || !ok || got.What != "a" || *got.Reply != *r.Reply || got.Format != Format {
		t.Errorf("%+v, %v", got, err)
	}
	if _, ok, _ := l.Get(KindFetch, r.Key); ok {
		t.Error("of another kind")
	}
	// Who was first holds.
	if held := put(t, l, record(t, "a", "other")); held.Reply.Text != r.Reply.Text {
		t.Errorf("%q holds", held.Reply.Text)
	}
}

// Whatever is in a file, a damaged record is absent and can be recorded again.
func TestDamaged(t *testing.T) {
	l := open(t)
	r := record(t, "a", "hello")
	put(t, l, r)
	path := l.path(KindLLM, r.Key)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	another := strings.Replace(string(whole), string(r.Key), string(digest.Of(nil)), 1)
	for _, data := range []string{"", "null", "{}", "[", string(whole[:len(whole)/2]), another,
		strings.Replace(string(whole), `"format": 1`, `"format": 2`, 1), strings.Replace(string(whole), `"kind": "llm"`, `"kind": "fetch"`, 1)} {
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := l.Get(KindLLM, r.Key); ok || err != nil {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
		put(t, l, r)
		if _, ok, _ := l.Get(KindLLM, r.Key); !ok {
			t.Errorf("%q: not recorded again", data)
		}
	}
}

func line(t testing.TB, r *Record) string {
	t.Helper()
	r.Format = Format
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestShip(t *testing.T) {
	l := open(t)
	a, b := record(t, "a", "shipped a"), record(t, "b", "shipped b")
	if err := l.Ship("x.jsonl", []byte(line(t, a)+"\n\n  \n"+line(t, b))); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Record{a, b} {
		if got, ok, err := l.Get(KindLLM, r.Key); !ok || err != nil || got.Reply.Text != r.Reply.Text {
			t.Errorf("%+v, %v", got, err)
		}
		if _, ok, _ := l.Get(KindFetch, r.Key); ok {
			t.Error("of another kind")
		}
	}
	if held := put(t, l, record(t, "a", "fresh")); held.Reply.Text != "shipped a" {
		t.Errorf("%q holds", held.Reply.Text)
	}
	if err := l.Walk(func(r *Record) error { return fmt.Errorf("walked over %s", r.What) }); err != nil {
		t.Error(err)
	}
}

func TestShipErrors(t *testing.T) {
	good := line(t, record(t, "a", "x"))
	for name, test := range map[string]struct{ text, says string }{
		"not json":      {good + "\n{\n", "x.jsonl:2: "},
		"newer format":  {"\n\n" + strings.Replace(good, `"format":1`, `"format":2`, 1), "x.jsonl:3: record of format 2"},
		"no key":        {`{"format":1,"kind":"llm","reply":{}}`, "x.jsonl:1: "},
		"no answer":     {strings.Replace(good, `"reply"`, `"replied"`, 1), "x.jsonl:1: record without an answer"},
		"too long":      {good + "\n" + strings.Repeat(" ", 17<<20), "x.jsonl:2: "},
		"second answer": {good + "\n" + line(t, record(t, "a", "y")), "x.jsonl:2: another answer to a"},
	} {
		if err := open(t).Ship("x.jsonl", []byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := open(t).Ship("x.jsonl", []byte(good+"\n"+good)); err != nil {
		t.Errorf("the same answer twice: %v", err)
	}
}

func TestWalk(t *testing.T) {
	l := open(t)
	if err := l.Walk(func(*Record) error { return errors.New("an empty ledger has a record") }); err != nil {
		t.Error(err)
	}
	var want, got []digest.Digest
	for i := range 20 {
		r := record(t, fmt.Sprint(i), "x")
		put(t, l, r)
		want = append(want, r.Key)
	}
	slices.Sort(want)
	if err := os.WriteFile(filepath.Join(l.dir, "junk.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := l.Walk(func(r *Record) error { got = append(got, r.Key); return nil }); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// All who record at once go on with one answer.
func TestConcurrent(t *testing.T) {
	l := open(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				if _, err := l.Put(record(t, fmt.Sprint(j), fmt.Sprint("answer of ", j))); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
	for j := range 10 {
		r := record(t, fmt.Sprint(j), "")
		if got, ok, err := l.Get(KindLLM, r.Key); !ok || err != nil || got.Reply.Text != fmt.Sprint("answer of ", j) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// Everything in a request is in its key, and keys are for good.
func TestKey(t *testing.T) {
	seed := int64(1)
	base := pipeline.Request{Provider: "p", Model: "m", System: "s", Messages: []pipeline.Message{{Role: "user", Text: "x"}}, Temperature: 0.2, TopP: 1,
		MaxTokens: 5, Seed: &seed, SchemaName: "n", Schema: json.RawMessage("{}"), Template: "t/1", Subject: map[string]string{"code": "c"}}
	key := func(r pipeline.Request) digest.Digest {
		k, err := Key(KindLLM, r)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const want = "sha256:8c39a6579dbd0ebf2e4fa9aa68c4fb88cd57702a4a4d78dd43e596d30749b1db"
	if got := key(base); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	seen := map[digest.Digest]int{key(base): -1}
	for i, change := range []func(r *pipeline.Request){
		func(r *pipeline.Request) { r.Provider = "q" }, func(r *pipeline.Request) { r.Model = "n" },
		func(r *pipeline.Request) { r.System = "" }, func(r *pipeline.Request) { r.Messages = nil },
		func(r *pipeline.Request) { r.Messages = []pipeline.Message{{Role: "assistant", Text: "x"}} },
		func(r *pipeline.Request) { r.Messages = []pipeline.Message{{Role: "user", Text: "y"}} },
		func(r *pipeline.Request) { r.Temperature = 0.3 }, func(r *pipeline.Request) { r.TopP = 0.5 },
		func(r *pipeline.Request) { r.MaxTokens = 6 }, func(r *pipeline.Request) { r.Seed = nil },
		func(r *pipeline.Request) { r.SchemaName = "" }, func(r *pipeline.Request) { r.Schema = nil },
		func(r *pipeline.Request) { r.Template = "t/2" }, func(r *pipeline.Request) { r.Subject = map[string]string{"code": "d"} },
		func(r *pipeline.Request) { r.Subject = map[string]string{"path": "c"} },
		func(r *pipeline.Request) { r.Stop = []string{"\n"} },
	} {
		r := base
		change(&r)
		if j, ok := seen[key(r)]; ok {
			t.Errorf("changes %d and %d have one key", i, j)
		}
		seen[key(r)] = i
	}
	if fetch, _ := Key(KindFetch, base); fetch == key(base) {
		t.Error("the kind is not in the key")
	}
}

// FuzzShip: nothing panics, errors name the line, and what was accepted is found.
func FuzzShip(f *testing.F) {
	f.Add([]byte(line(f, record(f, "a", "x"))))
	f.Add([]byte("\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := Open("nowhere", "nowhere")
		if err := l.Ship("x.jsonl", data); err != nil {
			if !strings.HasPrefix(err.Error(), "x.jsonl:") {
				t.Errorf("%v does not name the line", err)
			}
			return
		}
		for key, r := range l.shipped {
			if got, ok, err := l.Get(r.Kind, key); err != nil || !ok || got != r {
				if !strings.ContainsAny(r.Kind, "\x00/\\.") { // no kind of ours
					t.Errorf("%+v is not found: %v", r, err)
				}
			}
		}
	})
}

// What a program came to is an answer like another.
func TestOutcome(t *testing.T) {
	l := open(t)
	key, err := Key(KindJob, "job")
	if err != nil {
		t.Fatal(err)
	}
	want := pipeline.Outcome{Exit: 3, Stdout: "a", Stopped: pipeline.StoppedTime}
	if _, err := l.Put(&Record{Kind: KindJob, Key: key, Outcome: &want}); err != nil {
		t.Fatal(err)
	}
	if r, ok, err := l.Get(KindJob, key); err != nil || !ok || !reflect.DeepEqual(*r.Outcome, want) {
		t.Errorf("%+v, %v, %v", r, ok, err)
	}
	// The first outcome counts, in one process and in another.
	if r, err := l.Put(&Record{Kind: KindJob, Key: key, Outcome: &pipeline.Outcome{Exit: 4}}); err != nil || !reflect.DeepEqual(*r.Outcome, want) {
		t.Errorf("%+v, %v", r, err)
	}
	line := `{"format":1,"kind":"job","key":"` + string(key) + `","outcome":{"exit":%d}}` + "\n"
	if err := l.Ship("shipped", []byte(fmt.Sprintf(line+line, 1, 1))); err != nil {
		t.Errorf("the same outcome twice: %v", err)
	}
	if err := l.Ship("shipped", []byte(fmt.Sprintf(line, 2))); err == nil {
		t.Error("two outcomes of one job")
	}
}
