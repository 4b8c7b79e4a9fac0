// Package issues holds the stages that bring in the issues and pull requests of a
// repository and find out which pull request closed which issue.
package issues

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Schemes of the pins that hold collections. The locator is the repository below
// its API, the version the as-of time.
const (
	schemeIssues  = "github-issues"
	schemeDetails = "github-details"
)

// SourceConfig says where issues come from.
type SourceConfig struct {
	API string `yaml:"api" doc:"base address of the API, such as https://host/api/v3 for an enterprise server"`
}

var baseAddress = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?$`)

// Validate refuses what is no base address.
func (c *SourceConfig) Validate() error {
	switch {
	case strings.Contains(c.API, "@"): // not repeated: it may hold a password
		return errors.New("api holds a user name or password; tokens come from the environment")
	case !baseAddress.MatchString(c.API):
		return fmt.Errorf("api %q is not an address of the form https://host/path", c.API)
	}
	return nil
}

func newConfig() any { return &SourceConfig{API: "https://api.github.com"} }

// Endpoint is the API that is asked.
func (c *SourceConfig) Endpoint() string { return strings.TrimRight(c.API, "/") }

// pin is the collection of a repository at a time.
func (c *SourceConfig) pin(scheme, repo string, asOf time.Time) pipeline.Pin {
	return pipeline.Pin{
		Scheme:  scheme,
		Locator: strings.TrimRight(c.API, "/") + "/repos/" + repo,
		Version: asOf.UTC().Format(time.RFC3339),
	}
}

// fetches is [pipeline.Stage.Fetches] of a stage that reads one collection.
func fetches(scheme string) func(cfg, row any, asOf time.Time) []pipeline.Pin {
	return func(cfg, row any, asOf time.Time) []pipeline.Pin {
		repo, ok := row.(schemas.Repository)
		if !ok || asOf.IsZero() {
			return nil
		}
		return []pipeline.Pin{cfg.(*SourceConfig).pin(scheme, repo.Repo, asOf)}
	}
}

// read calls each with every record of the repository's collection.
func read(ctx context.Context, p *pipeline.Pass, scheme, kind string, each func(collection.Record) error) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	if p.AsOf.IsZero() {
		return pipeline.Mark(errors.New(`there is no as-of time; run "benchmill lock"`), pipeline.Fatal)
	}
	stream, err := p.Effects.Fetch(ctx, pipeline.ConfigOf[SourceConfig](p).pin(scheme, repo.Repo, p.AsOf))
	if err != nil {
		return err
	}
	defer stream.Close()
	if err := records(ctx, p, stream, kind, each); err != nil {
		return fmt.Errorf("%s of %s: %w", kind, repo.Repo, err)
	}
	return nil
}

func records(ctx context.Context, p *pipeline.Pass, stream io.Reader, kind string, each func(collection.Record) error) error {
	r, err := collection.NewReader(stream, kind)
	if err != nil {
		return err
	}
	if r.Header.NoIssues {
		p.Drops.Note("issues_off", 1)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(record)
		}
		if err != nil {
			return err
		}
	}
}

// errOther is about a record that a collection of this kind cannot hold.
var errOther = errors.New("a record of another kind")

// clean makes a text valid UTF-8 without NUL, which Parquet readers and databases
// choke on.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func cleanAll(texts []string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, clean(s))
	}
	return out
}
