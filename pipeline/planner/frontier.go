package planner

import (
	"fmt"
	"slices"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/graph"
)

// State of one partition of one node.
type State int

const (
	Waiting State = iota // an input is not known yet
	Ready                // all inputs are known
	Done
	Failed  // quarantined
	Skipped // something it needs failed
)

// Cell is one partition of one node.
type Cell struct {
	Node      *graph.Node
	Partition string
	State     State
	Task      *Task        // once Ready
	Entry     *cache.Entry // once Done
	Err       error        // once Failed, or the root cause when Skipped
	Redo      bool         // its outputs were found damaged: the cache must not answer
	Depth     int          // place of the node in the graph; larger is further downstream

	row any
}

// Row is the partition's own row of the table that lists partitions, or nil.
func (c *Cell) Row() any { return c.row }

// Label names the cell for people.
func (c *Cell) Label() string { return Label(c.Node.Name, c.Partition) }

// Rows reads a table that lists partitions: its rows, with the digest of each.
type Rows func(t artifacts.TableInfo, s *pipeline.Schema) ([]Row, error)

// Row is one row of a table that lists partitions.
type Row struct {
	Value  any // a value of the schema's row type
	Digest digest.Digest
}

// Frontier is the state of every cell of a graph. It is used by one goroutine.
type Frontier struct {
	graph *graph.Graph
	rows  Rows
	limit int

	nodes    map[*graph.Node]*nodeState
	listings map[listing]map[string]Row
	owned    map[listing]map[string][]Row  // rows by the partition they belong to
	users    map[*graph.Node][]*graph.Node // direct dependents, in graph order
	ready    []*Cell
}

type nodeState struct {
	template *Template
	depth    int
	known    bool // partitions are known
	cells    map[string]*Cell
	order    []string
	open     int // cells neither done, failed nor skipped
}

type listing struct {
	node *graph.Node
	port string
}

// NewFrontier starts a walk over the wanted nodes, which must be closed under
// dependencies. A limit above 0 takes that many partitions of each listing.
func NewFrontier(g *graph.Graph, wanted []*graph.Node, facts Facts, rows Rows, limit int) (*Frontier, error) {
	f := &Frontier{graph: g, rows: rows, limit: limit, nodes: map[*graph.Node]*nodeState{},
		listings: map[listing]map[string]Row{}, owned: map[listing]map[string][]Row{}, users: map[*graph.Node][]*graph.Node{}}
	for _, n := range wanted {
		t, err := NewTemplate(g, n, facts)
		if err != nil {
			return nil, err
		}
		f.nodes[n] = &nodeState{template: t, depth: slices.Index(g.Nodes, n), cells: map[string]*Cell{}}
		for _, e := range n.In {
			if !slices.Contains(f.users[e.Node], n) {
				f.users[e.Node] = append(f.users[e.Node], n)
			}
		}
	}
	for _, n := range wanted {
		if n.Stage.Scope == pipeline.Whole {
			f.addCell(n, "", nil)
			f.nodes[n].known = true
		}
	}
	for _, n := range wanted {
		f.tryAll(n)
	}
	return f, nil
}

func (f *Frontier) addCell(n *graph.Node, partition string, row any) {
	s := f.nodes[n]
	s.cells[partition] = &Cell{Node: n, Partition: partition, Depth: s.depth, row: row}
	s.order = append(s.order, partition)
	s.open++
}

// TakeReady returns the cells that became ready since the last call.
func (f *Frontier) TakeReady() []*Cell {
	out := f.ready
	f.ready = nil
	return out
}

// Cells lists the cells of a node in partition order, and whether all of its
// partitions are known.
func (f *Frontier) Cells(n *graph.Node) (cells []*Cell, known bool) {
	s := f.nodes[n]
	for _, p := range s.order {
		cells = append(cells, s.cells[p])
	}
	return cells, s.known
}

// Nodes lists the wanted nodes in graph order.
func (f *Frontier) Nodes() []*graph.Node {
	var out []*graph.Node
	for _, n := range f.graph.Nodes {
		if f.nodes[n] != nil {
			out = append(out, n)
		}
	}
	return out
}

// Complete marks a ready cell done. An error means that the table it made cannot
// list partitions; the cell is then as ready as before.
func (f *Frontier) Complete(c *Cell, e *cache.Entry) error {
	for _, p := range c.Node.Stage.Out {
		if p.Partitions && f.listings[listing{c.Node, p.Name}] == nil {
			if err := f.list(c.Node, p, e.Outputs[p.Name]); err != nil {
				return err
			}
		}
		if p.ByPartition {
			rows, err := f.rows(e.Outputs[p.Name], p.Schema)
			if err != nil {
				return err
			}
			own := map[string][]Row{}
			for _, r := range rows {
				key := r.Value.(pipeline.Partitioned).PartitionKey()
				own[key] = append(own[key], r)
			}
			f.owned[listing{c.Node, p.Name}] = own
		}
	}
	c.State, c.Entry, c.Redo = Done, e, false
	f.settle(c)
	return nil
}

