// Package effects is the outside world as stages see it: sources, models and
// programs behind the ledger. What the ledger holds is never asked again; what it does
// not hold is asked once, however many tasks want it, and recorded.
package effects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/singleflight"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources"
	"benchmill/sources/llm"
)

// World answers effects. It is safe for concurrent use; tasks share its limits,
// budgets and counters.
type World struct {
	Store   artifacts.Store
	Ledger  *ledger.Ledger
	Sources []sources.Source
	// Frozen turns the network off: an effect that is neither recorded nor local
	// is a [pipeline.MissingEffect].
	Frozen bool
	Getenv func(string) string
	LLM    llm.Options

	flights   singleflight.Group
	mu        sync.Mutex
	providers map[digest.Digest]llm.Provider
}

// For is the world of a task: models are looked up by the settings it carries.
func (w *World) For(models map[pipeline.ModelName]json.RawMessage) pipeline.Effects {
	return &scoped{w, models}
}

type scoped struct {
	*World
	models map[pipeline.ModelName]json.RawMessage
}

// Fetch implements [pipeline.Effects].
func (s *scoped) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	key, err := ledger.Key(ledger.KindFetch, pin)
	if err != nil {
		return nil, err
	}
	for {
		if o, err := s.recorded(ctx, key); err != nil || o != nil {
			return o, err
		}
		if err := s.once(ctx, key, func() error { return s.fetch(ctx, key, pin) }); err != nil {
			return nil, err
		}
	}
}

// once asks the world, unless somebody is asking the same: then it waits for them.
// Without an error the ledger has the answer, or whoever asked gave up: look, and
// ask again where need be.
func (w *World) once(ctx context.Context, key digest.Digest, ask func() error) error {
	_, err, shared := w.flights.Do(string(key), func() (any, error) { return nil, ask() })
	if shared && errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return nil
	}
	return err
}

// recorded opens what the ledger has for a fetch; a lost or damaged object
// counts as nothing.
func (w *World) recorded(ctx context.Context, key digest.Digest) (io.ReadCloser, error) {
	r, ok, err := w.Ledger.Get(ledger.KindFetch, key)
	if err != nil || !ok {
		return nil, err
	}
	if r.Object == "" {
		return io.NopCloser(bytes.NewReader(r.Body)), nil
	}
	o, err := w.Store.Open(ctx, r.Object)
	if errors.Is(err, artifacts.ErrNotFound) || errors.Is(err, artifacts.ErrDamaged) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(o, 0, o.Size()), o}, nil
}

func (w *World) fetch(ctx context.Context, key digest.Digest, pin pipeline.Pin) error {
	// Another flight may have landed since the caller looked.
	if o, err := w.recorded(ctx, key); err != nil {
		return err
	} else if o != nil {
		return o.Close()
	}
	source := w.Source(pin.Scheme)
	if source == nil {
		return fmt.Errorf("no source for %s", pin)
	}
	if w.Frozen && !source.Local(pin) {
		return pipeline.Mark(&pipeline.MissingEffect{Effect: pin.String()}, pipeline.Fatal)
	}
	out, err := w.Store.Create(ctx)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := source.Fetch(ctx, pin, out); err != nil {
		return fmt.Errorf("fetching %s: %w", pin, err)
	}
	d, err := out.Commit()
	if err != nil {
		return err
	}
	request, err := json.Marshal(pin)
	if err != nil {
		return err
	}
	_, err = w.Ledger.Put(&ledger.Record{Kind: ledger.KindFetch, Key: key, What: pin.String(), Request: request, Object: d})
	return err
}

// Source finds the source of a scheme, or nil.
func (w *World) Source(scheme string) sources.Source {
	for _, s := range w.Sources {
		if s.Scheme() == scheme {
			return s
		}
	}
	return nil
}

// Complete implements [pipeline.Effects].
func (s *scoped) Complete(ctx context.Context, model pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	key, err := ledger.Key(ledger.KindLLM, req)
	if err != nil {
		return pipeline.Reply{}, err
	}
	for {
		r, ok, err := s.Ledger.Get(ledger.KindLLM, key)
		if err != nil {
			return pipeline.Reply{}, err
		}
		if ok {
			return *r.Reply, nil
		}
		if err := s.once(ctx, key, func() error { return s.complete(ctx, model, key, what, req) }); err != nil {
			return pipeline.Reply{}, err
		}
	}
}

func (s *scoped) complete(ctx context.Context, model pipeline.ModelName, key digest.Digest, what string, req pipeline.Request) error {
	// Another flight may have landed since the caller looked.
	if _, ok, err := s.Ledger.Get(ledger.KindLLM, key); err != nil || ok {
		return err
	}
	if s.Frozen && !llm.Local(req.Provider) {
		effect := fmt.Sprintf("model %s of %s (%s), request %s", req.Model, req.Provider, what, key)
		return pipeline.Mark(&pipeline.MissingEffect{Effect: effect}, pipeline.Fatal)
	}
	p, err := s.provider(s.models[model])
	if err != nil {
		return fmt.Errorf("model %s: %w", model, err)
	}
	ctx, receipt := llm.WithReceipt(ctx)
	reply, err := p.Complete(ctx, req)
	if err != nil {
		err = fmt.Errorf("model %s (%s): %w", model, what, err)
		if pipeline.ClassOf(err) == pipeline.Transient {
			err = pipeline.Mark(err, pipeline.Permanent) // the provider has tried as often as its settings say
		}
		return err
	}
	request, err := json.Marshal(req)
	if err != nil {
		return err
	}
	if _, err = s.Ledger.Put(&ledger.Record{Kind: ledger.KindLLM, Key: key, What: what, Request: request, Reply: &reply}); err != nil {
		return err
	}
	receipt.Sign()
	return nil
}

// provider opens a model once for all tasks, so that they share its limits.
func (w *World) provider(settings json.RawMessage) (llm.Provider, error) {
	if settings == nil {
		return nil, errors.New("not part of the task")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id := digest.Of(settings)
	if p := w.providers[id]; p != nil {
		return p, nil
	}
	var s llm.Settings
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, err
	}
	p, err := llm.Open(s, w.Getenv, w.LLM)
	if err != nil {
		return nil, err
	}
	if w.providers == nil {
		w.providers = map[digest.Digest]llm.Provider{}
	}
	w.providers[id] = p
	return p, nil
}
