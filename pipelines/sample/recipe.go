package sample

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/mail"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"go.yaml.in/yaml/v3"
)

const recipeName = "sample.yaml"

// recipe is sample.yaml: what a repository is and how it came about.
type recipe struct {
	Repo       string `yaml:"repo"`
	Language   string `yaml:"language"`
	Entrypoint string `yaml:"entrypoint"`
	Topic      string `yaml:"topic"`
	Licence    string `yaml:"licence"`
	Unlisted   bool   `yaml:"unlisted"`
	Commits    []step `yaml:"commits"` // the oldest first

	Links   map[string]string `yaml:"links"`   // path -> target of a symbolic link
	Encoded map[string]string `yaml:"encoded"` // path -> content in base64
	Rename  map[string]string `yaml:"rename"`  // stored path -> path in the repository
}

// step is one commit.
type step struct {
	Message string    `yaml:"message"`
	Author  string    `yaml:"author"` // Name <address>; the committer too
	Date    time.Time `yaml:"date"`
	// Add are patterns of the files that the commit adds, by their stored path or
	// their path in the repository. As in [path.Match], * stops at a slash; ** at
	// the end, alone or after a slash, is everything below.
	Add []string `yaml:"add"`

	author *mail.Address
}

// file is one file of a repository.
type file struct {
	name    string // in the repository
	stored  string // in the folder or the recipe
	mode    filemode.FileMode
	content []byte
}

func readRecipe(folder fs.FS, name string) (*recipe, error) {
	data, err := fs.ReadFile(folder, recipeName)
	if err != nil {
		return nil, err
	}
	var r recipe
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", recipeName, err)
	}
	if err := r.check(name); err != nil {
		return nil, fmt.Errorf("%s: %w", recipeName, err)
	}
	return &r, nil
}

func (r *recipe) check(name string) error {
	owner, base, _ := strings.Cut(r.Repo, "/")
	switch {
	case owner == "" || !fs.ValidPath(r.Repo) || base != name:
		return fmt.Errorf("repo %q is not of the form owner/%s", r.Repo, name)
	case r.Language == "" || r.Topic == "" || r.Licence == "":
		return errors.New("language, topic and licence are required")
	case !fs.ValidPath(r.Entrypoint):
		return fmt.Errorf("entrypoint %q is not a folder of the repository", r.Entrypoint)
	case len(r.Commits) == 0:
		return errors.New("no commits")
	}
	for i := range r.Commits {
		if err := r.Commits[i].check(); err != nil {
			return fmt.Errorf("commit %d: %w", i+1, err)
		}
		if i > 0 && !r.Commits[i].Date.After(r.Commits[i-1].Date) {
			return fmt.Errorf("commit %d: not later than the one before", i+1)
		}
	}
	return nil
}

func (s *step) check() (err error) {
	if strings.TrimSpace(s.Message) == "" {
		return errors.New("no message")
	}
	if s.author, err = mail.ParseAddress(s.Author); err != nil || s.author.Name == "" {
		return fmt.Errorf("author %q is not of the form Name <address>", s.Author)
	}
	if s.Date.IsZero() || s.Date.Nanosecond() != 0 {
		return errors.New("the date is missing or finer than a second")
	}
	for _, pattern := range s.Add {
		rest, _ := cutRest(pattern)
		if _, err := path.Match(rest, ""); err != nil || strings.Contains(rest, "**") {
			return fmt.Errorf("%q is not a pattern: ** stands at the end, alone or after a slash", pattern)
		}
	}
	return nil
}

// cutRest takes the ** for everything below off a pattern.
func cutRest(pattern string) (folder string, rest bool) {
	folder, rest = strings.CutSuffix(pattern, "**")
	if rest && folder != "" && !strings.HasSuffix(folder, "/") {
		return pattern, false
	}
	return folder, rest
}

func matches(pattern string, f file) bool {
	folder, rest := cutRest(pattern)
	for _, name := range []string{f.name, f.stored} {
		if rest && strings.HasPrefix(name, folder) {
			return true
		}
		if ok, _ := path.Match(pattern, name); ok && !rest {
			return true
		}
	}
	return false
}

// files gathers the files of the repository from the folder and the recipe,
// ordered by name.
func (r *recipe) files(folder fs.FS) ([]file, error) {
	var out []file
	err := fs.WalkDir(folder, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || p == recipeName {
			return err
		}
		content, err := fs.ReadFile(folder, p)
		out = append(out, file{stored: p, mode: filemode.Regular, content: content})
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Sorted(maps.Keys(r.Links)) {
		out = append(out, file{stored: p, mode: filemode.Symlink, content: []byte(r.Links[p])})
	}
	for _, p := range slices.Sorted(maps.Keys(r.Encoded)) {
		content, err := base64.StdEncoding.DecodeString(r.Encoded[p])
		if err != nil {
			return nil, fmt.Errorf("%s: encoded %s: %w", recipeName, p, err)
		}
		out = append(out, file{stored: p, mode: filemode.Regular, content: content})
	}
	if err := r.name(out); err != nil {
		return nil, fmt.Errorf("%s: %w", recipeName, err)
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// name gives files their names in the repository.
func (r *recipe) name(files []file) error {
	stored, named := map[string]bool{}, map[string]bool{}
	for i := range files {
		f := &files[i]
		f.name = f.stored
		if to, ok := r.Rename[f.stored]; ok {
			f.name = to
		}
		switch {
		case !fs.ValidPath(f.name) || slices.Contains(strings.Split(f.name, "/"), ".git"):
			return fmt.Errorf("%q cannot be the name of a file", f.name)
		case named[f.name]:
			return fmt.Errorf("two files are called %s", f.name)
		}
		stored[f.stored], named[f.name] = true, true
	}
	for _, from := range slices.Sorted(maps.Keys(r.Rename)) {
		if !stored[from] {
			return fmt.Errorf("rename: there is no file %s", from)
		}
	}
	for _, f := range files {
		for folder := path.Dir(f.name); folder != "."; folder = path.Dir(folder) {
			if named[folder] {
				return fmt.Errorf("%s is a file and the folder of %s", folder, f.name)
			}
		}
	}
	return nil
}

// schedule says which files each commit adds: a file belongs to the first one
// with a pattern for it. Files without a commit, commits without files and
// patterns that mean nothing are mistakes.
func (r *recipe) schedule(files []file) ([][]file, error) {
	out := make([][]file, len(r.Commits))
	for i, s := range r.Commits {
		var left []file
		used := map[string]bool{}
		for _, f := range files {
			added := false
			for _, pattern := range s.Add {
				if matches(pattern, f) {
					used[pattern], added = true, true
				}
			}
			if added {
				out[i] = append(out[i], f)
			} else {
				left = append(left, f)
			}
		}
		for _, pattern := range s.Add {
			if !used[pattern] {
				return nil, fmt.Errorf("%s: commit %d: no file is left for %q", recipeName, i+1, pattern)
			}
		}
		if len(out[i]) == 0 {
			return nil, fmt.Errorf("%s: commit %d adds nothing", recipeName, i+1)
		}
		files = left
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("%s: no commit adds %s", recipeName, files[0].name)
	}
	return out, nil
}
