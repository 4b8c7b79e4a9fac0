package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/lock"
	"benchmill/pipeline/planner"
	"benchmill/pipeline/releaser"
	"benchmill/sources"
	kind "benchmill/sources/all"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/github"
	"benchmill/sources/llm"
	"benchmill/sources/vocabulary"
	stages "benchmill/stages/all"
)

// storeFlag says where things are kept.
type storeFlag struct {
	Store string `help:"Folder that keeps everything made (default: .benchmill beside the pipeline file)." env:"BENCHMILL_STORE" placeholder:"DIR"`
}

// pipelineFlags say which pipeline is meant.
type pipelineFlags struct {
	storeFlag
	File   string   `short:"f" help:"Pipeline file." default:"pipeline.yaml" placeholder:"FILE"`
	Set    []string `help:"Override a setting, such as stages.tasks.with.tokens=[1024]; may repeat." sep:"none" placeholder:"PATH=VALUE"`
	Mirror []string `help:"Fetch URLs that start with PREFIX from REPLACEMENT; may repeat." sep:"none" placeholder:"PREFIX=REPLACEMENT"`
	Frozen bool     `help:"Turn the network off; fail where the ledger misses an answer."`
	Limit  int      `help:"Only the first N partitions." placeholder:"N"`
	Target []string `help:"Only these stages and what they need; may repeat." placeholder:"STAGE"`
}

// storeDir is the folder of the store for a pipeline file.
func (f storeFlag) dir(pipelineFile string) string {
	if f.Store != "" {
		return f.Store
	}
	return filepath.Join(filepath.Dir(pipelineFile), ".benchmill")
}

// store is an opened store with all that lies in it.
type store struct {
	*artifacts.Disk
	temp   string
	cache  *cache.Disk
	ledger *ledger.Ledger
}

func openStore(dir string) (*store, error) {
	disk, err := artifacts.OpenStore(dir)
	if err != nil {
		return nil, err
	}
	temp, err := disk.TempDir()
	if err != nil && !errors.Is(err, artifacts.ErrReadOnly) {
		return nil, err
	}
	return &store{
		Disk: disk, temp: temp,
		cache:  cache.NewDisk(filepath.Join(dir, "cache"), temp),
		ledger: ledger.Open(filepath.Join(dir, "ledger"), temp),
	}, nil
}

func (s *store) releases() string { return filepath.Join(s.Dir(), "releases") }

// project is a pipeline with its lock and store.
type project struct {
	*store
	flags    pipelineFlags
	graph    *graph.Graph
	lock     *lock.Lock
	build    digest.Digest
	stages   []*pipeline.Stage
	world    *effects.World
	github   *github.World
	programs programs
	log      *slog.Logger
	tokens   map[string]pipeline.Tokenizer // by identity
}

func kinds(registry *stages.Registry) graph.Kinds {
	return kind.Kinds(registry.Stages, stages.Schemas(), stages.Adapters())
}

// openProject reads and checks everything before it opens the store; close that
// when done.
func openProject(f pipelineFlags, log *slog.Logger) (*project, error) {
	if f.Limit < 0 {
		return nil, wrongUsage("--limit %d: not a number of partitions", f.Limit)
	}
	mirrors, err := parseMirrors(f.Mirror)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.File); errors.Is(err, fs.ErrNotExist) {
		return nil, wrongUsage("there is no %s; name a pipeline with -f, or start one with \"benchmill init\"", f.File)
	}
	registry, err := stages.New()
	if err != nil {
		return nil, err
	}
	g, err := graph.Load(f.File, kinds(registry), f.Set)
	if err != nil {
		return nil, err
	}
	if err := known(g, f.Target); err != nil {
		return nil, err
	}
	l, err := lock.Read(lock.Path(f.File))
	if err != nil {
		return nil, err
	}
	if err := past(cmp.Or(g.AsOf, l.AsOf)); err != nil {
		return nil, err
	}
	s, err := openStore(f.dir(f.File))
	if err != nil {
		return nil, err
	}
	p := &project{store: s, flags: f, graph: g, lock: l, build: planner.Build(registry.Stages, registry.Identities()...), stages: registry.Stages, log: log, tokens: map[string]pipeline.Tokenizer{}}
	if err := p.ship(); err != nil {
		s.Close()
		return nil, err
	}
	mirrors = append(mirrors, p.mirrors()...) // of two for one prefix, that of the command line counts
	p.github = github.New(github.Options{
		Settings: g.Sources[github.Name].(*github.Settings), Mirrors: mirrors, Root: g.Dir,
		Dir: filepath.Join(s.Dir(), "github"), Getenv: os.Getenv, Log: log,
	})
	p.programs = openPrograms(g, s.temp)
	p.world = &effects.World{Store: s.Disk, Ledger: s.ledger, Frozen: f.Frozen, Getenv: os.Getenv,
		LLM: llm.Options{Journal: filepath.Join(s.Dir(), "batches"), Log: log},
		Sources: openSources(git.Options{
			Mirrors: mirrors, Offline: f.Frozen, Dir: g.Dir, TempDir: s.temp, HistoryDir: filepath.Join(s.Dir(), "git"),
		}, p.github, p.programs)}
	return p, nil
}

