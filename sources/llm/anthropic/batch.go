package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// BatchRequests is the most one batch takes.
const BatchRequests = 100_000

// Body implements api.Batches.
func (p *Provider) Body(req pipeline.Request) (json.RawMessage, error) {
	if err := api.Check(req); err != nil {
		return nil, err
	}
	params, err := newParams(req)
	if err != nil {
		return nil, err
	}
	return json.Marshal(params)
}

// Submit implements api.Batches.
func (p *Provider) Submit(ctx context.Context, b api.Batch, bodies []json.RawMessage) (string, error) {
	requests := make([]sdk.MessageBatchNewParamsRequest, len(bodies))
	for i, body := range bodies {
		requests[i] = sdk.MessageBatchNewParamsRequest{
			CustomID: b.Items[i],
			Params:   param.Override[sdk.MessageBatchNewParamsRequestParams](body),
		}
	}
	batch, err := p.uploads.New(ctx, sdk.MessageBatchNewParams{Requests: requests})
	if err != nil {
		s, ok := api.StatusOf(err)
		err = p.transfer.Explain(ctx, b.Model, err)
		if ok && s.Status >= 500 {
			err = api.Bill(err) // it may have been made behind the gateway that failed
		}
		return "", err
	}
	return batch.ID, nil
}

// Find implements api.Batches. A batch carries no name but in its items, which
// the API shows once it has ended; before that, one made at the right time for
// as many requests is taken for the one.
func (p *Provider) Find(ctx context.Context, b api.Batch, known func(string) bool) (string, error) {
	pages := p.batches.ListAutoPaging(ctx, sdk.MessageBatchListParams{Limit: param.NewOpt[int64](100)})
	for pages.Next() { // the youngest first
		batch := pages.Current()
		if batch.CreatedAt.Before(b.Created.Add(-api.Skew)) {
			return "", nil
		}
		n := batch.RequestCounts
		if batch.CreatedAt.After(b.Created.Add(api.Skew)) || known(batch.ID) ||
			n.Processing+n.Succeeded+n.Errored+n.Canceled+n.Expired != int64(len(b.Items)) {
			continue
		}
		if batch.ProcessingStatus != sdk.MessageBatchProcessingStatusEnded {
			return batch.ID, nil
		}
		if ours, err := p.holds(ctx, b, batch.ID); err != nil || ours {
			return batch.ID, err
		}
	}
	if err := pages.Err(); err != nil {
		return "", p.endpoint.Explain(ctx, b.Model, err)
	}
	return "", nil
}

// holds reports whether the first result of a batch is for one of our items.
func (p *Provider) holds(ctx context.Context, b api.Batch, id string) (bool, error) {
	results := p.results.ResultsStreaming(ctx, id, sdk.MessageBatchResultsParams{})
	defer results.Close()
	if results.Next() {
		return strings.HasPrefix(results.Current().CustomID, b.Marker), nil
	}
	if err := results.Err(); err != nil {
		return false, p.transfer.Explain(ctx, b.Model, err)
	}
	return false, nil
}

// Ended implements api.Batches.
func (p *Provider) Ended(ctx context.Context, b api.Batch) (bool, error) {
	batch, err := p.batches.Get(ctx, b.ID, sdk.MessageBatchGetParams{})
	if err != nil {
		return false, p.endpoint.ExplainBatch(ctx, b, err)
	}
	return batch.ProcessingStatus == sdk.MessageBatchProcessingStatusEnded, nil
}

// Results implements api.Batches.
func (p *Provider) Results(ctx context.Context, b api.Batch, yield func(string, pipeline.Reply, error)) error {
	results := p.results.ResultsStreaming(ctx, b.ID, sdk.MessageBatchResultsParams{})
	defer results.Close()
	for results.Next() {
		r := results.Current()
		reply, err := p.result(ctx, b.Model, &r)
		yield(r.CustomID, reply, err)
	}
	if err := results.Err(); err != nil {
		return p.transfer.ExplainBatch(ctx, b, err)
	}
	return nil
}

func (p *Provider) result(ctx context.Context, model string, r *sdk.MessageBatchIndividualResponse) (pipeline.Reply, error) {
	switch r.Result.Type {
	case "succeeded":
		return p.read(ctx, model, &r.Result.Message, nil)
	case "errored":
		e := r.Result.Error.Error
		return p.read(ctx, model, nil, &api.Status{Status: statusOf(e.Type), Message: e.Message, Code: e.Type})
	case "expired":
		return pipeline.Reply{}, api.Expired(model)
	case "canceled":
		return pipeline.Reply{}, api.Withdrawn(model)
	}
	return p.read(ctx, model, nil, errors.New("neither an answer nor an error"))
}

// statusOf is the status the API sends with a type of error outside batches.
func statusOf(kind string) int {
	switch kind {
	case "authentication_error":
		return 401
	case "billing_error":
		return 402
	case "permission_error":
		return 403
	case "not_found_error":
		return 404
	case "request_too_large":
		return 413
	case "rate_limit_error":
		return 429
	case "api_error":
		return 500
	case "timeout_error":
		return 504
	case "overloaded_error":
		return 529
	}
	return 400
}
