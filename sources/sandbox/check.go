package sandbox

import (
	"fmt"
	"path"
	"strings"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
)

// Longest path of a file, in bytes and in parts. The system opens none that is
// much longer, and every part costs.
const maxPath, maxParts = 4000, 200

// Longest script of a step and most patterns of files to hand back, in bytes and
// number. A script is one argument of a program, which the kernel bounds.
const maxScript, maxKeep = 100_000, 1000

// Check refuses a job that no engine needs to see: limits that are none, arguments
// that cannot be passed on, files that cannot lie in one folder, links that lead
// out of it, patterns that are none.
func Check(job pipeline.Job) error {
	l := job.Limits
	if l.Time <= 0 || l.Memory <= 0 || l.Disk <= 0 || l.Output <= 0 || l.Processes <= 0 || l.Total < 0 {
		return fmt.Errorf("a job without limits: %+v", l)
	}
	for _, a := range job.Args {
		if strings.Contains(a, "\x00") {
			return fmt.Errorf("NUL in the argument %q of a job", a)
		}
	}
	if len(job.Steps) > 0 && len(job.Args) > 0 {
		return fmt.Errorf("a job with steps and with arguments %q", job.Args)
	}
	if err := checkFiles(job.Files); err != nil {
		return err
	}
	for _, s := range job.Steps {
		if s.Name == "" || strings.Contains(s.Name+s.Script, "\x00") || len(s.Name)+len(s.Script) > maxScript {
			return fmt.Errorf("step %.100q of a job: without a name, with NUL, or of more than %d bytes", s.Name, maxScript)
		}
		if err := checkFiles(s.Files); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
	}
	if len(job.Keep) > maxKeep {
		return fmt.Errorf("a job that keeps files of %d patterns", len(job.Keep))
	}
	for _, p := range job.Keep {
		if err := checkPattern(p); err != nil {
			return err
		}
	}
	return nil
}

func checkFiles(list []pipeline.JobFile) error {
	files, folders := map[string]bool{}, map[string]bool{}
	for _, f := range list {
		if err := snapshot.CheckPath(f.Path); err != nil {
			return fmt.Errorf("file of a job: %w", err)
		}
		if len(f.Path) > maxPath || strings.Count(f.Path, "/") >= maxParts {
			return fmt.Errorf("file of a job: a path of %d bytes and %d parts", len(f.Path), strings.Count(f.Path, "/")+1)
		}
		if err := checkLink(f); err != nil {
			return err
		}
		if files[f.Path] {
			return fmt.Errorf("file of a job: %q is there twice", f.Path)
		}
		files[f.Path] = true
		for dir := path.Dir(f.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for name := range files {
		if folders[name] {
			return fmt.Errorf("file of a job: %q is a folder of another", name)
		}
	}
	return nil
}

// checkLink refuses a link that leads out of the folder, as its text says. (What a
// program sees of the machine is the engine's matter: here it is about jobs that
// mean what they say.)
func checkLink(f pipeline.JobFile) error {
	if f.Link == "" {
		return nil
	}
	at := path.Join(path.Dir(f.Path), f.Link)
	if f.Text != "" || f.Executable || len(f.Link) > maxPath || strings.Contains(f.Link, "\x00") || path.IsAbs(f.Link) || at == ".." || strings.HasPrefix(at, "../") {
		return fmt.Errorf("file of a job: the link %q has a text, or leads out of the folder: %.200q", f.Path, f.Link)
	}
	return nil
}