// list reads the partitions that a table names and makes the cells of every
// node partitioned by it.
func (f *Frontier) list(by *graph.Node, port pipeline.Port, table artifacts.TableInfo) error {
	rows, err := f.rows(table, port.Schema)
	if err != nil {
		return err
	}
	byKey := map[string]Row{}
	var keys []string
	for _, r := range rows {
		key := r.Value.(pipeline.Partitioned).PartitionKey()
		if _, twice := byKey[key]; twice || key == "" {
			return fmt.Errorf("table %s.%s names partition %q twice or not at all", by.Name, port.Name, key)
		}
		byKey[key] = r
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if f.limit > 0 && len(keys) > f.limit {
		keys = keys[:f.limit]
	}
	f.listings[listing{by, port.Name}] = byKey
	for _, n := range f.Nodes() {
		if e := n.PartitionedBy; e != nil && e.Node == by && e.Port.Name == port.Name {
			for _, key := range keys {
				f.addCell(n, key, byKey[key].Value)
			}
			f.nodes[n].known = true
			if len(keys) == 0 {
				f.wakeUsers(n)
			}
		}
	}
	return nil
}

// wakeUsers looks again at the users of a node that turned out to have no
// partitions, or will never know them.
func (f *Frontier) wakeUsers(n *graph.Node) {
	for _, user := range f.users[n] {
		f.tryAll(user)
	}
}

// Fail quarantines a cell and skips what needs it.
func (f *Frontier) Fail(c *Cell, err error) {
	c.State, c.Err = Failed, err
	f.settle(c)
	for _, n := range f.Nodes() {
		if by := n.PartitionedBy; by != nil && by.Node == c.Node && !f.nodes[n].known {
			f.wakeUsers(n)
		}
	}
}

// settle looks again at what waits for a cell. A user of the whole table waits
// for the last of its partitions.
func (f *Frontier) settle(c *Cell) {
	from := f.nodes[c.Node]
	from.open--
	for _, user := range f.users[c.Node] {
		switch {
		case c.Node.Stage.Scope == pipeline.PerPartition && user.Stage.Scope == pipeline.PerPartition:
			f.try(f.nodes[user].cells[c.Partition])
		case from.open == 0:
			f.tryAll(user)
		}
	}
}

// Redo puts a cell whose outputs were lost or damaged back to work. The cache
// must not answer for it.
func (f *Frontier) Redo(c *Cell) {
	if c.State == Done {
		f.nodes[c.Node].open++
	}
	c.State, c.Redo = Ready, true
	f.ready = append(f.ready, c)
}

// Retry puts a ready cell that missed an input back to waiting. It is ready
// again at once when all its inputs are there, with a task that names them as
// they are now.
func (f *Frontier) Retry(c *Cell) {
	c.State = Waiting
	f.try(c)
}

func (f *Frontier) tryAll(n *graph.Node) {
	s := f.nodes[n]
	for _, p := range s.order {
		f.try(s.cells[p])
	}
}

// try makes a waiting cell ready, or skips it, when all it needs is settled.
func (f *Frontier) try(c *Cell) {
	if c.State != Waiting {
		return
	}
	var inputs []Input
	for _, port := range c.Node.Stage.In {
		e, ok := c.Node.In[port.Name]
		if !ok {
			continue
		}
		parts, cause, known := f.parts(c, e)
		if cause != nil {
			c.State, c.Err = Skipped, cause
			f.settle(c)
			return
		}
		if !known {
			return
		}
		inputs = append(inputs, Input{Port: port.Name, Schema: e.Port.Schema.String(), Parts: parts})
	}
	c.Task = f.nodes[c.Node].template.Task(c.Partition, c.row, inputs)
	c.State = Ready
	f.ready = append(f.ready, c)
}

// parts gathers what a cell reads through an edge. cause is the error of what
// it cannot do without.
func (f *Frontier) parts(c *Cell, e graph.Edge) (parts []Part, cause error, known bool) {
	from := f.nodes[e.Node]
	if e.Node.Stage.Scope == pipeline.PerPartition && c.Node.Stage.Scope == pipeline.Whole {
		if !from.known {
			return nil, f.blocked(e.Node), false
		}
		for _, p := range from.order {
			switch cell := from.cells[p]; cell.State {
			case Done:
				parts = append(parts, part(p, cell.Entry.Outputs[e.Port.Name]))
			case Waiting, Ready:
				return nil, nil, false
			}
		}
		return parts, nil, true
	}
	partition := ""
	if e.Node.Stage.Scope == pipeline.PerPartition {
		partition = c.Partition
	}
	cell := from.cells[partition]
	if cell == nil || cell.State == Waiting || cell.State == Ready {
		return nil, nil, false
	}
	if cell.State != Done {
		return nil, cell.Err, false
	}
	out := part(partition, cell.Entry.Outputs[e.Port.Name])
	if c.Node.Stage.Scope == pipeline.PerPartition {
		at := listing{e.Node, e.Port.Name}
		switch {
		case e.Port.Partitions:
			out.own(c.Partition, 1, f.listings[at][c.Partition].Digest)
		case e.Port.ByPartition:
			rows := f.owned[at][c.Partition]
			out.own(c.Partition, len(rows), digestOf(rows))
		}
	}
	return []Part{out}, nil, true
}

// own makes a part of a table the rows of one partition.
func (p *Part) own(partition string, rows int, d digest.Digest) {
	p.Row, p.Partition, p.Rows, p.Bytes, p.RowsDigest = partition, partition, int64(rows), 0, d
}

func digestOf(rows []Row) digest.Digest {
	e := digest.New("benchmill/rows/1")
	e.List(len(rows))
	for _, r := range rows {
		e.String(string(r.Digest))
	}
	return e.Sum()
}

// blocked is why the partitions of a node will never be known, or nil.
func (f *Frontier) blocked(n *graph.Node) error {
	if by := n.PartitionedBy; by != nil {
		if cell := f.nodes[by.Node].cells[""]; cell != nil && (cell.State == Failed || cell.State == Skipped) {
			return cell.Err
		}
	}
	return nil
}

func part(partition string, t artifacts.TableInfo) Part {
	return Part{Partition: partition, Object: t.Object, Rows: t.Rows, RowsDigest: t.RowsDigest, Bytes: t.Bytes}
}
