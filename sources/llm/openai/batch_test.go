package openai

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
	f.Add([]byte(`{"custom_id":"a","response":{"status_code":200,"body":{"model":"m","choices":[{"message":{"content":"x"}}]}},"error":null}` + "\n"))
	f.Add([]byte(`{"custom_id":"a","response":{"status_code":400,"body":{"error":"no"}}}` + "\n" + `{"custom_id":"a","error":{"code":"batch_expired"}}`))
	f.Add([]byte(`{"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"x","code":"content_filter"}}}}`))
	f.Add([]byte("{}\n[]\nnull\n1\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			body := data
			if r.URL.Path == "/v1/batches/b" {
				body = []byte(`{"id":"b","status":"completed","output_file_id":"o"}`)
			}
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
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
