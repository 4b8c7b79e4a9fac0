// Package repos holds the stages that bring repositories in: the list, which
// names the partitions of everything after it, and the snapshot of each.
package repos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// ListConfig configures [List].
type ListConfig struct {
	File pipeline.FileName `yaml:"file" doc:"YAML file with the list of repositories"`
	Host string            `yaml:"host" doc:"where repositories without a url of their own are cloned from"`
	// Languages other than these may stand in the file, for other stages.
	Languages []string `yaml:"languages" doc:"only repositories of these languages; none: all of the file"`
}

type listFile struct {
	Repositories []listed `yaml:"repositories"`
}

type listed struct {
	Repo       string `yaml:"repo"`
	URL        string `yaml:"url"`
	Commit     string `yaml:"commit"`
	Ref        string `yaml:"ref"` // a branch or tag, pinned by the lock
	Entrypoint string `yaml:"entrypoint"`
	Language   string `yaml:"language"`
	Topic      string `yaml:"topic"`
	Licence    string `yaml:"licence"`
	line       int
	unknown    string // a key that no entry has, ""
}

// keys of an entry.
var keys = []string{"repo", "url", "commit", "ref", "entrypoint", "language", "topic", "licence"}

// UnmarshalYAML keeps the line for errors. A decoder's strictness does not reach
// into it, so unknown keys are refused here.
func (l *listed) UnmarshalYAML(n *yaml.Node) error {
	type plain listed
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if key := n.Content[i]; !slices.Contains(keys, key.Value) {
				l.unknown = key.Value
			}
		}
	}
	if err := n.Decode((*plain)(l)); err != nil {
		return err
	}
	l.line = n.Line
	return nil
}

// List reads a list of repositories from a file. An entry gives a full commit,
// or a branch or tag that the lock pins.
//
// Version history:
//
//	1: first version
func List() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repos.list", Version: 1, Scope: pipeline.Whole,
		Doc:       "Reads the list of repositories, each at a commit, with its language and entry directory.",
		Out:       []pipeline.Port{{Name: "repositories", Schema: schemas.Repositories, Partitions: true}},
		NewConfig: func() any { return &ListConfig{Host: "https://github.com"} },
		Moving:    moving,
		Run:       list,
	}
}

var (
	repoName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)
	fullID   = regexp.MustCompile(`^[0-9a-f]{40}$`)
	language = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	// git@host is a name everybody uses, no secret.
	credentials = regexp.MustCompile(`^(?i:https?)://[^/?#]*@`)
)

func parseList(c *ListConfig, files pipeline.Files) ([]listed, error) {
	data, err := files.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	var f listFile
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&f); err == io.EOF {
		return nil, fmt.Errorf("%s is empty; it needs a list \"repositories\"", c.File)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	var errs []error
	for i := range f.Repositories {
		l := &f.Repositories[i]
		if err := l.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", c.File, l.line, err))
		}
		if l.URL == "" {
			l.URL = c.Host + "/" + l.Repo
		}
		if l.Entrypoint == "" {
			l.Entrypoint = "."
		}
	}
	for _, name := range c.Languages {
		if !slices.ContainsFunc(f.Repositories, func(l listed) bool { return l.Language == name }) {
			errs = append(errs, fmt.Errorf("%s: no repository is of the language %q", c.File, name))
		}
	}
	others := func(l listed) bool { return len(c.Languages) > 0 && !slices.Contains(c.Languages, l.Language) }
	return slices.DeleteFunc(f.Repositories, others), errors.Join(errs...)
}

func (l *listed) check() error {
	switch {
	case l.unknown != "":
		return fmt.Errorf("unknown key %q; an entry has %s", l.unknown, strings.Join(keys, ", "))
	case !isRepo(l.Repo):
		return fmt.Errorf("repo %q is not of the form owner/name", l.Repo)
	case !language.MatchString(l.Language):
		return fmt.Errorf("%s: language %q is not a language name", l.Repo, l.Language)
	case (l.Commit == "") == (l.Ref == ""):
		return fmt.Errorf("%s: give either commit or ref", l.Repo)
	case l.Commit != "" && !fullID.MatchString(l.Commit):
		return fmt.Errorf("%s: commit %q is not a full commit id of 40 digits", l.Repo, l.Commit)
	case credentials.MatchString(l.URL):
		return fmt.Errorf("%s: the url holds a user or a password, which would get into releases: put it into a mirror's replacement", l.Repo)
	}
	return nil
}

// isRepo reports whether name is of the form owner/name and no path to elsewhere.
func isRepo(name string) bool {
	return repoName.MatchString(name) &&
		!slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part == "." || part == ".." })
}

func moving(cfg any, files pipeline.Files) ([]pipeline.Ref, error) {
	entries, err := parseList(cfg.(*ListConfig), files)
	if err != nil {
		return nil, err
	}
	var refs []pipeline.Ref
	for _, l := range entries {
		if l.Ref != "" {
			refs = append(refs, l.ref())
		}
	}
	return refs, nil
}

func (l *listed) ref() pipeline.Ref {
	return pipeline.Ref{Scheme: "git", Locator: l.URL, Name: l.Ref}
}

func list(_ context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ListConfig](p)
	entries, err := parseList(c, p.Files)
	if err != nil {
		return err
	}
	for _, l := range entries {
		if l.Ref != "" {
			pin, err := p.Pins(l.ref())
			if err != nil {
				return err
			}
			l.Commit = pin.Version
		}
		err := pipeline.Emit(p, "repositories", schemas.Repository{
			Repo: l.Repo, URL: l.URL, Commit: l.Commit, Entrypoint: l.Entrypoint,
			Language: l.Language, Topic: l.Topic, Licence: l.Licence,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
