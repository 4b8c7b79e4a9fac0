package crosscodeeval

import (
	"context"
	"fmt"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons examples are dropped under by [Unique].
const (
	reasonDuplicate     = "duplicate"
	reasonNearDuplicate = "near_duplicate"
	reasonInDataset     = "in_dataset"
	reasonNearInDataset = "near_in_dataset"
)

// Unique keeps of examples that duplicate each other one (section 2.3), and none
// that is in another dataset. Which ones do is said by the verdicts and matches of
// the dedup stages, over all repositories; whether near duplicates are among them
// is a setting there. Without verdicts the first example of each reference in the
// repository stays, blanks around it aside.
//
// Version history:
//
//	1: first version
func Unique() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.unique", Version: 1,
		Doc: "Drops examples whose reference duplicates another one's or is in another dataset, and names the match.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "examples", Schema: schemas.CompletionExamples},
			{Name: "verdicts", Schema: schemas.TextVerdicts, Optional: true},
			{Name: "matches", Schema: schemas.TextMatches, Optional: true},
		},
		Out:   []pipeline.Port{{Name: "examples", Schema: schemas.CompletionExamples}},
		Flows: []pipeline.Flow{{From: "examples", To: []string{"examples"}}},
		Run:   unique,
	}
}

func unique(ctx context.Context, p *pipeline.Pass) error {
	repeated, err := repeats(ctx, p)
	if err != nil {
		return err
	}
	foreign, err := inDatasets(ctx, p)
	if err != nil {
		return err
	}
	for e, err := range pipeline.In[schemas.CompletionExample](ctx, p, "examples") {
		if err != nil {
			return err
		}
		why := drop{}
		for _, ask := range []func(schemas.CompletionExample) (drop, error){repeated, foreign} {
			if why, err = ask(e); err != nil {
				return err
			}
			if why.reason != "" {
				break
			}
		}
		if why.reason != "" {
			p.Drops.Drop("examples", exampleKey(e), why.reason, why.detail)
			continue
		}
		if err := pipeline.Emit(p, "examples", e); err != nil {
			return err
		}
	}
	return nil
}

// drop is why an example goes; none where the reason is "".
type drop struct{ reason, detail string }

// repeats says which examples repeat another one: as the verdicts have it, else
// by the references of the repository.
func repeats(ctx context.Context, p *pipeline.Pass) (func(schemas.CompletionExample) (drop, error), error) {
	if _, ok := p.Inputs["verdicts"]; !ok {
		first := map[string]string{}
		return func(e schemas.CompletionExample) (drop, error) {
			reference := strings.TrimSpace(e.Reference)
			if id, ok := first[reference]; ok {
				return drop{reasonDuplicate, "of " + id}, nil
			}
			first[reference] = e.ID
			return drop{}, nil
		}, nil
	}
	drops := map[string]drop{}
	for v, err := range pipeline.In[schemas.TextVerdict](ctx, p, "verdicts") {
		if err != nil {
			return nil, err
		}
		switch v.Kind {
		case schemas.DuplicateExact:
			drops[v.ID] = drop{reasonDuplicate, "of " + v.DuplicateOf}
		case schemas.DuplicateNear:
			drops[v.ID] = drop{reasonNearDuplicate, fmt.Sprintf("of %s, similarity %.2f", v.DuplicateOf, v.Similarity)}
		default:
			drops[v.ID] = drop{}
		}
	}
	return lookUp("verdict", drops), nil
}

// inDatasets says which examples other datasets have.
func inDatasets(ctx context.Context, p *pipeline.Pass) (func(schemas.CompletionExample) (drop, error), error) {
	if _, ok := p.Inputs["matches"]; !ok {
		return func(schemas.CompletionExample) (drop, error) { return drop{}, nil }, nil
	}
	drops := map[string]drop{}
	for m, err := range pipeline.In[schemas.TextMatch](ctx, p, "matches") {
		if err != nil {
			return nil, err
		}
		switch m.Kind {
		case schemas.DuplicateExact:
			drops[m.ID] = drop{reasonInDataset, m.Dataset + " " + m.Match}
		case schemas.DuplicateNear:
			drops[m.ID] = drop{reasonNearInDataset, fmt.Sprintf("%s %s, similarity %.2f", m.Dataset, m.Match, m.Similarity)}
		default:
			drops[m.ID] = drop{}
		}
	}
	return lookUp("match", drops), nil
}

// lookUp refuses examples that were never compared.
func lookUp(what string, drops map[string]drop) func(schemas.CompletionExample) (drop, error) {
	return func(e schemas.CompletionExample) (drop, error) {
		d, ok := drops[e.ID]
		if !ok {
			return d, fmt.Errorf("example %s has no %s: it was not among the texts compared", e.ID, what)
		}
		return d, nil
	}
}
