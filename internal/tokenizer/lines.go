package tokenizer

// Lines counts lines and remembers the counts, for texts that are put together
// and cut line by line. It is safe for concurrent use and its memory is bounded:
// 65,536 lines of at most 512 bytes.
type Lines struct {
	tokenizer Tokenizer
	counts    *memo[int]
}

// LineCounter returns an empty Lines over t.
func LineCounter(t Tokenizer) *Lines {
	return &Lines{tokenizer: t, counts: newMemo[int](16, 512)}
}

// Count returns the tokens of the line with a line feed at its end, encoded on
// its own: exactly the tokenizer's Count(line+"\n"). The line itself is given
// without its line feed.
//
// The sum over the lines of a text is in general not the count of the text:
// words do not reach over the cuts, and a tokenizer that puts a space before
// every text puts one before every line.
func (l *Lines) Count(line string) int {
	if n, ok := l.counts.get(line); ok {
		return n
	}
	n := l.tokenizer.Count(line + "\n")
	l.counts.put(line, n)
	return n
}
