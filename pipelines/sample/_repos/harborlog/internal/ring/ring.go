// Package ring keeps the last few of many values.
package ring

// Ring overwrites the oldest value when it is full.
type Ring[T any] struct {
	slots []T
	seen  int
}

// New makes a ring for n values, at least one.
func New[T any](n int) *Ring[T] {
	return &Ring[T]{slots: make([]T, max(n, 1))}
}

// Push adds a value.
func (r *Ring[T]) Push(value T) {
	r.slots[r.seen%len(r.slots)] = value
	r.seen++
}

// Items returns what is kept, oldest first.
func (r *Ring[T]) Items() []T {
	if r.seen <= len(r.slots) {
		return append([]T(nil), r.slots[:r.seen]...)
	}
	oldest := r.seen % len(r.slots)
	return append(append([]T(nil), r.slots[oldest:]...), r.slots[:oldest]...)
}

// Dropped is the number of values that were overwritten.
func (r *Ring[T]) Dropped() int { return max(0, r.seen-len(r.slots)) }

// Tail returns the last n of the values that `produce` hands out, and how many came before.
func Tail[T any](n int, produce func(yield func(T)) error) (last []T, dropped int, err error) {
	r := New[T](n)
	err = produce(r.Push)
	return r.Items(), r.Dropped(), err
}
