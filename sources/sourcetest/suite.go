package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources"
)

// Subject is a source under test and a small world it can reach.
type Subject struct {
	New         func(t *testing.T) sources.Source // a fresh source, each time over the same world
	Ref         pipeline.Ref                      // a name that resolves
	Local       bool                              // what Local says of its pin
	UnknownRef  pipeline.Ref                      // a well-formed name that means nothing
	UnknownPin  pipeline.Pin                      // a well-formed pin that names nothing
	Unreachable []pipeline.Pin                    // pins whose fetch fails before it gets anywhere
	Secrets     []string                          // texts the source works with that no error may show
	Runs        bool                              // it is a [sources.Runner]: its pins have no bytes
}

// Run checks the contract of a source.
func Run(t *testing.T, s Subject) {
	t.Run("resolve", s.resolve)
	if !s.Runs {
		t.Run("fetch", s.fetch)
		t.Run("canceled in the middle", s.canceledInTheMiddle)
		t.Run("writer fails", s.writerFails)
	}
	t.Run("unknown", s.unknown)
	t.Run("foreign scheme", s.foreign)
	t.Run("canceled", s.canceled)
	t.Run("concurrent", s.concurrent)
	t.Run("secrets", s.secrets)
}

func (s Subject) pin(t *testing.T) pipeline.Pin {
	t.Helper()
	pin, err := s.New(t).Resolve(t.Context(), s.Ref)
	if err != nil {
		t.Fatalf("resolve %s: %v", s.Ref, err)
	}
	return pin
}

func (s Subject) resolve(t *testing.T) {
	src := s.New(t)
	if src.Scheme() == "" || src.Scheme() != s.Ref.Scheme {
		t.Errorf("scheme %q, the ref has %q", src.Scheme(), s.Ref.Scheme)
	}
	pin := s.pin(t)
	if pin.Scheme != s.Ref.Scheme || pin.Locator != s.Ref.Locator || pin.Version == "" {
		t.Errorf("%s resolves to %s: scheme and locator must stay, the version must be set", s.Ref, pin)
	}
	if again := s.pin(t); again != pin {
		t.Errorf("%s resolves to %s, then to %s", s.Ref, pin, again)
	}
	if got := src.Local(pin); got != s.Local {
		t.Errorf("Local(%s) = %v, want %v", pin, got, s.Local)
	}
}

func (s Subject) fetch(t *testing.T) {
	pin := s.pin(t)
	src := s.New(t)
	first := fetched(t, src, pin)
	if len(first) == 0 {
		t.Fatalf("%s has no bytes", pin)
	}
	if !bytes.Equal(first, fetched(t, src, pin)) {
		t.Error("fetching twice gives different bytes")
	}
	if !bytes.Equal(first, fetched(t, s.New(t), pin)) {
		t.Error("another source gives different bytes")
	}
}

func fetched(t *testing.T, src sources.Source, pin pipeline.Pin) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := src.Fetch(t.Context(), pin, &b); err != nil {
		t.Fatalf("fetch %s: %v", pin, err)
	}
	return b.Bytes()
}

// failing checks the class of an error.
func failing(t *testing.T, what string, err error, want pipeline.Class) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
	} else if got := pipeline.ClassOf(err); got != want {
		t.Errorf("%s: the error is %s, not %s: %v", what, got, want, err)
	}
}

func (s Subject) unknown(t *testing.T) {
	src := s.New(t)
	_, err := src.Resolve(t.Context(), s.UnknownRef)
	failing(t, "resolve", err, pipeline.Permanent)
	if err != nil && !strings.Contains(err.Error(), s.UnknownRef.Locator) {
		t.Errorf("the error does not name %s: %v", s.UnknownRef.Locator, err)
	}
	err = src.Fetch(t.Context(), s.UnknownPin, io.Discard)
	failing(t, "fetch", err, pipeline.Permanent)
	if err != nil && !strings.Contains(err.Error(), s.UnknownPin.Locator) {
		t.Errorf("the error does not name %s: %v", s.UnknownPin.Locator, err)
	}
}

func (s Subject) foreign(t *testing.T) {
	src := s.New(t)
	ref, pin := s.Ref, s.pin(t)
	ref.Scheme, pin.Scheme = "no-such-scheme", "no-such-scheme"
	_, err := src.Resolve(t.Context(), ref)
	failing(t, "resolve", err, pipeline.Permanent)
	failing(t, "fetch", src.Fetch(t.Context(), pin, io.Discard), pipeline.Permanent)
	if src.Local(pin) {
		t.Error("a pin of another scheme is local")
	}
}

func (s Subject) canceled(t *testing.T) {
	pin := s.pin(t)
	src := s.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := src.Resolve(ctx, s.Ref)
	failing(t, "resolve", err, pipeline.Canceled)
	failing(t, "fetch", src.Fetch(ctx, pin, io.Discard), pipeline.Canceled)
}

// writerFunc is a writer made of a function.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// canceledInTheMiddle cancels at the first byte: a source may still finish, but
// what it says must be true.
func (s Subject) canceledInTheMiddle(t *testing.T) {
	pin := s.pin(t)
	whole := fetched(t, s.New(t), pin)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got bytes.Buffer
	err := s.New(t).Fetch(ctx, pin, writerFunc(func(p []byte) (int, error) {
		cancel()
		return got.Write(p)
	}))
	if err != nil {
		failing(t, "fetch", err, pipeline.Canceled)
	} else if !bytes.Equal(got.Bytes(), whole) {
		t.Error("no error, but not all of the bytes")
	}
}

func (s Subject) writerFails(t *testing.T) {
	pin := s.pin(t)
	broken := errors.New("disk on fire")
	for _, class := range []pipeline.Class{pipeline.Transient, pipeline.Fatal} {
		err := s.New(t).Fetch(t.Context(), pin, writerFunc(func([]byte) (int, error) {
			return 0, pipeline.Mark(broken, class)
		}))
		failing(t, "fetch", err, class)
		if err != nil && !errors.Is(err, broken) {
			t.Errorf("the writer's error is lost: %v", err)
		}
	}
}

func (s Subject) concurrent(t *testing.T) {
	pin := s.pin(t)
	src := s.New(t)
	var want []byte
	if !s.Runs {
		want = fetched(t, src, pin)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if got, err := src.Resolve(t.Context(), s.Ref); err != nil || got != pin {
				t.Errorf("resolve: %s, %v; want %s", got, err, pin)
			}
			var b bytes.Buffer
			if err := src.Fetch(t.Context(), pin, &b); s.Runs {
				failing(t, "fetch", err, pipeline.Permanent)
			} else if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("fetch: %v, or other bytes", err)
			}
		})
	}
	wg.Wait()
}

func (s Subject) secrets(t *testing.T) {
	src := s.New(t)
	var errs []error
	for _, pin := range append([]pipeline.Pin{s.UnknownPin}, s.Unreachable...) {
		err := src.Fetch(t.Context(), pin, io.Discard)
		if err == nil {
			t.Errorf("fetch of %s: no error", pin.Version)
		}
		_, resolveErr := src.Resolve(t.Context(), pipeline.Ref{Scheme: pin.Scheme, Locator: pin.Locator, Name: "no-such-name"})
		errs = append(errs, err, resolveErr)
	}
	for _, err := range errs {
		for ; err != nil; err = errors.Unwrap(err) {
			for _, secret := range s.Secrets {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("an error shows a secret: %v", err)
				}
			}
		}
	}
}
