package treesitter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// Query is a set of patterns in tree-sitter's query language, compiled twice:
// by the library, which checks kinds and fields against the grammar, and into
// a matcher over flat trees, which also knows which nodes to [Keep].
//
// The matcher supports what queries here need: node patterns, `(_)`, fields,
// captures, alternations, the anchor `.` before a node, and the predicates #eq?,
// #not-eq?, #match? and #any-of? of a capture and texts, which hold for a whole
// pattern. Everything else is an error when compiled. Literal tokens cannot be
// patterns, since only named nodes are kept.
type Query struct {
	Keep     *Keep
	patterns [][]*pattern // by root kind
}

// Capture is a node with the name a pattern gave it, without the "@".
type Capture struct {
	Name string
	Node int32
}

// Match is one way a pattern fits, captures in the order of the pattern.
type Match []Capture

// Get returns the first node captured under a name.
func (m Match) Get(name string) (int32, bool) {
	for _, c := range m {
		if c.Name == name {
			return c.Node, true
		}
	}
	return NoNode, false
}

type pattern struct {
	any      bool
	kinds    []uint16
	under    []uint16 // parent kinds, one of which a root must have; nil: any
	field    uint16
	anchored bool // comes right after its previous sibling pattern, or first, among named nodes
	children []*pattern
	captures []string
	tests    []test
}

type test struct {
	capture string
	ok      func(text string) bool
}

// NewQuery compiles source for a grammar. A capture whose name starts with
// "import" or "reference" keeps all nodes below it for languages to look at.
// Errors name the line.
func NewQuery(g *Grammar, source string) (*Query, error) {
	p := &queryParser{grammar: g, rest: source}
	roots, err := p.parse()
	if err != nil {
		return nil, fmt.Errorf("query for %s, line %d: %w", g.Name, p.line(source), err)
	}
	checked, err := sitter.NewQuery([]byte(source), g.language)
	if err != nil {
		return nil, fmt.Errorf("query for %s: %w", g.Name, err)
	}
	checked.Close()
	q := &Query{Keep: NewKeep(g), patterns: make([][]*pattern, len(g.kinds))}
	for _, root := range roots {
		q.add(root)
	}
	return q, nil
}

func (q *Query) add(root *pattern) {
	// A bare child under a parent nobody captures needs no parent kept.
	if len(root.captures) == 0 && len(root.children) == 1 {
		if c := root.children[0]; len(c.children) == 0 && c.field == 0 && !c.anchored && !c.any {
			c.under, c.tests = root.kinds, root.tests
			root = c
		}
	}
	for _, id := range root.kinds {
		q.Keep.add(id, root.levels(), root.under)
		q.patterns[id] = append(q.patterns[id], root)
	}
}

func (p *pattern) levels() int {
	for _, c := range p.captures {
		if strings.HasPrefix(c, "import") || strings.HasPrefix(c, "reference") {
			return All
		}
	}
	deepest := 0
	for _, c := range p.children {
		deepest = max(deepest, c.levels())
	}
	return min(deepest+1, All)
}

// Matches calls yield for every match, in the order of the nodes the patterns
// start at. The Match is valid only during the call.
func (q *Query) Matches(t *Tree, yield func(Match)) {
	var m matcher
	for i := range t.Nodes {
		kind := int(t.Nodes[i].Kind)
		if kind >= len(q.patterns) {
			continue // an ERROR node
		}
		for _, p := range q.patterns[kind] {
			m.run(t, p, int32(i), yield)
		}
	}
}

type matcher struct {
	tree  *Tree
	found Match
}

func (m *matcher) run(t *Tree, p *pattern, at int32, yield func(Match)) {
	if p.under != nil && !slices.Contains(p.under, t.Nodes[at].parentKind()) {
		return
	}
	m.tree, m.found = t, m.found[:0]
	m.node(p, at, func() {
		for _, test := range p.tests {
			for _, c := range m.found {
				if c.Name == test.capture && !test.ok(t.Text(c.Node)) {
					return
				}
			}
		}
		yield(m.found)
	})
}

func (m *matcher) node(p *pattern, at int32, done func()) {
	n := &m.tree.Nodes[at]
	if !p.fits(n) {
		return
	}
	mark := len(m.found)
	for _, c := range p.captures {
		m.found = append(m.found, Capture{c, at})
	}
	m.children(p, 0, at+1, n.Next, done)
	m.found = m.found[:mark]
}

func (p *pattern) fits(n *Node) bool {
	if p.field != 0 && p.field != n.Field {
		return false
	}
	return p.any && n.Named() && n.Kind != kindError || slices.Contains(p.kinds, n.Kind)
}

// children matches the child patterns from i on against the siblings from at on.
func (m *matcher) children(p *pattern, i int, at, end int32, done func()) {
	if i == len(p.children) {
		done()
		return
	}
	c := p.children[i]
	// Where it matters not which node fits, the first one is as good as any.
	silent := c.silent()
	first := silent && (i+1 == len(p.children) || !p.children[i+1].anchored)
	for ; at < end; at = m.tree.Nodes[at].Next {
		n := &m.tree.Nodes[at]
		if !n.Named() {
			continue
		}
		fit := false
		m.node(c, at, func() {
			if !fit || !silent {
				fit = true
				m.children(p, i+1, n.Next, end, done)
			}
		})
		if c.anchored || fit && first {
			return
		}
	}
}

// silent reports whether nothing at or below the pattern is captured.
func (p *pattern) silent() bool {
	return len(p.captures) == 0 && !slices.ContainsFunc(p.children, func(c *pattern) bool { return !c.silent() })
}

func predicate(name string, values []string) (func(string) bool, error) {
	if name != "#any-of?" && len(values) != 1 {
		return nil, fmt.Errorf("predicate %s with %d values", name, len(values))
	}
	switch name {
	case "#eq?":
		return func(s string) bool { return s == values[0] }, nil
	case "#not-eq?":
		return func(s string) bool { return s != values[0] }, nil
	case "#any-of?":
		return func(s string) bool { return slices.Contains(values, s) }, nil
	case "#match?":
		re, err := regexp.Compile(values[0])
		if err != nil {
			return nil, err
		}
		return re.MatchString, nil
	}
	return nil, fmt.Errorf("predicate %s is not supported", name)
}
