package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// repository is a line of the list.
type repository struct {
	Repo, Commit, Language, Entry string
}

func (r repository) url() string { return "https://github.com/" + r.Repo }

// parseList reads a list. name stands in errors.
func parseList(name, text string) ([]repository, error) {
	var out []repository
	n := 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) == 3 {
			fields = append(fields, ".")
		}
		if len(fields) != 4 || strings.Count(fields[0], "/") != 1 {
			return nil, fmt.Errorf("%s:%d: not of the form owner/name commit language [entry folder]", name, n)
		}
		out = append(out, repository{fields[0], fields[1], fields[2], path.Clean(fields[3])})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no repositories", name)
	}
	return out, nil
}

// mirror is where the clone of a repository is.
func mirror(pattern, repo string) (string, error) {
	owner, name, _ := strings.Cut(repo, "/")
	if !strings.Contains(pattern, "{name}") {
		pattern = filepath.Join(pattern, "{owner}", "{name}")
	}
	return filepath.Abs(strings.NewReplacer("{owner}", owner, "{name}", name).Replace(pattern))
}
