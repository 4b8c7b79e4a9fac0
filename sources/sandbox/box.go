package sandbox

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"benchmill/pipeline"
)

// Program is an installed program.
type Program struct {
	Path string   // absolute; "" for jobs of steps, which /bin/sh runs
	See  []string // where it is installed, outside of the system's folders
	Bin  []string // folders of the programs it starts, likewise
	// Image is what a container engine calls the file system the program lies in; "":
	// this machine's.
	Image string
}

// A Box runs jobs, each in a folder of its own. It is safe for concurrent use.
type Box struct {
	temp    string
	engines []Engine

	mu      sync.Mutex
	engine  Engine
	volumes *bool // whether its programs can be given volumes; nil: not known yet
	shared  shelf
}

// New returns a box that makes its folders in temp ("": where temporary files
// lie). When it is first needed, it chooses among the engines.
func New(temp string, engines ...Engine) *Box { return &Box{temp: temp, engines: engines} }

// With returns a box that uses one engine, without a try.
func With(temp string, e Engine) *Box { return &Box{temp: temp, engine: e} }

// Engine is the engine the box uses.
func (b *Box) Engine(ctx context.Context) (Engine, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.engine == nil {
		e, err := Choose(ctx, b.temp, b.engines)
		if err != nil {
			return nil, err
		}
		b.engine = e
	}
	return b.engine, nil
}

// Close removes what the box keeps for the jobs to come. None may be running.
func (b *Box) Close() error { return b.shared.close() }

// Run runs a job whose tool is the program p. Its output is valid UTF-8: other bytes
// are replaced. The files it hands back have the bytes they had.
func (b *Box) Run(ctx context.Context, p Program, job pipeline.Job) (out pipeline.Outcome, err error) {
	if err := Check(job); err != nil {
		return out, err
	}
	e, err := b.Engine(ctx)
	if err != nil {
		return out, err
	}
	f, err := b.folder(ctx, e, job.Limits)
	if err != nil {
		return out, err
	}
	defer func() {
		if e := f.remove(); err == nil {
			err = e
		}
	}()
	r := &run{box: b, engine: e, program: p, job: job, folder: f}
	out, err = r.all(ctx)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	out.Stdout, out.Stderr = strings.ToValidUTF8(out.Stdout, "\uFFFD"), strings.ToValidUTF8(out.Stderr, "\uFFFD")
	used := r.used
	out.Used = &used
	return out, nil
}

// makeDir makes a folder for one thing of the box. What lies in it may be open to
// all: it is not.
func (b *Box) makeDir(name string) (string, error) {
	temp, err := filepath.Abs(cmp.Or(b.temp, os.TempDir()))
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(temp, name)
}

// folder is where a job runs: the folder that programs see as [Folder], and one for
// what they see as /tmp. It lies on the disk, or in a volume of its own, which holds
// no more than the job may write.
type folder struct {
	dir    string // of this machine, 0700
	base   string // where both are, as we reach it
	seen   string // as an engine does
	volume *volume
	most   int64 // bytes of all files, 0: no bound
	user   int   // who owns what is in it, or -1: us
}

// folder makes a folder for a job.
func (b *Box) folder(ctx context.Context, e Engine, l pipeline.Limits) (*folder, error) {
	dir, err := b.makeDir("job-")
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir, base: dir, seen: dir, most: l.Total, user: -1}
	if asRoot() {
		f.user = nobody()
	}
	if l.Total > 0 && b.hasVolumes(ctx, e) && fits(l.Total) {
		if v, err := openVolume(dir, l.Total); err == nil { // else it is watched
			f.volume, f.base = v, v.path
		}
	}
	if err := errors.Join(mkdir(f.work(), f.user), f.writeHosts()); err != nil {
		return nil, errors.Join(err, f.remove())
	}
	return f, nil
}

func (f *folder) work() string { return filepath.Join(f.base, "work") }

// writeHosts makes the file of names, which all may read.
func (f *folder) writeHosts() error {
	name := filepath.Join(f.base, "hosts")
	return errors.Join(os.WriteFile(name, []byte(hosts), 0o600), os.Chmod(name, 0o644))
}

// fresh makes /tmp anew.
func (f *folder) fresh() error {
	temp := filepath.Join(f.base, "tmp")
	return errors.Join(removeAll(temp), mkdir(temp, f.user))
}

func (f *folder) remove() error {
	if f.volume != nil {
		f.volume.close()
	}
	return removeAll(f.dir)
}

// hasVolumes reports whether an engine can be given volumes here, as one program
// that does nothing shows.
func (b *Box) hasVolumes(ctx context.Context, e Engine) bool {
	if _, ok := e.(intoVolumes); !ok {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.volumes == nil {
		yes := true
		probe := &Box{temp: b.temp, engine: e, volumes: &yes}
		err := probe.try(ctx, 1<<20)
		if ctx.Err() != nil {
			return false // asked again by the next
		}
		yes = err == nil
		b.volumes = &yes
	}
	return *b.volumes
}
