package ask

import (
	"context"
	"errors"
	"fmt"

	"benchmill/pipeline"
)

// Quorums of a [Panel].
const (
	All      = "all"      // every voter says yes
	Majority = "majority" // more than half of the voters say yes; a tie is a no
	Any      = "any"      // at least one voter says yes
)

// Panel is several votes about one row. Name a model twice for two votes of it.
// The configuration that holds a panel must have it validated.
type Panel struct {
	Models []pipeline.ModelName `yaml:"models" min:"1" doc:"names of the models section, one vote each; a name that stands twice has two"`
	Quorum string               `yaml:"quorum" enum:"all|majority|any" doc:"how many votes make a yes; with majority a tie is a no"`
}

// Validate reports what no panel can decide with.
func (c Panel) Validate() error {
	var errs []error
	if len(c.Models) == 0 {
		errs = append(errs, errors.New("models: at least one is needed"))
	}
	for i, m := range c.Models {
		if m == "" {
			errs = append(errs, fmt.Errorf("models[%d]: empty", i))
		}
	}
	switch c.Quorum {
	case All, Majority, Any:
	default:
		errs = append(errs, fmt.Errorf("quorum: %q is none of %s, %s, %s", c.Quorum, All, Majority, Any))
	}
	return errors.Join(errs...)
}

// Voters are the panel's votes, in the order of its models.
func (c Panel) Voters() []Voter {
	seen := map[pipeline.ModelName]Vote{}
	out := make([]Voter, len(c.Models))
	for i, m := range c.Models {
		seen[m]++
		out[i] = Voter{m, seen[m]}
	}
	return out
}

// ErrUndecided says that voters without a verdict could have changed the
// outcome. The row is to be dropped under a reason of its own: neither verdict
// would be the panel's.
var ErrUndecided = errors.New("too few votes to decide")

// Decide takes the verdicts of those voters who gave one. What is missing counts
// for neither side, and an outcome stands only if no vote that is missing could
// turn it; otherwise the error is [ErrUndecided].
func (c Panel) Decide(verdicts []bool) (bool, error) {
	seats, yes := len(c.Models), 0
	for _, v := range verdicts {
		if v {
			yes++
		}
	}
	no := len(verdicts) - yes
	if len(verdicts) > seats {
		return false, fmt.Errorf("%d verdicts of %d voters", len(verdicts), seats)
	}
	// needed is how many make a yes.
	needed := map[string]int{All: seats, Majority: seats/2 + 1, Any: 1}[c.Quorum]
	switch {
	case seats == 0 || needed == 0:
		return false, c.Validate()
	case yes >= needed:
		return true, nil
	case no > seats-needed:
		return false, nil
	}
	return false, ErrUndecided
}

// Poll asks every voter of a panel and returns their answers in its order, also
// when the first ones have decided: each is a judgment to keep. One after the
// other, as [Each] has other rows asked meanwhile.
func (f *Form[T]) Poll(ctx context.Context, p *pipeline.Pass, panel Panel, s Settings, q Question[T]) ([]Answer[T], error) {
	out := make([]Answer[T], len(panel.Models))
	for i, v := range panel.Voters() {
		var err error
		q.Vote = v.Vote
		if out[i], err = f.Ask(ctx, p, v.Model, s, q); err != nil {
			return nil, fmt.Errorf("vote of %s: %w", v, err)
		}
	}
	return out, nil
}
