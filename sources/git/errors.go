package git

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"benchmill/pipeline"
)

// failure is an error about a repository whose text was cleared of secrets. It
// answers errors.Is for its cause but does not hand the cause out, because the
// cause's text was not.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string        { return f.text }
func (f *failure) Is(target error) bool { return errors.Is(f.cause, target) }

// writeError is an error of the writer a snapshot goes to. It is none of the
// repository's and keeps its class.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

// fatalError is an error of this machine that every other fetch would meet.
type fatalError struct{ error }

func (e fatalError) Unwrap() error { return e.error }

// fail makes the error that leaves the package: it names the repository and
// what was done, holds no secret, and has a class.
func fail(ctx context.Context, loc location, doing string, tr *trace, err error) error {
	if err == nil {
		return nil
	}
	var we writeError
	if errors.As(err, &we) && ctx.Err() == nil {
		err = fmt.Errorf("git %s: %s: write: %w", clean(loc.text), clean(doing), we.error)
		if errors.Is(err, syscall.ENOSPC) {
			return pipeline.Mark(err, pipeline.Fatal)
		}
		return err
	}
	out := &failure{cause: err}
	class, pause := classify(ctx, tr, err)
	if ctx.Err() != nil {
		out.cause = ctx.Err()
	}
	out.text = fmt.Sprintf("git %s: %s: %s", clean(loc.text), clean(doing), scrub(describe(tr, out.cause), loc.secrets))
	if pause > 0 {
		return pipeline.RetryAfter(out, pause)
	}
	return pipeline.Mark(out, class)
}

func classify(ctx context.Context, tr *trace, err error) (pipeline.Class, time.Duration) {
	var fatal fatalError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return pipeline.Transient, 0
	case ctx.Err() != nil:
		return pipeline.Canceled, 0
	case errors.Is(err, syscall.ENOSPC), errors.As(err, &fatal):
		return pipeline.Fatal, 0
	}
	if tr == nil {
		return pipeline.Permanent, 0 // nothing came over a wire
	}
	if status, pause, wire := tr.state(); status >= 400 {
		if status >= 500 || slices.Contains(transientStatus, status) {
			return pipeline.Transient, pause
		}
		return pipeline.Permanent, 0
	} else if wire != nil {
		err = wire
	}
	if isTransient(err) {
		return pipeline.Transient, 0
	}
	return pipeline.Permanent, 0
}

var transientStatus = []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}

// isTransient recognises errors of the wire: names that do not resolve,
// connections that fail or break, answers that stop in the middle.
func isTransient(err error) bool {
	var unexpected *plumbing.UnexpectedError // it does not unwrap by itself
	if errors.As(err, &unexpected) {
		err = unexpected.Err
	}
	var (
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		op          *net.OpError
		dns         *net.DNSError
		timeout     interface{ Timeout() bool }
		broken      wireError
	)
	switch {
	case errors.As(err, &certificate), errors.As(err, &record):
		return false
	case errors.As(err, &op), errors.As(err, &dns), errors.As(err, &broken):
		return true
	case errors.As(err, &timeout) && timeout.Timeout():
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// describe says what went wrong without repeating what a server wrote, where
// its status says enough.
func describe(tr *trace, err error) string {
	status, _, wire := tr.state()
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Sprintf("the server denies access (%d %s)", status, http.StatusText(status))
	case status == http.StatusNotFound || errors.Is(err, transport.ErrRepositoryNotFound):
		return "repository not found"
	case status >= 400:
		return fmt.Sprintf("the server answers %d %s", status, http.StatusText(status))
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return errEmpty.Error()
	case wire != nil && !strings.Contains(err.Error(), wire.Error()):
		return err.Error() + ": " + wire.Error()
	}
	return err.Error()
}

// scrub takes secrets out of a text, and then what [clean] does.
func scrub(text string, secrets []string) string {
	// Longer secrets first: one may hold another.
	for _, s := range slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) }) {
		text = strings.ReplaceAll(text, s, "***")
	}
	return clean(text)
}

const maxErrorText = 400 // bytes; a server's words can be a page

// clean makes foreign text fit for a terminal: one line of UTF-8, not too long.
func clean(text string) string {
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "..."
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
