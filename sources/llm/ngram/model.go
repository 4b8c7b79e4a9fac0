package ngram

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// order is the most tokens of context that are compared.
	order = 16
	// memory is how many tokens before the end of the text are known: enough for
	// any source file, and a bound on the work for what is none.
	memory = 100_000
)

// model is what a text says of what follows what. It grows with what it says.
type model struct {
	names []string // of the tokens, by number
	text  []int32  // what it was taught
	all   []int32  // and what it said since
}

func learn(text string) *model {
	m := &model{}
	numbers := map[string]int32{}
	list := tokens(text)
	for _, token := range list[max(0, len(list)-memory):] {
		n, ok := numbers[token]
		if !ok {
			n = int32(len(m.names))
			numbers[token] = n
			m.names = append(m.names, token)
		}
		m.text = append(m.text, n)
	}
	m.all = append(m.all, m.text...)
	return m
}

// next says a token: what the text has most often after the longest end of all
// so far that the text has anywhere before its last token. Of equals the one said
// last in the text goes first. Nothing is said where not even the last token
// stands there.
func (m *model) next() (string, bool) {
	longest := 0
	var votes map[int32]int
	best := int32(-1)
	for at := 1; at < len(m.text); at++ {
		n := m.agree(at)
		if n == 0 || n < longest {
			continue
		}
		if n > longest {
			longest, votes, best = n, map[int32]int{}, -1
		}
		token := m.text[at]
		votes[token]++
		if best < 0 || votes[token] >= votes[best] {
			best = token
		}
	}
	if best < 0 {
		return "", false
	}
	m.all = append(m.all, best)
	return m.names[best], true
}

// agree counts the tokens before a place of the text that are those at the end
// of all, up to order.
func (m *model) agree(at int) int {
	n := 0
	for end := len(m.all); n < min(order, at) && m.text[at-1-n] == m.all[end-1-n]; n++ {
	}
	return n
}

// tokens parts a text: runs of letters, digits and underscores, runs of blanks,
// line ends, and every other character by itself. Together they are the text.
func tokens(text string) []string {
	var out []string
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		for _, kind := range []func(rune) bool{isWord, isBlank} {
			if kind(r) {
				if n = strings.IndexFunc(text, func(r rune) bool { return !kind(r) }); n < 0 {
					n = len(text)
				}
			}
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func isBlank(r rune) bool { return r == ' ' || r == '\t' }
