package pipeline

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
)

// An Adapter writes the rows of a release once more, as files that another program
// reads. Each file is what its rows have to add to it, in the order of the
// release and inside of a frame, so equal rows give equal bytes.
type Adapter struct {
	Name    string // as pipeline.yaml says it
	Doc     string // one sentence for people
	Version int    // raised whenever the same row may add something else; its history stands in the comment above
	Schema  *Schema
	// Append hands to, one after the other, what a row (a value of the schema's row
	// type) adds to files. Paths have slashes and lie below a folder of the adapter's
	// own; each part is letters, digits and "._+-", and starts with no mark. data is
	// not kept. It does nothing else, and returns to's error or its own.
	Append func(row any, to func(path string, data []byte) error) error
	Frame  Frame // of each file
}

// Frame is what stands in a file besides what rows add, so that all of it can be one
// JSON value. The zero Frame is nothing.
type Frame struct {
	Head, Tail string
	Separator  string // between what two calls of Append's to have added
}

// Framed sets the frame of an adapter's files and returns the adapter.
func (a *Adapter) Framed(f Frame) *Adapter {
	a.Frame = f
	return a
}

// NewAdapter is an adapter for rows of type T.
func NewAdapter[T any](name string, version int, doc string, schema *Schema, write func(row T, to func(path string, data []byte) error) error) *Adapter {
	if schema.Row() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("adapter %s: rows of %s are %s, not %s", name, schema, schema.Row(), reflect.TypeFor[T]()))
	}
	return &Adapter{Name: name, Version: version, Doc: doc, Schema: schema, Append: func(row any, to func(string, []byte) error) error {
		return write(row.(T), to)
	}}
}

// String is "name/version".
func (a *Adapter) String() string { return fmt.Sprintf("%s/%d", a.Name, a.Version) }

var adapterName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ValidateAdapters reports everything wrong with a set of adapters.
func ValidateAdapters(adapters []*Adapter) error {
	var errs []error
	seen := map[string]bool{}
	for _, a := range adapters {
		fail := func(words string) { errs = append(errs, fmt.Errorf("adapter %q: %s", a.Name, words)) }
		if !adapterName.MatchString(a.Name) {
			fail("the name is not of lower-case letters, digits and '_'")
		}
		if seen[a.Name] {
			fail("declared twice")
		}
		seen[a.Name] = true
		if a.Doc == "" {
			fail("no doc")
		}
		if a.Version < 1 {
			fail("versions start at 1")
		}
		if a.Schema == nil {
			fail("no schema")
		}
		if a.Append == nil {
			fail("no Append")
		}
	}
	return errors.Join(errs...)
}
