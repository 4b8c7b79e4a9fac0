// Package policy holds the stages that decide what may be used: licences,
// repositories and people that opted out, personal data and secrets.
package policy

import (
	"context"

	"benchmill/internal/spdx"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons for entries of a snapshot without a row.
const (
	reasonLink      = "link"
	reasonSubmodule = "submodule"
	reasonSkipped   = "skipped_by_source"
)

// LicencesConfig configures [Licences].
type LicencesConfig struct {
	MinPercent float64 `yaml:"min_percent" min:"0" max:"100" doc:"share of a licence file's words that must be a known licence text; below it the licence is not known"`
}

// Licences finds the licence of every file. The first of these that says
// something counts:
//
//  1. an annotation of REUSE.toml that overrides what files say;
//  2. SPDX-License-Identifier lines in the ".license" file beside it;
//  3. such lines in the first 16 KiB of the file, all of them together;
//  4. a licence text or notice there, as licensecheck knows them;
//  5. an annotation of REUSE.toml or .reuse/dep5;
//  6. the licence files of the nearest folder upwards that has any. Where these
//     are not known texts, nothing further up counts either.
//
// Several licence files of a folder hold together, unless the name of each says
// which licence it is (LICENSE-MIT, LICENSE-APACHE), which is how a choice is
// offered. An address of a licence alone grants nothing. Identifiers are SPDX's,
// with the few that licensecheck adds ("CommonsClause").
//
// Version history:
//
//	1: first version
func Licences() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.licences", Version: 1,
		Doc: "Finds the licence of the repository and of each file: identifiers and notices in files, REUSE annotations, licence files.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "snapshot", Schema: schemas.Snapshot},
		},
		Out: []pipeline.Port{
			{Name: "licences", Schema: schemas.FileLicences},
			{Name: "repository_licence", Schema: schemas.RepositoryLicences},
		},
		Flows:     []pipeline.Flow{{From: "snapshot", To: []string{"licences"}}},
		NewConfig: func() any { return &LicencesConfig{MinPercent: 75} },
		Identify:  func(any) []string { return []string{knownTexts()} },
		Run:       licences,
	}
}

func licences(ctx context.Context, p *pipeline.Pass) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	s := newStatements(pipeline.ConfigOf[LicencesConfig](p).MinPercent, p.Drops)
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err != nil {
			return err
		}
		s.gather(e)
	}
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if reason := without(e.Kind); reason != "" {
			p.Drops.Drop("snapshot", e.Path, reason, e.Target)
			continue
		}
		if err := pipeline.Emit(p, "licences", s.licenceOf(e)); err != nil {
			return err
		}
	}
	return pipeline.Emit(p, "repository_licence", repositoryRow(repo, s.inherited(".")))
}

// without is why a kind of entry has no licence of its own, or "".
func without(kind string) string {
	switch kind {
	case schemas.KindLink:
		return reasonLink
	case schemas.KindSubmodule:
		return reasonSubmodule
	case schemas.KindSkipped:
		return reasonSkipped
	}
	return ""
}

func repositoryRow(repo schemas.Repository, top combined) schemas.RepositoryLicence {
	row := schemas.RepositoryLicence{
		Repo: repo.Repo, Commit: repo.Commit, Language: repo.Language,
		Licence: top.expr.String(), Percent: top.percent, Files: top.files,
	}
	declared := declaredOf(repo)
	row.Declared = declared.String()
	row.Conflict = !declared.IsZero() && !top.expr.IsZero() && !spdx.Same(declared, top.expr)
	return row
}

// declaredOf is the licence a repository's row states. "NOASSERTION" and "other"
// are how GitHub's API says that it does not know.
func declaredOf(repo schemas.Repository) spdx.Expr {
	e, err := spdx.Parse(repo.Licence)
	if err != nil || e.String() == "NOASSERTION" || e.String() == "other" {
		return spdx.Expr{}
	}
	return e
}
