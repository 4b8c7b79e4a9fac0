package extractive

import (
	"strings"
	"unicode"
)

// common are the words that carry no meaning of their own; a description cannot
// do without them, so an identifier made of them is no leak.
var common = set(`a an the and or but nor not no of in on at by to from for with as into
	it its this that these those they them their there is are was were be been being has have had
	do does did can could may might must should will would if when while then than so
	what which how where we you he`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// splitIdentifier parts an identifier at underscores, other punctuation and
// changes of case: "parseHTTPHeader_v2" is parse, HTTP, Header, v2.
func splitIdentifier(s string) []string {
	var out []string
	runes := []rune(s)
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			out = append(out, string(runes[start:end]))
		}
		start = -1
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			continue
		case start < 0:
			start = i
			continue
		}
		prev := runes[i-1]
		nextLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(r) && (!unicode.IsUpper(prev) || nextLower) {
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return out
}

// stem cuts the simple English endings off a lower-case word, so that a word and
// its plural, past and participle meet. It need not be a word.
func stem(w string) string {
	n := len(w)
	switch {
	case n > 4 && (strings.HasSuffix(w, "ies") || strings.HasSuffix(w, "ied")):
		return w[:n-3] + "y"
	case n > 4 && hasAnySuffix(w, "sses", "xes", "ches", "shes", "zes"):
		return w[:n-2]
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return undouble(w[:n-2])
	case n > 3 && strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:n-1]
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 2 && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouslz", rune(w[n-1])) {
		return w[:n-1]
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// pieces lists what an identifier gives away: itself, its parts, and these
// without digits.
func pieces(id string) []string {
	out := splitIdentifier(id)
	for _, part := range out {
		if strings.ContainsFunc(part, unicode.IsDigit) {
			out = append(out, strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) })...)
		}
	}
	return append(out, id)
}

// banned is the set of words a description must not use.
type banned map[string]bool

func newBanned(identifiers ...string) banned {
	b := banned{}
	for _, id := range identifiers {
		for _, part := range pieces(id) {
			w := strings.ToLower(part)
			if !common[w] {
				b[w], b[stem(w)] = true, true
			}
		}
	}
	return b
}

// has reports whether text, a word or an identifier, holds a banned word.
func (b banned) has(text string) bool {
	text = strings.TrimSuffix(text, "'s")
	for _, part := range pieces(text) {
		w := strings.ToLower(part)
		if common[w] {
			continue
		}
		if b[w] || b[stem(w)] {
			return true
		}
	}
	return false
}

// list splits a comma separated list of identifiers.
func list(s string) []string {
	var out []string
	for _, p := range strings.Split(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func upperFirst(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

func lowerFirst(s string) string {
	for i, r := range s {
		return string(unicode.ToLower(r)) + s[i+len(string(r)):]
	}
	return s
}

// enumerate joins phrases as in speech: "a, b and c".
func enumerate(items []string, last string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	n := len(items) - 1
	return strings.Join(items[:n], ", ") + " " + last + " " + items[n]
}
