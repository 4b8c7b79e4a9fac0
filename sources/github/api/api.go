// Package api asks GitHub's REST and GraphQL APIs politely and suspiciously: one
// budget per user over several tokens, bounded concurrency, conditional requests,
// waits as the server asks for them, and no body believed before its type, its
// end and its form were checked. It stores nothing.
package api

import (
	"fmt"
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
	Next string
	// Date is the server's own clock, zero when it sent none.
	Date time.Time
}

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
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: GitHub answers %d", e.URL, e.Status)
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	return text
}
