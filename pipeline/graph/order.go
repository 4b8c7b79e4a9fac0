package graph

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
)

// order returns the drafts such that each comes after all it reads, ties in the
// order of the file. Drafts on a cycle, or downstream of one, are left out, and
// each cycle is reported once.
func (r *reader) order() []*draft {
	waits := make([]int, len(r.drafts))
	readers := make([][]*draft, len(r.drafts))
	for _, d := range r.drafts {
		waits[d.index] = len(d.reads)
		for _, up := range d.reads {
			readers[up.index] = append(readers[up.index], d)
		}
	}
	ready := &queue{}
	for _, d := range r.drafts {
		if waits[d.index] == 0 {
			heap.Push(ready, d)
		}
	}
	var out []*draft
	for ready.Len() > 0 {
		d := heap.Pop(ready).(*draft)
		out = append(out, d)
		for _, down := range readers[d.index] {
			if waits[down.index]--; waits[down.index] == 0 {
				heap.Push(ready, down)
			}
		}
	}
	if len(out) < len(r.drafts) {
		r.cycles(readers)
	}
	return out
}

// queue is a heap of drafts by their place in the file.
type queue []*draft

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].index < q[j].index }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*draft)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// cycles reports, for each group of nodes that all feed each other, one of its
// shortest cycles: the one through the node that comes first in the file.
func (r *reader) cycles(readers [][]*draft) {
	for _, group := range components(r.drafts) {
		first := slices.MinFunc(group, func(a, b *draft) int { return a.index - b.index })
		path := shortest(first, group, readers)
		if path == nil {
			continue // a group of one that does not read itself
		}
		names := make([]string, len(path))
		for i, d := range path {
			names[i] = d.Name
		}
		at := first.fromPos()
		if len(names) > maxListed {
			names = append(append(names[:maxListed-2:maxListed-2], "..."), names[len(names)-1])
		}
		r.add(ClassCycle, at, first.path+".from", "", "stages feed each other in a circle: %s", strings.Join(names, " -> "))
	}
}

// shortest is a shortest way from a node back to itself within group, in the
// direction tables flow; nil when there is none.
func shortest(start *draft, group []*draft, readers [][]*draft) []*draft {
	inside := map[*draft]bool{}
	for _, d := range group {
		inside[d] = true
	}
	before := map[*draft]*draft{}
	for todo := []*draft{start}; len(todo) > 0; todo = todo[1:] {
		d := todo[0]
		for _, next := range readers[d.index] {
			if next == start {
				path := []*draft{start}
				for ; d != start; d = before[d] {
					path = append(path, d)
				}
				path = append(path, start)
				slices.Reverse(path)
				return path
			}
			if inside[next] && before[next] == nil {
				before[next] = d
				todo = append(todo, next)
			}
		}
	}
	return nil
}

// components are the strongly connected components of what reads what, by
// Tarjan's algorithm (SIAM J. Comput. 1, 1972).
func components(drafts []*draft) [][]*draft {
	const unseen = 0
	var (
		out     [][]*draft
		stack   []*draft
		number  = make([]int, len(drafts))
		low     = make([]int, len(drafts))
		onStack = make([]bool, len(drafts))
		last    = unseen
		visit   func(d *draft)
	)
	visit = func(d *draft) {
		i := d.index
		last++
		number[i], low[i], onStack[i] = last, last, true
		stack = append(stack, d)
		for _, up := range d.reads {
			if number[up.index] == unseen {
				visit(up)
				low[i] = min(low[i], low[up.index])
			} else if onStack[up.index] {
				low[i] = min(low[i], number[up.index])
			}
		}
		if low[i] != number[i] {
			return
		}
		cut := slices.Index(stack, d)
		for _, member := range stack[cut:] {
			onStack[member.index] = false
		}
		out = append(out, slices.Clone(stack[cut:]))
		stack = stack[:cut]
	}
	for _, d := range drafts {
		if number[d.index] == unseen {
			visit(d)
		}
	}
	return out
}

// partition finds the table whose rows are the partitions of each per-partition
// node: drafts come after what they read.
func (r *reader) partition(drafts []*draft) {
	unsure := map[*Node]bool{} // nodes whose partitions an earlier mistake hides
	for _, d := range drafts {
		if !d.usable() || d.Stage.Scope != pipeline.PerPartition {
			continue
		}
		hidden := d.broken
		var found []source
		for _, p := range d.Stage.In {
			e, ok := d.In[p.Name]
			if !ok {
				continue
			}
			hidden = hidden || unsure[e.Node]
			switch {
			case e.Node.PartitionedBy != nil:
				found = add(found, source{*e.Node.PartitionedBy, e})
			case e.Node.Stage.Scope == pipeline.Whole && e.Port.Partitions:
				found = add(found, source{e, e})
			}
		}
		switch {
		case len(found) > 1:
			unsure[d.Node] = true
			r.add(ClassPartitions, d.fromPos(), d.path+".from", "a stage works on one kind of partition",
				"%s runs once per partition, and its inputs have different ones: %s and %s", d.Stage.Name, found[0], found[1])
		case len(found) == 1:
			d.PartitionedBy = &found[0].lists
		case hidden:
			unsure[d.Node] = true
		default:
			unsure[d.Node] = true
			r.add(ClassPartitions, d.fromPos(), d.path+".from", r.listings(),
				"%s runs once per partition, and nothing it reads has partitions", d.Stage.Name)
		}
	}
}

// source is a table that lists partitions, and the input they came through.
type source struct{ lists, through Edge }

func (s source) String() string {
	if s.lists.String() == s.through.String() {
		return s.lists.String()
	}
	return fmt.Sprintf("%s (through %s)", s.lists, s.through)
}

func add(found []source, s source) []source {
	if slices.ContainsFunc(found, func(f source) bool { return f.lists.String() == s.lists.String() }) {
		return found
	}
	return append(found, s)
}

// listings is the hint that names the tables of the file that list partitions.
func (r *reader) listings() string {
	var out []string
	for _, d := range r.drafts {
		if !d.usable() {
			continue
		}
		for _, e := range outputs(d.Node) {
			if e.Port.Partitions && len(out) < maxListed {
				out = append(out, e.String())
			}
		}
	}
	if out == nil {
		return "no stage of this file lists partitions"
	}
	return "partitions are listed by: " + strings.Join(out, ", ")
}
