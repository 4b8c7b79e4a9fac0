package policy

import (
	"context"
	"errors"

	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonOptedOut = "opted_out"

// OptOutConfig configures [OptOut].
type OptOutConfig struct {
	File pipeline.FileName `yaml:"file" doc:"who opted out: owner/name, owner/*, logins and numbers of repositories, one a line, the reason after #; or YAML lists repositories, users, ids"`
}

// Validate refuses a missing list: a filter that filters nothing by mistake.
func (c *OptOutConfig) Validate() error {
	if c.File == "" {
		return errors.New("file is missing; policy.optout needs a list")
	}
	return nil
}

// OptOut leaves out repositories whose owners asked for it. Put it between the
// list and everything else: stages that read its output alone run for the
// remaining repositories only, so that nothing of the others is ever fetched.
//
// A login stands for the person: their repositories here, their texts in
// [Scrub]. Numbers of repositories are those of the API and outlive renames; they
// need the table of found repositories, which knows them.
//
// Version history:
//
//	1: first version
func OptOut() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.optout", Version: 1, Scope: pipeline.Whole,
		Doc: "Leaves out repositories that opted out.",
		In: []pipeline.Port{
			{Name: "repositories", Schema: schemas.Repositories},
			{Name: "found", Schema: schemas.FoundRepositories, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "repositories", Schema: schemas.Repositories, Partitions: true}},
		Flows:     []pipeline.Flow{{From: "repositories", To: []string{"repositories"}}},
		NewConfig: func() any { return &OptOutConfig{} },
		Run:       optOut,
	}
}

func optOut(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[OptOutConfig](p)
	list, err := readOptList(p, c.File)
	if err != nil {
		return err
	}
	if _, ok := p.Inputs["found"]; !ok && len(list.ids) > 0 {
		return errors.New(string(c.File) + " lists numbers of repositories, which only the table of found repositories knows; read it too")
	}
	id := map[string]int64{}
	for f, err := range pipeline.In[schemas.FoundRepository](ctx, p, "found") {
		if err != nil {
			return err
		}
		id[f.Repo] = f.ID
	}
	for r, err := range pipeline.In[schemas.Repository](ctx, p, "repositories") {
		if err != nil {
			return err
		}
		if why, out := list.repository(r.Repo, id[r.Repo]); out {
			p.Drops.Drop("repositories", r.PartitionKey(), reasonOptedOut, why)
			continue
		}
		if err := pipeline.Emit(p, "repositories", r); err != nil {
			return err
		}
	}
	return nil
}
