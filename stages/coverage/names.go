package coverage

import "strings"

// base is the last part of a function's name: without what it is in, its result,
// its arguments, and the arguments of templates. It is "" for names as linkers
// have them, and "operator()" for lambdas.
func base(name string) string {
	if strings.HasPrefix(name, "_Z") || strings.HasPrefix(name, "__Z") {
		return ""
	}
	last := ""
	for i := 0; i < len(name); {
		if rest := name[i:]; strings.HasPrefix(rest, "operator") && !isWord(at(rest, len("operator"))) {
			n := operator(rest)
			last, i = strings.Join(strings.Fields(rest[:n]), ""), i+n
			continue
		}
		switch c := name[i]; {
		case isWord(c) || c == '~' || c == '$':
			start := i
			for i++; isWord(at(name, i)) || at(name, i) == '$'; i++ {
			}
			last = name[start:i]
		case c == '.': // what compilers make of a function: "f.part.0"
			for i++; isWord(at(name, i)); i++ {
			}
		case c == '<' || c == '[' || c == '{':
			i = closing(name, i)
		case c == '(':
			inner := strings.HasPrefix(name[i:], "(anonymous ")
			i = closing(name, i)
			if inner || last == "" || last == "decltype" {
				continue
			}
			// Of what follows the arguments, only a function inside is of interest.
			next := strings.Index(name[i:], "::")
			if next < 0 || strings.ContainsAny(name[i:i+next], "(<[{") {
				return last
			}
			i += next
		default:
			i++
		}
	}
	return last
}

func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// closing is where a bracket's partner ends, or the end of the text.
func closing(s string, i int) int {
	open := s[i]
	end := map[byte]byte{'<': '>', '[': ']', '{': '}', '(': ')'}[open]
	depth := 0
	for ; i < len(s); i++ {
		switch {
		case s[i] == '>' && i > 0 && s[i-1] == '-': // an arrow
		case s[i] == open:
			depth++
		case s[i] == end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// operators that end before what follows, the longest first.
var operators = []string{
	"<=>", "->*", "<<=", ">>=", "()", "[]", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", ">", ",",
}

// operator is how long the name of an operator is that a text begins with.
func operator(s string) int {
	start := len("operator")
	for at(s, start) == ' ' {
		start++
	}
	for _, op := range operators {
		if strings.HasPrefix(s[start:], op) {
			return start + len(op)
		}
	}
	// A conversion, new, delete or a literal: up to the arguments.
	if end := strings.IndexByte(s[start:], '('); end >= 0 {
		return start + end
	}
	return len(s)
}
