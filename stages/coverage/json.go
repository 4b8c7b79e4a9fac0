package coverage

import (
	"encoding/json"
	"fmt"
	"io"
)

// scanner walks over JSON values and keeps only what is asked for: of what is
// large, one element at a time is in memory.
type scanner struct{ d *json.Decoder }

func newScanner(r io.Reader) *scanner { return &scanner{json.NewDecoder(r)} }

// at adds the place to an error.
func (s *scanner) at(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("byte %d: %w", s.d.InputOffset(), err)
}

// begin reads the beginning of an object or a list.
func (s *scanner) begin(delim json.Delim) error {
	t, err := s.d.Token()
	if err != nil {
		return eof(err)
	}
	if t != delim {
		return fmt.Errorf("%.40q where %q should be", fmt.Sprint(t), delim.String())
	}
	return nil
}

// end reads the end of one.
func (s *scanner) end() error {
	_, err := s.d.Token()
	return eof(err)
}

// object calls member for each member of an object. It must read the value.
func (s *scanner) object(member func(key string) error) error {
	if err := s.begin('{'); err != nil {
		return err
	}
	for s.d.More() {
		key, err := s.d.Token()
		if err != nil {
			return eof(err)
		}
		if err := member(fmt.Sprint(key)); err != nil {
			return err
		}
	}
	return s.end()
}

// list calls element for each element of a list. It must read the element.
func (s *scanner) list(element func() error) error {
	if err := s.begin('['); err != nil {
		return err
	}
	for s.d.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return s.end()
}

// value reads a value into v.
func (s *scanner) value(v any) error { return eof(s.d.Decode(v)) }

// skip passes over a value.
func (s *scanner) skip() error { return s.value(new(nothing)) }

// nothing takes any value and keeps none of it.
type nothing struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*nothing) UnmarshalJSON([]byte) error { return nil }

// eof makes an error of an end that comes too early.
func eof(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
