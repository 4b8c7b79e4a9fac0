// Package code holds the stages that look at source files: which count, what
// functions they hold, and in which order they depend on each other.
package code

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// Reasons files are dropped under.
const (
	reasonOutside   = "outside_entry"
	reasonSuffix    = "other_suffix"
	reasonTooLarge  = "too_large"
	reasonLink      = "link"
	reasonSubmodule = "submodule"
	reasonLFS       = "lfs_pointer"
	reasonSkipped   = "skipped_by_source" // unsafe names; files a partial clone lacks
	reasonNotUTF8   = "not_utf8"
)

// FilesConfig configures [Files].
type FilesConfig struct {
	MaxFileBytes int64    `yaml:"max_file_bytes" min:"1" doc:"larger source files are dropped: nearly always generated or data"`
	Without      []string `yaml:"without" doc:"suffixes of the language whose files are left out"`
	Compat       string   `yaml:"compat" enum:"paper|upstream" doc:"upstream: the entry directory is a prefix of the path as text, so src/app also takes src/app2"`
}

// Files picks the source files of a repository: those below its entry directory
// with a suffix of its language (RepoQA, section 3.1), and the config files that
// resolving imports needs.
//
// Version history:
//
//	1: first version
func Files(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "code.files", Version: 1,
		Doc: "Picks the source files below the entry directory in the repository's language; everything else is dropped by name.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "snapshot", Schema: schemas.Snapshot},
		},
		Out: []pipeline.Port{
			{Name: "files", Schema: schemas.Files},
			{Name: "configs", Schema: schemas.Configs},
		},
		Flows:     []pipeline.Flow{{From: "snapshot", To: []string{"files", "configs"}}},
		NewConfig: func() any { return &FilesConfig{MaxFileBytes: 1 << 20, Compat: "paper"} },
		Identify:  Identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return pick(ctx, p, repo, l)
		},
	}
}

// Repository reads the partition's own row and finds its language.
func Repository(ctx context.Context, p *pipeline.Pass, languages *lang.Set) (schemas.Repository, *lang.Language, error) {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return repo, nil, err
	}
	l := languages.Get(repo.Language)
	if l == nil {
		err = fmt.Errorf("%s: no language %q; known are %s", repo.Repo, repo.Language, strings.Join(languages.Names(), ", "))
	}
	return repo, l, err
}

// Identify puts the identity of a partition's language into its keys, so that
// work on one language leaves the others alone.
func Identify(languages *lang.Set) func(row any) []string {
	return func(row any) []string {
		if l := languages.Get(row.(schemas.Repository).Language); l != nil {
			return []string{l.Name + " " + string(l.Identity())}
		}
		return nil
	}
}

func pick(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	c := pipeline.ConfigOf[FilesConfig](p)
	inside := entryRule(repo.Entrypoint, c.Compat)
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err != nil {
			return err
		}
		config := l.IsConfig(e.Path)
		source := inside(e.Path) && l.Syntax(e.Path) != nil
		reason := ""
		switch {
		case !config && !inside(e.Path):
			reason = reasonOutside
		case !config && !source, source && slices.ContainsFunc(c.Without, func(s string) bool { return strings.HasSuffix(e.Path, s) }):
			reason = reasonSuffix
		default:
			reason = unfit(e, c.MaxFileBytes)
		}
		if reason != "" {
			p.Drops.Drop("snapshot", e.Path, reason, e.Target)
			continue
		}
		port := "files"
		if !source {
			port = "configs"
		}
		row := schemas.File{Path: e.Path, Language: l.Name, Blob: e.Blob, Text: string(e.Content)}
		if err := pipeline.Emit(p, port, row); err != nil {
			return err
		}
	}
	return nil
}

// unfit is why an entry is no text file to read, or "".
func unfit(e schemas.Entry, limit int64) string {
	switch {
	case e.Kind == schemas.KindLink:
		return reasonLink
	case e.Kind == schemas.KindSubmodule:
		return reasonSubmodule
	case e.Kind == schemas.KindLFS:
		return reasonLFS
	case e.Kind == schemas.KindSkipped:
		return reasonSkipped
	case e.Kind == schemas.KindOversized || e.Size > limit:
		return reasonTooLarge
	case !utf8.Valid(e.Content):
		return reasonNotUTF8
	}
	return ""
}

func entryRule(entry, compat string) func(p string) bool {
	clean := path.Clean(entry)
	if clean == "." {
		return func(string) bool { return true }
	}
	if compat == "upstream" {
		return func(p string) bool { return strings.HasPrefix(p, entry) }
	}
	return func(p string) bool { return strings.HasPrefix(p, clean+"/") }
}
