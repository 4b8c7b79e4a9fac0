package split

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is the set of groups a character belongs to; no bit means punctuation,
// symbols, controls and everything unassigned.
type class uint8

const (
	upper    class = 1 << iota // Lu, Lt
	lower                      // Ll
	caseless                   // Lm, Lo
	mark                       // M
	number                     // N
	space                      // White_Space
	newline                    // \r and \n, which are space too

	letter = upper | lower | caseless
)

// groups pairs each class with its Unicode tables.
var groups = []struct {
	class  class
	tables []*unicode.RangeTable
}{
	{upper, []*unicode.RangeTable{unicode.Lu, unicode.Lt}},
	{lower, []*unicode.RangeTable{unicode.Ll}},
	{caseless, []*unicode.RangeTable{unicode.Lm, unicode.Lo}},
	{mark, []*unicode.RangeTable{unicode.M}},
	{number, []*unicode.RangeTable{unicode.N}},
	{space, []*unicode.RangeTable{unicode.White_Space}},
}

// ascii and bmp answer for nearly all text with one load.
var (
	ascii = func() (t [utf8.RuneSelf]class) {
		for r := range t {
			t[r] = lookUp(rune(r))
		}
		return t
	}()
	bmp = sync.OnceValue(func() *[1 << 16]class {
		t := new([1 << 16]class)
		for _, g := range groups {
			for _, table := range g.tables {
				for _, rg := range table.R16 {
					for r := uint32(rg.Lo); r <= uint32(rg.Hi); r += uint32(rg.Stride) {
						t[r] |= g.class
					}
				}
			}
		}
		t['\r'] |= newline
		t['\n'] |= newline
		return t
	})
)

func lookUp(r rune) class {
	var c class
	for _, g := range groups {
		if unicode.In(r, g.tables...) {
			c |= g.class
		}
	}
	if r == '\r' || r == '\n' {
		c |= newline
	}
	return c
}

// at returns the class and the width of the character at s[i].
func at(s string, i int) (class, int) {
	if b := s[i]; b < utf8.RuneSelf {
		return ascii[b], 1
	}
	return wide(s, i)
}

func wide(s string, i int) (class, int) {
	r, w := utf8.DecodeRuneInString(s[i:])
	if r < 1<<16 {
		return bmp()[r], w
	}
	return lookUp(r), w
}

// run returns the end of the run of characters from s[i] on that have any of
// the classes.
func run(s string, i int, any class) int {
	for i < len(s) {
		if b := s[i]; b < utf8.RuneSelf {
			if ascii[b]&any == 0 {
				return i
			}
			i++
			continue
		}
		c, w := wide(s, i)
		if c&any == 0 {
			return i
		}
		i += w
	}
	return i
}

// runWithout returns the end of the run of characters from s[i] on that have
// none of the classes.
func runWithout(s string, i int, none class) int {
	for i < len(s) {
		if b := s[i]; b < utf8.RuneSelf {
			if ascii[b]&none != 0 {
				return i
			}
			i++
			continue
		}
		c, w := wide(s, i)
		if c&none != 0 {
			return i
		}
		i += w
	}
	return i
}
