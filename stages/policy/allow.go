package policy

import (
	"context"
	"errors"

	"benchmill/internal/spdx"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons files are dropped under.
const (
	reasonNotAccepted = "licence_not_accepted"
	reasonUnknown     = "licence_unknown"
)

// AllowConfig configures [Allow].
type AllowConfig struct {
	Allow   []string `yaml:"allow" doc:"SPDX identifiers of accepted licences, an exception written with its licence"`
	Unknown string   `yaml:"unknown" enum:"drop|keep|declared" doc:"files whose licence is not known; declared: as the repository's row states"`
}

// Validate refuses an empty list, and what is no licence in one.
func (c *AllowConfig) Validate() error {
	if len(c.Allow) == 0 {
		return errors.New("allow lists no licence, so that every file would be dropped")
	}
	_, err := spdx.NewList(c.Allow)
	return err
}

// Allow keeps the files whose licence is accepted: of an OR one side, of an AND
// all. "X or later" is accepted where X is, since it leaves the choice; an
// exception has to be listed with its licence.
//
// Version history:
//
//	1: first version
func Allow() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.allow", Version: 1,
		Doc: "Keeps the files whose licence is on a list of accepted ones.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "licences", Schema: schemas.FileLicences},
		},
		Out:       []pipeline.Port{{Name: "files", Schema: schemas.Files}},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"files"}}},
		NewConfig: func() any { return &AllowConfig{Unknown: "drop"} },
		Run:       allow,
	}
}

func allow(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[AllowConfig](p)
	accepted, err := spdx.NewList(c.Allow)
	if err != nil {
		return err
	}
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	licence := map[string]string{}
	for l, err := range pipeline.In[schemas.FileLicence](ctx, p, "licences") {
		if err != nil {
			return err
		}
		licence[l.Path] = l.Licence
	}
	// unfit is why a file is dropped, or "".
	unfit := func(text string) string {
		e, err := spdx.Parse(text)
		if err != nil && c.Unknown == "declared" {
			e = declaredOf(repo)
		}
		switch {
		case e.IsZero() && c.Unknown == "keep", !e.IsZero() && accepted.Accepts(e):
			return ""
		case e.IsZero():
			return reasonUnknown
		}
		return reasonNotAccepted
	}
	verdicts := map[string]string{}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return err
		}
		text := licence[f.Path]
		if _, ok := verdicts[text]; !ok {
			verdicts[text] = unfit(text)
		}
		if reason := verdicts[text]; reason != "" {
			p.Drops.Drop("files", f.Path, reason, text)
			continue
		}
		if err := pipeline.Emit(p, "files", f); err != nil {
			return err
		}
	}
	return nil
}
