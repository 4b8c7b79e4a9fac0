package lineage

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// memory is a store of two trees, which are all folders.
type memory map[plumbing.Hash][]byte

func (m memory) Read(id plumbing.Hash, _ plumbing.ObjectType) ([]byte, error) {
	if b, ok := m[id]; ok {
		return b, nil
	}
	return nil, errors.New("missing")
}

func treeOf(entries ...string) []byte {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e + "\x00" + strings.Repeat("\x01", 20))
	}
	return []byte(b.String())
}

// FuzzTrees: trees of any bytes, which may hold themselves, end in changes or an
// error, at a bounded depth.
func FuzzTrees(f *testing.F) {
	f.Add(treeOf("100644 a", "40000 b", "120000 c"), treeOf("100755 a", "100644 b", "160000 d"), "b/b/a")
	f.Add(treeOf("40000 a", "100644 a.c", "100644 a"), treeOf("100644 a", "100644 a"), "a")
	f.Add([]byte("100644 a\x00short"), []byte("9 a\x00"), "")
	f.Fuzz(func(t *testing.T, a, b []byte, path string) {
		one, two, inner := plumbing.Hash{1}, plumbing.Hash{2}, plumbing.NewHash(strings.Repeat("01", 20))
		r := &trees{store: memory{one: a, two: b, inner: a}}
		// What is malformed, or holds itself many times over, is an error.
		_ = r.diff(one, two, func(c change) {
			if c.old == c.new || c.old.kind == folder || c.new.kind == folder {
				t.Errorf("change %+v", c)
			}
		})
		if e, err := r.find(one, path); err == nil && e.kind == folder {
			t.Errorf("%q is a folder", path)
		}
	})
}

// A bomb: each folder holds the next one ten times.
func TestBomb(t *testing.T) {
	store := memory{}
	for n := byte(1); n < 40; n++ {
		var b strings.Builder
		for i := range 10 {
			b.WriteString("40000 " + string(rune('a'+i)) + "\x00" + string(append(make([]byte, 19), n+1)))
		}
		store[plumbing.Hash{19: n}] = []byte(b.String())
	}
	store[plumbing.Hash{19: 40}] = treeOf("100644 f")
	err := (&trees{store: store}).diff(plumbing.ZeroHash, plumbing.Hash{19: 1}, func(change) {})
	if err == nil || !strings.Contains(err.Error(), "files and folders differ") {
		t.Error(err)
	}
}

func TestDiff(t *testing.T) {
	id := func(n byte) string { return string(append(make([]byte, 19), n)) }
	entry := func(mode, name string, n byte) string { return mode + " " + name + "\x00" + id(n) }
	hash := func(n byte) (h plumbing.Hash) { h[19] = n; return h }
	store := memory{
		hash(1): []byte(entry("100644", "a", 11) + entry("40000", "d", 3) + entry("100644", "e", 12) + entry("40000", "x", 5)),
		hash(2): []byte(entry("100644", "a", 11) + entry("100644", "d", 13) + entry("120000", "e", 12) + entry("40000", "x", 6)),
		hash(3): []byte(entry("100644", "f", 14)),
		hash(5): []byte(entry("100644", "f", 15) + entry("100644", "g", 16)),
		hash(6): []byte(entry("100755", "f", 15) + entry("100644", "g", 17)),
	}
	r := &trees{store: store}
	var got []string
	if err := r.diff(hash(1), hash(2), func(c change) { got = append(got, c.path) }); err != nil {
		t.Fatal(err)
	}
	if want := "d d/f e x/g"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for path, want := range map[string]kind{"a": file, "x/g": file, "e": file, "x": nothing, "x/h": nothing, "a/b": nothing, "": nothing} {
		if e, err := r.find(hash(1), path); err != nil || e.kind != want {
			t.Errorf("%q: %v, %v", path, e, err)
		}
	}
}
