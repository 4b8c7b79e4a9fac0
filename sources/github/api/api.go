package api

import (
	"fmt"
	"net/http"
	"time"
)

// Answer is one believed answer to a GET.
type Answer struct {
	// NotModified: nothing changed since the [Known] answer. Body is nil.
	NotModified bool
	Body        []byte // whole, and valid JSON
	ETag        string
	Modified    string // Last-Modified, as sent
	// Next is the address of the next page from the Link header, "" on the last.
	// It lies below the base. With NotModified it is what this answer said, which
	// may be nothing.
	Next string
	// Date is the server's own clock, zero when it sent none.
	Date time.Time
	// URL is where the answer was found, after redirects, without secrets.
	URL string
}

// Known is what to remember of the answer for the next time its address is asked.
func (a *Answer) Known() Known { return Known{ETag: a.ETag, Modified: a.Modified} }

// Known is what an earlier answer of the same address said about itself. The
// zero value knows nothing.
type Known struct {
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// StatusError is a refusal the server stands by: it was repeated until it could
// be believed.
type StatusError struct {
	Status  int
	Message string // the server's words, shortened
	URL     string // without secrets
	// Date is the server's own clock, zero when it sent none.
	Date time.Time
}

// dateOf is when an answer was given, by the server's own clock.
func dateOf(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return date.UTC()
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: GitHub answers %d", e.URL, e.Status)
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	return text
}
