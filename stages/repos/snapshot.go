package repos

import (
	"context"
	"fmt"
	"io"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// DefaultMaxFileBytes is from what size on snapshots leave the content of a file out,
// where nothing else is said.
const DefaultMaxFileBytes = 5 << 20

// SnapshotConfig configures [Snapshot].
type SnapshotConfig struct {
	MaxFileBytes int64 `yaml:"max_file_bytes" min:"1" doc:"larger files are recorded without their content"`
	Partial      bool  `yaml:"partial" doc:"accept repositories that lack files, such as clones made with a filter; what is missing is dropped by name"`
}

// Snapshot fetches the tree of a repository at its commit.
//
// Version history:
//
//	1: first version
func Snapshot() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repos.snapshot", Version: 1,
		Doc:       "Fetches a repository at its commit: every file as bytes, links and submodules as data.",
		In:        []pipeline.Port{{Name: "repository", Schema: schemas.Repositories}},
		Out:       []pipeline.Port{{Name: "snapshot", Schema: schemas.Snapshot}},
		Uses:      pipeline.Uses{Network: true},
		NewConfig: func() any { return &SnapshotConfig{MaxFileBytes: DefaultMaxFileBytes} },
		Run:       takeSnapshot,
	}
}

func takeSnapshot(ctx context.Context, p *pipeline.Pass) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	c := pipeline.ConfigOf[SnapshotConfig](p)
	pin := pipeline.Pin{Scheme: "git", Locator: repo.URL, Version: repo.Commit}
	if c.Partial {
		pin.Scheme = "git-partial"
	}
	if err := eachEntry(ctx, p.Effects, pin, c.MaxFileBytes, func(row schemas.Entry) error { return pipeline.Emit(p, "snapshot", row) }); err != nil {
		return fmt.Errorf("snapshot of %s: %w", repo.Repo, err)
	}
	return nil
}

// Entries fetches the tree that a pin names. Files larger than maxFileBytes have no
// content.
func Entries(ctx context.Context, effects pipeline.Effects, pin pipeline.Pin, maxFileBytes int64) (entries []schemas.Entry, err error) {
	err = eachEntry(ctx, effects, pin, maxFileBytes, func(row schemas.Entry) error {
		entries = append(entries, row)
		return nil
	})
	return entries, err
}

// eachEntry is [Entries], one at a time.
func eachEntry(ctx context.Context, effects pipeline.Effects, pin pipeline.Pin, maxFileBytes int64, yield func(schemas.Entry) error) error {
	stream, err := effects.Fetch(ctx, pin)
	if err != nil {
		return err
	}
	defer stream.Close()
	r, err := snapshot.NewReader(stream)
	if err != nil {
		return err
	}
	for {
		e, content, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		row := schemas.Entry{Path: e.Path, Kind: string(e.Kind), Blob: e.Blob, Size: e.Size, Target: e.Target}
		if e.Kind.HasContent() && e.Size > maxFileBytes {
			row.Kind = schemas.KindOversized
		} else if row.Content, err = io.ReadAll(content); err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	for _, s := range r.Skipped() {
		if err := yield(schemas.Entry{Path: s.Path, Kind: schemas.KindSkipped, Target: s.Reason}); err != nil {
			return err
		}
	}
	return nil
}
