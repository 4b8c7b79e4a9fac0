package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
)

// Disk keeps one small file per key below a folder:
// <dir>/<first two digits>/<key>.json, each with a checksum of its content.
type Disk struct {
	dir, temp string
	// puts are held while a key is compared and bound, one for the first digit
	// of the key, so that of two bindings at once one is refused.
	puts [16]sync.Mutex
}

// NewDisk uses a folder, made when first written to. Files are written in temp,
// on the same file system, and renamed into place.
func NewDisk(dir, temp string) *Disk { return &Disk{dir: dir, temp: temp} }

type envelope struct {
	Sum   digest.Digest   `json:"sum"`
	Entry json.RawMessage `json:"entry"`
}

func (d *Disk) path(key digest.Digest) string {
	h := key.Hex()
	return filepath.Join(d.dir, h[:2], h+".json")
}

// Get implements [Cache].
func (d *Disk) Get(key digest.Digest) (*Entry, bool, error) {
	data, err := os.ReadFile(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the cache: %w", err)
	}
	e, err := decode(data)
	if errors.Is(err, ErrNewer) {
		return nil, false, fmt.Errorf("%s: %w", d.path(key), err)
	}
	if err != nil || e.Key != key {
		return nil, false, nil
	}
	return e, true, nil
}

func decode(data []byte) (*Entry, error) {
	var env envelope
	if err := json.Unmarshal(data, &env); err != nil {
		return nil, err
	}
	if digest.Of(env.Entry) != env.Sum {
		return nil, digest.ErrMismatch
	}
	var e Entry
	if err := json.Unmarshal(env.Entry, &e); err != nil {
		return nil, err
	}
	if e.Format > Format {
		return nil, fmt.Errorf("%w: format %d, known up to %d", ErrNewer, e.Format, Format)
	}
	return &e, nil
}

// Put implements [Cache].
func (d *Disk) Put(e *Entry) error {
	put := &d.puts[digit(e.Key)]
	put.Lock()
	defer put.Unlock()
	old, ok, err := d.Get(e.Key)
	if err != nil {
		return err
	}
	if ok {
		if err := Conflict(old, e); err != nil {
			return err
		}
		if sameObjects(old, e) {
			return nil
		}
	}
	e.Format = Format
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	data, err := json.Marshal(envelope{digest.Of(body), body})
	if err != nil {
		return err
	}
	return atomicfile.WriteVia(d.temp, d.path(e.Key), data, 0o644)
}

func digit(key digest.Digest) int {
	return max(0, strings.IndexByte("0123456789abcdef", key.Hex()[0]))
}

func sameObjects(a, b *Entry) bool {
	for port, t := range b.Outputs {
		if a.Outputs[port].Object != t.Object {
			return false
		}
	}
	return a.Dropped.Object == b.Dropped.Object
}

// Walk implements [Cache].
func (d *Disk) Walk(yield func(*Entry) error) error {
	return filepath.WalkDir(d.dir, func(path string, f fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || f.IsDir() {
			return err
		}
		hex, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok {
			return nil
		}
		key, err := digest.Parse("sha256:" + hex)
		if err != nil {
			return nil
		}
		e, ok, err := d.Get(key)
		if err != nil || !ok {
			return err
		}
		return yield(e)
	})
}

// Remove implements [Cache].
func (d *Disk) Remove(key digest.Digest) error {
	err := os.Remove(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
