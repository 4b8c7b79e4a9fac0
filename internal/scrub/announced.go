package scrub

import (
	"regexp"
	"strings"
)

// announcement finds secrets without a form of their own by the words before them.
// A pattern for all of it would be tried at every byte; the head is read only where
// a word stands.
type announcement struct {
	words []string // in lower case
	// head is how long the part before the value is, in a text in lower case that
	// begins with the word; negative where no value can follow.
	head  func(text, word string) int
	value func(c byte) bool
	min   int // bytes of the value
	check func(value string) bool
}

// headBytes is as long as any head is.
const headBytes = 128

func (a announcement) find(t subject) []Finding {
	var out []Finding
	for _, word := range a.words {
		for at := 0; ; {
			i := strings.Index(t.lower[at:], word)
			if i < 0 {
				break
			}
			at += i
			n := a.head(t.lower[at:min(len(t.lower), at+headBytes)], word)
			if n < 0 {
				at += len(word)
				continue
			}
			start := at + n
			end := start
			for end < len(t.text) && a.value(t.text[end]) {
				end++
			}
			if end-start >= a.min && a.check(t.text[start:end]) {
				out = append(out, Finding{start, end, Token})
			}
			at = max(end, at+len(word)) // a word inside the value announces nothing more
		}
	}
	return out
}

var announcements = []announcement{
	{
		words: []string{"authorization"}, min: 8,
		head:  pattern(`^authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:bearer|basic|token|apikey)\s{1,8}`),
		value: isToken68, check: func(s string) bool { return !isVariable(s) },
	},
	{
		words: []string{"bearer"}, min: 16,
		head:  pattern(`^bearer\s{1,8}`),
		value: isToken68, check: isRandom,
	},
	{ // its documented example has one digit
		words: []string{"aws"}, min: 40,
		head:  pattern(`^aws[a-z_. -]{0,20}secret[a-z_. -]{0,20}["']?\s{0,3}(?:=>|[:=])?\s{0,3}["'` + "`" + `]?`),
		value: isBase64Byte, check: func(string) bool { return true },
	},
	{
		words: []string{
			"token", "secret", "passwd", "password", "pwd", "apikey", "api_key", "api-key", "api key",
			"access_key", "access-key", "accesskey", "auth_key", "authkey", "private_key", "credential",
		}, min: 16,
		head:  assigned,
		value: func(c byte) bool { return isBase64Byte(c) || c == '_' || c == '-' },
		check: isRandom,
	},
}

// pattern reads a head by an expression.
func pattern(expr string) func(text, word string) int {
	re := regexp.MustCompile(expr)
	return func(text, _ string) int {
		if m := re.FindStringIndex(text); m != nil {
			return m[1]
		}
		return -1
	}
}

// assigned reads the rest of a name, the quotes or brackets that close it, and
// what sets a value off from it: spaces, "is", a colon, a comma or an equals sign.
func assigned(text, word string) int {
	at := len(word)
	skip := func(set string, most int) int {
		from := at
		for at < len(text) && at-from < most && strings.IndexByte(set, text[at]) >= 0 {
			at++
		}
		return at - from
	}
	skip("abcdefghijklmnopqrstuvwxyz0123456789_-", 24)
	skip("\"'`])", 2)
	apart := skip(" \t\r\n", 3) > 0
	for _, sign := range []string{"=>", ":=", "==", "=", ":", ",", "is "} {
		if strings.HasPrefix(text[at:], sign) && (apart || sign != "is ") {
			at, apart = at+len(sign), true
			break
		}
	}
	if !apart {
		return -1
	}
	skip(" \t\r\n", 3)
	skip("\"'`", 1)
	return at
}

// isToken68 accepts what credentials in headers are made of (RFC 9110, 11.2).
func isToken68(c byte) bool { return isBase64Byte(c) || strings.IndexByte("-._~", c) >= 0 }

func isBase64Byte(c byte) bool { return isDigit(c) || isLetter(c) || strings.IndexByte("+/=", c) >= 0 }
