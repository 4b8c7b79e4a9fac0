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
	x := &exporter{repo: r, partial: partial, out: snapshot.NewWriter(marking{w}, snapshot.Header{
		Commit:     id.String(),
		Tree:       c.tree.String(),
		AuthorTime: c.written,
		CommitTime: c.committed,
	})}
	x.treeWalk = treeWalk{read: r.read, limits: limits, visit: x.add, skip: func(at place, reason string) error { return x.out.Skip(at.raw, reason) }}
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
	treeWalk
	repo    *repository
	partial bool
	out     *snapshot.Writer
}

// add writes an entry, or lists it as skipped where it may be missing.
func (x *exporter) add(e treeEntry, at place) error {
	err := x.entry(e, at)
	if x.partial && errors.Is(err, errMissing) {
		return x.out.Skip(at.raw, "the repository lacks this file")
	}
	return err
}

func (x *exporter) entry(e treeEntry, at place) error {
	switch e.mode & modeType {
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
