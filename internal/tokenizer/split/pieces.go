package split

// spaces follows `\s+(?!\S)|\s+` at the start of s: all the white space there
// is, but when something follows, the last character of it is left to the next
// piece unless it is the only one.
func spaces(s string) int {
	end, last := 0, 0
	for end < len(s) {
		c, w := at(s, end)
		if c&space == 0 {
			break
		}
		last = end
		end += w
	}
	if end == len(s) || last == 0 {
		return end
	}
	return last
}

// lines follows `\s*[\r\n]+|\s+(?!\S)|\s+`: white space up to and with its last
// line end, else as spaces does. With wholeTail, `\s+$` comes first.
func lines(s string, wholeTail bool) int {
	end, last, line := 0, 0, 0
	for end < len(s) {
		c, w := at(s, end)
		if c&space == 0 {
			break
		}
		last = end
		end += w
		if c&newline != 0 {
			line = end
		}
	}
	switch {
	case wholeTail && end == len(s):
		return end
	case line > 0:
		return line
	case end == len(s) || last == 0:
		return end
	}
	return last
}

// contraction follows `'s|'t|'re|'ve|'m|'ll|'d` and returns 0 when s does not
// start with one of them.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) < 3 {
		return 0
	}
	switch s[1:3] {
	case "re", "ve", "ll":
		return 3
	}
	return 0
}

// foldContraction is contraction whatever the case. The long s (U+017F) folds
// to s.
func foldContraction(s string) int {
	const longS = "\u017f"
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) < 3 {
		return 0
	}
	if s[1:3] == longS {
		return 1 + len(longS)
	}
	switch [2]byte{s[1] | 0x20, s[2] | 0x20} {
	case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
		return 3
	}
	return 0
}

// digits returns the end of at most max number characters from the start of s.
func digits(s string, max int) int {
	end := 0
	for n := 0; n < max && end < len(s); n++ {
		c, w := at(s, end)
		if c&number == 0 {
			break
		}
		end += w
	}
	return end
}
