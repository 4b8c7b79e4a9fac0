package retrieval

import (
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/pytext"
)

// Words are the words of a text as the published script takes them: runs of
// letters, numbers and underscores, case kept, inside the word tokens of NLTK
// 3.8, which follow the Penn Treebank. Of the many rules for tokens only a few
// part a run: "don't" gives do, n, t where a token ends after it (not before a
// line break or a slash: don, t), "cannot" gives can, not, and "gimme", "gonna",
// "gotta", "lemme", "wanna", "'tis" and "'twas" are parted likewise.
//
// In the original a trained model finds the ends of sentences first. They count
// only for a full stop after n't, and for a blank before 'tis; we end a sentence
// at each full stop, question and exclamation mark before a blank or one of the
// marks at which that model looks for an end.
func Words(text string) []string {
	out := runs(nil, text)
	if !strings.Contains(text, "'t") && !strings.Contains(text, "'T") && !slices.ContainsFunc(out, isTwo) {
		return out
	}
	out = nil
	text = strings.TrimRightFunc(text, pytext.IsSpace)
	for text != "" {
		end := len(text)
		if m := sentenceEnd.FindStringIndex(text); m != nil {
			end = m[0] + 1
		}
		sentence := text[:end]
		text = strings.TrimLeftFunc(text[end:], pytext.IsSpace)
		for _, s := range treebank {
			sentence = s.find.ReplaceAllString(sentence, s.put)
		}
		out = runs(out, sentence)
	}
	return out
}

// runs appends the maximal runs of word characters.
func runs(out []string, text string) []string {
	return append(out, strings.FieldsFunc(text, func(r rune) bool { return !pytext.IsWord(r) })...)
}

// isTwo reports whether a word is two words in one.
func isTwo(word string) bool {
	return (len(word) == 5 || len(word) == 6) && slices.ContainsFunc(two, func(w string) bool { return strings.EqualFold(w, word) })
}

var two = []string{"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"}

var sentenceEnd = regexp.MustCompile(`[.?!](\s+\S|[)";}\]*:@'({\[!?])`)

// Neighbours of a whole word. Go's \b knows ASCII alone, so a match takes its
// neighbour in.
const before, after = `(?i)(^|[^\pL\pN_])`, `([^\pL\pN_]|$)`

// step is a replacement all over a sentence. Tokens stand between blanks after
// the last one.
type step struct {
	find *regexp.Regexp
	put  string
}

// treebank are the steps in their order, as far as they move blanks that later
// ones ask for.
var treebank = slices.Concat(
	// Quotes that open.
	on("([«“‘„]|`+)", " ${1} "),
	on(`^"`, "``"),
	on("(``)", " ${1} "),
	on(`([ (\[{<])("|'')`, "${1} `` "),
	on(`(')([^mtsdnMTSDN\PL]|[\pN_])`+after, "${1} ${2}${3}"),
	// Punctuation: the last full stop first.
	on(`([^.])(\.)([\])}>"'»”’ ]*)\s*$`, "${1} ${2} ${3} "),
	on(`([:,])(\P{Nd})`, " ${1} ${2}"),
	on(`([:,])$`, " ${1} "),
	on(`(\.{2,}|[;@#$%&?!])`, " ${1} "),
	on(`([^'])' `, "${1} ' "),
	on(`([*\[\](){}<>]|--)`, " ${1} "),
	on(`^|$`, " "),
	// Quotes that close, and what follows an apostrophe.
	on(`([»”’])`, " ${1} "),
	on(`''|"`, " '' "),
	on(`([^' ])('[sSmMdD]?) `, "${1} ${2} "),
	on(`([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) `, "${1} ${2} "),
	// Two words in one.
	twice(before+`(can)(not)`+after),
	twice(before+`(gim|lem)(me)`+after),
	twice(before+`(gon)(na)`+after),
	twice(before+`(got)(ta)`+after),
	twice(before+`(wan)(na)(\s)`),
	on(`(?i) ('t)(is)`+after, " ${1} ${2} ${3}"),
	on(`(?i) ('t)(was)`+after, " ${1} ${2} ${3}"),
)

func on(find, put string) []step { return []step{{regexp.MustCompile(find), put}} }

// twice is a step for a word in two parts. A neighbour between two such words
// belongs to the match of the first only, so that the second needs another go.
func twice(find string) []step {
	s := on(find, "${1} ${2} ${3} ${4}")
	return append(s, s[0])
}
