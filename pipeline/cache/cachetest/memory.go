package cachetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
)

// Memory is a cache that keeps its entries in memory, for tests. The zero value
// is an empty cache.
type Memory struct {
	mu      sync.Mutex
	entries map[digest.Digest][]byte
}

var (
	_ cache.Cache = (*Memory)(nil)
	_ Spoiler     = (*Memory)(nil)
)

// Get implements [cache.Cache].
func (m *Memory) Get(key digest.Digest) (*cache.Entry, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(key)
}

func (m *Memory) get(key digest.Digest) (*cache.Entry, bool, error) {
	data, ok := m.entries[key]
	if !ok {
		return nil, false, nil
	}
	var e cache.Entry
	if err := json.Unmarshal(data, &e); err != nil || e.Key != key {
		return nil, false, nil
	}
	if e.Format > cache.Format {
		return nil, false, fmt.Errorf("key %s: %w", key, cache.ErrNewer)
	}
	return &e, true, nil
}

// Put implements [cache.Cache].
func (m *Memory) Put(e *cache.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok, err := m.get(e.Key)
	if err != nil {
		return err
	}
	if ok {
		if err := cache.Conflict(old, e); err != nil {
			return err
		}
	}
	e.Format = cache.Format
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if m.entries == nil {
		m.entries = map[digest.Digest][]byte{}
	}
	m.entries[e.Key] = data
	return nil
}

// Walk implements [cache.Cache].
func (m *Memory) Walk(yield func(*cache.Entry) error) error {
	m.mu.Lock()
	var keys []digest.Digest
	for key := range m.entries {
		keys = append(keys, key)
	}
	m.mu.Unlock()
	slices.Sort(keys)
	for _, key := range keys {
		e, ok, err := m.Get(key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}

// Remove implements [cache.Cache].
func (m *Memory) Remove(key digest.Digest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
	return nil
}

// Spoil implements [Spoiler].
func (m *Memory) Spoil(key digest.Digest, how Spoiled) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	data := m.entries[key]
	switch how {
	case Damaged:
		m.entries[key] = data[:len(data)/2]
	case Newer:
		var e cache.Entry
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		e.Format = cache.Format + 1
		data, err := json.Marshal(e)
		m.entries[key] = data
		return err
	case Elsewhere:
		var e cache.Entry
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		e.Key = digest.Of([]byte("another key"))
		data, err := json.Marshal(e)
		m.entries[key] = data
		return err
	}
	return nil
}
