package planner

import (
	"errors"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/graph"
)

// Action is what a plan says of one partition of one node.
type Action string

// Actions.
const (
	Reuse Action = "reuse" // its outputs are in the store
	Run   Action = "run"   // it has to run
	Wait  Action = "wait"  // it cannot be told before something upstream ran
)

// Step is one line of a plan.
type Step struct {
	Node      string        `json:"node"`
	Partition string        `json:"partition,omitempty"`
	Action    Action        `json:"action"`
	Reason    string        `json:"reason"`
	Key       digest.Digest `json:"key,omitempty"`
}

// Plan is what a run would do, in the order of the graph and of partitions.
type Plan struct {
	Pipeline string        `json:"pipeline"`
	Build    digest.Digest `json:"build"`
	Reuse    int           `json:"reuse"`
	Run      int           `json:"run"`
	Wait     int           `json:"wait"` // known partitions that wait
	Steps    []Step        `json:"steps"`
}

// History knows the entry a cell had in the last run, or nil.
type History func(node, partition string) *cache.Entry

// Lookup returns a usable entry for a key, or nil.
type Lookup func(key digest.Digest) (*cache.Entry, error)

// MakePlan walks a frontier with the cache alone.
func MakePlan(g *graph.Graph, build digest.Digest, f *Frontier, lookup Lookup, history History) (*Plan, error) {
	for cells := f.TakeReady(); len(cells) > 0; cells = f.TakeReady() {
		for _, c := range cells {
			e, err := lookup(c.Task.Key)
			if err != nil {
				return nil, err
			}
			if e != nil {
				// A list of partitions that cannot be read has to be made again.
				if err := f.Complete(c, e); err != nil && !errors.Is(err, artifacts.ErrDamaged) && !errors.Is(err, artifacts.ErrNotFound) {
					return nil, err
				}
			}
		}
	}
	p := &Plan{Pipeline: g.Name, Build: build, Steps: []Step{}}
	for _, n := range f.Nodes() {
		cells, known := f.Cells(n)
		for _, c := range cells {
			p.add(f.step(c, history))
		}
		if !known {
			by := n.PartitionedBy.String()
			p.add(Step{Node: n.Name, Action: Wait, Reason: "its partitions are listed by " + by + ", which has to run first"})
		}
	}
	return p, nil
}

func (p *Plan) add(s Step) {
	switch s.Action {
	case Reuse:
		p.Reuse++
	case Run:
		p.Run++
	case Wait:
		p.Wait++
	}
	p.Steps = append(p.Steps, s)
}

func (f *Frontier) step(c *Cell, history History) Step {
	s := Step{Node: c.Node.Name, Partition: c.Partition}
	switch c.State {
	case Done:
		s.Action, s.Key, s.Reason = Reuse, c.Task.Key, "nothing changed"
	case Ready:
		s.Action, s.Key, s.Reason = Run, c.Task.Key, why(c, history(s.Node, s.Partition))
	default:
		s.Action, s.Reason = Wait, "waits for "+f.waitsFor(c)
	}
	return s
}

func why(c *Cell, last *cache.Entry) string {
	if last == nil {
		return "never ran"
	}
	if d := Difference(last.Ingredients, c.Task.Ingredients); d != "" {
		return d
	}
	return "its outputs are gone from the store or damaged"
}

// waitsFor names the first thing upstream that is not done.
func (f *Frontier) waitsFor(c *Cell) string {
	for _, p := range c.Node.Stage.In {
		e, ok := c.Node.In[p.Name]
		if !ok {
			continue
		}
		from := f.nodes[e.Node]
		if cell := from.cells[c.Partition]; cell != nil && cell.State != Done {
			return cell.Label()
		}
		if from.open > 0 || !from.known {
			return e.Node.Name
		}
	}
	return "its inputs"
}
