package split

// o200k follows, with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}],
// L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C = (?i:'s|'t|'re|'ve|'m|'ll|'d),
//
//	[^\r\n\p{L}\p{N}]?U*L+C?|[^\r\n\p{L}\p{N}]?U+L*C?|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
type o200k struct{}

const (
	u = upper | caseless | mark
	l = lower | caseless | mark
)

func (o200k) Next(s string) int {
	if end := word(s); end > 0 {
		return end + foldContraction(s[end:])
	}
	if n := digits(s, 3); n > 0 {
		return n
	}
	if n := punctuation(s); n > 0 {
		return slashes(s, n)
	}
	return lines(s, false)
}

// slashes extends a punctuation piece that line ends closed by the rest of
// `[\r\n/]*`: the slash is punctuation itself, so it can only come back after a
// line end.
func slashes(s string, i int) int {
	for i < len(s) && (s[i] == '/' || s[i] == '\r' || s[i] == '\n') {
		i++
	}
	return i
}

// word returns the end of the first two alternatives without C, or 0. A mark
// may be the character before the word or part of it, so both readings are
// tried, the former first, in the order of a backtracking matcher.
func word(s string) int {
	c, w := at(s, 0)
	prefix := c&(letter|number|newline) == 0
	inWord := c&(letter|mark) != 0
	if prefix {
		if end := lowerWord(s, w); end > 0 {
			return end
		}
	}
	if inWord {
		if end := lowerWord(s, 0); end > 0 {
			return end
		}
	}
	if prefix {
		if end := run(s, w, u); end > w {
			return end
		}
	}
	if inWord {
		return run(s, 0, u)
	}
	return 0
}

// lowerWord follows U*L+ from s[i]: the longest U, given back from its end
// until an L can follow. It returns 0 when none can.
func lowerWord(s string, i int) int {
	back := 0 // end of the last character so far that is both U and L
	for i < len(s) {
		c, w := at(s, i)
		if c&u == 0 {
			if c&l != 0 {
				return run(s, i+w, l)
			}
			break
		}
		i += w
		if c&l != 0 {
			back = i
		}
	}
	return back
}
