package sourcetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"benchmill/pipeline"
	"benchmill/sources"
)

// Fake is a source in memory that counts what is asked of it. It is safe for
// concurrent use.
type Fake struct {
	// Before, if not nil, is called first in every Resolve and Fetch, with
	// "resolve" or "fetch". It may block, and its error is what the call returns.
	// Set it before the fake is used.
	Before func(ctx context.Context, call, locator string) error

	scheme string
	local  bool
	mu     sync.Mutex
	names  map[pipeline.Ref]pipeline.Pin
	bytes  map[pipeline.Pin][]byte
	calls  map[string]int
}

var _ sources.Source = (*Fake)(nil)

// NewFake returns an empty source. local is what Local says of its pins.
func NewFake(scheme string, local bool) *Fake {
	return &Fake{
		scheme: scheme,
		local:  local,
		names:  map[pipeline.Ref]pipeline.Pin{},
		bytes:  map[pipeline.Pin][]byte{},
		calls:  map[string]int{},
	}
}

// Put makes a name mean some bytes and returns their pin. Putting the name again
// moves it; the old pin stays.
func (f *Fake) Put(locator, name string, content []byte) pipeline.Pin {
	sum := sha256.Sum256(content)
	pin := pipeline.Pin{Scheme: f.scheme, Locator: locator, Version: hex.EncodeToString(sum[:])}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names[pipeline.Ref{Scheme: f.scheme, Locator: locator, Name: name}] = pin
	f.bytes[pin] = content
	return pin
}

// Resolves is how often Resolve was called.
func (f *Fake) Resolves() int { return f.count("resolve") }

// Fetches is how often Fetch was called.
func (f *Fake) Fetches() int { return f.count("fetch") }

func (f *Fake) count(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[call]
}

// Scheme is the one given to [NewFake].
func (f *Fake) Scheme() string { return f.scheme }

// Local is what was given to [NewFake], for every pin of the scheme.
func (f *Fake) Local(pin pipeline.Pin) bool { return f.local && pin.Scheme == f.scheme }

// Resolve finds a name that was put.
func (f *Fake) Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	if err := f.begin(ctx, "resolve", ref.Locator); err != nil {
		return pipeline.Pin{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	pin, ok := f.names[ref]
	if !ok {
		return pin, pipeline.Mark(fmt.Errorf("%s: no such name", ref), pipeline.Permanent)
	}
	return pin, nil
}

// Fetch writes the bytes of a pin that was put.
func (f *Fake) Fetch(ctx context.Context, pin pipeline.Pin, w io.Writer) error {
	if err := f.begin(ctx, "fetch", pin.Locator); err != nil {
		return err
	}
	f.mu.Lock()
	content, ok := f.bytes[pin]
	f.mu.Unlock()
	if !ok {
		return pipeline.Mark(fmt.Errorf("%s: no such version", pin), pipeline.Permanent)
	}
	if _, err := w.Write(content); err != nil {
		return fmt.Errorf("%s: write: %w", pin, err)
	}
	return nil
}

func (f *Fake) begin(ctx context.Context, call, locator string) error {
	f.mu.Lock()
	f.calls[call]++
	f.mu.Unlock()
	if f.Before != nil {
		if err := f.Before(ctx, call, locator); err != nil {
			return err
		}
	}
	return ctx.Err()
}
