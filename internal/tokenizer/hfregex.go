package tokenizer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// onigSpace is what Oniguruma, the engine of the original, takes for white
// space in Unicode text. Go's \s and \d know ASCII alone.
const onigSpace = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`

// compileOniguruma translates an expression in Oniguruma's Ruby syntax to Go's.
// It takes only what means the same in both, or can be rewritten, and refuses
// the rest: look-around, anchors, word characters, back references, possessive
// repetition, options, sets in sets.
func compileOniguruma(pattern string) (*regexp.Regexp, error) {
	t := onigTranslator{in: pattern}
	for t.in != "" {
		if err := t.step(); err != nil {
			return nil, fmt.Errorf("%.60q: %w", pattern, err)
		}
	}
	re, err := regexp.Compile(t.out.String())
	if err != nil {
		return nil, err
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("%.60q matches the empty text", pattern)
	}
	return re, nil
}

type onigTranslator struct {
	in  string
	out strings.Builder
}

// take copies n bytes.
func (t *onigTranslator) take(n int) {
	t.out.WriteString(t.in[:n])
	t.in = t.in[n:]
}

// replace writes s for n bytes.
func (t *onigTranslator) replace(n int, s string) {
	t.out.WriteString(s)
	t.in = t.in[n:]
}

func (t *onigTranslator) step() error {
	switch t.in[0] {
	case '\\':
		return t.escape(false)
	case '[':
		return t.set()
	case '(':
		if strings.HasPrefix(t.in, "(?:") {
			t.take(3)
			return nil
		}
		if strings.HasPrefix(t.in, "(?") {
			return errors.New("look-around and options are not supported")
		}
	case '^', '$':
		return errors.New("anchors are not supported")
	case '{':
		return t.repeat()
	case '*', '+', '?':
		if len(t.in) > 1 && t.in[1] == '+' {
			return errors.New("possessive repetition is not supported")
		}
	}
	t.take(1)
	return nil
}

var repetition = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?$`)

// repeat takes {n}, {n,} and {n,m}. What may follow them differs between the
// engines.
func (t *onigTranslator) repeat() error {
	end := strings.IndexByte(t.in, '}')
	if end < 0 || !repetition.MatchString(t.in[:end]) {
		return errors.New("a brace that is no repetition is not supported")
	}
	t.take(end + 1)
	if t.in != "" && strings.IndexByte("?+*{", t.in[0]) >= 0 {
		return errors.New("a repetition of a repetition is not supported")
	}
	return nil
}

// set takes a set of characters.
func (t *onigTranslator) set() error {
	t.take(1)
	if strings.HasPrefix(t.in, "^") {
		t.take(1)
	}
	if strings.HasPrefix(t.in, "]") {
		return errors.New("an empty set is not supported")
	}
	for t.in != "" {
		switch {
		case t.in[0] == ']':
			t.take(1)
			return nil
		case t.in[0] == '[':
			return errors.New("a set in a set is not supported")
		case strings.HasPrefix(t.in, "&&"):
			return errors.New("an intersection of sets is not supported")
		case t.in[0] == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		default:
			t.take(1)
		}
	}
	return errors.New("a set has no end")
}

func (t *onigTranslator) escape(inSet bool) error {
	if len(t.in) < 2 {
		return errors.New("a backslash ends the expression")
	}
	class := func(members string) error {
		if !inSet {
			members = "[" + members + "]"
		}
		t.replace(2, members)
		return nil
	}
	switch c := t.in[1]; c {
	case 's':
		return class(onigSpace)
	case 'd':
		return class(`\p{Nd}`)
	case 'D':
		return class(`\P{Nd}`)
	case 'S':
		if inSet {
			return errors.New(`\S in a set is not supported`)
		}
		return class("^" + onigSpace)
	case 'p', 'P':
		end := strings.IndexByte(t.in, '}')
		if end < 0 || t.in[2] != '{' {
			return errors.New("a property wants braces")
		}
		t.take(end + 1)
		return nil
	case 'u':
		if len(t.in) < 6 {
			return errors.New(`\u wants four digits`)
		}
		t.replace(6, `\x{`+t.in[2:6]+`}`)
		return nil
	case 'n', 'r', 't', 'f':
	default:
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			return fmt.Errorf(`\%c is not supported`, c)
		}
	}
	t.take(2)
	return nil
}
