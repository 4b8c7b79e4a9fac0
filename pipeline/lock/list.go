package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"benchmill/pipeline"
)

// Line is one line of a list: a JSON value without blanks, its keys in ascending
// order. In the file it is a YAML value on a line of its own.
type Line json.RawMessage

// Body is a list as JSON Lines, nil for a pin that has none.
func (p Pin) Body() []byte {
	var out []byte
	for _, line := range p.List {
		out = append(append(out, line...), '\n')
	}
	return out
}

// Pin is the pin as stages know it.
func (p Pin) Pin() pipeline.Pin {
	return pipeline.Pin{Scheme: p.Scheme, Locator: p.Locator, Version: p.Version}
}

// MarshalJSON implements [json.Marshaler].
func (l Line) MarshalJSON() ([]byte, error) { return l, nil }

// MarshalYAML implements [yaml.Marshaler].
func (l Line) MarshalYAML() (any, error) {
	v, err := decode(l)
	if err != nil {
		return nil, err
	}
	return node(v)
}

// UnmarshalYAML implements [yaml.Unmarshaler].
func (l *Line) UnmarshalYAML(n *yaml.Node) error {
	var v any
	if err := n.Decode(&v); err != nil {
		return err
	}
	var err error
	*l, err = encode(v)
	return err
}

// canonical brings JSON into the form of a [Line].
func canonical(data []byte) (Line, error) {
	v, err := decode(data)
	if err != nil {
		return nil, err
	}
	return encode(v)
}

func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

func encode(v any) (Line, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return Line(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// node writes a value in flow style, texts always in quotes, so that no text is
// read back as anything else.
func node(v any) (*yaml.Node, error) {
	switch v := v.(type) {
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(v)}, nil
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}, nil
	case json.Number:
		n, err := v.Int64()
		if err != nil || v != json.Number(strconv.FormatInt(n, 10)) { // "-0" would come back as 0
			return nil, fmt.Errorf("%s: lists hold whole numbers only", v)
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: v.String()}, nil
	case []any:
		out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		return out, fill(out, slices.Values(v))
	case map[string]any:
		out := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		return out, fill(out, func(yield func(any) bool) {
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if !yield(k) || !yield(v[k]) {
					return
				}
			}
		})
	}
	return nil, fmt.Errorf("no way to write a %T", v)
}

func fill(out *yaml.Node, values func(func(any) bool)) error {
	for v := range values {
		n, err := node(v)
		if err != nil {
			return err
		}
		out.Content = append(out.Content, n)
	}
	return nil
}
