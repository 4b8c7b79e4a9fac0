package callgraph

import "bytes"

// A token is a name of the file's table where it is not negative, or a kind of
// punctuation, or, in the body of a macro, a parameter.
type token int32

// Tokens that are no names. A single character is charToken.
const (
	tokString token = -256 - iota
	tokChar
	tokNumber // one too long to be part of a name
	tokArrow
	tokPaste
	tokDots
	tokScope
	tokEnd // the end of the text
)

// paramBase is the first parameter of a macro; parameters are told by their place.
const paramBase token = 1 << 30

// charToken is a token of one character.
func charToken(c byte) token { return -1 - token(c) }

var (
	tokOpen    = charToken('(')
	tokShut    = charToken(')')
	tokComma   = charToken(',')
	tokHash    = charToken('#')
	tokDot     = charToken('.')
	tokBracket = charToken('[')
	tokSquare  = charToken(']')
	tokStar    = charToken('*')
	tokBrace   = charToken('{')
	tokCurly   = charToken('}')
	tokSemi    = charToken(';')
	tokEquals  = charToken('=')
)

// lexer cuts text into tokens. It stops at the end of a line where line is set.
type lexer struct {
	src   []byte
	at    int // behind the last token
	start int // of the last token
	fresh bool
	line  bool
	names *names
	// all keeps every number as a name: pasting needs their text.
	all bool
}

var identStart, identPart [256]bool

func init() {
	for c := range 256 {
		letter := c|32 >= 'a' && c|32 <= 'z' || c == '_' || c == '$' || c >= 0x80
		identStart[c], identPart[c] = letter, letter || c >= '0' && c <= '9'
	}
}

// skip passes over blanks and comments. It reports false at the end of the text,
// or of the line.
func (x *lexer) skip() bool {
	src := x.src
	for x.at < len(src) {
		switch c := src[x.at]; {
		case c == '\n':
			if x.line {
				return false
			}
			x.fresh = true
			x.at++
		case c <= ' ':
			x.at++
		case c == '\\' && x.at+1 < len(src) && src[x.at+1] == '\n':
			x.at += 2
		case c == '\\' && x.at+2 < len(src) && src[x.at+1] == '\r' && src[x.at+2] == '\n':
			x.at += 3
		case c == '/' && x.at+1 < len(src) && src[x.at+1] == '*':
			end := bytes.Index(src[x.at+2:], []byte("*/"))
			if end < 0 {
				x.at = len(src)
				return false
			}
			x.at += end + 4
		case c == '/' && x.at+1 < len(src) && src[x.at+1] == '/':
			for x.at < len(src) && src[x.at] != '\n' {
				if src[x.at] == '\\' && x.at+1 < len(src) {
					x.at++ // a comment goes on in the next line
				}
				x.at++
			}
			x.at = min(x.at, len(src))
		default:
			return true
		}
	}
	return false
}

// next is the next token, or tokEnd.
func (x *lexer) next() token {
	if !x.skip() {
		x.start = x.at
		return tokEnd
	}
	src := x.src
	x.start = x.at
	c := src[x.at]
	switch {
	case identStart[c]:
		for x.at < len(src) && identPart[src[x.at]] {
			x.at++
		}
		if x.at < len(src) && (src[x.at] == '"' || src[x.at] == '\'') && x.at-x.start <= 3 {
			if prefix := string(src[x.start:x.at]); prefix[len(prefix)-1] == 'R' && src[x.at] == '"' {
				return x.raw()
			} else if prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8" {
				return x.quoted(src[x.at])
			}
		}
		return token(x.names.id(src[x.start:x.at]))
	case c >= '0' && c <= '9' || c == '.' && x.at+1 < len(src) && src[x.at+1] >= '0' && src[x.at+1] <= '9':
		for x.at < len(src) && (identPart[src[x.at]] || src[x.at] == '.' || src[x.at] == '\'' && x.at+1 < len(src) && identPart[src[x.at+1]] ||
			(src[x.at] == '+' || src[x.at] == '-') && (src[x.at-1]|32 == 'e' || src[x.at-1]|32 == 'p')) {
			x.at++
		}
		if x.all && x.at-x.start <= 8 {
			return token(x.names.id(src[x.start:x.at]))
		}
		return tokNumber
	case c == '"' || c == '\'':
		return x.quoted(c)
	}
	x.at++
	if x.at < len(src) {
		switch two := src[x.at]; {
		case c == '-' && two == '>':
			x.at++
			return tokArrow
		case c == '#' && two == '#':
			x.at++
			return tokPaste
		case c == ':' && two == ':':
			x.at++
			return tokScope
		case c == '.' && two == '.' && x.at+1 < len(src) && src[x.at+1] == '.':
			x.at += 2
			return tokDots
		}
	}
	return charToken(c)
}

// quoted passes over a string or character, up to the end of the line at most.
func (x *lexer) quoted(quote byte) token {
	for x.at++; x.at < len(x.src); x.at++ {
		switch x.src[x.at] {
		case '\\':
			x.at++
			if x.at < len(x.src) && x.src[x.at] == '\r' {
				x.at++
			}
			continue
		case '\n':
		case quote:
			x.at++
		default:
			continue
		}
		break
	}
	x.at = min(x.at, len(x.src))
	if quote == '"' {
		return tokString
	}
	return tokChar
}

// raw passes over a raw string of C++.
func (x *lexer) raw() token {
	open := bytes.IndexByte(x.src[x.at:], '(')
	if open < 0 || open > 17 {
		return x.quoted('"')
	}
	shut := append(append([]byte{')'}, x.src[x.at+1:x.at+open]...), '"')
	end := bytes.Index(x.src[x.at+open:], shut)
	if end < 0 {
		return x.quoted('"')
	}
	x.at += open + end + len(shut)
	return tokString
}

// names is the table of the names of a file while it is read.
type names struct {
	ids  map[string]int32
	text []byte
	ends []int32
}

func newNames() *names { return &names{ids: map[string]int32{}} }

func (n *names) id(text []byte) int32 {
	if id, ok := n.ids[string(text)]; ok {
		return id
	}
	id := int32(len(n.ends))
	n.ids[string(text)] = id
	n.text = append(n.text, text...)
	n.ends = append(n.ends, int32(len(n.text)))
	return id
}

func (n *names) name(text string) int32 { return n.id([]byte(text)) }

func (n *names) String(id int32) string {
	from := int32(0)
	if id > 0 {
		from = n.ends[id-1]
	}
	return string(n.text[from:n.ends[id]])
}
