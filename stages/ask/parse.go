package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"benchmill/internal/fence"
)

// What a reply may be. Replies are foreign: these keep a hostile one from
// costing more than a look.
const (
	maxReply  = 1 << 20 // bytes
	maxDepth  = 32      // of nested lists and objects
	maxNumber = 40      // characters
)

// jsonOf takes the JSON out of the code fence and the words that some models put
// around it. A reply that begins as JSON is taken as it is: a fence could only
// be inside one of its strings.
func jsonOf(reply string) string {
	reply = strings.TrimSpace(strings.TrimPrefix(reply, "\uFEFF"))
	if inside, ok := fence.First(reply); ok && !strings.HasPrefix(reply, "{") {
		return strings.TrimSpace(inside)
	}
	return reply
}

// decode reads the one JSON value that text is, strictly, with numbers as they
// are written. Its errors are in words for the model.
func decode(text string) (any, error) {
	if len(text) > maxReply {
		return nil, fmt.Errorf("it is longer than %d bytes", maxReply)
	}
	if !json.Valid([]byte(text)) {
		return nil, invalid(text)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return value(d, 0)
}

func invalid(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	d := json.NewDecoder(strings.NewReader(text))
	var first json.RawMessage
	err := d.Decode(&first)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return errors.New("there is text after the JSON")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON, from byte %d on", syntax.Offset)
	}
	return errors.New("it is not JSON")
}

// value reads one value of valid JSON.
func value(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, errors.New("it is not JSON")
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := value(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, errors.New("it is not JSON")
			}
			name := key.(string)
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("the field %s is given twice", quote(name))
			}
			if object[name], err = value(d, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := d.Token()
		return object, err
	}
	if n, ok := token.(json.Number); ok && !plain(n) {
		return nil, errors.New("a number in it is too large, too small or too exact")
	}
	return token, nil
}

// plain refuses numbers that exact arithmetic, as schemas are checked with,
// would take for ever over or give up on.
func plain(n json.Number) bool {
	mantissa, exponent := string(n), ""
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
	}
	e, err := strconv.Atoi("0" + strings.TrimLeft(exponent, "+-"))
	return len(mantissa) <= maxNumber && err == nil && e <= 300
}

// parse reads a reply. ok says that the value has the form; problems are what is
// wrong, also with one that has it.
func (f *Form[T]) parse(reply string, check func(T) []string) (v T, ok bool, problems []string) {
	text := jsonOf(reply)
	tree, err := decode(text)
	if err != nil {
		return v, false, []string{err.Error()}
	}
	if problems := violations(f.schema.Validate(tree)); len(problems) > 0 {
		return v, false, problems
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(&v); err != nil {
		var zero T // an integer written as 1.0, or beyond its type
		return zero, false, []string{"a value in it is not of the type that was asked for"}
	}
	for _, c := range []func(T) []string{f.check, check} {
		if c != nil {
			problems = append(problems, c(v)...)
		}
	}
	return v, true, slices.Clip(problems)
}

// quote puts foreign words into a message.
func quote(s string) string { return strconv.Quote(clip(s, 80)) }

// clip shortens a text to about n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}
