// Package storetest is the conformance suite of [artifacts.Store], with a store
// in memory that passes it.
//
// The test of a new implementation is one call of [Run].
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"benchmill/artifacts"
	"benchmill/internal/digest"
)

// Damager is a store under test that can change one byte of an object in place,
// as a failing disk would. A store without it is not tested for damage.
type Damager interface {
	Damage(d digest.Digest) error
}

// Run tests that the stores open returns keep the contract. Each call of open
// makes a new and empty store.
func Run(t *testing.T, open func(t *testing.T) artifacts.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s artifacts.Store)
	}{
		{"round trip", roundTrip},
		{"nothing shows before commit", commitShows},
		{"discard", discard},
		{"commit twice", commitTwice},
		{"use after the end", useAfterEnd},
		{"equal objects are one", equalObjects},
		{"not found", notFound},
		{"malformed digest", malformed},
		{"remove", remove},
		{"walk", walk},
		{"damage", damage},
		{"canceled", canceled},
		{"concurrency", concurrency},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// Put commits b to a store.
func Put(t testing.TB, s artifacts.Store, b []byte) digest.Digest {
	t.Helper()
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	d, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Get returns the bytes of an object.
func Get(t testing.TB, s artifacts.Store, d digest.Digest) []byte {
	t.Helper()
	b, err := get(t.Context(), s, d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func get(ctx context.Context, s artifacts.Store, d digest.Digest) ([]byte, error) {
	o, err := s.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	return b, errors.Join(err, o.Close())
}

func roundTrip(t *testing.T, s artifacts.Store) {
	for _, want := range [][]byte{{}, []byte("x"), []byte("some text\n"), bytes.Repeat([]byte("0123456789"), 100_000)} {
		d := Put(t, s, want)
		if d != digest.Of(want) {
			t.Errorf("committed as %s, its bytes are %s", d, digest.Of(want))
		}
		if got := Get(t, s, d); !bytes.Equal(got, want) {
			t.Errorf("%d bytes came back, not the %d that went in", len(got), len(want))
		}
		if n, err := s.Stat(t.Context(), d); err != nil || n != int64(len(want)) {
			t.Errorf("stat says %d bytes, %v; want %d", n, err, len(want))
		}
	}
	d := Put(t, s, []byte("read at an offset"))
	o, err := s.Open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	b := make([]byte, 2)
	if n, err := o.ReadAt(b, 5); n != 2 || err != nil || string(b) != "at" {
		t.Errorf("read %q, %d, %v", b, n, err)
	}
	if n, err := o.ReadAt(b, o.Size()-1); n != 1 || err != io.EOF {
		t.Errorf("read past the end: %d, %v; want 1, EOF", n, err)
	}
}

func commitShows(t *testing.T, s artifacts.Store) {
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	for _, part := range []string{"in ", "three ", "parts"} {
		if n, err := io.WriteString(w, part); n != len(part) || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	d := digest.Of([]byte("in three parts"))
	absent(t, s, d)
	if n := count(t, s); n != 0 {
		t.Fatalf("walk shows %d objects before commit", n)
	}
	if got, err := w.Commit(); got != d || err != nil {
		t.Fatalf("committed as %s, %v; want %s", got, err, d)
	}
	if got := Get(t, s, d); string(got) != "in three parts" {
		t.Fatalf("read %q", got)
	}
}

func discard(t *testing.T, s artifacts.Store) {
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "gone")
	for range 2 {
		if err := w.Discard(); err != nil {
			t.Fatal(err)
		}
	}
	absent(t, s, digest.Of([]byte("gone")))

	w, err = s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "stays")
	d, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Discard(); err != nil {
		t.Fatalf("discard after commit: %v", err)
	}
	if got := Get(t, s, d); string(got) != "stays" {
		t.Fatalf("read %q after a discard that should do nothing", got)
	}
}

func commitTwice(t *testing.T, s artifacts.Store) {
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "once")
	for range 2 {
		if d, err := w.Commit(); d != digest.Of([]byte("once")) || err != nil {
			t.Fatalf("commit: %s, %v", d, err)
		}
	}
	if n := count(t, s); n != 1 {
		t.Fatalf("%d objects after two commits", n)
	}
}

func useAfterEnd(t *testing.T, s artifacts.Store) {
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "ended")
	d, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, " more"); err == nil {
		t.Error("a committed object took more bytes")
	}
	if got := Get(t, s, d); string(got) != "ended" {
		t.Errorf("read %q", got)
	}

	w, err = s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "more"); err == nil {
		t.Error("a discarded object took more bytes")
	}
	if _, err := w.Commit(); err == nil {
		t.Error("a discarded object was committed")
	}
	if n := count(t, s); n != 1 {
		t.Errorf("%d objects, want 1", n)
	}
}

func equalObjects(t *testing.T, s artifacts.Store) {
	first := Put(t, s, []byte("same"))
	if second := Put(t, s, []byte("same")); first != second {
		t.Fatalf("the same bytes are %s and %s", first, second)
	}
	if n := count(t, s); n != 1 {
		t.Fatalf("%d objects, want 1", n)
	}
	if got := Get(t, s, first); string(got) != "same" {
		t.Fatalf("read %q", got)
	}
}

func notFound(t *testing.T, s artifacts.Store) {
	d := digest.Of([]byte("never written"))
	absent(t, s, d)
	if err := s.Remove(t.Context(), d); err != nil {
		t.Errorf("remove what is not there: %v", err)
	}
	if n := count(t, s); n != 0 {
		t.Errorf("an empty store has %d objects", n)
	}
}

