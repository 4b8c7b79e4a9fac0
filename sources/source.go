// Package sources is the contract of everything that brings the outside world
// in: a [Source] resolves moving names for the lock and fetches what a pin names.
//
// Sources do not cache, retry, limit or record: those are wrappers around this
// contract, and the ledger stands in front of it.
package sources

import (
	"context"
	"io"
	"strings"
	"time"

	"benchmill/pipeline"
)

// Source is one kind of outside world. Implementations are safe for concurrent
// use, honour ctx, mark their errors with a [pipeline.Class], and put no secret
// in an error.
type Source interface {
	// Scheme is the name in refs and pins: "git".
	Scheme() string
	// Resolve pins a moving name to what it means now. Only the lock asks.
	Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error)
	// Fetch writes the bytes of a pin to w. They depend on the pin alone: the
	// same at any time, on any machine, through any mirror.
	Fetch(ctx context.Context, pin pipeline.Pin, w io.Writer) error
	// Local reports whether Fetch of this pin would reach no network. A frozen
	// run may still fetch such pins.
	Local(pin pipeline.Pin) bool
}

// Lister is a [Source] whose names stand for lists, such as the repositories a
// search finds. The lock holds the list itself, so Fetch is never asked.
type Lister interface {
	Source
	// List resolves a moving name to JSON Lines, as of a moment. Numbers are whole.
	List(ctx context.Context, ref pipeline.Ref, asOf time.Time) ([]byte, error)
}

// Estimator is a [Source] that knows beforehand about how much a fetch costs.
type Estimator interface {
	Source
	// Estimate is how many requests Fetch of a pin would send, from what lies on
	// this machine; it asks nobody.
	Estimate(pin pipeline.Pin) int64
}

// Runner is a [Source] whose pins are programs of this machine: they are run, and
// Fetch is never asked.
type Runner interface {
	Source
	// Run runs a job whose tool is a pin of this source, as [pipeline.Sandbox]
	// says, without asking or telling the ledger.
	Run(ctx context.Context, job pipeline.Job) (pipeline.Outcome, error)
}

// Mirror replaces a prefix of locators: where a URL starts with Prefix, that
// part is read as Replacement. Mirrors change where bytes come from, never what
// they are, so they join no key and appear in no row.
type Mirror struct{ Prefix, Replacement string }

// Rewrite applies the mirror with the longest matching prefix.
func Rewrite(mirrors []Mirror, locator string) string {
	best := -1
	for i, m := range mirrors {
		if strings.HasPrefix(locator, m.Prefix) && (best < 0 || len(m.Prefix) > len(mirrors[best].Prefix)) {
			best = i
		}
	}
	if best < 0 {
		return locator
	}
	return mirrors[best].Replacement + locator[len(mirrors[best].Prefix):]
}
