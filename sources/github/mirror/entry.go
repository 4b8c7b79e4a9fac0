package mirror

import (
	"time"

	"benchmill/internal/digest"
	"benchmill/sources/github/api"
)

// Kinds of entries.
const (
	entryPage    = "page"    // a page of a sweep
	entrySame    = "same"    // the first page again, with nothing new
	entryOff     = "off"     // the repository has its issues switched off
	entryListing = "listing" // a page of one issue's comments
	entryGone    = "gone"    // an issue of the mirror is no more
	entryBatch   = "batch"   // details of some numbers
	entryMore    = "more"    // a further page of one list of one number
)

// entry is the header of what a log holds. It says enough to go on: the state of
// the sweeps needs no bodies.
type entry struct {
	Kind    string        `json:"kind"`
	Size    int64         `json:"size"`           // bytes of the packed body
	Address string        `json:"address"`        // what was asked, for people
	Date    time.Time     `json:"date,omitzero"`  // the server's clock
	Known   api.Known     `json:"known,omitzero"` // of a first page
	Body    digest.Digest `json:"body,omitempty"` // of a first page

	// Of pages of sweeps and listings. First begins a walk and Done ends it.
	First bool   `json:"first,omitempty"`
	Done  bool   `json:"done,omitempty"`
	Next  string `json:"next,omitempty"` // "" when Done

	// Of pages of sweeps.
	Full   bool      `json:"full,omitempty"`   // the sweep has no watermark
	Rising bool      `json:"rising,omitempty"` // Next comes from the other end
	Newest time.Time `json:"newest,omitzero"`  // update on a first page
	Low    time.Time `json:"low,omitzero"`     // update down to which the walk from the front has come

	// Of listings and of issues that are gone.
	Issue   int64  `json:"issue,omitempty"`
	Version string `json:"version,omitempty"` // of the issue, see versionOf

	// Of details.
	Since  time.Time `json:"since,omitzero"` // when the full sweep began that named the numbers
	Asked  []asked   `json:"asked,omitempty"`
	List   string    `json:"list,omitempty"`   // of a further page
	Cursor string    `json:"cursor,omitempty"` // where the list goes on, "" at its end
}

// asked is one number of a batch of details.
type asked struct {
	Number  int64             `json:"number"`
	Updated string            `json:"updated"`        // in the mirror when it was asked
	Gone    bool              `json:"gone,omitempty"` // GitHub knows no such number
	More    map[string]string `json:"more,omitempty"` // cursors of the lists with more than a page
}

// sweeps is the state of the sweeps of one kind.
type sweeps struct {
	open      *sweep        // unfinished
	watermark time.Time     // zero: no sweep was finished, or there was nothing
	known     api.Known     // of the first page
	digest    digest.Digest // of the first page
	complete  time.Time     // all that existed then is in the mirror
	full      time.Time     // when the last finished full sweep began
	base      int           // the entry it began with; those before are superseded
	off       bool          // the issues are switched off
	offAt     time.Time     // when they were found to be; zero: the server did not say
}

// sweep is an unfinished walk.
type sweep struct {
	first  int // entry
	full   bool
	floor  time.Time // the watermark it goes down to
	pages  int
	began  time.Time
	known  api.Known
	digest digest.Digest
	newest time.Time
	low    time.Time
	rising bool
	next   string
}

// apply takes the i-th entry of the log into account.
func (s *sweeps) apply(i int, e entry) {
	switch e.Kind {
	case entrySame:
		s.known, s.complete, s.off = e.Known, e.Date, false
	case entryOff:
		s.off, s.offAt, s.open = true, e.Date, nil
	case entryPage:
		s.applyPage(i, e)
	}
}

func (s *sweeps) applyPage(i int, e entry) {
	if e.First {
		s.open = &sweep{first: i, full: e.Full, began: e.Date, known: e.Known, digest: e.Body, newest: e.Newest}
		if !e.Full {
			s.open.floor = s.watermark
		}
	}
	w := s.open
	if w == nil {
		return
	}
	w.pages++
	w.next, w.rising, w.low = e.Next, e.Rising, e.Low
	if !e.Done {
		return
	}
	s.open, s.off = nil, false
	s.watermark, s.known, s.digest = w.newest, w.known, w.digest
	if w.full {
		s.full, s.base = w.began, w.first
	}
	if e.First {
		s.complete = e.Date
	}
}

// serves reports whether the mirror holds all that existed at a time; with full,
// whether a full sweep was made since. There is nothing to hold where the issues
// were found to be switched off since.
func (s *sweeps) serves(asOf time.Time, full bool) bool {
	if s.off {
		return covers(s.offAt, asOf)
	}
	return covers(s.complete, asOf) && (!full || covers(s.full, asOf))
}

func covers(have, asOf time.Time) bool { return !have.IsZero() && !have.Before(asOf) }

// listings is the state of the comments that were listed issue by issue.
type listings struct {
	done map[int64]string // issue to the version it was listed at
	gone map[int64]string // issue to the version at which it was found to be gone
	open *listing
}

type listing struct {
	issue   int64
	version string
	next    string
}

func (l *listings) apply(e entry) {
	switch e.Kind {
	case entryListing:
		l.open = &listing{e.Issue, e.Version, e.Next}
		if e.Done {
			l.open = nil
			l.done[e.Issue] = e.Version
		}
	case entryGone:
		l.open = nil
		l.gone[e.Issue] = e.Version
	}
}
