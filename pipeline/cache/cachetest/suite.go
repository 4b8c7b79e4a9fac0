package cachetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
)

// Spoiled is a way in which a kept entry can be wrong.
type Spoiled int

// Ways an entry is spoiled.
const (
	Damaged   Spoiled = iota // its bytes are not what was written
	Newer                    // a newer version of the program wrote it
	Elsewhere                // it is whole, but the entry of another key
)

// Spoiler is a cache under test that can spoil an entry in place. A cache
// without it is not tested for that.
type Spoiler interface {
	Spoil(key digest.Digest, how Spoiled) error
}

// Entry makes an entry whose key and rows are digests of the given words.
func Entry(key, rows string) *cache.Entry {
	return &cache.Entry{
		Key: digest.Of([]byte(key)), Stage: "test.stage", Partition: "a/b@" + key,
		Outputs: map[string]artifacts.TableInfo{
			"out": {Object: digest.Of([]byte("object " + rows)), Rows: 3, RowsDigest: digest.Of([]byte(rows)), Bytes: 7},
			"too": {Object: digest.Of([]byte("too")), Rows: 1, RowsDigest: digest.Of([]byte("too")), Bytes: 5},
		},
		Dropped: artifacts.TableInfo{Object: digest.Of([]byte("none")), RowsDigest: digest.Of([]byte("none"))},
		Account: cache.Account{
			In: map[string]int64{"in": 4}, Out: map[string]int64{"out": 3, "too": 1},
			Drops: []cache.Drop{{Table: "in", Reason: "because", Rows: 1}},
			Notes: map[string]int64{"note": 2},
			Usage: []cache.Usage{{Provider: "p", Model: "m", Origin: "model", Requests: 1, InputTokens: 2, OutputTokens: 3, CostMicroUSD: 4}},
		},
		Ingredients: []string{"stage=test.stage/1", "config a=\"b\"\n"},
	}
}

