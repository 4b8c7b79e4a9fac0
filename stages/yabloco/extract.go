package yabloco

import (
	"strings"

	"benchmill/internal/fence"
)

// mentions bounds how often a name is looked at in a reply, so that a hostile one
// costs time in proportion to its length.
const mentions = 200

// Extract takes the body of a function out of a model's reply, as it is to stand
// behind the signature: with its braces. name is the function's, without namespaces
// and classes; initialised says that its body begins with a list of initialisers,
// which belongs to the signature otherwise.
// The first fenced block counts where there is one, else the reply; in it
//
//  1. the body of the first definition of that name, whatever stands around it;
//  2. else what a brace holds that begins the text, blanks and comments aside, or
//     that has a line of its own below an empty one;
//  3. else all of it, as statements that get braces.
//
// ok is false where nothing is left or braces do not match: such a reply cannot be
// built, and would take what follows it in the file with it.
func Extract(reply, name string, initialised bool) (body string, ok bool) {
	text, fenced := fence.First(reply)
	if !fenced {
		text = reply
	}
	if body, ok := definitionOf(text, name, initialised); ok {
		return body, balanced(body)
	}
	if at := opening(text); at >= 0 {
		end, ok := closing(text, at, '{', '}')
		return text[at:end], ok
	}
	text = strings.Trim(text, "\r\n")
	if strings.TrimSpace(text) == "" {
		return "", false
	}
	body = "{\n" + text + "\n}"
	return body, balanced(text) && balanced(body) // a comment without an end would hide the brace
}

// opening is the offset of the brace that a body begins with, or -1.
func opening(text string) int {
	first := code(text, 0)
	if first < len(text) && text[first] == '{' {
		return first
	}
	at, empty := 0, false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if empty && trimmed == "{" {
			return at + strings.IndexByte(line, '{')
		}
		at, empty = at+len(line), trimmed == ""
	}
	return -1
}

// code is the offset of the first byte from i on that is neither blank nor in a
// comment.
func code(text string, i int) int {
	for i < len(text) {
		switch {
		case strings.ContainsRune(" \t\r\n", rune(text[i])):
			i++
		case text[i] == '/' && skip(text, i) > i:
			i = skip(text, i)
		default:
			return i
		}
	}
	return i
}

// definitionOf is the body of the first definition of a function: its name, its
// parameters, and a brace behind them.
func definitionOf(text, name string, initialised bool) (body string, ok bool) {
	seen := 0
	for i := 0; name != "" && i < len(text) && seen < mentions; {
		if next := skip(text, i); next > i {
			i = next
			continue
		}
		length := named(text[i:], name)
		if length == 0 || i > 0 && isWord(text[i-1]) && isWord(name[0]) {
			i++
			continue
		}
		i += length
		seen++
		at := code(text, i)
		if at < len(text) && text[at] == ')' { // a name in brackets, against a macro of that name
			at = code(text, at+1)
		}
		if at == len(text) || text[at] != '(' {
			continue
		}
		parameters, closed := closing(text, at, '(', ')')
		if !closed {
			return "", false
		}
		if from, to := afterParameters(text, parameters, initialised); from < to {
			return text[from:to], true
		}
	}
	return "", false
}

// named is the length of a name at the beginning of a text, 0 where it is not there.
// There may be blanks before the sign of an operator.
func named(text, name string) int {
	if strings.HasPrefix(text, name) {
		return len(name)
	}
	const word = "operator"
	sign, ok := strings.CutPrefix(name, word)
	if !ok || !strings.HasPrefix(text, word) {
		return 0
	}
	rest := strings.TrimLeft(text[len(word):], " \t")
	if sign = strings.TrimLeft(sign, " "); sign == "" || !strings.HasPrefix(rest, sign) {
		return 0
	}
	return len(text) - len(rest) + len(sign)
}

// afterParameters is where the body of a function stands whose parameters end at i:
// behind specifiers, attributes and a result type at most. Of a declaration, a call
// or a mention in prose it is empty.
func afterParameters(text string, i int, initialised bool) (from, to int) {
	result := false // a result type follows the parameters
	for i = code(text, i); i < len(text); i = code(text, i) {
		switch c := text[i]; {
		case c == '{':
			to, _ = closing(text, i, '{', '}')
			return i, to
		case c == ':' && !strings.HasPrefix(text[i:], "::"):
			if from, to = afterInitialisers(text, i); initialised && from < to {
				from = i
			}
			return from, to
		case strings.HasPrefix(text[i:], "->"):
			result, i = true, i+2
		case isWord(c):
			word := text[i:]
			if n := strings.IndexFunc(word, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }); n >= 0 {
				word = word[:n]
			}
			if !result && !specifier(word) {
				return 0, 0
			}
			i += len(word)
			if at := code(text, i); at < len(text) && text[at] == '(' { // noexcept(...), an attribute
				i, _ = closing(text, at, '(', ')')
			}
		case c == '&', c == '[', c == ']', result && strings.IndexByte("*<>:,", c) >= 0:
			i++
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// specifier reports whether a word may stand between parameters and body: those that
// are known, and macros and attributes, which are in capitals or begin with '_'.
func specifier(word string) bool {
	switch word {
	case "const", "volatile", "noexcept", "override", "final", "throw", "try", "mutable", "constexpr":
		return true
	}
	return word[0] == '_' || word == strings.ToUpper(word)
}

// afterInitialisers is where the statements stand that follow a list of initialisers
// at i: the first brace that neither a name nor a type stands before opens them. What
// cannot be such a list, as prose, is followed by none.
func afterInitialisers(text string, i int) (from, to int) {
	before, angles := text[i], 0 // before: 'w' for a word
	for i = code(text, i+1); i < len(text); i = code(text, i) {
		next := skip(text, i)
		switch c := text[i]; {
		case next > i:
			before, i = '"', next
			continue
		case isWord(c):
			if before == 'w' && angles == 0 {
				return 0, 0
			}
			for i < len(text) && isWord(text[i]) {
				i++
			}
			before = 'w'
			continue
		case c == '(':
			i, _ = closing(text, i, '(', ')')
			before = ')'
			continue
		case c == '{':
			end, _ := closing(text, i, '{', '}')
			if before != 'w' && before != '>' {
				return i, end
			}
			before, i = '}', end
			continue
		case c == ';':
			return 0, 0
		case c == '<':
			angles++
		case c == '>':
			angles--
		}
		before = text[i]
		i++
	}
	return 0, 0
}
