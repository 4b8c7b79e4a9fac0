package yabloco

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonLevelFull = "level_full"

// Splits of a [schemas.BodyCandidate].
const (
	splitTest = "test"
	splitDev  = "dev"
)

// levels are the context levels, the widest first.
var levels = []string{schemas.LevelProject, schemas.LevelPackage, schemas.LevelFile, schemas.LevelStdlib, schemas.LevelNone}

// SelectConfig configures [Select].
type SelectConfig struct {
	PerRepository int `yaml:"per_repository" min:"5" doc:"most rows of a repository; each context level has a fifth of them"`
	Dev           int `yaml:"dev" min:"0" doc:"how many of each level after those are for development"`
}

// Validate implements the check of a config.
func (c *SelectConfig) Validate() error {
	if c.PerRepository%len(levels) != 0 {
		return fmt.Errorf("per_repository: %d cannot be split evenly over %d levels", c.PerRepository, len(levels))
	}
	return nil
}

// Select takes of each context level of a repository the functions that were
// changed last, of those changed on one day the ones that tests enter most often,
// then in the order of their ids. A level with too few of them stays short. The next
// ones are for development.
//
// Version history:
//
//	1: first version
func Select() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.select", Version: 1,
		Doc:       "Takes the last changed candidates of each context level, and the next ones for development.",
		In:        []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Out:       []pipeline.Port{{Name: "selected", Schema: schemas.BodyCandidates}},
		Flows:     []pipeline.Flow{{From: "candidates", To: []string{"selected"}}},
		Uses:      pipeline.Uses{Seed: true},
		NewConfig: func() any { return &SelectConfig{PerRepository: 70, Dev: 17} },
		Run:       selectCandidates,
	}
}

func selectCandidates(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[SelectConfig](p)
	byLevel := map[string][]schemas.BodyCandidate{}
	for row, err := range pipeline.In[schemas.BodyCandidate](ctx, p, "candidates") {
		if err != nil {
			return err
		}
		if !slices.Contains(levels, row.Function.Level) {
			return fmt.Errorf("candidate %s has the level %q", row.ID, row.Function.Level)
		}
		byLevel[row.Function.Level] = append(byLevel[row.Function.Level], row)
	}
	bySplit := map[string][]schemas.BodyCandidate{}
	for _, level := range levels {
		rows := byLevel[level]
		slices.SortFunc(rows, newestFirst)
		for i, row := range rows {
			switch test := c.PerRepository / len(levels); {
			case i < test:
				row.Split = splitTest
			case i < test+c.Dev:
				row.Split = splitDev
			default:
				p.Drops.Drop("candidates", row.ID, reasonLevelFull, level)
				continue
			}
			row.Rank = int64(i) + 1
			bySplit[row.Split] = append(bySplit[row.Split], row)
		}
	}
	for split, rows := range bySplit {
		if err := pipeline.Emit(p, "selected", spread(p.Seed, split, rows)...); err != nil {
			return err
		}
	}
	return nil
}

// newestFirst compares by the day of the last change, then by test hits.
func newestFirst(a, b schemas.BodyCandidate) int {
	hits := func(c schemas.BodyCandidate) int64 {
		if c.Function.Hits == nil {
			return 0
		}
		return *c.Function.Hits
	}
	return cmp.Or(cmp.Compare(b.Function.LastCommit, a.Function.LastCommit), cmp.Compare(hits(b), hits(a)), cmp.Compare(a.ID, b.ID))
}

// spread deals the instructions out evenly over the rows of a split, in an order
// that hashes decide; the first one differs by repository.
func spread(seed pipeline.Seed, split string, rows []schemas.BodyCandidate) []schemas.BodyCandidate {
	if len(rows) == 0 {
		return nil
	}
	rows = pipeline.Sample(seed, rows, len(rows), func(c schemas.BodyCandidate) string { return c.ID })
	first := seed.Rand(split + "|" + rows[0].Function.Repo).IntN(Prompts)
	for i := range rows {
		rows[i].Prompt = int64((first+i)%Prompts) + 1
	}
	return rows
}