// Run tests that the caches open returns keep the contract. Each call of open
// makes a new and empty cache.
func Run(t *testing.T, open func(t *testing.T) cache.Cache) {
	tests := []struct {
		name string
		run  func(t *testing.T, c cache.Cache)
	}{
		{"round trip", roundTrip},
		{"absent", absent},
		{"put again", putAgain},
		{"conflict", conflict},
		{"conflict of drops", conflictOfDrops},
		{"same rows in another file", otherBytes},
		{"remove", remove},
		{"walk", walk},
		{"walk stops", walkStops},
		{"spoiled", spoiled},
		{"entries are copies", copies},
		{"concurrent puts", concurrentPuts},
		{"concurrent conflict", concurrentConflict},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func put(t *testing.T, c cache.Cache, e *cache.Entry) {
	t.Helper()
	if err := c.Put(e); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, c cache.Cache, key string) *cache.Entry {
	t.Helper()
	e, ok, err := c.Get(digest.Of([]byte(key)))
	if err != nil {
		t.Fatal(err)
	}
	if ok != (e != nil) {
		t.Fatalf("Get: %v and %v", e, ok)
	}
	return e
}

func roundTrip(t *testing.T, c cache.Cache) {
	want := Entry("a", "1")
	put(t, c, want)
	got := get(t, c, "a")
	want.Format = cache.Format
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
}

func absent(t *testing.T, c cache.Cache) {
	if e := get(t, c, "a"); e != nil {
		t.Errorf("an empty cache has %+v", e)
	}
	put(t, c, Entry("b", "1"))
	if e := get(t, c, "a"); e != nil {
		t.Errorf("of another key: %+v", e)
	}
}

func putAgain(t *testing.T, c cache.Cache) {
	put(t, c, Entry("a", "1"))
	put(t, c, Entry("a", "1"))
	if e := get(t, c, "a"); e == nil || e.Outputs["out"] != Entry("a", "1").Outputs["out"] {
		t.Errorf("%+v", e)
	}
}

func conflict(t *testing.T, c cache.Cache) {
	old, other := Entry("a", "1"), Entry("a", "2")
	put(t, c, old)
	var got *cache.ConflictError
	if err := c.Put(other); !errors.As(err, &got) {
		t.Fatalf("another binding: %v, not a ConflictError", err)
	}
	want := cache.ConflictError{
		Key: old.Key, Stage: old.Stage, Partition: old.Partition, Port: "out",
		Old: old.Outputs["out"].RowsDigest, New: other.Outputs["out"].RowsDigest,
	}
	if *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	if e := get(t, c, "a"); e == nil || e.Outputs["out"] != old.Outputs["out"] {
		t.Errorf("the conflict changed the binding to %+v", e)
	}
}

func conflictOfDrops(t *testing.T, c cache.Cache) {
	put(t, c, Entry("a", "1"))
	other := Entry("a", "1")
	other.Dropped.RowsDigest = digest.Of([]byte("some"))
	var got *cache.ConflictError
	if err := c.Put(other); !errors.As(err, &got) {
		t.Fatalf("the same rows with other drops: %v, not a ConflictError", err)
	}
	if got.Port != cache.Drops {
		t.Errorf("it names %q", got.Port)
	}
}

// A table may be written anew in another file layout: its rows are the same.
func otherBytes(t *testing.T, c cache.Cache) {
	put(t, c, Entry("a", "1"))
	again := Entry("a", "1")
	info := again.Outputs["out"]
	info.Object, info.Bytes = digest.Of([]byte("smaller")), 2
	again.Outputs["out"] = info
	put(t, c, again)
	if e := get(t, c, "a"); e == nil || e.Outputs["out"] != info {
		t.Errorf("the new file is not known: %+v", e)
	}
}

func remove(t *testing.T, c cache.Cache) {
	put(t, c, Entry("a", "1"))
	put(t, c, Entry("b", "1"))
	for range 2 { // an unknown key is no error
		if err := c.Remove(digest.Of([]byte("a"))); err != nil {
			t.Fatal(err)
		}
	}
	if get(t, c, "a") != nil || get(t, c, "b") == nil {
		t.Error("the wrong entry went")
	}
	put(t, c, Entry("a", "2")) // nothing is left to conflict with
}

func walk(t *testing.T, c cache.Cache) {
	if err := c.Walk(func(*cache.Entry) error { return errors.New("an entry in an empty cache") }); err != nil {
		t.Fatal(err)
	}
	var want, got []digest.Digest
	for i := range 40 {
		e := Entry(fmt.Sprint(i), "1")
		put(t, c, e)
		want = append(want, e.Key)
	}
	slices.Sort(want)
	if err := c.Walk(func(e *cache.Entry) error { got = append(got, e.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d keys in the order %v", len(got), got)
	}
}

func walkStops(t *testing.T, c cache.Cache) {
	for i := range 3 {
		put(t, c, Entry(fmt.Sprint(i), "1"))
	}
	stop, n := errors.New("stop"), 0
	if err := c.Walk(func(*cache.Entry) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d entries", err, n)
	}
}

func spoiled(t *testing.T, c cache.Cache) {
	s, ok := c.(Spoiler)
	if !ok {
		t.Skip("this cache cannot be spoiled")
	}
	for _, how := range []Spoiled{Damaged, Elsewhere} {
		key := fmt.Sprint("k", how)
		put(t, c, Entry(key, "1"))
		if err := s.Spoil(digest.Of([]byte(key)), how); err != nil {
			t.Fatal(err)
		}
		if e := get(t, c, key); e != nil {
			t.Errorf("spoiled (%d), it is %+v", how, e)
		}
		if err := c.Walk(func(e *cache.Entry) error { return fmt.Errorf("walked over %s", e.Key) }); err != nil {
			t.Errorf("spoiled (%d): %v", how, err)
		}
		put(t, c, Entry(key, "2")) // what cannot be read binds nothing
		if e := get(t, c, key); e == nil || e.Outputs["out"] != Entry(key, "2").Outputs["out"] {
			t.Errorf("spoiled (%d) and put again: %+v", how, e)
		}
		if err := c.Remove(digest.Of([]byte(key))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, c, Entry("n", "1"))
	if err := s.Spoil(digest.Of([]byte("n")), Newer); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Get(digest.Of([]byte("n"))); !errors.Is(err, cache.ErrNewer) {
		t.Errorf("Get of an entry of a newer format: %v", err)
	}
	if err := c.Put(Entry("n", "1")); !errors.Is(err, cache.ErrNewer) {
		t.Errorf("Put over an entry of a newer format: %v", err)
	}
}

func copies(t *testing.T, c cache.Cache) {
	e := Entry("a", "1")
	put(t, c, e)
	e.Outputs["out"] = artifacts.TableInfo{}
	got := get(t, c, "a")
	got.Account.In["in"] = 99
	if e := get(t, c, "a"); e == nil || e.Outputs["out"].Rows != 3 || e.Account.In["in"] != 4 {
		t.Errorf("a change outside went into the cache: %+v", e)
	}
}

func concurrentPuts(t *testing.T, c cache.Cache) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				if err := c.Put(Entry(fmt.Sprint(j), "1")); err != nil {
					t.Errorf("%d: %v", i, err)
				}
				if _, ok, err := c.Get(digest.Of([]byte(fmt.Sprint(j)))); !ok || err != nil {
					t.Errorf("%d: %v, %v", i, ok, err)
				}
			}
		})
	}
	all.Wait()
}

// Of several bindings at once one holds, and all others are told.
func concurrentConflict(t *testing.T, c cache.Cache) {
	const n = 8
	for round := range 10 {
		key := fmt.Sprint("key", round)
		var all sync.WaitGroup
		errs := make([]error, n)
		for i := range n {
			all.Go(func() { errs[i] = c.Put(Entry(key, fmt.Sprint(i))) })
		}
		all.Wait()
		held := get(t, c, key)
		if held == nil {
			t.Fatal("no binding holds")
		}
		for i, err := range errs {
			it := held.Outputs["out"] == Entry(key, fmt.Sprint(i)).Outputs["out"]
			if it != (err == nil) {
				t.Errorf("round %d, binding %d: it holds is %v, its error %v", round, i, it, err)
			}
		}
	}
}
