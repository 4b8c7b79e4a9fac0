package pipeline

import (
	"context"
	"errors"
	"time"
)

// Class says what to do about an error.
type Class int

const (
	// Permanent errors come back however often one tries: the task fails and
	// its partition is quarantined. It is the class of every unmarked error.
	Permanent Class = iota
	// Transient errors (a connection reset, an overloaded server) are tried again.
	Transient
	// Fatal errors (a full disk, a refused key, a spent budget) stop the whole
	// run: going on would fail everywhere.
	Fatal
	// Canceled is the user's wish, not a failure.
	Canceled
)

func (c Class) String() string {
	return [...]string{"permanent", "transient", "fatal", "canceled"}[c]
}

type classed struct {
	error
	class Class
	after time.Duration
}

func (e *classed) Unwrap() error { return e.error }

// Mark gives err a class. It returns nil for nil.
func Mark(err error, c Class) error {
	if err == nil {
		return nil
	}
	return &classed{error: err, class: c}
}

// RetryAfter marks err as transient and asks for a pause before the next try.
func RetryAfter(err error, after time.Duration) error {
	return &classed{error: err, class: Transient, after: after}
}

// ClassOf is the class of the outermost mark in err's chain.
func ClassOf(err error) Class {
	var c *classed
	if errors.As(err, &c) {
		return c.class
	}
	if errors.Is(err, context.Canceled) {
		return Canceled
	}
	return Permanent
}

// PauseOf is the pause a transient error asks for, or 0.
func PauseOf(err error) time.Duration {
	var c *classed
	if errors.As(err, &c) {
		return c.after
	}
	return 0
}

// MissingEffect is the error of a frozen run that needs an answer its ledger
// does not hold.
type MissingEffect struct {
	Effect string // "git https://host/owner/name@commit", "llm gpt-4 (needle parse)"
}

func (e *MissingEffect) Error() string {
	return "frozen run: the ledger holds no answer for " + e.Effect
}
