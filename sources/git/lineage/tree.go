package lineage

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Store hands out objects. It is not safe for concurrent use.
type Store interface {
	// Read returns the content of an object, which is the caller's to keep. An error
	// that answers errors.Is for [ErrTooLarge] says that it is beyond what the store
	// reads, one for [ErrMissing] that a blob is not there.
	Read(id plumbing.Hash, kind plumbing.ObjectType) ([]byte, error)
}

// ErrTooLarge is in the error of a [Store] about an object it does not read.
var ErrTooLarge = errors.New("object beyond the limit")

// ErrMissing is in the error of a [Store] about a blob it does not have.
var ErrMissing = errors.New("the file is not here")

// kind is what a tree has at a path.
type kind uint8

const (
	nothing kind = iota
	file
	link
	submodule
	folder
	other
)

// entry is what a tree has at a path.
type entry struct {
	kind kind
	id   plumbing.Hash
}

// rawEntry is one entry of a tree object.
type rawEntry struct {
	name []byte
	entry
}

// nextEntry reads the first entry of a tree object and returns the rest.
func nextEntry(b []byte) (rawEntry, []byte, error) {
	head, rest, ok := bytes.Cut(b, []byte{0})
	mode, name, space := bytes.Cut(head, []byte{' '})
	if !ok || !space || len(rest) < len(plumbing.ZeroHash) {
		return rawEntry{}, nil, errors.New("malformed tree: an entry is cut short")
	}
	var m uint32
	for _, c := range mode {
		if c < '0' || c > '7' || m > 1<<20 {
			return rawEntry{}, nil, errors.New("malformed tree: a mode is no octal number")
		}
		m = m<<3 | uint32(c-'0')
	}
	e := rawEntry{name: name, entry: entry{kind: kindOf(m)}}
	return e, rest[copy(e.id[:], rest):], nil
}

func kindOf(mode uint32) kind {
	switch mode & 0o170000 {
	case 0o040000:
		return folder
	case 0o100000:
		return file
	case 0o120000:
		return link
	case 0o160000:
		return submodule
	}
	return other
}

// compareEntries is the order of tree objects: folders as if their names ended in a
// slash.
func compareEntries(a, b rawEntry) int {
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	next := func(e rawEntry) int {
		switch {
		case len(e.name) > n:
			return int(e.name[n])
		case e.kind == folder:
			return '/'
		}
		return 0
	}
	return next(a) - next(b)
}

// change is a path whose file, link or submodule differs between two trees.
type change struct {
	path     string
	old, new entry
}

const (
	maxDepth   = 128       // folders above a file; what is deeper is not looked at
	maxEntries = 1_000_000 // that one comparison of two trees looks at
)

// trees reads tree objects and keeps the recent ones: neighbours in history share
// most of theirs.
type trees struct {
	store         Store
	recent, older map[plumbing.Hash][]byte
	bytes         int
	left          int // entries that the present comparison may still look at
}

const recentBytes = 32 << 20 // of each of two generations

func (t *trees) read(id plumbing.Hash) ([]byte, error) {
	if b, ok := t.recent[id]; ok {
		return b, nil
	}
	b, ok := t.older[id]
	if !ok {
		var err error
		if b, err = t.store.Read(id, plumbing.TreeObject); err != nil {
			return nil, err
		}
	}
	if t.bytes > recentBytes || t.recent == nil {
		t.older, t.recent, t.bytes = t.recent, map[plumbing.Hash][]byte{}, 0
	}
	t.recent[id] = b
	t.bytes += len(b)
	return b, nil
}

// diff calls found for each path that differs between two trees, in the order of
// tree objects. Trees whose folders hold each other many times over are an error.
func (t *trees) diff(old, new plumbing.Hash, found func(change)) error {
	t.left = maxEntries
	return t.diffFolder(old, new, "", 0, found)
}

// diffFolder compares two folders; the zero id is an empty one.
func (t *trees) diffFolder(old, new plumbing.Hash, prefix string, depth int, found func(change)) error {
	if old == new || depth > maxDepth {
		return nil
	}
	a, err := t.folder(old, prefix)
	if err != nil {
		return err
	}
	b, err := t.folder(new, prefix)
	if err != nil {
		return err
	}
	for a.some || b.some {
		if t.left--; t.left < 0 {
			return fmt.Errorf("more than %d files and folders differ", maxEntries)
		}
		var c change
		var name []byte
		order := 0
		switch {
		case !a.some:
			order = 1
		case !b.some:
			order = -1
		default:
			order = compareEntries(a.at, b.at)
		}
		if order <= 0 {
			name, c.old = a.at.name, a.at.entry
		}
		if order >= 0 {
			name, c.new = b.at.name, b.at.entry
		}
		if c.old != c.new {
			c.path = prefix + string(name)
			if err := t.descend(c, depth, found); err != nil {
				return err
			}
		}
		if order <= 0 {
			err = a.next()
		}
		if order >= 0 && err == nil {
			err = b.next()
		}
		if err != nil {
			return named(prefix, err)
		}
	}
	return nil
}

// descend reports a change, or what it holds where folders are in it. Equal names in
// the order of trees are both folders or both none.
func (t *trees) descend(c change, depth int, found func(change)) error {
	if c.old.kind != folder && c.new.kind != folder {
		found(c)
		return nil
	}
	return t.diffFolder(c.old.id, c.new.id, c.path+"/", depth+1, found)
}

func (t *trees) folder(id plumbing.Hash, prefix string) (cursor, error) {
	if id.IsZero() {
		return cursor{}, nil
	}
	b, err := t.read(id)
	if err != nil {
		return cursor{}, named(prefix, err)
	}
	c := cursor{rest: b}
	return c, named(prefix, c.next())
}

func named(prefix string, err error) error {
	if err == nil || prefix == "" {
		return err
	}
	return fmt.Errorf("%q: %w", prefix, err)
}

// cursor walks over a tree object.
type cursor struct {
	at   rawEntry
	some bool // there is an entry
	rest []byte
}

func (c *cursor) next() (err error) {
	if c.some = len(c.rest) > 0; c.some {
		c.at, c.rest, err = nextEntry(c.rest)
	}
	return err
}

// find returns what a tree has at a path.
func (t *trees) find(tree plumbing.Hash, path string) (entry, error) {
	at := entry{folder, tree}
	for depth := 0; path != "" || depth == 0; depth++ {
		if at.kind != folder || depth > maxDepth {
			return entry{}, nil
		}
		var name string
		name, path, _ = strings.Cut(path, "/")
		c, err := t.folder(at.id, "")
		at = entry{}
		for ; err == nil && c.some; err = c.next() {
			if string(c.at.name) == name {
				at = c.at.entry
				break
			}
		}
		if err != nil {
			return entry{}, err
		}
	}
	if at.kind == folder {
		return entry{}, nil
	}
	return at, nil
}
