// Package ledger records effects: what the outside world answered, under the
// digest of the whole request. A run that finds its answers here needs no
// network and no key.
package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Format is the version of a [Record].
const Format = 1

// Kinds of records.
const (
	KindLLM   = "llm"
	KindFetch = "fetch"
	KindJob   = "job"
)

// Record is one answered request.
type Record struct {
	Format  int             `json:"format"`
	Kind    string          `json:"kind"`
	Key     digest.Digest   `json:"key"`
	What    string          `json:"what"` // for people: who asked
	Request json.RawMessage `json:"request,omitempty"`
	// Reply is the answer of a model.
	Reply *pipeline.Reply `json:"reply,omitempty"`
	// Outcome is what a program came to.
	Outcome *pipeline.Outcome `json:"outcome,omitempty"`
	// Object holds the fetched bytes in the store.
	Object digest.Digest `json:"object,omitempty"`
	// Body holds them in the record itself, for records that travel without a
	// store.
	Body []byte `json:"body,omitempty"`
}

// Key is the identity of a request: the digest of everything in it.
func Key(kind string, request any) (digest.Digest, error) {
	e := digest.New("benchmill/effect/1")
	e.String(kind)
	if err := e.Value(request); err != nil {
		return "", err
	}
	return e.Sum(), nil
}

// Ledger is a folder of records, with shipped ones behind it that are read only.
// It is safe for concurrent use, also by several processes.
type Ledger struct {
	dir, temp string
	shipped   map[digest.Digest]*Record
}

// Open uses a folder, made when first written to.
func Open(dir, temp string) *Ledger {
	return &Ledger{dir: dir, temp: temp, shipped: map[digest.Digest]*Record{}}
}

// Ship adds read-only records in JSON Lines. name stands in errors. Two answers
// to one request are an error.
func (l *Ledger) Ship(name string, data []byte) error {
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, 16<<20)
	line := 1
	for ; scan.Scan(); line++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		r, err := parse(scan.Bytes())
		if err == nil {
			err = l.ship(r)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, line, err)
	}
	return nil
}

// ShipFetch adds a read-only answer to a fetch.
func (l *Ledger) ShipFetch(pin pipeline.Pin, body []byte) error {
	key, err := Key(KindFetch, pin)
	if err != nil {
		return err
	}
	return l.ship(&Record{Format: Format, Kind: KindFetch, Key: key, What: pin.String(), Body: body})
}

func (l *Ledger) ship(r *Record) error {
	if old := l.shipped[r.Key]; old != nil && !sameAnswer(old, r) {
		return fmt.Errorf("another answer to %s than the ledger has already (key %s)", r.What, r.Key.Short())
	}
	l.shipped[r.Key] = r
	return nil
}

func sameAnswer(a, b *Record) bool {
	return a.Kind == b.Kind && a.Object == b.Object && bytes.Equal(a.Body, b.Body) &&
		same(a.Reply, b.Reply) && sameOutcome(a.Outcome, b.Outcome)
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// sameOutcome compares all but what a job took, which differs from run to run.
func sameOutcome(a, b *pipeline.Outcome) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Used, y.Used = nil, nil
	return reflect.DeepEqual(x, y)
}

func parse(data []byte) (*Record, error) {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.Format > Format {
		return nil, fmt.Errorf("record of format %d was written by a newer version of benchmill (known up to %d)", r.Format, Format)
	}
	if _, err := digest.Parse(string(r.Key)); err != nil {
		return nil, err
	}
	if r.Reply == nil && r.Outcome == nil && r.Object == "" && r.Body == nil {
		return nil, errors.New("record without an answer")
	}
	return &r, nil
}

func (l *Ledger) path(kind string, key digest.Digest) string {
	h := key.Hex()
	return filepath.Join(l.dir, kind, h[:2], h+".json")
}

// Get returns the record of a request. A damaged record is reported as absent:
// the request is asked again.
func (l *Ledger) Get(kind string, key digest.Digest) (*Record, bool, error) {
	data, err := os.ReadFile(l.path(kind, key))
	if err == nil {
		if r, err := parse(data); err == nil && r.Key == key && r.Kind == kind {
			return r, true, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("reading the ledger: %w", err)
	}
	r, ok := l.shipped[key]
	return r, ok && r.Kind == kind, nil
}

// Put records an answer and returns the one that holds: where another process
// was first, that is its, so that all work with the same.
func (l *Ledger) Put(r *Record) (*Record, error) {
	r.Format = Format
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	if old, ok, err := l.Get(r.Kind, r.Key); err != nil || ok && old.Object == r.Object && bytes.Equal(old.Body, r.Body) {
		return old, err
	}
	if err := atomicfile.WriteVia(l.temp, l.path(r.Kind, r.Key), append(data, '\n'), 0o644); err != nil {
		return nil, err
	}
	return r, nil
}

// Walk calls yield for every record in the folder, in the order of their keys
// within a kind. Shipped records are not among them.
func (l *Ledger) Walk(yield func(*Record) error) error {
	return filepath.WalkDir(l.dir, func(path string, f fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || f.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r, err := parse(data)
		if err != nil {
			return nil // damaged: Get treats it as absent too
		}
		return yield(r)
	})
}
