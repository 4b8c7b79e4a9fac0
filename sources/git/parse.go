package git

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/internal/snapshot"
)

// commit is what a snapshot and a history need of a commit object.
type commit struct {
	tree               plumbing.Hash
	parents            []plumbing.Hash
	written, committed time.Time
}

// parseCommit reads the headers of a commit. It is as lenient as git: unknown
// and repeated headers do not matter, the first of each counts. A time that is
// missing or unreadable is 1970, one beyond the year 9999 its last second.
func parseCommit(b []byte) (commit, error) {
	epoch := time.Unix(0, 0).UTC()
	c := commit{written: epoch, committed: epoch}
	var seen struct{ tree, author, committer bool }
	head, _, _ := bytes.Cut(b, []byte("\n\n"))
	for line := range bytes.SplitSeq(head, []byte{'\n'}) {
		key, value, _ := strings.Cut(string(line), " ")
		switch {
		case key == "tree" && !seen.tree:
			if !plumbing.IsHash(value) {
				return c, errors.New("malformed commit: its tree is not an id")
			}
			c.tree, seen.tree = plumbing.NewHash(value), true
		case key == "parent":
			if !plumbing.IsHash(value) {
				return c, errors.New("malformed commit: a parent is not an id")
			}
			c.parents = append(c.parents, plumbing.NewHash(value))
		case key == "author" && !seen.author:
			c.written, seen.author = signatureTime(value), true
		case key == "committer" && !seen.committer:
			c.committed, seen.committer = signatureTime(value), true
		}
	}
	if !seen.tree {
		return c, errors.New("malformed commit: it has no tree")
	}
	return c, nil
}

const lastSecond = 253402300799 // 9999-12-31T23:59:59Z, the last that RFC 3339 can write

// signatureTime reads the seconds in "Name <mail> seconds zone".
func signatureTime(s string) time.Time {
	fields := strings.Fields(s[strings.LastIndexByte(s, '>')+1:])
	var seconds int64
	if len(fields) > 0 {
		// Out of range gives the nearest number, anything else 0.
		seconds, _ = strconv.ParseInt(fields[0], 10, 64)
	}
	return time.Unix(min(max(seconds, 0), lastSecond), 0).UTC()
}

// Types of tree entries: the upper bits of their mode.
const (
	modeType      = 0o170000
	modeFolder    = 0o040000
	modeFile      = 0o100000
	modeLink      = 0o120000
	modeSubmodule = 0o160000
	modeOwnerExec = 0o000100
)

type treeEntry struct {
	name  string // as stored: any bytes but NUL
	shown string // as a snapshot writes it
	mode  uint32
	id    plumbing.Hash
}

func (e treeEntry) isFolder() bool { return e.mode&modeType == modeFolder }

// before orders the entries of a folder so that walking them depth first visits
// the paths of a snapshot in ascending order: folders as if their names ended
// in a slash. Where an escaped name meets the true name it looks like, the true
// one comes first.
func (e treeEntry) before(o treeEntry) int {
	if c := compareSlashed(e.shown, e.isFolder(), o.shown, o.isFolder()); c != 0 {
		return c
	}
	switch escaped := e.name != e.shown; {
	case escaped == (o.name != o.shown):
		return 0
	case escaped:
		return 1
	}
	return -1
}

// compareSlashed compares two names, each with a slash at its end or not.
func compareSlashed(a string, aSlash bool, b string, bSlash bool) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	next := func(s string, slash bool) int {
		switch {
		case len(s) > n:
			return int(s[n])
		case slash:
			return '/'
		}
		return -1
	}
	return next(a, aSlash) - next(b, bSlash)
}

// parseTree reads a tree object and puts its entries into the order of a
// snapshot, equals as they came. Names are foreign: see [snapshot.CheckName].
func parseTree(b []byte) ([]treeEntry, error) {
	var entries []treeEntry
	for len(b) > 0 {
		head, rest, ok := bytes.Cut(b, []byte{0})
		mode, name, space := bytes.Cut(head, []byte{' '})
		if !ok || !space || len(rest) < len(plumbing.ZeroHash) {
			return nil, errors.New("malformed tree: an entry is cut short")
		}
		m, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil {
			return nil, errors.New("malformed tree: a mode is no octal number")
		}
		e := treeEntry{name: string(name), mode: uint32(m)}
		e.shown = snapshot.EscapeName(e.name)
		b = rest[copy(e.id[:], rest):]
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, treeEntry.before)
	return entries, nil
}
