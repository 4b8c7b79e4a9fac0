package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources/llm"
)

// writer answers requests from what was written by hand, and records them.
type writer struct {
	pipeline.Effects // fetches, and models that need no network
	answers          map[string]string

	mu       sync.Mutex
	records  []ledger.Record
	problems []string
	missing  []string // requests without an answer, for people
	used     map[string]bool
}

// Complete implements pipeline.Effects. Only the first request of a conversation
// is answered: an answer that a stage sends back has to be mended, not asked for
// again.
func (w *writer) Complete(ctx context.Context, model pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	if llm.Local(req.Provider) {
		return w.Effects.Complete(ctx, model, what, req)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	refusal := pipeline.Reply{Text: "{}", Finish: "stop"}
	// Where models disagree, an answer names its model.
	ask := what + " @" + string(model)
	text, ok := w.answers[ask]
	if !ok {
		ask = what
		text, ok = w.answers[ask]
	}
	switch {
	case len(req.Messages) > 1:
		if asked := req.Messages[len(req.Messages)-1].Text; ok && len(req.Messages) == 3 {
			w.problems = append(w.problems, ask+": "+strings.Join(strings.Fields(asked), " "))
		}
		return refusal, nil
	case !ok:
		if !slices.ContainsFunc(w.missing, func(m string) bool { return strings.HasPrefix(m, "==== "+what+"\n") }) {
			w.missing = append(w.missing, fmt.Sprintf("==== %s\n%s\n", what, req.Messages[0].Text))
			w.problems = append(w.problems, what+": not answered")
		}
		return refusal, nil
	}
	w.used[ask] = true
	reply := pipeline.Reply{Text: text, Origin: pipeline.OriginHand, Provider: "sample", Model: "written by hand", Finish: "stop"}
	key, err := ledger.Key(ledger.KindLLM, req)
	if err != nil {
		return reply, err
	}
	record := ledger.Record{Format: ledger.Format, Kind: ledger.KindLLM, Key: key, What: what, Reply: &reply}
	if !slices.ContainsFunc(w.records, func(r ledger.Record) bool { return r.Key == key }) {
		w.records = append(w.records, record)
	}
	return reply, nil
}
