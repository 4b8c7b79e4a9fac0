package llm

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// sized answers with nothing and remembers how large its batches were.
type sized struct {
	mu    sync.Mutex
	bytes []int
}

func (*sized) Body(req pipeline.Request) (json.RawMessage, error) { return []byte(req.System), nil }

func (s *sized) Submit(_ context.Context, b api.Batch, bodies []json.RawMessage) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, body := range bodies {
		n += len(body)
	}
	s.bytes = append(s.bytes, n)
	return b.Marker, nil
}

func (*sized) Find(context.Context, api.Batch, func(string) bool) (string, error) { return "", nil }
func (*sized) Ended(context.Context, api.Batch) (bool, error)                     { return true, nil }
func (*sized) Results(_ context.Context, b api.Batch, yield func(string, pipeline.Reply, error)) error {
	for _, item := range b.Items {
		yield(item, pipeline.Reply{}, nil)
	}
	return nil
}

// A batch holds as many bytes as allowed; a request larger than that has its own.
func TestBatchBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &sized{}
		b := newBatch(service, "p", "h", batchRules{Wait: time.Second, Requests: 100, Bytes: 10, Poll: time.Second, Timeout: time.Hour}, "", clock.Wall{}, nil)
		var all sync.WaitGroup
		for i, n := range []int{4, 6, 1, 9, 11, 3} {
			time.Sleep(time.Millisecond)
			all.Go(func() {
				if _, err := b.Complete(t.Context(), pipeline.Request{System: string(make([]byte, n)), MaxTokens: i}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if slices.Sort(service.bytes); !slices.Equal(service.bytes, []int{3, 10, 10, 11}) {
			t.Errorf("batches of %v bytes", service.bytes)
		}
	})
}
