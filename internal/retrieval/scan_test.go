package retrieval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/pytext"
)

// scan is Words the other way round: it looks at the neighbourhood of each run
// instead of rewriting the text. It is right where 'tis and 'twas stand alone.
func scan(text string) []string {
	text = strings.TrimRightFunc(text, pytext.IsSpace)
	var out []string
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !pytext.IsWord(r) {
			i += n
			continue
		}
		end := i + wordLength(text[i:])
		out = appendWord(out, text, i, end)
		i = end
	}
	return out
}

// wordLength is the length of the run of word characters at the start.
func wordLength(s string) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !pytext.IsWord(r) }); n >= 0 {
		return n
	}
	return len(s)
}

// parted are words that contain two, by their length and that of the first.
var parted = []struct {
	word  string
	first int
}{{"cannot", 3}, {"gimme", 3}, {"gonna", 3}, {"gotta", 3}, {"lemme", 3}, {"wanna", 3}}

// appendWord adds the run of word characters text[start:end], in its parts.
func appendWord(out []string, text string, start, end int) []string {
	word := text[start:end]
	if len(word) > 1 && negates(text, end) {
		out = appendParted(out, word[:len(word)-1], true)
		return append(out, word[len(word)-1:])
	}
	if start > 0 && text[start-1] == '\'' && startsToken(text[:start-1]) &&
		(strings.EqualFold(word, "tis") || strings.EqualFold(word, "twas")) {
		return append(out, word[:1], word[1:])
	}
	return appendParted(out, word, endsToken(text[end:], true))
}

func appendParted(out []string, word string, ends bool) []string {
	if len(word) < 5 || len(word) > 6 {
		return append(out, word)
	}
	for _, p := range parted {
		if strings.EqualFold(word, p.word) && (ends || p.word != "wanna") {
			return append(out, word[:p.first], word[p.first:])
		}
	}
	return append(out, word)
}

// negates reports whether the word before end is parted before its last letter:
// n't or N'T at the end of a token, in one case.
func negates(text string, end int) bool {
	rest := text[end:]
	return text[end-1] == 'n' && strings.HasPrefix(rest, "'t") && endsToken(rest[2:], false) ||
		text[end-1] == 'N' && strings.HasPrefix(rest, "'T") && endsToken(rest[2:], false)
}

// tokenEnds always stand for themselves, so that a token ends before them and
// another starts after.
const tokenEnds = " `\"«»“”‘’„;@#$%&?!*()[]{}<>"

// closing may stand between the last full stop of a text and its end.
const closing = "])}>\"'»”’ "

// splitting are the marks after a full stop that end a sentence without a blank.
const splitting = ")\";}]*:@'({[!?"

// endsToken reports whether a token ends before rest. White space other than a
// blank counts only where anyBlank says so: the rule for n't looks for a blank.
func endsToken(rest string, anyBlank bool) bool {
	r, n := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[n:])
	switch {
	case rest == "" || strings.ContainsRune(tokenEnds, r):
		return true
	case r == ',' || r == ':':
		return !unicode.IsDigit(next)
	case r == '-':
		return next == '-'
	case r == '.':
		return rest[n:] == "" || next == '.' || pytext.IsSpace(next) || strings.ContainsRune(splitting, next) ||
			strings.Trim(rest[n:], closing) == ""
	case r == '\'':
		return afterQuote(rest[n:], anyBlank)
	}
	return anyBlank && pytext.IsSpace(r)
}

// afterQuote is endsToken for an apostrophe with rest after it: a quote, 's, 'm
// or 'd, or before a word of one letter.
func afterQuote(rest string, anyBlank bool) bool {
	r, n := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\'' || endsToken(rest, false):
		return true
	case strings.ContainsRune("sSmMdD", r):
		// One pass parts off one ending, so another 's or a last quote is one too many.
		again := rest[n:] == "'" || len(rest) > n+1 && rest[n] == '\'' && strings.ContainsRune("sSmMdD", rune(rest[n+1]))
		return !again && endsToken(rest[n:], false)
	case anyBlank && len(rest) > 1 && (strings.Contains("ll re ve", rest[:2]) || strings.Contains("LL RE VE", rest[:2])):
		return endsToken(rest[2:], false)
	}
	return pytext.IsWord(r) && wordLength(rest) == n && !strings.ContainsRune("mtsdnMTSDNſ", r)
}

// startsToken reports whether a token starts after before.
func startsToken(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	if r == ',' || r == ':' || strings.ContainsRune(tokenEnds, r) {
		return true
	}
	sentence := strings.TrimRightFunc(before, pytext.IsSpace)
	if len(sentence) < len(before) { // a blank was seen above: other white space
		return sentence == "" || strings.ContainsRune(".?!", rune(sentence[len(sentence)-1]))
	}
	return before == "" || strings.HasSuffix(before, "--") || strings.HasSuffix(before, "..")
}
