// Package lock reads and writes pipeline.lock: the facts that moving names were
// resolved to. pipeline.yaml says what a user wants, the lock says what that
// meant when it was resolved; only the lock and update commands write it.
package lock

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Format is the version of the file.
const Format = 1

// Lock is the content of a lock file. The zero value holds nothing.
type Lock struct {
	Format int `yaml:"format" json:"format"`
	// AsOf is the moment after which nothing is seen, RFC 3339 in UTC.
	AsOf       string      `yaml:"as_of,omitempty" json:"as_of,omitempty"`
	Pins       []Pin       `yaml:"pins,omitempty" json:"pins,omitempty"`
	Tokenizers []Tokenizer `yaml:"tokenizers,omitempty" json:"tokenizers,omitempty"`
}

// Pin binds a moving name to a version.
type Pin struct {
	Scheme  string `yaml:"scheme" json:"scheme"`
	Locator string `yaml:"locator" json:"locator"`
	Name    string `yaml:"name" json:"name"`
	Version string `yaml:"version" json:"version"`
	// AsOf is the moment a list is of, as it was asked for.
	AsOf string `yaml:"as_of,omitempty" json:"as_of,omitempty"`
	// List is what the name stands for where that is a list, such as the
	// repositories a search found: JSON Lines. The version is its digest.
	List []Line `yaml:"list,omitempty" json:"list,omitempty"`
}

// Tokenizer binds a tokenizer of pipeline.yaml to the vocabulary it had.
type Tokenizer struct {
	Name   string        `yaml:"name" json:"name"`
	Digest digest.Digest `yaml:"digest" json:"digest"` // of the vocabulary file
}

const head = `# What the moving names of the pipeline were resolved to.
# Written by "benchmill lock" and "benchmill update"; do not edit.
`

// Path is where the lock of a pipeline file lies: pipeline.yaml has pipeline.lock.
func Path(pipelineFile string) string {
	return strings.TrimSuffix(pipelineFile, filepath.Ext(pipelineFile)) + ".lock"
}

// Read reads a lock file; a missing one is an empty lock.
func Read(path string) (*Lock, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Lock{Format: Format}, nil
	}
	if err != nil {
		return nil, err
	}
	l, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// Parse reads the content of a lock file strictly.
