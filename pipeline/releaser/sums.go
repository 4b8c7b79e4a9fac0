package releaser

import (
	"cmp"
	"slices"

	"benchmill/artifacts/release"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
)

// sums adds up the accounts of a node's partitions.
type sums struct {
	in, out, notes map[string]int64
	drops          map[[2]string]int64
}

func newSums() *sums {
	return &sums{in: map[string]int64{}, out: map[string]int64{}, notes: map[string]int64{}, drops: map[[2]string]int64{}}
}

func (s *sums) add(a cache.Account) {
	for t, n := range a.In {
		s.in[t] += n
	}
	for t, n := range a.Out {
		s.out[t] += n
	}
	for t, n := range a.Notes {
		s.notes[t] += n
	}
	for _, d := range a.Drops {
		s.drops[[2]string{d.Table, d.Reason}] += d.Rows
	}
}

// fill writes the sums in the order of the ports.
func (s *sums) fill(out *release.Stage, stage *pipeline.Stage) {
	out.In, out.Out = []release.Count{}, []release.Count{}
	for _, p := range stage.In {
		if n, ok := s.in[p.Name]; ok {
			out.In = append(out.In, release.Count{Table: p.Name, Rows: n})
		}
	}
	for _, p := range stage.Out {
		out.Out = append(out.Out, release.Count{Table: p.Name, Rows: s.out[p.Name]})
	}
	for _, name := range sortedKeys(s.notes) {
		out.Notes = append(out.Notes, release.Count{Table: name, Rows: s.notes[name]})
	}
	for key, n := range s.drops {
		out.Drops = append(out.Drops, cache.Drop{Table: key[0], Reason: key[1], Rows: n})
	}
	slices.SortFunc(out.Drops, func(a, b cache.Drop) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Reason, b.Reason))
	})
}

func addUsage(all map[string]*cache.Usage, u cache.Usage) {
	key := u.Provider + "\x00" + u.Model + "\x00" + u.Origin
	if all[key] == nil {
		all[key] = &cache.Usage{Provider: u.Provider, Model: u.Model, Origin: u.Origin}
	}
	sum := all[key]
	sum.Requests += u.Requests
	sum.InputTokens += u.InputTokens
	sum.OutputTokens += u.OutputTokens
	sum.CostMicroUSD += u.CostMicroUSD
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
