package api

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const redacted = "[redacted]"

// Tokens shorter than this are placeholders of servers on this machine, and words
// that may well stand in an answer.
const shortestSecret = 8

// secretLike finds what looks like a credential, whoever's it is: GitHub's own
// forms, the old ones of 40 hexadecimal digits where an authorisation is echoed
// (elsewhere these are commits), and what follows the usual words.
var secretLike = regexp.MustCompile(`gh[pousr]_[A-Za-z0-9_.\-]{4,}` +
	`|github_pat_[A-Za-z0-9_]{4,}` +
	`|v1\.[0-9a-f]{40}` +
	`|(?i:\bbearer\s+)[^\s"',;<>]{8,}` +
	`|(?i:\bbasic\s+)[A-Za-z0-9+/=_\-]{12,}` +
	`|(?i:\bauthorization\b)["']?\s*[:=]\s*["']?(?:\w+\s+)?[^\s"',;<>]{8,}` +
	`|(?i:\btoken\b)\W{1,4}[0-9A-Fa-f]{40}\b` +
	`|(?i:\b(?:access_token|client_secret)=)[^&\s"']+`)

// redactor keeps tokens out of everything that leaves the package.
type redactor struct {
	forms []string // of our own tokens: plain, and as URLs and JSON may escape them
	known *strings.Replacer
}

func newRedactor(tokens []string) *redactor {
	r := &redactor{}
	var pairs []string
	for _, t := range tokens {
		if len(t) < shortestSecret {
			continue
		}
		for _, form := range []string{t, url.QueryEscape(t), url.PathEscape(t), strings.ReplaceAll(t, "/", `\/`)} {
			if !slices.Contains(r.forms, form) {
				r.forms = append(r.forms, form)
				pairs = append(pairs, form, redacted)
			}
		}
	}
	r.known = strings.NewReplacer(pairs...)
	return r
}

// body takes our own tokens out of an answer. It stays valid JSON.
func (r *redactor) body(b []byte) []byte {
	for _, form := range r.forms {
		if bytes.Contains(b, []byte(form)) {
			b = bytes.ReplaceAll(b, []byte(form), []byte(redacted))
		}
	}
	return b
}

// header takes our own tokens out of all values, in place.
func (r *redactor) header(h http.Header) {
	for _, values := range h {
		for i := range values {
			values[i] = r.known.Replace(values[i])
		}
	}
}

// text takes everything that is, or looks like, a credential out of a text.
func (r *redactor) text(s string) string {
	return secretLike.ReplaceAllString(r.known.Replace(s), redacted)
}

// words makes foreign text fit for an error or a log: without credentials, one
// line, at most 300 runes.
func (r *redactor) words(s string) string {
	const most, look = 300, 16 << 10
	cut := len(s) > look
	if cut {
		s = s[:look]
	}
	fields := strings.Fields(strings.Map(printable, strings.ToValidUTF8(s, "\uFFFD")))
	if cut && len(fields) > 0 {
		fields = fields[:len(fields)-1] // half a credential looks like none
	}
	s = r.text(strings.Join(fields, " "))
	if cut || utf8.RuneCountInString(s) > most {
		runes := []rune(s)
		s = string(runes[:min(most, len(runes))]) + "..."
	}
	return s
}

// printable keeps control sequences from a terminal.
func printable(r rune) rune {
	if unicode.IsPrint(r) || unicode.IsSpace(r) {
		return r
	}
	return -1
}

// url makes an address fit for an error or a log.
func (r *redactor) url(u *url.URL) string {
	return r.words(withoutUser(u))
}

func withoutUser(u *url.URL) string {
	plain := *u
	plain.User = nil
	return plain.String()
}
