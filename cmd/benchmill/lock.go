package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"benchmill/internal/digest"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/lock"
	"benchmill/sources"
	"benchmill/sources/vocabulary"
)

type lockCmd struct {
	pipelineFlags
	JSON bool `help:"Print the lock as JSON."`
}

func (lockCmd) Example() string { return "  benchmill lock -f repoqa.yaml" }

// Run implements the verb.
func (c *lockCmd) Run(ctx context.Context, s *streams) error {
	return relock(ctx, s, c.pipelineFlags, false, "", c.JSON)
}

type updateCmd struct {
	pipelineFlags
	AsOf string `help:"Nothing later than this moment is seen (RFC 3339; default: now)." placeholder:"TIME"`
	JSON bool   `help:"Print the lock as JSON."`
}

func (updateCmd) Example() string {
	return `  benchmill update                                move every pin to what it means now
  benchmill update --as-of 2024-06-23T00:00:00Z   and see nothing later`
}

// Run implements the verb.
func (c *updateCmd) Run(ctx context.Context, s *streams) error {
	if _, err := time.Parse(time.RFC3339, c.AsOf); c.AsOf != "" && err != nil {
		return wrongUsage("--as-of %s: not a time such as 2024-06-23T00:00:00Z", c.AsOf)
	}
	if err := past(c.AsOf); err != nil {
		return err
	}
	return relock(ctx, s, c.pipelineFlags, true, c.AsOf, c.JSON)
}

// relock resolves every moving name of the pipeline, or only those that are not
// pinned yet, and writes the lock.
func relock(ctx context.Context, s *streams, flags pipelineFlags, all bool, asOf string, asJSON bool) error {
	// What a search left out is said, as no table will.
	p, err := openProject(flags, slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	defer p.Close()
	p.github.Progress = searchProgress(s)
	old := p.lock
	next := &lock.Lock{AsOf: old.AsOf}
	if all || next.AsOf == "" {
		next.AsOf = asOf
	}
	if next.AsOf == "" {
		next.AsOf = time.Now().UTC().Format(time.RFC3339)
	}
	moment := cmp.Or(p.graph.AsOf, next.AsOf)
	changed := 0
	for _, n := range p.graph.Nodes {
		if n.Stage.Moving == nil {
			continue
		}
		refs, err := n.Stage.Moving(n.Config, p)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if !all && next.Keep(old, ref, moment) {
				continue
			}
			version, err := p.resolve(ctx, next, ref, moment)
			if err != nil {
				return fmt.Errorf("%s: %w", n.Name, err)
			}
			if before := old.Version(ref); version != before {
				changed++
				fmt.Fprintf(s.err, "%s: %s -> %s\n", ref, orNone(before), version)
			}
		}
	}
	for _, name := range sortedKeys(p.graph.Tokenizers) {
		d, err := p.lockTokenizer(ctx, name, all)
		if err != nil {
			return fmt.Errorf("tokenizer %s: %w", name, err)
		}
		if d == "" {
			continue
		}
		if before := old.Tokenizer(name); before != d {
			changed++
			fmt.Fprintf(s.err, "tokenizer %s: %s -> %s\n", name, orNone(string(before)), d)
		}
		next.SetTokenizer(name, d)
	}
	path := lock.Path(p.graph.File)
	if err := next.Write(path); err != nil {
		return err
	}
	if asJSON {
		return printJSON(s.out, next)
	}
	fmt.Fprintf(s.out, "%s: %d pins, %d tokenizers, %d changed, as of %s\n", path, len(next.Pins), len(next.Tokenizers), changed, next.AsOf)
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "not pinned"
	}
	return s
}

// resolve pins a moving name in next and returns its version.
func (p *project) resolve(ctx context.Context, next *lock.Lock, ref pipeline.Ref, moment string) (string, error) {
	source := p.world.Source(ref.Scheme)
	if source == nil {
		return "", fmt.Errorf("no source for %s", ref)
	}
	if lister, ok := source.(sources.Lister); ok {
		asOf, err := pipeline.ParseTime(moment)
		if err != nil {
			return "", err
		}
		list, err := lister.List(ctx, ref, asOf)
		if err != nil {
			return "", err
		}
		return next.SetList(ref, list, moment)
	}
	pin, err := source.Resolve(ctx, ref)
	if err == nil {
		next.Set(ref, pin.Version)
	}
	return pin.Version, err
}

// lockTokenizer returns the digest a tokenizer's vocabulary has, or "" where
// none needs a pin.
func (p *project) lockTokenizer(ctx context.Context, name string, again bool) (digest.Digest, error) {
	s := p.graph.Tokenizers[name].Settings.(*vocabulary.Settings)
	if s.Kind == string(tokenizer.KindEmbedded) || s.SHA256 != "" {
		return "", nil
	}
	if d := p.lock.Tokenizer(name); d != "" && !again {
		return d, nil
	}
	data, err := s.Read(ctx, p.graph.Dir)
	if err != nil {
		return "", err
	}
	if _, err := tokenizer.Load(tokenizer.Kind(s.Kind), s.Encoding, data); err != nil {
		return "", err
	}
	return p.keep(ctx, data)
}
