package planner

import (
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Build is the identity of a program for plans: its key format, its stages with
// their versions and schemas, and whatever else it names. A task of one build is
// refused by another.
func Build(stages []*pipeline.Stage, identities ...string) digest.Digest {
	e := digest.New("benchmill/build/1")
	e.Int(KeyFormat)
	for _, s := range stages {
		e.String(s.Name)
		e.Int(int64(s.Version))
		for _, ports := range [][]pipeline.Port{s.In, s.Out} {
			e.List(len(ports))
			for _, p := range ports {
				e.String(p.Name)
				e.String(p.Schema.String())
			}
		}
	}
	e.List(len(identities))
	for _, id := range identities {
		e.String(id)
	}
	return e.Sum()
}
