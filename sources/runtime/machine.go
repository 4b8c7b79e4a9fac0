package runtime

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/sandbox"
)

// self is the name of this program.
const self = "benchmill"

// asks are the arguments that make a program say its version, where that is another
// than --version. What is said then is as a whole what decides.
var asks = map[string]string{self: "clang-index --version"}

// versionWord is what looks like a version.
var versionWord = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// machine is a runtime of this machine's programs.
func (s *Source) machine(ctx context.Context, n Needs) (*is, error) {
	r := &is{box: s.o.Box}
	paths := map[string]string{}
	for _, name := range n.Programs {
		if name == self {
			path, err := s.self(n)
			if err != nil {
				return nil, err
			}
			paths[name], r.program = path, with(r.program, shown(path))
			continue
		}
		p, err := s.o.Programs.Program(name)
		if err != nil {
			return nil, err
		}
		paths[name] = p.Path
		if dir := filepath.Dir(p.Path); !sandbox.IsSystem(dir) {
			p.Bin = append(p.Bin, dir)
		}
		r.program = with(r.program, p)
	}
	var versions []string
	for _, name := range n.Programs {
		v, err := version(ctx, r, name, paths[name])
		if err != nil {
			return nil, err
		}
		versions = append(versions, name+" "+v)
	}
	r.version = strings.Join(versions, ", ")
	return r, nil
}

// shown is a program that is shown alone.
func shown(path string) sandbox.Program {
	return sandbox.Program{See: []string{path}, Bin: []string{filepath.Dir(path)}}
}

// with adds what another program sees.
func with(p, other sandbox.Program) sandbox.Program {
	p.See, p.Bin = append(p.See, other.See...), append(p.Bin, other.Bin...)
	return p
}

// version asks a program, where it will run and as steps will find it. Of one that
// does not say, its bytes decide.
func version(ctx context.Context, r *is, name, path string) (string, error) {
	args, whole := asks[name]
	if !whole {
		args = "--version"
	}
	out, err := r.box.Run(ctx, r.program, pipeline.Job{
		Steps: []pipeline.JobStep{{Name: "find", Script: "command -v " + name + " >/dev/null || exit 127"}, {Name: "version", Script: name + " " + args}},
		Limits: pipeline.Limits{
			Time: time.Minute, Memory: 2 << 30, Disk: 64 << 20, Output: 64 << 10, Processes: 256,
		},
	})
	if err != nil {
		return "", err
	}
	if out.Step == "find" {
		return "", fmt.Errorf("%s (%s) is not found in the sandbox (exit code %d %s): %.500s", name, path, out.Exit, out.Stopped, strings.TrimSpace(out.Stderr))
	}
	said := out.Stdout + "\n" + out.Stderr // some say it here, some there
	if out.Exit == 0 && out.Stopped == "" {
		if whole {
			return digest.Of([]byte(said)).Short(), nil
		}
		if v := versionWord.FindString(said); v != "" {
			return v, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d, _, err := digest.OfReader(f)
	return d.Short(), err
}
