package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/internal/snapshot"
)

// treeWalk visits the files of a commit in the order of a snapshot's paths.
type treeWalk struct {
	read    func(id plumbing.Hash, kind plumbing.ObjectType, limit int64) ([]byte, error) // valid until the next one
	limits  Limits
	visit   func(e treeEntry, at place) error   // of all but folders
	only    string                              // if not "", only folders on the way to this path are entered
	skip    func(at place, reason string) error // of what cannot be in a snapshot
	entries int
	bytes   int64
}

// place is where in the tree the walk is.
type place struct {
	raw, shown string // the path as stored and as the snapshot writes it
	depth      int    // folders above
}

func (p place) down(e treeEntry) place {
	if p.raw == "" {
		return place{e.name, e.shown, 0}
	}
	return place{p.raw + "/" + e.name, p.shown + "/" + e.shown, p.depth + 1}
}

func (x *treeWalk) folder(ctx context.Context, id plumbing.Hash, at place) error {
	raw, err := x.read(id, plumbing.TreeObject, maxFolderBytes)
	if err != nil {
		return named(at, err)
	}
	if err := x.spend(int64(len(raw))); err != nil {
		return err
	}
	entries, err := parseTree(raw)
	if err != nil {
		return named(at, err)
	}
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if x.entries++; x.entries > x.limits.MaxEntries {
			return fmt.Errorf("the commit has more than %d files and folders", x.limits.MaxEntries)
		}
		below := at.down(e)
		reason := x.refuse(e, below)
		if reason == "" && seen[e.shown] {
			reason = "name stands twice in its folder"
		}
		seen[e.shown] = true
		switch {
		case reason != "":
			err = x.skip(below, reason)
		case e.isFolder() && (x.only == "" || strings.HasPrefix(x.only, below.shown+"/")):
			err = x.folder(ctx, e.id, below)
		case e.isFolder():
		default:
			err = x.visit(e, below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refuse says why an entry cannot be in a snapshot, or "".
func (x *treeWalk) refuse(e treeEntry, at place) string {
	if err := snapshot.CheckName(e.name); err != nil {
		return err.Error()
	}
	switch {
	case len(at.shown) > x.limits.MaxPathBytes || len(at.shown) > snapshot.MaxPath:
		return "path too long"
	case e.isFolder() && at.depth >= x.limits.MaxDepth:
		return "folders nested too deep"
	}
	return ""
}

// spend counts bytes against the limit of the tree.
func (x *treeWalk) spend(n int64) error {
	if x.bytes += n; x.bytes > x.limits.MaxTreeBytes {
		return fmt.Errorf("the commit holds more than %d bytes", x.limits.MaxTreeBytes)
	}
	return nil
}

// named puts the path in front of an error.
func named(at place, err error) error {
	if at.shown == "" {
		return err
	}
	return fmt.Errorf("%q: %w", at.shown, err)
}
