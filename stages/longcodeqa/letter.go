package longcodeqa

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/fence"
)

var (
	// A letter and nothing else but signs around it.
	lone = regexp.MustCompile(`^[^\pL\pN]*([A-Da-d])[^\pL\pN]*$`)
	// What stands before a letter that is called the answer: "Answer: **",
	// "the answer is option (", `"letter": "`.
	announced = regexp.MustCompile("(?i)\\b(?:answer|letter)[\"*_\\s]*(?:\\bis\\b|[:=])[\\s:*_\"'`(\\[{$\\\\]*(?:boxed\\{)?(?:(?:option|choice)\\s+)?[*_\"'`(\\[]*")
)

// Letter takes the answer out of a reply, "" where there is none: the field
// "letter" of a JSON object; a reply that is nothing but a letter; the last
// letter that is called the answer; the last line that is nothing but a letter;
// or the last capital letter A to D that stands alone. Letters inside words and
// names do not count, nor does the article "A".
func Letter(reply string) string {
	var object struct{ Letter string }
	text := strings.TrimSpace(reply)
	if inside, ok := fence.First(text); ok {
		text = strings.TrimSpace(inside)
	}
	if json.Unmarshal([]byte(text), &object) == nil && object.Letter != "" {
		reply = object.Letter
	}
	for _, find := range []func(string) string{loneLetter, announcedLetter, lastLine, lastAlone} {
		if letter := find(reply); letter != "" {
			return strings.ToUpper(letter)
		}
	}
	return ""
}

func loneLetter(text string) string {
	if found := lone.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func announcedLetter(text string) (letter string) {
	for _, at := range announced.FindAllStringIndex(text, -1) {
		i := at[1]
		if i == len(text) || !stands(text, i) {
			continue
		}
		// A capital in this place is no article, whatever follows.
		if c := text[i]; 'A' <= c && c <= 'D' || 'a' <= c && c <= 'd' && !article(text, i) {
			letter = text[i : i+1]
		}
	}
	return letter
}

func lastLine(text string) (letter string) {
	for line := range strings.Lines(text) {
		if found := loneLetter(line); found != "" {
			letter = found
		}
	}
	return letter
}

func lastAlone(text string) (letter string) {
	for i := range len(text) {
		if 'A' <= text[i] && text[i] <= 'D' && stands(text, i) && !article(text, i) {
			letter = text[i : i+1]
		}
	}
	return letter
}

// stands reports whether the letter at i is a word of its own: not part of a
// word, of a contraction, of a compound with a hyphen, or of a name that ends in
// signs.
func stands(text string, i int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:i])
	if wordRune(before) || isJoint(before) && endsInWord(text[:i-size]) {
		return false
	}
	after, size := utf8.DecodeRuneInString(text[i+1:])
	if wordRune(after) || after == '+' || after == '#' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[i+1+size:])
	return !isJoint(after) || !wordRune(next)
}

// article reports whether the letter at i is followed by a word in small
// letters, as in "A function".
func article(text string, i int) bool {
	if text[i] != 'A' && text[i] != 'a' {
		return false
	}
	rest := text[i+1:]
	word := strings.TrimLeft(rest, " \t\n")
	r, _ := utf8.DecodeRuneInString(word)
	return len(word) < len(rest) && unicode.IsLower(r)
}

func endsInWord(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return wordRune(r)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r)
}

func isJoint(r rune) bool { return r == '-' || r == '\'' || r == '’' }
