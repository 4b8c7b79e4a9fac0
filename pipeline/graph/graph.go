package graph

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchmill/pipeline"
)

// FormatVersion is the version of pipeline.yaml this program reads.
const FormatVersion = 1

// DefaultFailureBudget is the share of a stage's partitions that may fail
// before the run does, where the file names none.
const DefaultFailureBudget = 0.5

// Graph is a checked pipeline. It is not changed after it was made.
type Graph struct {
	File string // as it was given
	Dir  string // where relative file names are looked up

	Version int
	Name    string
	Seed    int64
	// Nodes come after everything they read; ties in the order of the file.
	Nodes      []*Node
	Models     map[string]*Model
	Tokenizers map[string]*TokenizerDef
	// Sources holds what [Kinds.Sources] returned, filled in, for every name there
	// is, also those the file leaves out.
	Sources map[string]any
	// Ledgers are read-only ledgers shipped with the pipeline, files or folders.
	Ledgers []pipeline.FileName
	// Mirrors are in the order of the file.
	Mirrors []Mirror
	// FailureBudget is the share, 0 to 1, of a stage's partitions that may be
	// quarantined before the run fails.
	FailureBudget float64
	// AsOf is a time in RFC 3339 or a date, or "" to leave it to the lock.
	AsOf string
	// Releases are in the order of the file.
	Releases []*Release
}

// Model is one entry of models.
type Model struct {
	Name     string
	Settings any                // what [Kinds.Model] returned, filled in
	Spec     pipeline.ModelSpec // the part of Settings that decides answers
	Pos      Pos
}

// TokenizerDef is one entry of tokenizers.
type TokenizerDef struct {
	Name     string
	Settings any // what [Kinds.Tokenizer] returned, filled in
	Pos      Pos
}

// Mirror says where to fetch what a locator with Prefix names: Prefix is
// replaced by Replacement. Identities keep the original locator.
type Mirror struct{ Prefix, Replacement string }

// Node is one stage of the pipeline under the name the file gives it.
type Node struct {
	Name   string
	Stage  *pipeline.Stage
	Config any // what NewConfig returned, filled in; nil for a stage without settings
	Pos    Pos // of the name

	// In has the table each input port reads; optional ports may be absent.
	In map[string]Edge
	// PartitionedBy is the table whose rows are this node's partitions, always a
	// port with Partitions set; nil for a whole-table node.
	PartitionedBy *Edge

	at   map[string]Pos
	path string // of the settings
}

// Edge is a table: an output of a node.
type Edge struct {
	Node *Node
	Port pipeline.Port
}

// String is "node.port", the full name of the table.
func (e Edge) String() string { return e.Node.Name + "." + e.Port.Name }

// Release is a table to publish as a dataset.
type Release struct {
	Name        string
	Table       Edge
	Split       string
	ConfigsBy   string // a text column: one config for each of its values; "": one config, "default"
	Title       string
	Description string
	Licence     string
	Tags        []string
	Also        []*pipeline.Adapter // what else the rows are written as
	Pos         Pos
}

// Reading is how much of a table one task of a node reads.
type Reading int

const (
	// ReadWhole: all rows.
	ReadWhole Reading = iota
	// ReadPartition: the rows of the task's own partition.
	ReadPartition
	// ReadRow: the one row that is the task's partition.
	ReadRow
	// ReadOwnRows: the rows of a whole table that belong to the task's partition.
	ReadOwnRows
)

func (r Reading) String() string {
	return [...]string{"whole table", "own partition", "own row", "own rows"}[r]
}

// Reading says how much of the table at an input port one task reads. The port
// must be in n.In.
func (n *Node) Reading(port string) Reading {
	edge := n.In[port]
	switch {
	case n.PartitionedBy == nil:
		return ReadWhole
	case edge.Node.PartitionedBy != nil:
		return ReadPartition
	case edge.Port.Partitions:
		return ReadRow
	case edge.Port.ByPartition:
		return ReadOwnRows
	}
	return ReadWhole
}

