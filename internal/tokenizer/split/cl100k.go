package split

// cl100k follows
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,digits}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// and with wholeTail `\s+$` before `\s*[\r\n]+`.
type cl100k struct {
	digits    int
	wholeTail bool
}

func (k cl100k) Next(s string) int {
	if n := foldContraction(s); n > 0 {
		return n
	}
	c, w := at(s, 0)
	if c&letter != 0 {
		return run(s, w, letter)
	}
	if c&number != 0 {
		return digits(s, k.digits)
	}
	if c&newline == 0 {
		if end := run(s, w, letter); end > w {
			return end
		}
	}
	if n := punctuation(s); n > 0 {
		return n
	}
	return lines(s, k.wholeTail)
}

// punctuation follows ` ?[^\s\p{L}\p{N}]+[\r\n]*` and returns 0 when s does not
// start that way.
func punctuation(s string) int {
	start := 0
	if s[0] == ' ' {
		start = 1
	}
	end := runWithout(s, start, letter|number|space)
	if end == start {
		return 0
	}
	return run(s, end, newline)
}
