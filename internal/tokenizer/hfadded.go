package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token found in the text before anything else happens to it.
type addedToken struct {
	ID         int32
	Content    string
	SingleWord bool `json:"single_word"` // only where no word character touches it
	LStrip     bool // takes the white space before it along
	RStrip     bool // takes the white space after it along
	Normalized bool // looked for in the normalized text
	Special    bool // of no consequence here
}

// addedTokens finds tokens in text: of those that start first, the longest.
type addedTokens struct {
	tokens []addedToken
	first  [256]bool  // the bytes tokens start with
	nodes  []trieNode // the first is the root
}

type trieNode struct {
	next  map[byte]int32
	token int32 // index of the token that ends here, -1 if none
}

// newAddedTokens takes tokens that are not empty. It returns nil for no tokens;
// of two with the same content the first is kept.
func newAddedTokens(tokens []addedToken) *addedTokens {
	if len(tokens) == 0 {
		return nil
	}
	a := &addedTokens{tokens: tokens, nodes: []trieNode{{token: -1}}}
	for i := range tokens {
		a.first[tokens[i].Content[0]] = true
		at := int32(0)
		for _, b := range []byte(tokens[i].Content) {
			next, ok := a.nodes[at].next[b]
			if !ok {
				next = int32(len(a.nodes))
				a.nodes = append(a.nodes, trieNode{token: -1})
				if a.nodes[at].next == nil {
					a.nodes[at].next = map[byte]int32{}
				}
				a.nodes[at].next[b] = next
			}
			at = next
		}
		if a.nodes[at].token < 0 {
			a.nodes[at].token = int32(i)
		}
	}
	return a
}

// split calls token for the tokens found and rest for the texts between, which
// are never empty, in order.
func (a *addedTokens) split(text string, token func([]int32), rest func(string)) {
	if a == nil {
		if text != "" {
			rest(text)
		}
		return
	}
	from := 0 // what comes before is done
	for i := 0; i < len(text); {
		if !a.first[text[i]] {
			i++
			continue
		}
		t := a.longest(text[i:])
		if t == nil {
			i++
			continue
		}
		start, end := i, i+len(t.Content)
		i = end
		if t.SingleWord && (endsWithWord(text[:start]) || startsWithWord(text[end:])) {
			continue
		}
		if t.LStrip {
			start = max(from, len(strings.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if t.RStrip {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		i = max(i, end)
		if from < start {
			rest(text[from:start])
		}
		token([]int32{t.ID})
		from = end
	}
	if from < len(text) {
		rest(text[from:])
	}
}

// longest returns the longest token that text starts with, or nil.
func (a *addedTokens) longest(text string) *addedToken {
	var found *addedToken
	at := int32(0)
	for i := 0; i < len(text); i++ {
		next, ok := a.nodes[at].next[text[i]]
		if !ok {
			break
		}
		at = next
		if t := a.nodes[at].token; t >= 0 {
			found = &a.tokens[t]
		}
	}
	return found
}

func startsWithWord(s string) bool {
	r, w := utf8.DecodeRuneInString(s)
	return w > 0 && isWord(r)
}

func endsWithWord(s string) bool {
	r, w := utf8.DecodeLastRuneInString(s)
	return w > 0 && isWord(r)
}

// isWord follows \w of Unicode's regular expressions (UTS 18, annex C).
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}
