package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchmill/internal/atomicfile"
	"benchmill/pipelines"
	"benchmill/pipelines/sample"
)

type initCmd struct {
	Dir      string `arg:"" optional:"" help:"Folder to write to." default:"."`
	Template string `short:"t" help:"Pipeline to start from; --list names them." default:"minimal" placeholder:"NAME"`
	List     bool   `help:"List the templates."`
	Sample   bool   `help:"Prepare the embedded sample repositories in the folder instead."`
	Force    bool   `help:"Overwrite files that are there."`
	JSON     bool   `help:"Print as JSON."`
}

func (initCmd) Example() string {
	return `  benchmill init my-dataset                   a small pipeline to edit
  benchmill init my-dataset -t repoqa         RepoQA as published
  benchmill init --sample .benchmill/sample   the sample as git repositories`
}

// Run implements the verb.
func (c *initCmd) Run(ctx context.Context, s *streams) error {
	switch {
	case c.List:
		return c.list(s)
	case c.Sample:
		return c.sample(ctx, s)
	}
	var names []string
	for _, t := range pipelines.Templates() {
		if t.Name == c.Template {
			return c.write(s, t)
		}
		names = append(names, t.Name)
	}
	return wrongUsage("no template %q; there are %s", c.Template, strings.Join(names, ", "))
}

func (c *initCmd) list(s *streams) error {
	type info struct {
		Name string `json:"name"`
		Doc  string `json:"doc"`
	}
	infos := []info{}
	for _, t := range pipelines.Templates() {
		infos = append(infos, info{t.Name, t.Doc})
		if !c.JSON {
			fmt.Fprintf(s.out, "%-10s %s\n", t.Name, t.Doc)
		}
	}
	if c.JSON {
		return printJSON(s.out, infos)
	}
	return nil
}

func (c *initCmd) sample(ctx context.Context, s *streams) error {
	repos, err := sample.Prepare(ctx, c.Dir)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, repos)
	}
	fmt.Fprintf(s.out, "%d sample repositories in %s\n", len(repos), c.Dir)
	return nil
}

func (c *initCmd) write(s *streams, t pipelines.Template) error {
	var written []string
	err := fs.WalkDir(t.Files, ".", func(name string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		path := filepath.Join(c.Dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); !c.Force && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already; --force overwrites it", path)
		}
		written = append(written, path)
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range written {
		name, err := filepath.Rel(c.Dir, path)
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(t.Files, filepath.ToSlash(name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, data, 0o644); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(s.out, written)
	}
	for _, path := range written {
		fmt.Fprintln(s.out, path)
	}
	fmt.Fprintf(s.out, "next: edit it, then \"benchmill lock\" and \"benchmill run\" in %s\n", c.Dir)
	return nil
}
