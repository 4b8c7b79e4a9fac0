package anthropic

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// FuzzResults: whatever a file of results holds, each line is a reply or an error.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"custom_id":"a","result":{"type":"succeeded","message":{"model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"x"}]}}}` + "\n"))
	f.Add([]byte(`{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"billing_error","message":"no"}}}}` + "\n" + `{"result":{"type":"expired"}}`))
	f.Add([]byte("{}\n[]\nnull\n1\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(data)), Request: r}, nil
		})
		p := New(api.Endpoint{BaseURL: "http://localhost/v1/", Timeout: 1 << 40, Transport: transport})
		err := p.Results(context.Background(), api.Batch{ID: "b", Model: "m", Items: []string{"a"}}, func(item string, reply pipeline.Reply, err error) {
			if err == nil && (reply.Provider != Name || reply.Model == "" || reply.Origin != pipeline.OriginModel) || err != nil && reply != (pipeline.Reply{}) {
				t.Errorf("%s: %+v, %v", item, reply, err)
			}
		})
		if err != nil && pipeline.ClassOf(err) != pipeline.Transient {
			t.Errorf("%v of class %v", err, pipeline.ClassOf(err))
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
