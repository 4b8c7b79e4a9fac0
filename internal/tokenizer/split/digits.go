package split

// Digits is Hugging Face's pre-tokenizer of that name: every number character
// on its own, or every run of them, apart from the text between.
type Digits struct {
	Individual bool // each number character is a piece
}

// Next implements [Splitter].
func (d Digits) Next(s string) int {
	c, w := at(s, 0)
	switch {
	case c&number == 0:
		return runWithout(s, w, number)
	case d.Individual:
		return w
	}
	return run(s, w, number)
}
