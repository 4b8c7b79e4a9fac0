package extractive

import "strings"

const maxCode = 64 << 10

// scanned is a function's text without what is not code.
type scanned struct {
	text     string   // comments gone, strings as "", line breaks kept
	literals []string // contents of short string literals, in order
	indented bool     // blocks are marked by indentation, not by braces
	header   string   // up to the body
	body     string
}

// scan separates code, comments and strings. What starts a comment follows from
// how the first line ends: with braces "//" does, with a colon "#" does.
func scan(code string) scanned {
	if len(code) > maxCode {
		code = code[:maxCode]
	}
	code = strings.ToValidUTF8(strings.ReplaceAll(code, "\r\n", "\n"), "") // the cut may have split a letter
	var s scanned
	s.indented = byIndentation(code)
	s.text, s.literals = blank(code, s.indented)
	s.header, s.body = cutHeader(s.text, s.indented)
	return s
}

// byIndentation reports whether the first statement ends with a colon outside all
// brackets, or no brace opens a block at all.
func byIndentation(code string) bool {
	depth := 0
	for _, line := range strings.Split(code, "\n") {
		trimmed := strings.TrimSpace(line)
		if depth == 0 && (trimmed == "" || hasPrefix(trimmed, "@", "#", "//", "/*", "*", "[")) {
			continue // decorators, attributes and comments in front
		}
		depth += strings.Count(line, "(") + strings.Count(line, "[") - strings.Count(line, ")") - strings.Count(line, "]")
		if depth > 0 {
			continue
		}
		if hash := strings.Index(trimmed, " #"); hash > 0 {
			trimmed = strings.TrimSpace(trimmed[:hash])
		}
		if strings.HasSuffix(trimmed, ":") {
			return true
		}
		if strings.ContainsAny(trimmed, "{;") {
			return false
		}
	}
	return !strings.Contains(code, "{")
}

// blank removes comments and empties strings.
func blank(code string, hash bool) (text string, literals []string) {
	var b strings.Builder
	keep := func(lit string) {
		if len(lit) > 0 && len(lit) <= 24 && !strings.ContainsAny(lit, "\n\\") {
			literals = append(literals, lit)
		}
	}
	for i := 0; i < len(code); {
		rest := code[i:]
		switch {
		case rest[0] == '#' && (hash || startsLine(code, i)), !hash && strings.HasPrefix(rest, "//"):
			i += lineEnd(rest)
		case !hash && strings.HasPrefix(rest, "/*"):
			n := closeAt(rest, "*/", 2)
			b.WriteString(strings.Repeat("\n", strings.Count(rest[:n], "\n")))
			i += n
		case strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''"):
			n := closeAt(rest, rest[:3], 3)
			b.WriteString(`""`)
			b.WriteString(strings.Repeat("\n", strings.Count(rest[:n], "\n")))
			i += n
		case rest[0] == '"' || rest[0] == '`' || rest[0] == '\'':
			n, ok := stringEnd(rest)
			if !ok { // a lifetime, an apostrophe
				b.WriteByte(' ')
				i++
				continue
			}
			keep(rest[1 : n-1])
			b.WriteString(`""`)
			b.WriteString(strings.Repeat("\n", strings.Count(rest[:n], "\n")))
			i += n
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String(), literals
}

// startsLine reports whether only blanks stand before i on its line. With braces,
// such a "#" begins a directive or an attribute.
func startsLine(code string, i int) bool {
	before := strings.TrimRight(code[:i], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

func lineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

func closeAt(s, end string, from int) int {
	if n := strings.Index(s[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(s)
}

// stringEnd finds the end of the string s begins with. Only back quotes may span
// lines. A single quote with an identifier behind it and no quote after that on
// the line, or only far behind commas and brackets, is not a string.
func stringEnd(s string) (int, bool) {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			if quote != '`' {
				return 0, false
			}
		case quote:
			if quote == '\'' && strings.ContainsAny(s[1:i], "<>&(") && i > 3 {
				return 0, false
			}
			return i + 1, true
		}
	}
	return 0, false
}

// cutHeader finds where the body begins: behind the colon or the brace that
// ends the first statement.
func cutHeader(text string, indented bool) (header, body string) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{':
			if !indented && depth <= 0 {
				return text[:i], text[i+1:]
			}
		case '=':
			if !indented && depth <= 0 && strings.HasPrefix(text[i:], "=>") {
				return text[:i], text[i+2:]
			}
		case ':':
			if indented && depth <= 0 && endsLine(text[i+1:]) {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// endsLine reports whether nothing but blanks follows on the line, or a whole
// statement does, as in a function of one line.
func endsLine(rest string) bool {
	line := rest[:lineEnd(rest)]
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, " ")
}
