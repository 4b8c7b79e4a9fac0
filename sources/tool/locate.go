package tool

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchmill/sources/sandbox"
)

// locate finds the program of a tool.
func (s *Source) locate(k *known) (string, error) {
	if path, ok := s.o.Settings.Paths[k.name]; ok {
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.o.Root, path)
		}
		path, err := filepath.Abs(path)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return "", fmt.Errorf("%s: sources.%s.paths names a program that is not there: %w", k.name, Scheme, err)
		}
		return path, nil
	}
	for _, deps := range s.o.Deps {
		for _, dir := range []string{"bin", "npm/node_modules/.bin"} {
			if path, err := filepath.Abs(filepath.Join(deps, dir, k.name)); err == nil && executable(path) {
				return path, nil
			}
		}
	}
	path, err := s.o.LookPath(k.name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil && s.found[k.name] == nil {
		return "", fmt.Errorf("%s is not installed: it is neither in PATH nor among what \"make deps\" installs", k.name)
	}
	if err != nil {
		return "", fmt.Errorf("%s is not installed: install %s, or say where it is with sources.%s.paths.%s", k.name, k.install, Scheme, k.name)
	}
	return path, nil
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// installed is a program with what it needs to see to run at all: where it and
// the programs that interpret it are installed.
func (s *Source) installed(path string, patterns []string) sandbox.Program {
	p := sandbox.Program{Path: path, See: slices.Clone(s.o.Settings.See)}
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(pattern)
		p.See = append(p.See, paths...)
	}
	home, _ := os.UserHomeDir()
	const most = 40 // links to follow, interpreters of interpreters
	for range most {
		if path == "" {
			break
		}
		if !sandbox.IsSystem(path) {
			p.See = append(p.See, installation(path, home))
		}
		if target, err := os.Readlink(path); err == nil {
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(path), target)
			}
			path = target
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			path = real // a folder above is a link
			continue
		}
		path = s.interpreter(path, &p)
	}
	return p
}

// installation is the folder that holds all of what a file was installed with: a
// folder of packages as a whole, what holds "bin", or just the file's own folder.
// It is never the home of the user, what holds that, or as wide as /opt or /tmp.
func installation(path, home string) string {
	dir := filepath.Dir(path)
	var candidates []string
	if before, _, ok := strings.Cut(path, "/node_modules/"); ok {
		candidates = append(candidates, before+"/node_modules")
	}
	if filepath.Base(dir) == "bin" {
		candidates = append(candidates, filepath.Dir(dir))
	}
	for _, c := range append(candidates, dir) {
		if strings.Count(c, "/") > 1 && c != home && !strings.HasPrefix(home, c+"/") {
			return c
		}
	}
	return path
}

// interpreter is the program that a script's first line names, or "". One that is
// to be looked up is looked up here, and p then finds it in the same place.
func (s *Source) interpreter(path string, p *sandbox.Program) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 1024)).ReadString('\n')
	rest, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		found, err := s.o.LookPath(w)
		if err != nil {
			return ""
		}
		if dir := filepath.Dir(found); !sandbox.IsSystem(dir) {
			p.Bin = append(p.Bin, dir)
		}
		return found
	}
	return ""
}
