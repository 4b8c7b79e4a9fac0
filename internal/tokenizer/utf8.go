package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// replaceParts returns text with each maximal part of a broken UTF-8 sequence
// replaced by one U+FFFD, as chapter 3.9 of the Unicode standard recommends and
// Python decodes.
func replaceParts(text string) string { return replaceInvalid(text, brokenPart) }

// replaceBytes returns text with each byte of a broken UTF-8 sequence replaced
// by one U+FFFD.
func replaceBytes(text string) string {
	return replaceInvalid(text, func(string) int { return 1 })
}

func replaceInvalid(text string, width func(string) int) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	kept := 0
	for i := 0; i < len(text); {
		r, w := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError || w != 1 {
			i += w
			continue
		}
		b.WriteString(text[kept:i])
		b.WriteRune(utf8.RuneError)
		i += width(text[i:])
		kept = i
	}
	b.WriteString(text[kept:])
	return b.String()
}

// brokenPart returns how many bytes at the start of s, which is not valid
// there, could begin a character: at least 1.
func brokenPart(s string) int {
	var more int
	lo, hi := byte(0x80), byte(0xbf)
	switch b := s[0]; {
	case b >= 0xc2 && b <= 0xdf:
		more = 1
	case b == 0xe0:
		more, lo = 2, 0xa0
	case b == 0xed:
		more, hi = 2, 0x9f
	case b >= 0xe1 && b <= 0xef:
		more = 2
	case b == 0xf0:
		more, lo = 3, 0x90
	case b == 0xf4:
		more, hi = 3, 0x8f
	case b >= 0xf1 && b <= 0xf3:
		more = 3
	}
	n := 1
	for n <= more && n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
		lo, hi = 0x80, 0xbf
	}
	return n
}
