// Package scrub takes personal data and secrets out of texts people wrote:
// e-mail addresses, access tokens, private keys, passwords in addresses, and
// addresses of machines.
//
// Over-approximation: a value that looks like a secret is taken out whether or
// not it still opens anything, so documented examples and commit ids that follow
// the word "token" go too. Under-approximation: names, telephone numbers (their
// patterns hit version, build and issue numbers far more often than telephones),
// addresses written to be missed by programs ("bob at host"), and passwords that
// are words.
//
// Time is linear in the length of the text; results depend on the text alone.
package scrub

import (
	"cmp"
	"slices"
	"strings"
)

// Kinds of what is found. Each is replaced by its name in angle brackets.
const (
	Email    = "email"
	Token    = "token"    // of a service, or a long random value called token, secret, key, ...
	Key      = "key"      // a private key
	Password = "password" // in an address
	IP       = "ip"
)

// Finding is one thing found: text[Start:End].
type Finding struct {
	Start, End int
	Kind       string
}

// Options say what else is looked for.
type Options struct {
	IPs bool // addresses of machines; versions of four numbers look the same
}

// weight is lower for what counts more where two findings begin together: what
// stands before the sign in "https://user:password@host" is no mailbox.
func (f Finding) weight() int {
	if f.Kind == Email || f.Kind == IP {
		return 1
	}
	return 0
}

// Find lists what is found, in order and without overlaps. Of two findings that
// overlap the one that begins first counts, then secrets, then the longer.
func Find(text string, o Options) []Finding {
	t := newSubject(text)
	var all []Finding
	for _, r := range rules {
		if t.may(r.needs) {
			all = append(all, r.find(t)...)
		}
	}
	for _, a := range announcements {
		all = append(all, a.find(t)...)
	}
	all = append(all, privateKeys(text)...)
	all = append(all, emails(text)...)
	if o.IPs {
		all = append(all, addresses(text)...)
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.weight(), b.weight()), cmp.Compare(b.End, a.End))
	})
	var out []Finding
	end := 0
	for _, f := range all {
		if f.Start >= end {
			out, end = append(out, f), f.End
		}
	}
	return out
}

// Text replaces everything found by its kind and counts it. The result holds
// nothing that would be found again. Bytes that are not UTF-8 become U+FFFD.
func Text(text string, o Options) (string, map[string]int64) {
	counts := map[string]int64{}
	text = strings.ToValidUTF8(text, "\uFFFD")
	// A replacement can end a word that hid something beside it. Each round takes
	// away at least one byte that is no replacement, and one round nearly always
	// does.
	for {
		found := Find(text, o)
		if len(found) == 0 {
			return text, counts
		}
		var b strings.Builder
		at := 0
		for _, f := range found {
			counts[f.Kind]++
			b.WriteString(text[at:f.Start])
			b.WriteString("<" + f.Kind + ">")
			at = f.End
		}
		b.WriteString(text[at:])
		text = b.String()
	}
}

// subject is a text with its lower case, so that rules can be skipped cheaply.
type subject struct{ text, lower string }

func newSubject(text string) subject { return subject{text, lowerASCII(text)} }

// lowerASCII keeps offsets, which strings.ToLower does not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// may reports whether the text has one of some words, which are in lower case.
func (t subject) may(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(t.lower, w) })
}