// Close removes what running programs has left, and closes the store.
func (p *project) Close() error { return errors.Join(p.programs.close(), p.store.Close()) }

// past refuses an as-of time that lies ahead: what is collected is kept as all
// there was at that time, and more would come. An hour is for clocks that differ.
func past(asOf string) error {
	if at, err := pipeline.ParseTime(asOf); err == nil && at.After(time.Now().Add(time.Hour)) {
		return wrongUsage("as of %s: lies in the future", asOf)
	}
	return nil
}

// ship reads the ledgers that come with the pipeline, and the lists of the lock.
func (p *project) ship() error {
	for _, list := range p.lock.Lists() {
		if err := p.ledger.ShipFetch(list.Pin(), list.Body()); err != nil {
			return err
		}
	}
	for _, name := range p.graph.Ledgers {
		path := p.path(string(name))
		files := []string{path}
		if s, err := os.Stat(path); err == nil && s.IsDir() {
			if files, err = filepath.Glob(filepath.Join(path, "*.jsonl")); err != nil {
				return err
			}
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := p.ledger.Ship(file, data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *project) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.graph.Dir, name)
}

// known checks that every target is a stage of the pipeline.
func known(g *graph.Graph, targets []string) error {
	for _, name := range targets {
		if _, ok := g.Node(name); !ok {
			var names []string
			for _, n := range g.Nodes {
				names = append(names, n.Name)
			}
			return wrongUsage("%s has no stage %q; there are %s", g.File, name, strings.Join(names, ", "))
		}
	}
	return nil
}

// mirrors are those of the pipeline file.
func (p *project) mirrors() []sources.Mirror {
	var out []sources.Mirror
	for _, m := range p.graph.Mirrors {
		out = append(out, sources.Mirror{Prefix: m.Prefix, Replacement: m.Replacement})
	}
	return out
}

// fromHere makes a relative path of the command line independent of where the
// pipeline file lies.
func fromHere(replacement string) string {
	if strings.Contains(replacement, ":") || filepath.IsAbs(replacement) {
		return replacement
	}
	here, err := os.Getwd()
	if err != nil {
		return replacement
	}
	return here + string(filepath.Separator) + replacement
}

func parseMirrors(flags []string) ([]sources.Mirror, error) {
	var out []sources.Mirror
	for _, m := range flags {
		prefix, replacement, ok := strings.Cut(m, "=")
		if !ok || prefix == "" {
			return nil, wrongUsage("--mirror %s: not of the form PREFIX=REPLACEMENT", m)
		}
		out = append(out, sources.Mirror{Prefix: prefix, Replacement: fromHere(replacement)})
	}
	return out, nil
}

// ReadFile implements pipeline.Files over the files beside the pipeline.
func (p *project) ReadFile(name pipeline.FileName) ([]byte, error) {
	return os.ReadFile(p.path(string(name)))
}

// keep puts bytes into the store.
func (p *project) keep(ctx context.Context, data []byte) (digest.Digest, error) {
	d := digest.Of(data)
	// Opened, not only looked for: a damaged copy is no copy.
	if o, err := p.Open(ctx, d); err == nil {
		return d, o.Close()
	}
	w, err := p.Create(ctx)
	if err != nil {
		return "", err
	}
	defer w.Discard()
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	return w.Commit()
}

// facts is what the planner asks of the world.
func (p *project) facts(ctx context.Context) planner.Facts {
	return planner.Facts{
		Build: p.build, AsOf: p.asOf(), Files: p,
		Pin: func(ref pipeline.Ref) (pipeline.Pin, error) { return p.lock.Pin(ref, p.asOf()) },
		File: func(name pipeline.FileName) (digest.Digest, error) {
			data, err := p.ReadFile(name)
			if err != nil {
				return "", err
			}
			return p.keep(ctx, data)
		},
		Model: func(name pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
			m := p.graph.Models[string(name)]
			settings, err := json.Marshal(m.Settings)
			return m.Spec, settings, err
		},
		Tokenizer: func(name pipeline.TokenizerName) (planner.TokenizerPin, error) {
			return p.pinTokenizer(ctx, string(name))
		},
	}
}

func (p *project) asOf() string {
	if p.graph.AsOf != "" {
		return p.graph.AsOf
	}
	return p.lock.AsOf
}

// pinTokenizer finds the vocabulary that is pinned by the settings or the lock.
func (p *project) pinTokenizer(ctx context.Context, name string) (planner.TokenizerPin, error) {
	s := p.graph.Tokenizers[name].Settings.(*vocabulary.Settings)
	pin := planner.TokenizerPin{}
	var err error
	if pin.Settings, err = json.Marshal(s); err != nil {
		return pin, err
	}
	var data []byte
	if s.Kind != string(tokenizer.KindEmbedded) {
		if pin.Object = p.lock.Tokenizer(name); s.SHA256 != "" {
			pin.Object = digest.Digest("sha256:" + s.SHA256)
		}
		if pin.Object == "" {
			return pin, fmt.Errorf("tokenizer %s is not pinned; run \"benchmill lock\", or give its sha256", name)
		}
		if data, err = p.vocabulary(ctx, s, pin.Object); err != nil {
			return pin, fmt.Errorf("tokenizer %s: %w", name, err)
		}
	}
	t, err := tokenizer.Load(tokenizer.Kind(s.Kind), s.Encoding, data)
	if err != nil {
		return pin, fmt.Errorf("tokenizer %s: %w", name, err)
	}
	pin.Identity = t.Identity()
	p.tokens[pin.Identity] = t
	return pin, nil
}

// vocabulary reads a pinned vocabulary. A damaged copy is fetched again.
func (p *project) vocabulary(ctx context.Context, s *vocabulary.Settings, pin digest.Digest) ([]byte, error) {
	for try := 1; ; try++ {
		if err := s.Pinned(ctx, p.Disk, p.graph.Dir, pin, p.flags.Frozen); err != nil {
			return nil, err
		}
		data, err := readObject(ctx, p.Disk, pin)
		if !errors.Is(err, artifacts.ErrDamaged) || try > 1 {
			return data, err
		}
	}
}

// executor computes tasks in this process.
func (p *project) executor() *local.Executor {
	return &local.Executor{
		Build: p.build, Stages: p.stages, Store: p.Disk, Cache: p.cache, Log: p.log,
		Effects: func(t *planner.Task) pipeline.Effects { return p.world.For(t.Models) },
		Sandbox: p.world,
		ModelSpec: func(settings json.RawMessage) (pipeline.ModelSpec, error) {
			var s llm.Settings
			err := json.Unmarshal(settings, &s)
			return s.ModelSpec, err
		},
		Tokenizer: func(pin planner.TokenizerPin, data []byte) (pipeline.Tokenizer, error) {
			if t := p.tokens[pin.Identity]; t != nil {
				return t, nil
			}
			var s vocabulary.Settings
			if err := json.Unmarshal(pin.Settings, &s); err != nil {
				return nil, err
			}
			return tokenizer.Load(tokenizer.Kind(s.Kind), s.Encoding, data)
		},
	}
}

// wanted are the nodes of the targets with all they need, in graph order.
func (p *project) wanted() []*graph.Node {
	if len(p.flags.Target) == 0 {
		return p.graph.Nodes
	}
	var targets []*graph.Node
	for _, name := range p.flags.Target {
		n, _ := p.graph.Node(name)
		targets = append(targets, n)
	}
	up := releaser.Upstream(targets)
	var out []*graph.Node
	for _, n := range p.graph.Nodes {
		for _, u := range up {
			if u == n {
				out = append(out, n)
			}
		}
	}
	return out
}

func (p *project) frontier(ctx context.Context) (*planner.Frontier, error) {
	return planner.NewFrontier(p.graph, p.wanted(), p.facts(ctx), planner.StoredRows(ctx, p.Disk), p.flags.Limit)
}

// lookup finds an entry whose outputs are all in the store.
func (p *project) lookup(ctx context.Context) planner.Lookup {
	return func(key digest.Digest) (*cache.Entry, error) {
		e, ok, err := p.cache.Get(key)
		if err != nil || !ok {
			return nil, err
		}
		if ok, err := executor.Present(ctx, p.Disk, e); err != nil || !ok {
			return nil, err
		}
		return e, nil
	}
}

// history remembers the key each cell had in the last run, to say what changed.
type history map[string]digest.Digest

func (p *project) historyFile() string {
	return filepath.Join(p.Dir(), "history", p.graph.Name+".json")
}

func (p *project) readHistory() (history, error) {
	data, err := os.ReadFile(p.historyFile())
	if errors.Is(err, fs.ErrNotExist) {
		return history{}, nil
	}
	h := history{}
	if err == nil && json.Unmarshal(data, &h) != nil {
		h = history{} // only words depend on it
	}
	return h, err
}

func (h history) entry(c cache.Cache) planner.History {
	return func(node, partition string) *cache.Entry {
		key, ok := h[planner.Label(node, partition)]
		if !ok {
			return nil
		}
		e, _, _ := c.Get(key)
		return e
	}
}

func defaultLimits(jobs int) executor.Limits {
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	return executor.Limits{CPU: jobs, Network: max(jobs, 8), LLM: max(jobs, 8), MemoryBytes: 2 << 30}
}

// limits are the defaults for this pipeline. Tasks that ask models wait more than
// they work, those that fill a batch for up to a day: the models' own settings
// bound what is sent.
func (p *project) limits(jobs int) executor.Limits {
	out := defaultLimits(jobs)
	for _, m := range p.graph.Models {
		if m.Settings.(*llm.Settings).Batch {
			out.LLM = max(out.LLM, 512)
		}
	}
	return out
}
