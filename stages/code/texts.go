package code

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// Further reasons files are dropped under by [Texts], beside their kinds (see
// [kindOf]).
const (
	reasonBinary   = "binary" // holds a NUL byte
	reasonExcluded = "excluded"
)

// What [TextsConfig] can include.
const (
	includeAll    = "all"
	includeSource = "source"
)

// TextsConfig configures [Texts].
type TextsConfig struct {
	Include      string   `yaml:"include" enum:"all|source" doc:"source: only files with a suffix of the repository's language"`
	Exclude      []string `yaml:"exclude" doc:"paths to leave out, as patterns: ? is any character but a slash, * any number of them, ** any characters at all"`
	Keep         []string `yaml:"keep" enum:"generated|vendored|minified|lock_file" doc:"kinds of files that are kept although nobody here writes or reads them"`
	MaxFileBytes int64    `yaml:"max_file_bytes" min:"1" doc:"larger files are dropped: nearly always generated or data"`
}

// Texts picks the text files of a whole repository, whatever its entry directory
// is: valid UTF-8 without a NUL byte. Files of a kind that people neither write
// nor read (generated, vendored, minified, lock files) are dropped.
//
// Version history:
//
//	1: first version
func Texts(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "code.texts", Version: 1,
		Doc: "Picks the text files of the whole repository; binary, generated, vendored, minified and lock files are dropped by name.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "snapshot", Schema: schemas.Snapshot},
		},
		Out:       []pipeline.Port{{Name: "files", Schema: schemas.Files}},
		Flows:     []pipeline.Flow{{From: "snapshot", To: []string{"files"}}},
		NewConfig: func() any { return &TextsConfig{Include: includeAll, MaxFileBytes: 1 << 20} },
		Identify:  Identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			return texts(ctx, p, languages)
		},
	}
}

func texts(ctx context.Context, p *pipeline.Pass, languages *lang.Set) error {
	c := pipeline.ConfigOf[TextsConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	// Reading text needs no language that we know; picking source files does.
	l := languages.Get(repo.Language)
	if l == nil && c.Include == includeSource {
		return fmt.Errorf("%s: no language %q; known are %s", repo.Repo, repo.Language, strings.Join(languages.Names(), ", "))
	}
	excluded := paths(c.Exclude)
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err != nil {
			return err
		}
		language := ""
		if l != nil && l.Syntax(e.Path) != nil {
			language = l.Name
		}
		reason := unfit(e, c.MaxFileBytes)
		switch {
		case c.Include == includeSource && language == "":
			reason = reasonSuffix
		case excluded.MatchString(e.Path):
			reason = reasonExcluded
		case reason == "" && bytes.IndexByte(e.Content, 0) >= 0:
			reason = reasonBinary
		case reason == "":
			if kind := kindOf(e.Path, e.Content); !slices.Contains(c.Keep, kind) {
				reason = kind
			}
		}
		if reason != "" {
			p.Drops.Drop("snapshot", e.Path, reason, e.Target)
			continue
		}
		row := schemas.File{Path: e.Path, Language: language, Blob: e.Blob, Text: string(e.Content)}
		if err := pipeline.Emit(p, "files", row); err != nil {
			return err
		}
	}
	return nil
}

// paths compiles patterns of paths into one expression that matches whole paths
// that fit any of them; without patterns it matches none.
func paths(patterns []string) *regexp.Regexp {
	alternatives := []string{`[^\s\S]`} // matches nothing
	for _, p := range patterns {
		p = regexp.QuoteMeta(p)
		p = strings.ReplaceAll(p, `\*\*`, `.*`)
		p = strings.ReplaceAll(p, `\*`, `[^/]*`)
		p = strings.ReplaceAll(p, `\?`, `[^/]`)
		alternatives = append(alternatives, p)
	}
	return regexp.MustCompile(`(?s)^(?:` + strings.Join(alternatives, "|") + `)$`)
}