// Upstream lists the nodes n reads, each once, in the order of its input ports.
func (n *Node) Upstream() []*Node {
	var out []*Node
	for _, p := range n.Stage.In {
		if e, ok := n.In[p.Name]; ok && !slices.Contains(out, e.Node) {
			out = append(out, e.Node)
		}
	}
	return out
}

// At is where a setting was written, by its path within the settings
// ("chunks", "filters[0].name"), for errors found later than here. A setting
// left to its default is at the settings, or at the node when it has none.
func (n *Node) At(path string) Pos {
	if path != "" {
		if !strings.HasPrefix(path, "[") {
			path = "." + path
		}
		if p, ok := n.at[n.path+path]; ok {
			return p
		}
	}
	if p, ok := n.at[n.path]; ok {
		return p
	}
	return n.Pos
}

// Node returns the node of a name.
func (g *Graph) Node(name string) (*Node, bool) {
	for _, n := range g.Nodes {
		if n.Name == name {
			return n, true
		}
	}
	return nil, false
}

// Table finds a table by "node.port", or by "node" when the node makes one
// table only. The error names the nearest table.
func (g *Graph) Table(name string) (Edge, error) {
	nodeName, portName, dotted := strings.Cut(name, ".")
	n, ok := g.Node(nodeName)
	if !ok {
		return Edge{}, fmt.Errorf("no table is called %q%s", name, suffix(hint(nodeName, g.names())))
	}
	tables := outputs(n)
	if !dotted {
		if len(tables) > 1 {
			return Edge{}, fmt.Errorf("%q makes %d tables: %s", name, len(tables), joinEdges(tables, ", "))
		}
		return tables[0], nil
	}
	for _, e := range tables {
		if e.Port.Name == portName {
			return e, nil
		}
	}
	return Edge{}, fmt.Errorf("%q makes no table %q%s", nodeName, portName, suffix(hint(portName, portNames(n.Stage.Out))))
}

func (g *Graph) names() []string {
	out := make([]string, len(g.Nodes))
	for i, n := range g.Nodes {
		out[i] = n.Name
	}
	return out
}

func suffix(hint string) string {
	if hint == "" {
		return ""
	}
	return "; " + hint
}

func outputs(n *Node) []Edge {
	out := make([]Edge, len(n.Stage.Out))
	for i, p := range n.Stage.Out {
		out[i] = Edge{n, p}
	}
	return out
}

func portNames(ports []pipeline.Port) []string {
	out := make([]string, len(ports))
	for i, p := range ports {
		out[i] = p.Name
	}
	return out
}

func joinEdges(edges []Edge, sep string) string {
	names := make([]string, len(edges))
	for i, e := range edges {
		names[i] = e.String()
	}
	return strings.Join(names, sep)
}

// Load reads the pipeline file at path; see [Parse].
func Load(path string, kinds Kinds, set []string) (*Graph, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read pipeline: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read pipeline %s: %w", path, err)
	}
	return Parse(path, data, kinds, set)
}

// Parse checks data as the pipeline file called name. Relative file names are
// looked up beside name. Each of set is "dotted.path=value": the value, parsed
// as YAML, takes the place of what the file says there; a key with dots in it is
// written in double quotes, a list item by its number.
//
// Mistakes in the file or in set come back as an [*Errors] that holds all of
// them. Any other error is a mistake in kinds.
func Parse(name string, data []byte, kinds Kinds, set []string) (*Graph, error) {
	if err := kinds.Validate(); err != nil {
		return nil, fmt.Errorf("pipeline kinds: %w", err)
	}
	c := &collector{file: name}
	root := parseTree(bytes.Clone(data), c, func(line, column int) Pos { return Pos{name, line, column} })
	if root == nil {
		return nil, c.err()
	}
	override(root, set, c)
	r := &reader{
		decoder: decoder{collector: c, at: map[string]Pos{}},
		kinds:   kinds,
		byName:  map[string]*draft{},
		g: &Graph{
			File: name, Dir: filepath.Dir(name), FailureBudget: DefaultFailureBudget,
			Models: map[string]*Model{}, Tokenizers: map[string]*TokenizerDef{},
			Sources: map[string]any{},
		},
	}
	r.document(root)
	if err := c.err(); err != nil {
		return nil, err
	}
	return r.g, nil
}
