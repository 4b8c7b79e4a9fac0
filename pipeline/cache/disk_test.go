package cache_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/cache/cachetest"
)

// disk is a cache on disk that can spoil its files.
type disk struct {
	*cache.Disk
	dir string
}

func open(t *testing.T) disk {
	dir := filepath.Join(t.TempDir(), "cache")
	return disk{cache.NewDisk(dir, t.TempDir()), dir}
}

func (d disk) file(key digest.Digest) string {
	return filepath.Join(d.dir, key.Hex()[:2], key.Hex()+".json")
}

func (d disk) Spoil(key digest.Digest, how cachetest.Spoiled) error {
	data, err := os.ReadFile(d.file(key))
	if err != nil {
		return err
	}
	switch how {
	case cachetest.Damaged:
		data = bytes.Replace(data, []byte(`"rows":3`), []byte(`"rows":4`), 1)
	case cachetest.Newer:
		data = sealed(bytes.Replace(entry(data), []byte(`"format":1`), []byte(`"format":2`), 1))
	case cachetest.Elsewhere:
		data = sealed(bytes.Replace(entry(data), []byte(key), []byte(digest.Of(nil)), 1))
	}
	return os.WriteFile(d.file(key), data, 0o644)
}

func entry(data []byte) []byte {
	var e struct{ Entry json.RawMessage }
	if err := json.Unmarshal(data, &e); err != nil {
		panic(err)
	}
	return e.Entry
}

func sealed(entry []byte) []byte {
	data, err := json.Marshal(map[string]any{"sum": digest.Of(entry), "entry": json.RawMessage(entry)})
	if err != nil {
		panic(err)
	}
	return data
}

func TestDisk(t *testing.T) {
	cachetest.Run(t, func(t *testing.T) cache.Cache { return open(t) })
}

// Whatever bytes a file holds, the entry is absent; nothing panics.
func TestDiskDamage(t *testing.T) {
	d := open(t)
	e := cachetest.Entry("a", "1")
	if err := d.Put(e); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(d.file(e.Key))
	if err != nil {
		t.Fatal(err)
	}
	spoiled := [][]byte{nil, []byte("null"), []byte("{}"), []byte("[1"), []byte(`{"sum":"","entry":null}`), sealed([]byte("null")), sealed([]byte("3"))}
	for i := 0; i < len(whole); i += 37 {
		spoiled = append(spoiled, whole[:i])
		flipped := slices.Clone(whole)
		flipped[i] ^= 0x20
		spoiled = append(spoiled, flipped)
	}
	for _, data := range spoiled {
		if err := os.WriteFile(d.file(e.Key), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := d.Get(e.Key); ok || err != nil {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
	}
}

// Files that are no entries are passed over.
func TestDiskWalkForeign(t *testing.T) {
	d := open(t)
	e := cachetest.Entry("a", "1")
	if err := d.Put(e); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.txt", "ab/x.json", "ab/" + strings.Repeat("a", 64) + ".json~"} {
		path := filepath.Join(d.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if err := d.Walk(func(*cache.Entry) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("%d entries, %v", n, err)
	}
}

// TestPromise5 states the error of one key with two different outputs.
func TestPromise5(t *testing.T) {
	d := open(t)
	if err := d.Put(cachetest.Entry("a", "1")); err != nil {
		t.Fatal(err)
	}
	err := d.Put(cachetest.Entry("a", "2"))
	var conflict *cache.ConflictError
	if !errors.As(err, &conflict) {
		t.Fatal(err)
	}
	for _, says := range []string{"test.stage is not deterministic", "a/b@a", `"out"`, conflict.Old.Short(), conflict.New.Short(), conflict.Key.Short()} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not say %q", err, says)
		}
	}
}
