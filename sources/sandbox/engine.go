package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchmill/pipeline"
)

// Folder is where a program sees its folder, whatever it is called outside, so
// that what it prints is the same on every machine.
const Folder = "/job"

// The names of hosts that every program knows, and where it looks them up.
const (
	hostsPath = "/etc/hosts"
	hosts     = "127.0.0.1 localhost\n::1 localhost\n"
)

// look is the pause between two looks at what a job holds.
const look = 50 * time.Millisecond

// launchers is how many processes of our own live beside the program.
const launchers = 4

// An Engine runs one program in isolation, as the package comment promises.
// Implementations are safe for concurrent use.
type Engine interface {
	// Name is how people call it: "bubblewrap".
	Name() string
	// Run runs the program until it ends, strikes a limit, or ctx ends. Nothing
	// of it runs on afterwards. An error means that it could not be run, or ctx's.
	// The outcome says what it used of the clock, processors and memory.
	Run(ctx context.Context, s Spec) (pipeline.Outcome, error)
}

// intoVolumes is an [Engine] that takes folders in a [volume].
type intoVolumes interface{ intoVolumes() }

// Spec is one program to run.
type Spec struct {
	Work   string   // a folder of this machine, seen as [Folder]
	Temp   string   // one that is seen as /tmp
	Hosts  string   // a file that is seen as /etc/hosts
	See    []string // further absolute paths to see, read-only and where they are
	Path   []string // folders to look programs up in, before the system's
	Argv   []string // the program, as an absolute path, and its arguments
	Image  string   // file system of the program; "": this machine's
	User   int      // who owns the folders and runs the program; -1: who we are
	Limits pipeline.Limits

	volume *volume // where both folders are, nil: on this machine's disk
	space  *space  // what the job's files take
}

// environment is all a program gets to know.
func (s *Spec) environment() []string {
	path := "PATH="
	for _, dir := range s.Path {
		path += dir + ":"
	}
	return []string{path + "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + Folder, "LANG=C.UTF-8"}
}

// Choose returns the first engine that can run a program on this machine. Where
// none can, the error says why each could not, and what to install.
func Choose(ctx context.Context, temp string, engines []Engine) (Engine, error) {
	var errs []error
	for _, e := range engines {
		err := try(ctx, temp, e)
		if err == nil {
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		errs = append(errs, fmt.Errorf("%s: %w", e.Name(), err))
	}
	err := errors.Join(append([]error{errors.New(
		"programs cannot be run in isolation here; install bubblewrap (the program bwrap), or allow namespaces to util-linux's unshare")}, errs...)...)
	return nil, pipeline.Mark(err, pipeline.Fatal)
}

func try(ctx context.Context, temp string, e Engine) error {
	no := false
	return (&Box{temp: temp, engine: e, volumes: &no}).try(ctx, 0)
}

// try runs a program that does nothing, with a bound of its files or without.
func (b *Box) try(ctx context.Context, total int64) error {
	out, err := b.Run(ctx, Program{Path: "/bin/sh"}, pipeline.Job{
		Args:   []string{"-c", "exit 0"},
		Limits: pipeline.Limits{Time: 30 * time.Second, Memory: 256 << 20, Disk: 1 << 20, Output: 1 << 16, Processes: 16, Total: total},
	})
	if err == nil && (out.Exit != 0 || out.Stopped != "") {
		err = fmt.Errorf("a program that does nothing ended with exit code %d %s %s", out.Exit, out.Stopped, out.Stderr)
	}
	return err
}
