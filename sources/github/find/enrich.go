package find

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchmill/internal/collection"
	"benchmill/sources/github/api"
)

// batch is how many repositories one query asks about. A query that is too heavy
// for the server is asked again in halves, and batches grow back one by one.
const batch = 20

// enrich asks what a search does not tell. The order is that of the items.
func (s *search) enrich(ctx context.Context, items []item) ([]collection.Repository, error) {
	out := make([]collection.Repository, 0, len(items))
	gone := 0
	for size := batch; len(items) > 0; {
		some := items[:min(size, len(items))]
		answers, err := s.ask(ctx, some)
		if len(some) > 1 && api.TooHeavy(err) && ctx.Err() == nil {
			size = (len(some) + 1) / 2
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("details of %s (and %d more): %w", some[0].Name, len(some)-1, err)
		}
		for i, d := range answers {
			if d == nil {
				gone++
				s.log().Info("repository is gone", "repo", some[i].Name)
				continue
			}
			r, err := d.repository(some[i])
			if err != nil {
				return nil, fmt.Errorf("details of %s: %w", some[i].Name, err)
			}
			out = append(out, r)
		}
		items = items[len(some):]
		size = min(batch, size+1)
	}
	if gone > 0 {
		s.log().Warn("repositories were found and are gone", "number", gone)
	}
	return out, nil
}

// ask asks about some repositories; nil stands for one that is gone.
func (s *search) ask(ctx context.Context, items []item) ([]*details, error) {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].Node
	}
	text, variables := detailsQuery, map[string]any{"ids": ids, "until": s.asOf.Format(time.RFC3339)}
	if since := s.query.CommitsSince; !since.IsZero() {
		text = detailsSinceQuery
		variables["since"] = since.Format(time.RFC3339)
	}
	var answer struct {
		Nodes []*details `json:"nodes"`
	}
	gone, err := notFound(s.API.Query(ctx, text, variables, &answer))
	if err != nil {
		return nil, err
	}
	if len(answer.Nodes) != len(items) {
		return nil, fmt.Errorf("GitHub answers about %d repositories, asked about %d", len(answer.Nodes), len(items))
	}
	for i, d := range answer.Nodes {
		switch {
		case d == nil:
			gone--
		case d.Number != items[i].ID:
			return nil, fmt.Errorf("GitHub answers about repository %d, asked about %d", d.Number, items[i].ID)
		}
	}
	if gone != 0 {
		return nil, errors.New("GitHub does not answer about every repository, and does not say why")
	}
	return answer.Nodes, nil
}

// notFound takes out of an error what says that a whole repository is not there,
// and counts it.
func notFound(err error) (int, error) {
	var q *api.QueryError
	if !errors.As(err, &q) {
		return 0, err
	}
	for _, fault := range q.Errors {
		if fault.Type != "NOT_FOUND" || len(fault.Path) != 2 {
			return 0, err
		}
	}
	return len(q.Errors), nil
}