func malformed(t *testing.T, s artifacts.Store) {
	for _, d := range []digest.Digest{"", "sha256:", "sha256:../../store.json", "md5:d41d8cd98f00b204e9800998ecf8427e"} {
		if o, err := s.Open(t.Context(), d); err == nil {
			o.Close()
			t.Errorf("open %q: no error", d)
		}
		if _, err := s.Stat(t.Context(), d); err == nil {
			t.Errorf("stat %q: no error", d)
		}
		if err := s.Remove(t.Context(), d); err == nil {
			t.Errorf("remove %q: no error", d)
		}
	}
}

func remove(t *testing.T, s artifacts.Store) {
	kept, gone := Put(t, s, []byte("kept")), Put(t, s, []byte("gone"))
	Get(t, s, gone) // an object that was checked before must not live on in a memory of checks
	if err := s.Remove(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	absent(t, s, gone)
	if got := Get(t, s, kept); string(got) != "kept" {
		t.Fatalf("read %q", got)
	}
	if again := Put(t, s, []byte("gone")); again != gone || string(Get(t, s, gone)) != "gone" {
		t.Fatal("a removed object did not come back")
	}
}

func walk(t *testing.T, s artifacts.Store) {
	want := map[digest.Digest]int64{}
	for i := range 40 {
		b := bytes.Repeat([]byte{byte(i)}, i)
		want[Put(t, s, b)] = int64(len(b))
	}
	var order []digest.Digest
	err := s.Walk(t.Context(), func(d digest.Digest, size int64) error {
		if n, ok := want[d]; !ok || n != size {
			t.Errorf("walk shows %s with %d bytes", d, size)
		}
		order = append(order, d)
		return nil
	})
	if err != nil || len(order) != len(want) || !slices.IsSorted(order) {
		t.Fatalf("walk: %v, %d of %d objects, in order: %t", err, len(order), len(want), slices.IsSorted(order))
	}

	stop, calls := errors.New("stop"), 0
	err = s.Walk(t.Context(), func(digest.Digest, int64) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Fatalf("walk went on after an error: %v, %d calls", err, calls)
	}

	err = s.Walk(t.Context(), func(d digest.Digest, _ int64) error { return s.Remove(t.Context(), d) })
	if err != nil || count(t, s) != 0 {
		t.Fatalf("remove while walking: %v, %d objects left", err, count(t, s))
	}
}

func damage(t *testing.T, s artifacts.Store) {
	damager, ok := s.(Damager)
	if !ok {
		t.Skipf("%T cannot damage an object on purpose", s)
	}
	for _, read := range []bool{false, true} {
		t.Run(fmt.Sprintf("read before: %t", read), func(t *testing.T) {
			want := fmt.Appendf(nil, "fragile, read before: %t", read)
			d := Put(t, s, want)
			if read {
				Get(t, s, d)
			}
			if err := damager.Damage(d); err != nil {
				t.Fatal(err)
			}
			if b, err := get(t.Context(), s, d); !errors.Is(err, artifacts.ErrDamaged) {
				t.Fatalf("opened a damaged object: %q, %v", b, err)
			}
			absent(t, s, d) // it was moved out of the way, so that it is made again
			if again := Put(t, s, want); again != d {
				t.Fatalf("made again as %s, not %s", again, d)
			}
			if got := Get(t, s, d); !bytes.Equal(got, want) {
				t.Fatalf("read %q after it was made again", got)
			}
		})
	}
}

func canceled(t *testing.T, s artifacts.Store) {
	d := Put(t, s, []byte("x"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := get(ctx, s, d); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if _, err := s.Create(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("create: %v", err)
	}
	if err := s.Walk(ctx, func(digest.Digest, int64) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("walk: %v", err)
	}
	if got := Get(t, s, d); string(got) != "x" {
		t.Errorf("read %q after a canceled read", got)
	}
}

// concurrency has many goroutines write, read, list and remove, with equal
// objects among theirs; it is worth most under the race detector.
func concurrency(t *testing.T, s artifacts.Store) {
	const workers, rounds = 8, 12
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				shared, own := fmt.Appendf(nil, "shared %d", i), fmt.Appendf(nil, "own %d of %d", i, w)
				for _, b := range [][]byte{shared, own} {
					if err := putAndGet(t.Context(), s, b); err != nil {
						t.Error(err)
						return
					}
				}
				if err := s.Walk(t.Context(), func(digest.Digest, int64) error { return nil }); err != nil {
					t.Error(err)
				}
				if err := s.Remove(t.Context(), digest.Of(own)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := count(t, s); n != rounds {
		t.Errorf("%d objects are left, want %d", n, rounds)
	}
}

func putAndGet(ctx context.Context, s artifacts.Store, b []byte) error {
	w, err := s.Create(ctx)
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := w.Write(b); err != nil {
		return err
	}
	d, err := w.Commit()
	if err != nil {
		return err
	}
	got, err := get(ctx, s, d)
	if err == nil && !bytes.Equal(got, b) {
		err = fmt.Errorf("read %q, want %q", got, b)
	}
	return err
}

func absent(t *testing.T, s artifacts.Store, d digest.Digest) {
	t.Helper()
	if _, err := s.Stat(t.Context(), d); !errors.Is(err, artifacts.ErrNotFound) {
		t.Errorf("stat of a missing object: %v", err)
	}
	if _, err := get(t.Context(), s, d); !errors.Is(err, artifacts.ErrNotFound) {
		t.Errorf("open of a missing object: %v", err)
	}
}

func count(t *testing.T, s artifacts.Store) int {
	t.Helper()
	n := 0
	if err := s.Walk(t.Context(), func(digest.Digest, int64) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}
