package graph

import (
	"strings"

	"benchmill/pipeline"
)

// makers lists what in the file makes a table for p, as from would name it,
// leaving out what itself needs d.
func (r *reader) makers(d *draft, p pipeline.Port) []string {
	below := r.downstream(d)
	var out []string
	for _, m := range r.drafts {
		if !m.usable() || below[m] {
			continue
		}
		for _, e := range outputs(m.Node) {
			if !matches(p, e) {
				continue
			}
			if len(m.Stage.Out) == 1 {
				out = append(out, m.Name)
			} else {
				out = append(out, e.String())
			}
		}
	}
	return out
}

// downstream is d and everything that reads it, by what from says.
func (r *reader) downstream(d *draft) map[*draft]bool {
	readers := map[string][]*draft{}
	for _, m := range r.drafts {
		for _, name := range m.sources() {
			readers[name] = append(readers[name], m)
		}
	}
	seen := map[*draft]bool{d: true}
	for queue := []*draft{d}; len(queue) > 0; queue = queue[1:] {
		for _, m := range readers[queue[0].Name] {
			if !seen[m] {
				seen[m] = true
				queue = append(queue, m)
			}
		}
	}
	return seen
}

// sources are the names of the nodes in from, found or not.
func (d *draft) sources() []string {
	if d.from == nil {
		return nil
	}
	nodes := append([]*node{d.from}, d.from.items...)
	for _, e := range d.from.entries {
		nodes = append(nodes, e.value)
	}
	var out []string
	for _, n := range nodes {
		name, _, _ := strings.Cut(n.text, ".")
		out = append(out, name)
	}
	return out
}

func (r *reader) stagesMaking(p pipeline.Port) []string {
	var out []string
	for _, s := range r.kinds.Stages {
		for _, q := range s.Out {
			if matches(p, Edge{Port: q}) {
				out = append(out, s.Name)
				break
			}
		}
	}
	return out
}
