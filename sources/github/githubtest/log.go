package githubtest

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Request is one line of a server's log.
type Request struct {
	N           int64 // from 1, in the order requests came in
	Method      string
	Path        string // with its query
	At          time.Time
	User        string // "" is nobody
	Conditional bool
	Status      int
	Bytes       int    // of the body, as far as it is sent
	Fault       string // "" for a true answer
}

// Counts sum up a log.
type Counts struct {
	Requests    int
	Bytes       int64
	NotModified int // 304, faults aside
	Faults      int
	Peak        int         // most requests at the same time
	ByStatus    map[int]int // faults too
}

type log struct {
	mu      sync.Mutex
	entries []Request
	running int
	counts  Counts
}

// enter counts a request in; what it returns counts it out.
func (l *log) enter() func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running++
	l.counts.Peak = max(l.counts.Peak, l.running)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.running--
	}
}

func (l *log) add(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, r)
	c := &l.counts
	c.Requests++
	c.Bytes += int64(r.Bytes)
	if c.ByStatus == nil {
		c.ByStatus = map[int]int{}
	}
	c.ByStatus[r.Status]++
	if r.Fault != "" {
		c.Faults++
	} else if r.Status == 304 {
		c.NotModified++
	}
}

// Log is every request so far, in the order of the answers. A request is in it
// before its answer is sent.
func (s *Server) Log() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return slices.Clone(s.log.entries)
}

// Counts sum up the log.
func (s *Server) Counts() Counts {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	out := s.log.counts
	out.ByStatus = maps.Clone(out.ByStatus)
	return out
}

// ResetLog forgets the log and its counts. Requests go on being numbered.
func (s *Server) ResetLog() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.entries, s.log.counts = nil, Counts{Peak: s.log.running}
}
