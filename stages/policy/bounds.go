package policy

import (
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"fmt"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons all files of a repository are dropped under by [Bounds].
const (
	reasonFewFiles  = "few_files"
	reasonManyFiles = "many_files"
	reasonLarge     = "large_repository"
)

// BoundsConfig configures [Bounds].
type BoundsConfig struct {
	MinFiles int   `yaml:"min_files" min:"0" doc:"fewest source files"`
	MaxFiles int   `yaml:"max_files" min:"0" doc:"most source files; 0: any number"`
	MaxBytes int64 `yaml:"max_bytes" min:"0" doc:"most bytes of all files of the repository, compressed one by one as in a zip file; needs the snapshot; 0: any number"`
}

// Validate refuses bounds that nothing is within.
func (c *BoundsConfig) Validate() error {
	if c.MaxFiles > 0 && c.MinFiles > c.MaxFiles {
		return errors.New("min_files is more than max_files")
	}
	return nil
}

// Bounds keeps all source files of a repository or none: their number and the
// size of the repository are to be within bounds. The size is that of a zip file of
// the commit, without the few bytes of its headers; files that the snapshot has no
// content of count uncompressed.
//
// Version history:
//
//	1: first version
func Bounds() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.bounds", Version: 1,
		Doc: "Keeps the files of repositories with not too few, not too many files, and not too many bytes.",
		In: []pipeline.Port{
			{Name: "files", Schema: schemas.Files},
			{Name: "snapshot", Schema: schemas.Snapshot, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "files", Schema: schemas.Files}},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"files"}}},
		NewConfig: func() any { return &BoundsConfig{MinFiles: 10, MaxFiles: 50} },
		Run:       bounds,
	}
}

func bounds(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[BoundsConfig](p)
	_, known := p.Inputs["snapshot"]
	if c.MaxBytes > 0 && !known {
		return errors.New("max_bytes needs the snapshot; read it too")
	}
	n := int(p.Inputs["files"].Rows())
	reason, detail := "", fmt.Sprintf("%d files", n)
	switch {
	case n < c.MinFiles:
		reason = reasonFewFiles
	case c.MaxFiles > 0 && n > c.MaxFiles:
		reason = reasonManyFiles
	case c.MaxBytes > 0:
		size, err := zipped(ctx, p, c.MaxBytes)
		if err != nil {
			return err
		}
		if size > c.MaxBytes {
			reason, detail = reasonLarge, fmt.Sprintf("more than %d bytes compressed", c.MaxBytes)
		}
	}
	return allOrNothing(ctx, p, reason, detail)
}

// allOrNothing drops all files for one reason, or none where it is "".
func allOrNothing(ctx context.Context, p *pipeline.Pass, reason, detail string) error {
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err == nil && reason == "" {
			err = pipeline.Emit(p, "files", f)
		}
		if err != nil {
			return err
		}
		if reason != "" {
			p.Drops.Drop("files", f.Path, reason, detail)
		}
	}
	return nil
}

// zipped is the compressed size of all files, counted until it is past a limit.
func zipped(ctx context.Context, p *pipeline.Pass, limit int64) (int64, error) {
	var size counter
	w, err := flate.NewWriter(&size, flate.DefaultCompression)
	if err != nil {
		return 0, err
	}
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0, err
		}
		if int64(size) > limit {
			break
		}
		if len(e.Content) == 0 {
			size += counter(e.Size)
			continue
		}
		w.Reset(&size)
		_, err = w.Write(e.Content)
		if err = cmp.Or(err, w.Close()); err != nil {
			return 0, err
		}
	}
	return int64(size), nil
}

// counter is how many bytes were written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
