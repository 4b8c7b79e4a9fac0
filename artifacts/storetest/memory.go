package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"benchmill/artifacts"
	"benchmill/internal/digest"
)

// Memory is a store that keeps its objects in memory, for tests. The zero value
// is an empty store.
type Memory struct {
	mu      sync.Mutex
	objects map[digest.Digest][]byte
}

var (
	_ artifacts.Store = (*Memory)(nil)
	_ Damager         = (*Memory)(nil)
)

// Create implements [artifacts.Store].
func (m *Memory) Create(ctx context.Context) (artifacts.Writer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &memoryWriter{store: m}, nil
}

// Open implements [artifacts.Store]. A damaged object is forgotten.
func (m *Memory) Open(ctx context.Context, d digest.Digest) (artifacts.Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.get(d)
	if err != nil {
		return nil, err
	}
	if digest.Of(b) != d {
		delete(m.objects, d)
		return nil, fmt.Errorf("object %s: %w", d, artifacts.ErrDamaged)
	}
	return memoryObject{bytes.NewReader(b)}, nil
}

// Stat implements [artifacts.Store].
func (m *Memory) Stat(ctx context.Context, d digest.Digest) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.get(d)
	return int64(len(b)), err
}

// Remove implements [artifacts.Store].
func (m *Memory) Remove(ctx context.Context, d digest.Digest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := m.get(d)
	if errors.Is(err, artifacts.ErrNotFound) {
		return nil
	}
	delete(m.objects, d)
	return err
}

// Walk implements [artifacts.Store].
func (m *Memory) Walk(ctx context.Context, yield func(d digest.Digest, size int64) error) error {
	type entry struct {
		d    digest.Digest
		size int64
	}
	var all []entry
	m.mu.Lock()
	for d, b := range m.objects {
		all = append(all, entry{d, int64(len(b))})
	}
	m.mu.Unlock()
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.d, b.d) })
	for _, e := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(e.d, e.size); err != nil {
			return err
		}
	}
	return nil
}

// Damage implements [Damager].
func (m *Memory) Damage(d digest.Digest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.get(d)
	if err != nil {
		return err
	}
	b = slices.Clone(b) // objects that are open keep the bytes they were opened with
	b[len(b)/2] ^= 1
	m.objects[d] = b
	return nil
}

func (m *Memory) get(d digest.Digest) ([]byte, error) {
	if _, err := digest.Parse(string(d)); err != nil {
		return nil, err
	}
	b, ok := m.objects[d]
	if !ok {
		return nil, fmt.Errorf("object %s: %w", d, artifacts.ErrNotFound)
	}
	return b, nil
}

type memoryWriter struct {
	store     *Memory
	buf       bytes.Buffer
	done      bool
	committed digest.Digest
}

var errDone = errors.New("object is committed or discarded already")

func (w *memoryWriter) Write(p []byte) (int, error) {
	if w.done {
		return 0, errDone
	}
	return w.buf.Write(p)
}

func (w *memoryWriter) Commit() (digest.Digest, error) {
	if w.done {
		if w.committed == "" {
			return "", errDone
		}
		return w.committed, nil
	}
	b := w.buf.Bytes()
	w.done, w.committed = true, digest.Of(b)
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if _, ok := w.store.objects[w.committed]; !ok {
		if w.store.objects == nil {
			w.store.objects = map[digest.Digest][]byte{}
		}
		w.store.objects[w.committed] = b
	}
	return w.committed, nil
}

func (w *memoryWriter) Discard() error {
	w.done = true
	return nil
}

type memoryObject struct{ *bytes.Reader }

func (memoryObject) Close() error { return nil }
