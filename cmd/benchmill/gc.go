package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/lock"
	"benchmill/sources/vocabulary"
	stages "benchmill/stages/all"
)

type gcCmd struct {
	storeFlags
	DryRun bool `short:"n" help:"Only say what would be removed."`
}

func (gcCmd) Example() string {
	return `  benchmill gc            remove leftovers of killed runs and objects nothing refers to
  benchmill gc -n         only say what would go`
}

type gcReport struct {
	TemporaryFiles int   `json:"temporary_files"`
	Objects        int   `json:"objects"`
	Bytes          int64 `json:"bytes"`
	KeptObjects    int   `json:"kept_objects"`
}

// Run implements the verb. It keeps what the cache, the ledger and the pinned
// tokenizers of the pipeline refer to, so it never costs a model's reply or a
// fetch; releases are left alone.
func (c *gcCmd) Run(ctx context.Context, s *streams) error {
	pinned, err := c.pinned()
	if err != nil {
		return err
	}
	st, err := openStore(c.dir(c.File))
	if err != nil {
		return err
	}
	defer st.Close()
	var r gcReport
	if !c.DryRun {
		files, bytes, err := st.RemoveTemp(0)
		if err != nil {
			return err
		}
		r.TemporaryFiles, r.Bytes = files, bytes
	}
	live, err := st.live()
	if err != nil {
		return err
	}
	for _, d := range pinned {
		live[d] = true
	}
	// Another run may have written objects whose entry is not there yet.
	const young = time.Hour
	err = st.Walk(ctx, func(d digest.Digest, size int64) error {
		if live[d] || st.youngerThan(d, young) {
			r.KeptObjects++
			return nil
		}
		r.Objects++
		r.Bytes += size
		if c.DryRun {
			return nil
		}
		return st.Remove(ctx, d)
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, r)
	}
	verb := "removed"
	if c.DryRun {
		verb = "would remove"
	}
	fmt.Fprintf(s.out, "%s %d temporary files and %d objects, %d bytes; kept %d objects\n", verb, r.TemporaryFiles, r.Objects, r.Bytes, r.KeptObjects)
	return nil
}

// pinned are the vocabularies that the pipeline and its lock name. Without a
// pipeline there are none.
func (c *gcCmd) pinned() ([]digest.Digest, error) {
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	registry, err := stages.New()
	if err != nil {
		return nil, err
	}
	g, err := graph.Load(c.File, kinds(registry), nil)
	if err != nil {
		return nil, err
	}
	l, err := lock.Read(lock.Path(c.File))
	if err != nil {
		return nil, err
	}
	var out []digest.Digest
	for _, t := range l.Tokenizers {
		out = append(out, t.Digest)
	}
	for _, name := range sortedKeys(g.Tokenizers) {
		if s := g.Tokenizers[name].Settings.(*vocabulary.Settings); s.SHA256 != "" {
			out = append(out, digest.Digest("sha256:"+s.SHA256))
		}
	}
	return out, nil
}

// live are the objects that the cache and the ledger refer to.
func (s *store) live() (map[digest.Digest]bool, error) {
	live := map[digest.Digest]bool{}
	err := s.cache.Walk(func(e *cache.Entry) error {
		live[e.Dropped.Object] = true
		for _, t := range e.Outputs {
			live[t.Object] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return live, s.ledger.Walk(func(r *ledger.Record) error {
		live[r.Object] = true
		return nil
	})
}

func (s *store) youngerThan(d digest.Digest, age time.Duration) bool {
	h := d.Hex()
	info, err := os.Stat(filepath.Join(s.Dir(), "objects", h[:2], h))
	return err == nil && time.Since(info.ModTime()) < age
}
