package githubtest

import (
	"slices"
	"sync/atomic"
)

// rendering is a finished body of something at a revision of it.
type rendering struct {
	revision uint64
	body     raw
}

// cached is the body of a thing, rendered again when its revision is newer. The
// world is locked for reading.
func (s *Server) cached(thing any, revision *atomic.Uint64, render func() raw) raw {
	now := revision.Load()
	if kept, ok := s.rendered.Load(thing); ok && kept.(rendering).revision == now {
		return kept.(rendering).body
	}
	out := rendering{now, slices.Clip(render())}
	s.rendered.Store(thing, out)
	return out.body
}

func (c *call) issueBody(i *Issue) raw {
	return c.s.cached(i, &i.revision, func() raw { return c.names.issue(i) })
}

func (c *call) commentBody(m *Comment) raw {
	return c.s.cached(m, &m.revision, func() raw { return c.names.comment(m) })
}

func (c *call) repositoryBody(r *Repository) raw {
	return c.s.cached(r, &r.revision, func() raw { return c.names.repository(r) })
}

// orderKey names a list of a repository; only its last order is kept.
type orderKey struct {
	repo *Repository
	kind string
}

type order struct {
	revision uint64
	query    string
	items    any
}

// ordered is the list of a query, made again when the repository changed.
func ordered[T any](c *call, kind, query string, list func() []T) []T {
	key, now := orderKey{c.repo, kind}, c.repo.revision.Load()
	if kept, ok := c.s.orders.Load(key); ok {
		if o := kept.(*order); o.revision == now && o.query == query {
			return o.items.([]T)
		}
	}
	items := list()
	c.s.orders.Store(key, &order{now, query, items})
	return items
}
