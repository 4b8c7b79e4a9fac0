package snapshot

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Format is the version of the format this package reads and writes.
//
//	1: the first.
const Format = 1

// Bounds of the format. A writer refuses to pass them; a reader takes a stream
// that does for damaged.
const (
	MaxPath    = 1 << 16 // bytes of a path or of a link's target
	MaxSkipped = 10_000  // entries of the skipped list
	maxJSON    = 32 << 20
)

const (
	headerName  = ".benchmill/snapshot"
	trailerName = ".benchmill/skipped"
)

// Header says what was snapped.
type Header struct {
	Commit string // object id in lower-case hexadecimal
	Tree   string
	// AuthorTime is when the change was written, CommitTime when it was
	// committed: UTC, whole seconds.
	AuthorTime, CommitTime time.Time
}

// Kind says what an entry is. Its text is part of the format.
type Kind string

const (
	File       Kind = "file"
	Executable Kind = "executable"
	Link       Kind = "link"      // a symbolic link; Target is where it points
	Submodule  Kind = "submodule" // Target is the commit; nothing of it is here
	LFS        Kind = "lfs"       // a Git LFS pointer; the content is the pointer
	Oversized  Kind = "oversized" // too large to carry; no content

	header  Kind = "snapshot"
	trailer Kind = "skipped"
)

// HasContent reports whether entries of this kind carry the bytes of their blob.
func (k Kind) HasContent() bool { return k == File || k == Executable || k == LFS }

// Entry is one file of the tree.
type Entry struct {
	Path    string // see the package comment
	RawPath string // the path's true bytes where Path is escaped, else ""
	Kind    Kind
	Blob    string  // git blob id; "" for a submodule
	Size    int64   // bytes of the blob; 0 for a submodule
	Target  string  // where a link points; the commit of a submodule
	Pointer Pointer // what a Git LFS pointer names
}

// Pointer is what a Git LFS pointer file says about the file it stands for.
type Pointer struct {
	OID  string // SHA-256 in lower-case hexadecimal
	Size int64  // bytes
}

// Skipped is something the tree holds and the snapshot does not.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// ErrDamaged is in every error about bytes that are not a snapshot.
var ErrDamaged = errors.New("not a whole snapshot")

// ErrFormat is in the error about a snapshot of another format version.
var ErrFormat = errors.New("unknown snapshot format")

func (h Header) validate() error {
	if !isID(h.Commit) || !isID(h.Tree) {
		return fmt.Errorf("commit %q, tree %q: not object ids", h.Commit, h.Tree)
	}
	return nil
}

// validate checks everything about an entry that does not depend on its
// neighbours. Errors begin with the path.
func (e Entry) validate() error {
	if err := CheckPath(e.Path); err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%q: %s", e.Path, fmt.Sprintf(format, args...))
	}
	switch e.Kind {
	case File, Executable, Link, LFS, Oversized, Submodule:
	default:
		return fail("no kind of entry: %q", e.Kind)
	}
	if e.Kind == Submodule {
		if !isID(e.Target) || e.Blob != "" || e.Size != 0 {
			return fail("a submodule has a commit, no blob and no size")
		}
	} else if !isID(e.Blob) || e.Size < 0 {
		return fail("blob %q of %d bytes", e.Blob, e.Size)
	}
	switch {
	case e.Kind == Link && e.Size != int64(len(e.Target)):
		return fail("the target has %d bytes, the blob %d", len(e.Target), e.Size)
	case e.Kind == Link && CheckTarget(e.Target) != nil:
		return fail("%v", CheckTarget(e.Target))
	case e.Kind != Link && e.Kind != Submodule && e.Target != "":
		return fail("only links and submodules have a target")
	case e.Kind == LFS && (len(e.Pointer.OID) != 64 || !isHex(e.Pointer.OID) || e.Pointer.Size < 0):
		return fail("git lfs pointer to %q of %d bytes", e.Pointer.OID, e.Pointer.Size)
	case e.Kind != LFS && e.Pointer != (Pointer{}):
		return fail("only git lfs files have a pointer")
	case e.RawPath != "" && (len(e.RawPath) > MaxPath || EscapePath(e.RawPath) != e.Path || e.RawPath == e.Path):
		return fail("is not how %q is escaped", e.RawPath)
	}
	return nil
}

// isID accepts SHA-1 and SHA-256 object ids.
func isID(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

// isHex accepts lower-case hexadecimal digits.
func isHex(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && hex.EncodeToString(b) == s
}
