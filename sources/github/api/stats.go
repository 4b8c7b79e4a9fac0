package api

import (
	"maps"
	"sync"
	"time"
)

// Stats counts what a client did. It holds numbers only.
type Stats struct {
	Requests  int64         `json:"requests"`            // sent; each redirect and each repetition is one
	Statuses  map[int]int64 `json:"statuses,omitempty"`  // answers by HTTP status, 304 among them
	Broken    int64         `json:"broken,omitempty"`    // requests without any answer
	Truncated int64         `json:"truncated,omitempty"` // bodies that ended early
	HTML      int64         `json:"html,omitempty"`      // pages for people instead of JSON
	Malformed int64         `json:"malformed,omitempty"` // other bodies that are not JSON, or not labelled so
	Unasked   int64         `json:"unasked,omitempty"`   // 304 to a request without a condition
	Limited   int64         `json:"limited,omitempty"`   // answers that said: too many requests
	Retries   int64         `json:"retries,omitempty"`   // repetitions, for whatever reason
	Waits     int64         `json:"waits,omitempty"`     // pauses after a failure, and for a budget
	Waited    time.Duration `json:"waited,omitempty"`    // sum of these pauses, over all requests
	Bytes     int64         `json:"bytes"`               // of bodies, decompressed
}

// counter is Stats under way. It is safe for concurrent use.
type counter struct {
	mu sync.Mutex
	s  Stats
}

func (c *counter) add(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.s.Statuses == nil {
		c.s.Statuses = map[int]int64{}
	}
	f(&c.s)
}

func (c *counter) snapshot() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.s
	out.Statuses = maps.Clone(c.s.Statuses)
	return out
}

// answered counts one exchange.
func (c *counter) answered(r *reply) {
	c.add(func(s *Stats) {
		s.Requests++
		s.Bytes += int64(len(r.body))
		if r.status != 0 {
			s.Statuses[r.status]++
		}
		switch r.fault {
		case broken:
			s.Broken++
		case truncated:
			s.Truncated++
		case html:
			s.HTML++
		case malformed:
			s.Malformed++
		}
		if r.limited {
			s.Limited++
		}
	})
}