func Parse(data []byte) (*Lock, error) {
	l := &Lock{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(l); err != nil {
		return nil, err
	}
	if d.Decode(new(yaml.Node)) != io.EOF {
		return nil, errors.New("more than one document")
	}
	if l.Format < 1 || l.Format > Format {
		return nil, fmt.Errorf("format %d is not known (up to %d); was it written by a newer version of benchmill?", l.Format, Format)
	}
	if l.AsOf != "" {
		if _, err := time.Parse(time.RFC3339, l.AsOf); err != nil {
			return nil, fmt.Errorf("as_of: %w", err)
		}
	}
	return l, l.check()
}

// check refuses two bindings of one name and digests that are none.
func (l *Lock) check() error {
	pinned := map[pipeline.Ref]bool{}
	for _, p := range l.Pins {
		ref := pipeline.Ref{Scheme: p.Scheme, Locator: p.Locator, Name: p.Name}
		if pinned[ref] {
			return fmt.Errorf("%s is pinned twice", ref)
		}
		pinned[ref] = true
		if p.List != nil && string(digest.Of(p.Body())) != p.Version {
			return fmt.Errorf("%s: the list has another digest than its version; run \"benchmill update\"", ref)
		}
	}
	seen := map[string]bool{}
	for _, t := range l.Tokenizers {
		if seen[t.Name] {
			return fmt.Errorf("tokenizer %s is pinned twice", t.Name)
		}
		seen[t.Name] = true
		if _, err := digest.Parse(string(t.Digest)); err != nil {
			return fmt.Errorf("tokenizer %s: %w", t.Name, err)
		}
	}
	return nil
}

// Write writes the file whole or not at all, in a stable order.
func (l *Lock) Write(path string) error {
	data, err := l.encode()
	if err != nil {
		return err
	}
	return atomicfile.Write(path, data, 0o644)
}

func (l *Lock) encode() ([]byte, error) {
	l.Format = Format
	slices.SortFunc(l.Pins, func(a, b Pin) int {
		return cmp.Or(cmp.Compare(a.Scheme, b.Scheme), cmp.Compare(a.Locator, b.Locator), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(l.Tokenizers, func(a, b Tokenizer) int { return cmp.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	b.WriteString(head)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(l)
	return b.Bytes(), err
}

// AsOfTime is AsOf as a time, zero when there is none.
func (l *Lock) AsOfTime() time.Time {
	t, _ := time.Parse(time.RFC3339, l.AsOf)
	return t
}

// Pin looks a moving name up. A list must be of the given moment.
func (l *Lock) Pin(ref pipeline.Ref, asOf string) (pipeline.Pin, error) {
	for _, p := range l.Pins {
		if p.Scheme != ref.Scheme || p.Locator != ref.Locator || p.Name != ref.Name {
			continue
		}
		if p.List != nil && p.AsOf != asOf {
			return pipeline.Pin{}, fmt.Errorf("%s: the list in the lock is as of %s, the pipeline as of %s; run \"benchmill lock\"", ref, p.AsOf, asOf)
		}
		return p.Pin(), nil
	}
	return pipeline.Pin{}, fmt.Errorf("%s is not in the lock; run \"benchmill lock\"", ref)
}

// Lists are the pins that stand for lists.
func (l *Lock) Lists() []Pin {
	return slices.DeleteFunc(slices.Clone(l.Pins), func(p Pin) bool { return p.List == nil })
}

// Set binds a moving name, replacing what it was bound to.
func (l *Lock) Set(ref pipeline.Ref, version string) {
	l.set(Pin{Scheme: ref.Scheme, Locator: ref.Locator, Name: ref.Name, Version: version})
}

// SetList binds a moving name to a list, JSON Lines, as of a moment, and returns
// its version.
func (l *Lock) SetList(ref pipeline.Ref, text []byte, asOf string) (string, error) {
	p := Pin{Scheme: ref.Scheme, Locator: ref.Locator, Name: ref.Name, AsOf: asOf}
	for text := range bytes.Lines(text) {
		line, err := canonical(text)
		if err != nil {
			return "", fmt.Errorf("%s: line %d of the list: %w", ref, len(p.List)+1, err)
		}
		p.List = append(p.List, line)
	}
	p.Version = string(digest.Of(p.Body()))
	l.set(p)
	return p.Version, nil
}

// Version is what a name is bound to, as of whatever moment, or "".
func (l *Lock) Version(ref pipeline.Ref) string {
	for _, p := range l.Pins {
		if p.Scheme == ref.Scheme && p.Locator == ref.Locator && p.Name == ref.Name {
			return p.Version
		}
	}
	return ""
}

// Keep takes over what another lock has for a name. It reports false, and does
// nothing, where that is nothing or a list as of another moment.
func (l *Lock) Keep(from *Lock, ref pipeline.Ref, asOf string) bool {
	for _, p := range from.Pins {
		if p.Scheme == ref.Scheme && p.Locator == ref.Locator && p.Name == ref.Name && (p.List == nil || p.AsOf == asOf) {
			l.set(p)
			return true
		}
	}
	return false
}

func (l *Lock) set(pin Pin) {
	for i := range l.Pins {
		if p := &l.Pins[i]; p.Scheme == pin.Scheme && p.Locator == pin.Locator && p.Name == pin.Name {
			*p = pin
			return
		}
	}
	l.Pins = append(l.Pins, pin)
}

// Tokenizer returns the digest a tokenizer is bound to, or "".
func (l *Lock) Tokenizer(name string) digest.Digest {
	for _, t := range l.Tokenizers {
		if t.Name == name {
			return t.Digest
		}
	}
	return ""
}

// SetTokenizer binds a tokenizer.
func (l *Lock) SetTokenizer(name string, d digest.Digest) {
	for i := range l.Tokenizers {
		if l.Tokenizers[i].Name == name {
			l.Tokenizers[i].Digest = d
			return
		}
	}
	l.Tokenizers = append(l.Tokenizers, Tokenizer{name, d})
}
