package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/internal/snapshot"
)

// export writes the snapshot of a commit of a local repository. Where partial is
// set, files that the repository lacks are listed as skipped.
func export(ctx context.Context, path string, id plumbing.Hash, limits Limits, partial bool, w io.Writer) error {
	r, err := open(path)
	if err != nil {
		return err
	}
	defer r.close()
	raw, err := r.read(id, plumbing.CommitObject, maxCommitBytes)
	if err != nil {
		return err
	}
	c, err := parseCommit(raw)
	if err != nil {
		return err
	}
	x := &exporter{repo: r, limits: limits, partial: partial, out: snapshot.NewWriter(marking{w}, snapshot.Header{
		Commit:     id.String(),
		Tree:       c.tree.String(),
		AuthorTime: c.written,
		CommitTime: c.committed,
	})}
	if err := x.folder(ctx, c.tree, place{}); err != nil {
		return err
	}
	return x.out.Close()
}

// marking tells the errors of a writer from those of the repository.
type marking struct{ w io.Writer }

func (m marking) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}

type exporter struct {
	repo    *repository
	limits  Limits
	partial bool
	out     *snapshot.Writer
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

func (x *exporter) folder(ctx context.Context, id plumbing.Hash, at place) error {
	raw, err := x.repo.read(id, plumbing.TreeObject, maxFolderBytes)
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
		if reason != "" {
			err = x.out.Skip(below.raw, reason)
		} else {
			err = x.entry(ctx, e, below)
		}
		if x.partial && !e.isFolder() && errors.Is(err, errMissing) {
			err = x.out.Skip(below.raw, "the repository lacks this file")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refuse says why an entry cannot be in a snapshot, or "".
func (x *exporter) refuse(e treeEntry, at place) string {
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

func (x *exporter) entry(ctx context.Context, e treeEntry, at place) error {
	switch e.mode & modeType {
	case modeFolder:
		return x.folder(ctx, e.id, at)
	case modeFile:
		return x.file(e, at)
	case modeLink:
		return x.link(e, at)
	case modeSubmodule:
		return x.out.Add(x.describe(e, at, snapshot.Submodule), nil)
	}
	return x.out.Skip(at.raw, fmt.Sprintf("unknown mode %o", e.mode))
}

// describe makes the snapshot's entry, without what depends on the content.
func (x *exporter) describe(e treeEntry, at place, kind snapshot.Kind) snapshot.Entry {
	out := snapshot.Entry{Path: at.shown, Kind: kind}
	if at.raw != at.shown {
		out.RawPath = at.raw
	}
	if kind == snapshot.Submodule {
		out.Target = e.id.String()
	} else {
		out.Blob = e.id.String()
	}
	return out
}

func (x *exporter) file(e treeEntry, at place) error {
	kind := snapshot.File
	if e.mode&modeOwnerExec != 0 {
		kind = snapshot.Executable
	}
	content, err := x.repo.read(e.id, plumbing.BlobObject, x.limits.MaxFileBytes)
	var large *tooLarge
	if errors.As(err, &large) {
		out := x.describe(e, at, snapshot.Oversized)
		out.Size = large.size
		return x.out.Add(out, nil)
	}
	if err != nil {
		return named(at, err)
	}
	if err := x.spend(int64(len(content))); err != nil {
		return err
	}
	pointer, isPointer := parsePointer(content)
	if isPointer {
		kind = snapshot.LFS
	}
	out := x.describe(e, at, kind)
	out.Size = int64(len(content))
	if isPointer {
		out.Pointer = pointer
	}
	return x.out.Add(out, bytes.NewReader(content))
}

func (x *exporter) link(e treeEntry, at place) error {
	content, err := x.repo.read(e.id, plumbing.BlobObject, int64(min(x.limits.MaxPathBytes, snapshot.MaxPath)))
	var large *tooLarge
	if errors.As(err, &large) {
		return x.out.Skip(at.raw, "link target too long")
	}
	if err != nil {
		return named(at, err)
	}
	if err := snapshot.CheckTarget(string(content)); err != nil {
		return x.out.Skip(at.raw, err.Error())
	}
	out := x.describe(e, at, snapshot.Link)
	out.Target, out.Size = string(content), int64(len(content))
	return x.out.Add(out, nil)
}

// spend counts bytes against the limit of the tree.
func (x *exporter) spend(n int64) error {
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
