package llm

import (
	"context"
	"sync"
)

// Receipt tells a provider that a reply is safe with its asker. An answer that
// was bought in a batch stays in the journal until then: a program that is killed
// between getting an answer and keeping it gets it again, for nothing.
//
// It belongs to one request at a time. It is safe for concurrent use.
type Receipt struct {
	mu   sync.Mutex
	then func()
}

type receiptKey struct{}

// WithReceipt returns a context for one request, and the receipt to sign once its
// reply is kept. Without one, a reply is safe when Complete returns it.
func WithReceipt(ctx context.Context) (context.Context, *Receipt) {
	r := new(Receipt)
	return context.WithValue(ctx, receiptKey{}, r), r
}

// Sign says that the reply is kept. More than once is as good as once.
func (r *Receipt) Sign() {
	r.mu.Lock()
	then := r.then
	r.then = nil
	r.mu.Unlock()
	if then != nil {
		then()
	}
}

// onReceipt calls then when the receipt of ctx is signed, or now where it has none.
func onReceipt(ctx context.Context, then func()) {
	r, ok := ctx.Value(receiptKey{}).(*Receipt)
	if !ok {
		then()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.then = then
}
