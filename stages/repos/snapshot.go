package repos

import (
	"context"
	"fmt"
	"io"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/schemas"
)

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
		NewConfig: func() any { return &SnapshotConfig{MaxFileBytes: 5 << 20} },
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
	stream, err := p.Effects.Fetch(ctx, pin)
	if err != nil {
		return err
	}
	defer stream.Close()
	r, err := snapshot.NewReader(stream)
	if err != nil {
		return fmt.Errorf("snapshot of %s: %w", repo.Repo, err)
	}
	for {
		e, content, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("snapshot of %s: %w", repo.Repo, err)
		}
		row := schemas.Entry{Path: e.Path, Kind: string(e.Kind), Blob: e.Blob, Size: e.Size, Target: e.Target}
		if e.Kind.HasContent() && e.Size > c.MaxFileBytes {
			row.Kind = schemas.KindOversized
		} else if row.Content, err = io.ReadAll(content); err != nil {
			return fmt.Errorf("snapshot of %s: %s: %w", repo.Repo, e.Path, err)
		}
		if err := pipeline.Emit(p, "snapshot", row); err != nil {
			return err
		}
	}
	for _, s := range r.Skipped() {
		row := schemas.Entry{Path: s.Path, Kind: schemas.KindSkipped, Target: s.Reason}
		if err := pipeline.Emit(p, "snapshot", row); err != nil {
			return err
		}
	}
	return nil
}
