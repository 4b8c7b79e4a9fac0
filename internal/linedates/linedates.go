package linedates

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"benchmill/internal/snapshot"
)

// Format is the version of the format this package reads and writes.
//
//	1: the first.
const Format = 1

const magic = "benchmill-line-dates"

// Modes of a document; they are words of the format.
const (
	Mainline = "mainline"
	Blame    = "blame"
)

// Kind says what a file is. Its text is part of the format.
type Kind string

const (
	Text      Kind = "text"
	Binary    Kind = "binary"    // no lines
	Oversized Kind = "oversized" // not read
	Missing   Kind = "missing"   // some version of it is not in the repository
)

// Header says what a document is about.
type Header struct {
	Mode   string // Mainline or Blame
	Commit string // whose files these are
}

// Commit is one that made lines.
type Commit struct {
	ID   string
	Time time.Time // of its committer: UTC, whole seconds, up to the year 9999
}

// File is one file with the commits of its lines.
type File struct {
	Path string // see package snapshot
	Kind Kind
	Runs []Run // of a text, from its first line on; none for an empty one
}

// Run is lines in a row that one commit made.
type Run struct {
	Lines  int
	Commit int // index into the document's commits
}

// Lines is how many lines a file has.
func (f File) Lines() int {
	n := 0
	for _, r := range f.Runs {
		n += r.Lines
	}
	return n
}

// Bounds of the format: a writer refuses to pass them, and a reader takes a document
// that does for damaged.
const (
	maxCount   = 1 << 30                // lines, runs, commits, files
	maxQuoted  = 6*snapshot.MaxPath + 2 // bytes of a quoted path
	maxLine    = maxQuoted + 64
	timeLayout = "2006-01-02T15:04:05Z"
)

// ErrDamaged is in every error about bytes that are not a whole document.
var ErrDamaged = errors.New("not a whole document of line dates")

// ErrFormat is in the error about a document of another format version.
var ErrFormat = errors.New("unknown format of line dates")

func (h Header) validate() error {
	if h.Mode != Mainline && h.Mode != Blame {
		return fmt.Errorf("no mode: %q", h.Mode)
	}
	return checkID(h.Commit)
}

// checkID accepts SHA-1 and SHA-256 object ids.
func checkID(id string) error {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) != 20 && len(b) != 32 || hex.EncodeToString(b) != id {
		return fmt.Errorf("%q is no commit id", id)
	}
	return nil
}

// after checks that a commit may follow another one.
func (c Commit) after(last Commit, some bool) error {
	if err := checkID(c.ID); err != nil {
		return err
	}
	if some && c.ID <= last.ID {
		return fmt.Errorf("commit %s does not come after %s", c.ID, last.ID)
	}
	if t := c.Time; !t.Equal(t.Truncate(time.Second)) || t.UTC().Year() < 0 || t.UTC().Year() > 9999 {
		return fmt.Errorf("commit %s: no time: %s", c.ID, t)
	}
	return nil
}

// after checks that a file may follow another one in a document with so many commits.
func (f File) after(last string, some bool, commits int) error {
	if err := snapshot.CheckPath(f.Path); err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%q: %s", f.Path, fmt.Sprintf(format, args...))
	}
	switch {
	case some && f.Path <= last:
		return fail("does not come after %q", last)
	case f.Kind != Text && f.Kind != Binary && f.Kind != Oversized && f.Kind != Missing:
		return fail("no kind of file: %q", f.Kind)
	case f.Kind != Text && len(f.Runs) > 0:
		return fail("only a text has lines")
	}
	lines := 0
	for i, r := range f.Runs {
		switch {
		case r.Lines < 1 || r.Lines > maxCount-lines:
			return fail("a run of %d lines", r.Lines)
		case r.Commit < 0 || r.Commit >= commits:
			return fail("commit %d of %d", r.Commit, commits)
		case i > 0 && r.Commit == f.Runs[i-1].Commit:
			return fail("two runs of one commit side by side")
		}
		lines += r.Lines
	}
	return nil
}
