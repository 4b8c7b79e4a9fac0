package sourcetest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/sourcetest"
)

func TestFakeConforms(t *testing.T) {
	for _, local := range []bool{true, false} {
		fake := sourcetest.NewFake("fake", local)
		fake.Put("here", "main", []byte("some bytes"))
		sourcetest.Run(t, sourcetest.Subject{
			New:        func(*testing.T) sources.Source { return fake },
			Ref:        pipeline.Ref{Scheme: "fake", Locator: "here", Name: "main"},
			Local:      local,
			UnknownRef: pipeline.Ref{Scheme: "fake", Locator: "here", Name: "other"},
			UnknownPin: pipeline.Pin{Scheme: "fake", Locator: "here", Version: strings.Repeat("0", 64)},
		})
	}
}

func TestFakeMovesAndCounts(t *testing.T) {
	broken := errors.New("broken")
	fake := sourcetest.NewFake("fake", false)
	old := fake.Put("here", "main", []byte("old"))
	moved := fake.Put("here", "main", []byte("new"))
	if pin, err := fake.Resolve(t.Context(), pipeline.Ref{Scheme: "fake", Locator: "here", Name: "main"}); err != nil || pin != moved {
		t.Errorf("resolved to %s, %v; want %s", pin, err, moved)
	}
	if err := fake.Fetch(t.Context(), old, io.Discard); err != nil {
		t.Errorf("the old pin: %v", err)
	}
	fake.Before = func(_ context.Context, call, locator string) error {
		if call != "fetch" || locator != "here" {
			t.Errorf("called for %s of %s", call, locator)
		}
		return broken
	}
	if err := fake.Fetch(t.Context(), old, io.Discard); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of Before", err)
	}
	if r, f := fake.Resolves(), fake.Fetches(); r != 1 || f != 2 {
		t.Errorf("%d resolves, %d fetches; want 1, 2", r, f)
	}
}
