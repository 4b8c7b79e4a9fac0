package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// BatchRequests is the most one batch takes.
const BatchRequests = 50_000

// markerKey is the metadata under which a batch carries our name for it.
const markerKey = "benchmill_batch"

// Body implements api.Batches.
func (p *Provider) Body(req pipeline.Request) (json.RawMessage, error) {
	if err := api.Check(req); err != nil {
		return nil, err
	}
	return json.Marshal(p.params(req))
}

// Submit implements api.Batches: the requests travel as a file, the batch names it.
func (p *Provider) Submit(ctx context.Context, b api.Batch, bodies []json.RawMessage) (string, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for i, body := range bodies {
		if err := encoder.Encode(map[string]any{
			"custom_id": b.Items[i], "method": "POST", "url": sdk.BatchNewParamsEndpointV1ChatCompletions, "body": body,
		}); err != nil {
			return "", err
		}
	}
	file, err := p.uploads.New(ctx, sdk.FileNewParams{
		File:    sdk.File(&lines, "benchmill-"+b.Marker+".jsonl", "application/jsonl"),
		Purpose: sdk.FilePurposeBatch,
	})
	if err != nil {
		return "", api.Free(p.refused(ctx, b.Model, p.transfer, err)) // a file alone costs nothing
	}
	batch, err := p.batches.New(ctx, sdk.BatchNewParams{
		InputFileID:      file.ID,
		Endpoint:         sdk.BatchNewParamsEndpointV1ChatCompletions,
		CompletionWindow: sdk.BatchNewParamsCompletionWindow24h,
		Metadata:         shared.Metadata{markerKey: b.Marker},
	})
	if err != nil {
		if s, ok := api.StatusOf(err); ok && s.Status >= 500 {
			return "", api.Bill(p.endpoint.Explain(ctx, b.Model, err)) // it may have been made behind the gateway that failed
		}
		return "", p.refused(ctx, b.Model, p.endpoint, err)
	}
	return batch.ID, nil
}

// refused explains why a batch was not taken.
func (p *Provider) refused(ctx context.Context, model string, e api.Endpoint, err error) error {
	if s, ok := api.StatusOf(err); ok && (s.Status == 404 || s.Status == 405 || s.Status == 501) {
		return pipeline.Mark(fmt.Errorf("model %s: %w (the server seems to have no batches; set `batch: false` for this model)", model, s), pipeline.Fatal)
	}
	return e.Explain(ctx, model, err)
}

// Find implements api.Batches: the marker is in the batch's metadata.
func (p *Provider) Find(ctx context.Context, b api.Batch, _ func(string) bool) (string, error) {
	pages := p.batches.ListAutoPaging(ctx, sdk.BatchListParams{Limit: param.NewOpt[int64](100)})
	for pages.Next() { // the youngest first
		batch := pages.Current()
		if batch.Metadata[markerKey] == b.Marker {
			return batch.ID, nil
		}
		if batch.CreatedAt < b.Created.Add(-api.Skew).Unix() {
			return "", nil
		}
	}
	if err := pages.Err(); err != nil {
		return "", p.endpoint.Explain(ctx, b.Model, err)
	}
	return "", nil
}

// Ended implements api.Batches.
func (p *Provider) Ended(ctx context.Context, b api.Batch) (bool, error) {
	batch, err := p.batches.Get(ctx, b.ID)
	if err != nil {
		return false, p.endpoint.ExplainBatch(ctx, b, err)
	}
	switch batch.Status {
	case sdk.BatchStatusCompleted, sdk.BatchStatusFailed, sdk.BatchStatusExpired, sdk.BatchStatusCancelled:
		return true, nil
	}
	return false, nil
}

// Results implements api.Batches. What was answered and what failed are two
// files; what stands in neither shares the fate of the batch.
func (p *Provider) Results(ctx context.Context, b api.Batch, yield func(string, pipeline.Reply, error)) error {
	batch, err := p.batches.Get(ctx, b.ID)
	if err != nil {
		return p.endpoint.ExplainBatch(ctx, b, err)
	}
	told := map[string]bool{}
	for _, file := range []string{batch.OutputFileID, batch.ErrorFileID} {
		if file == "" {
			continue
		}
		if err := p.file(ctx, b.Model, file, func(item string, reply pipeline.Reply, err error) {
			told[item] = true
			yield(item, reply, err)
		}); err != nil {
			return err
		}
	}
	for i, item := range b.Items {
		if err := p.fate(batch, b.Model, i); err != nil && !told[item] {
			yield(item, pipeline.Reply{}, err)
		}
	}
	return nil
}

func (p *Provider) file(ctx context.Context, model, id string, yield func(string, pipeline.Reply, error)) error {
	res, err := p.files.Content(ctx, id)
	if err != nil {
		return p.transfer.Explain(ctx, model, err)
	}
	defer res.Body.Close()
	if err := p.lines(ctx, model, res.Body, yield); err != nil {
		return p.transfer.Explain(ctx, model, err)
	}
	return nil
}

func (p *Provider) lines(ctx context.Context, model string, r io.Reader, yield func(string, pipeline.Reply, error)) error {
	return api.Lines(r, func(text []byte) error {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		reply, err := p.result(ctx, model, l)
		yield(l.CustomID, reply, err)
		return nil
	})
}

// line is one line of a file of results.
type line struct {
	CustomID string `json:"custom_id"`
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (p *Provider) result(ctx context.Context, model string, l line) (pipeline.Reply, error) {
	switch {
	case l.Error != nil && l.Error.Code == "batch_expired":
		return pipeline.Reply{}, api.Expired(model)
	case l.Error != nil && l.Error.Code == "batch_cancelled":
		return pipeline.Reply{}, api.Withdrawn(model)
	case l.Error != nil:
		return p.read(ctx, model, nil, &api.Status{Status: 500, Message: l.Error.Message, Code: l.Error.Code})
	case l.Response == nil:
		return p.read(ctx, model, nil, errors.New("neither an answer nor an error"))
	case l.Response.StatusCode < 200 || l.Response.StatusCode > 299:
		return p.read(ctx, model, nil, api.NewStatus(l.Response.StatusCode, l.Response.Body))
	}
	var answer sdk.ChatCompletion
	err := json.Unmarshal(l.Response.Body, &answer)
	return p.read(ctx, model, &answer, err)
}

// fate is what became of the i-th request when no file tells, or nil.
func (p *Provider) fate(batch *sdk.Batch, model string, i int) error {
	switch batch.Status {
	case sdk.BatchStatusExpired:
		return api.Expired(model)
	case sdk.BatchStatusCancelled:
		return api.Withdrawn(model)
	case sdk.BatchStatusFailed:
		return p.failed(batch, model, i)
	}
	return nil
}

// failed is the error of a request in a batch that was refused as a whole. Where
// the API blames single lines, the other requests can be asked again.
func (p *Provider) failed(batch *sdk.Batch, model string, i int) error {
	blamed := false
	for _, e := range batch.Errors.Data {
		s := &api.Status{Status: 400, Message: e.Message, Code: e.Code}
		switch {
		case e.Code == "token_limit_exceeded": // too much waits in other batches
			return pipeline.RetryAfter(fmt.Errorf("model %s: the batch was refused: %s", model, e.Message), api.MaxPause)
		case e.Line == 0 || e.Line == int64(i)+1:
			return p.endpoint.Explain(context.Background(), model, s)
		}
		blamed = true
	}
	if blamed {
		return pipeline.Mark(fmt.Errorf("model %s: the batch was refused because of other requests in it", model), pipeline.Transient)
	}
	return fmt.Errorf("model %s: the batch was refused without a reason", model)
}
