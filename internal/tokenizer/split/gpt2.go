package split

// gpt2 follows
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
type gpt2 struct{}

func (gpt2) Next(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	start := 0
	if s[0] == ' ' && len(s) > 1 {
		start = 1
	}
	c, w := at(s, start)
	switch {
	case c&letter != 0:
		return run(s, start+w, letter)
	case c&number != 0:
		return run(s, start+w, number)
	case c&space == 0:
		return runWithout(s, start+w, letter|number|space)
	}
	return spaces(s)
}
