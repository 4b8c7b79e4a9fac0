package minhash

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Classes of characters.
const (
	other byte = iota // a token of its own
	space
	word // continues a token
)

var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = classOf(rune(c))
	}
	return t
}()

// unspaced are scripts that part words without spaces. Each of their characters is
// a token, as a run of them would be a sentence.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func classOf(r rune) byte {
	switch {
	case unicode.IsSpace(r):
		return space
	case r == '_':
		return word
	case r >= utf8.RuneSelf && unicode.In(r, unspaced...):
		return other
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return word
	}
	return other
}

// class is the class of the character at the start of text, and its length.
func class(text []byte) (byte, int) {
	if c := text[0]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return other, 1
	}
	return classOf(r), n
}

// Tokens are the tokens of a text in their order, as slices of it: runs of
// letters, digits and underscores, and every other character that is no white
// space, a byte that is not UTF-8 too. So tokens leave nothing out but white space,
// and operators are the same however they are spaced.
func Tokens(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at < len(text); {
			c, n := class(text[at:])
			end := at + n
			for c == word && end < len(text) {
				next, n := class(text[end:])
				if next != word {
					break
				}
				end += n
			}
			if c != space && !yield(text[at:end]) {
				return
			}
			at = end
		}
	}
}
