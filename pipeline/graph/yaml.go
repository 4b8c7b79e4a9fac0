package graph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on a pipeline file. A real one has a few hundred values.
const (
	maxBytes = 1 << 20
	maxNodes = 100_000 // values after aliases are expanded
	maxDepth = 64
	maxKey   = 256 // bytes of a key
)

type kind int

const (
	scalar kind = iota
	list
	mapping
)

// node is a YAML value with its aliases and merge keys expanded. No two places
// of a tree share a node, so one can be replaced without changing another.
type node struct {
	kind    kind
	tag     string // of a scalar: "!!str", "!!int", "!!float", "!!bool" or "!!null"
	quoted  bool
	bad     bool // reported already: whoever meets it keeps quiet
	text    string
	pos     Pos
	items   []*node
	entries []*entry // in the order of the file, merged ones last
}

type entry struct {
	name  string
	pos   Pos // of the key
	value *node
}

func (n *node) isNull() bool { return n.kind == scalar && n.tag == "!!null" && !n.bad }

// empty: nothing was written, or {}.
func (n *node) empty() bool { return n.isNull() || n.kind == mapping && len(n.entries) == 0 }

func (n *node) get(name string) *entry {
	for _, e := range n.entries {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (n *node) names() []string {
	out := make([]string, len(n.entries))
	for i, e := range n.entries {
		out[i] = e.name
	}
	return out
}

// found says what a value is, for a message that expected another.
func (n *node) found() string {
	switch {
	case n.kind == mapping:
		return "a mapping"
	case n.kind == list:
		return "a list"
	case n.tag == "!!null":
		return "nothing"
	case n.tag == "!!int", n.tag == "!!float":
		return "the number " + clip(n.text)
	case n.tag == "!!bool":
		return n.text
	}
	return strconv.Quote(clip(n.text))
}

func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// parseTree reads one YAML document. It returns nil when there is no tree worth
// looking at further. at gives the position of a parsed value.
func parseTree(data []byte, c *collector, at func(line, column int) Pos) *node {
	if len(data) > maxBytes {
		c.add(ClassBound, at(1, 1), "", "", "larger than %d bytes", maxBytes)
		return nil
	}
	docs, err := documents(data)
	if err != nil {
		line, column, message := locate(data, err)
		c.add(ClassSyntax, at(line, column), "", "", "%s", message)
		return nil
	}
	if len(docs) == 0 {
		c.add(ClassSyntax, at(1, 1), "", "", "there is nothing here")
		return nil
	}
	if len(docs) > 1 {
		c.add(ClassSyntax, at(docs[1].Line, docs[1].Column), "", "", "a second document begins here; a pipeline is one document")
	}
	x := expander{collector: c, at: at, left: maxNodes, open: map[*yaml.Node]bool{}}
	root := x.node(docs[0].Content[0], 0)
	if x.left < 0 {
		return nil // half a tree would bring problems that are none
	}
	return root
}

// documents parses up to two documents; a second is already a mistake.
func documents(data []byte) (docs []*yaml.Node, err error) {
	// The parser promises no panic, and answers for bytes a stranger wrote.
	defer func() {
		if r := recover(); r != nil {
			docs, err = nil, fmt.Errorf("cannot be read as YAML: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < 2 {
		var doc yaml.Node
		switch err := dec.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return docs, nil
		case err != nil:
			return nil, err
		}
		if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
			docs = append(docs, &doc)
		}
	}
	return docs, nil
}

var (
	yamlPrefix    = regexp.MustCompile(`^yaml: (line \d+: )?`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// locate finds where a syntax error is. The parser names the line where the
// surrounding block began, or none, so the first line is searched that, as the
// last one, brings the same message.
func locate(data []byte, err error) (line, column int, message string) {
	message = yamlPrefix.ReplaceAllString(err.Error(), "")
	lines := bytes.SplitAfter(data, []byte("\n"))
	end := make([]int, len(lines))
	n := 0
	for i, l := range lines {
		n += len(l)
		end[i] = n
	}
	at := sort.Search(len(lines)-1, func(i int) bool {
		_, err := documents(data[:end[i]])
		return err != nil && yamlPrefix.ReplaceAllString(err.Error(), "") == message
	})
	for at > 0 && len(bytes.TrimSpace(lines[at])) == 0 {
		at-- // found at the end of the file: show the last line with something on it
	}
	text := strings.TrimRight(string(lines[at]), "\r\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		return at + 1, tab + 1, "a tab indents this line; YAML is indented with spaces"
	}
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		if i := strings.Index(text, "*"+m[1]); i >= 0 {
			return at + 1, len([]rune(text[:i])) + 1, "no value is named &" + clip(m[1])
		}
	}
	return at + 1, len(indent) + 1, message
}

// expander copies a parsed document into a tree of its own.
type expander struct {
	*collector
	at   func(line, column int) Pos
	left int                 // nodes that may still be made
	open map[*yaml.Node]bool // values being expanded: an alias to one has no end
	path []string
}

func (x *expander) pos(n *yaml.Node) Pos { return x.at(n.Line, n.Column) }

func (x *expander) where() string { return strings.TrimPrefix(strings.Join(x.path, ""), ".") }

// within runs f with a step added to the path.
func (x *expander) within(step string, f func()) {
	x.path = append(x.path, step)
	f()
	x.path = x.path[:len(x.path)-1]
}

// node never returns nil: what cannot be expanded is reported and stands as bad.
func (x *expander) node(n *yaml.Node, depth int) *node {
	out := &node{tag: "!!null", pos: x.pos(n)}
	out.bad = true
	if x.left < 0 {
		return out
	}
	if x.left--; x.left < 0 {
		x.add(ClassBound, out.pos, "", "", "more than %d values, aliases expanded", maxNodes)
		return out
	}
	if depth > maxDepth {
		x.add(ClassBound, out.pos, x.where(), "", "nested more than %d deep", maxDepth)
		return out
	}
	x.open[n] = true
	defer delete(x.open, n)
	switch n.Kind {
	case yaml.AliasNode:
		if x.open[n.Alias] {
			x.add(ClassBound, out.pos, x.where(), "", "*%s stands inside the value it names", clip(n.Value))
			return out
		}
		out = x.node(n.Alias, depth+1)
		out.pos = x.pos(n)
	case yaml.ScalarNode:
		out.bad = !x.scalar(n, out)
	case yaml.SequenceNode:
		out.kind = list
		out.bad = !x.tag(n, "!!seq")
		for i, item := range n.Content {
			x.within(fmt.Sprintf("[%d]", i), func() { out.items = append(out.items, x.node(item, depth+1)) })
		}
	case yaml.MappingNode:
		out.kind = mapping
		out.bad = !x.tag(n, "!!map")
		x.mapping(n, out, depth)
	}
	return out
}

func (x *expander) tag(n *yaml.Node, allowed ...string) bool {
	for _, tag := range allowed {
		if n.ShortTag() == tag {
			return true
		}
	}
	x.add(ClassSyntax, x.pos(n), x.where(), "", "the tag %s means nothing here", clip(n.Tag))
	return false
}

func (x *expander) scalar(n *yaml.Node, out *node) bool {
	if !x.tag(n, "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge") {
		return false
	}
	out.text = n.Value
	out.quoted = n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	switch out.tag = n.ShortTag(); out.tag {
	case "!!timestamp", "!!merge":
		out.tag = "!!str" // times are text to all settings; "<<" as a value is text
	}
	return true
}

func (x *expander) mapping(n *yaml.Node, out *node, depth int) {
	first := map[string]Pos{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		name, ok := x.key(k)
		if !ok {
			continue
		}
		if at, twice := first[name]; twice {
			x.within(step(name), func() {
				x.add(ClassDuplicate, x.pos(k), x.where(), "", "defined twice, first at %s", at)
			})
			continue
		}
		first[name] = x.pos(k)
		if k.ShortTag() == "!!merge" {
			merged = append(merged, v)
			continue
		}
		x.within(step(name), func() {
			out.entries = append(out.entries, &entry{name, x.pos(k), x.node(v, depth+1)})
		})
	}
	for _, m := range merged {
		x.merge(m, out, depth)
	}
}

// merge adds the entries of "<<" that the mapping does not have itself; of
// several merged mappings the first wins.
func (x *expander) merge(m *yaml.Node, out *node, depth int) {
	from := x.node(m, depth+1)
	sources := []*node{from}
	if from.kind == list {
		sources = from.items
	}
	for _, s := range sources {
		if s.bad {
			continue
		}
		if s.kind != mapping {
			x.add(ClassType, s.pos, x.where(), "", "<<: expected a mapping or a list of mappings, found %s", s.found())
			continue
		}
		have := map[string]bool{}
		for _, e := range out.entries {
			have[e.name] = true
		}
		for _, e := range s.entries {
			if !have[e.name] {
				out.entries = append(out.entries, e)
			}
		}
	}
}

func (x *expander) key(k *yaml.Node) (string, bool) {
	if k.Kind == yaml.AliasNode {
		k = k.Alias
	}
	switch {
	case k.Kind != yaml.ScalarNode || k.ShortTag() == "!!null":
		x.add(ClassSyntax, x.pos(k), x.where(), "", "a key must be text")
	case len(k.Value) > maxKey:
		x.add(ClassBound, x.pos(k), x.where(), "", "a key of more than %d bytes", maxKey)
	case x.tag(k, "!!str", "!!int", "!!float", "!!bool", "!!timestamp", "!!merge"):
		return k.Value, true
	}
	return "", false
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// step is one key as paths write it: ".name", or quoted where it is not a word.
func step(key string) string {
	if plainKey.MatchString(key) {
		return "." + key
	}
	return "." + strconv.Quote(key)
}

// join is the path of key under path.
func join(path, key string) string { return strings.TrimPrefix(path+step(key), ".") }
