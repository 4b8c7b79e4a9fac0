package api

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// List splits a body that must be an array, and refuses any other.
func (a *Answer) List() ([]json.RawMessage, error) {
	var out []json.RawMessage
	if err := a.shape('[', "a list", &out); err != nil {
		return nil, err
	}
	return out, nil
}

// Object decodes a body that must be an object, and refuses any other. Fields
// that out does not name are ignored.
func (a *Answer) Object(out any) error { return a.shape('{', "an object", out) }

func (a *Answer) shape(opening byte, name string, out any) error {
	if body := bytes.TrimLeft(a.Body, " \t\r\n"); len(body) == 0 || body[0] != opening {
		return fmt.Errorf("%s: the answer is not %s", a.URL, name)
	}
	if err := json.Unmarshal(a.Body, out); err != nil {
		return fmt.Errorf("%s: the answer is not of the form asked for: %w", a.URL, err)
	}
	return nil
}
