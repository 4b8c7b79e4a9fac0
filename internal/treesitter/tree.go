package treesitter

// NoNode is the index of no node.
const NoNode = int32(-1)

// Node is one node of a flat [Tree]. Positions are 0-based; ends are exclusive;
// columns and offsets count bytes.
type Node struct {
	Kind, Field        uint16
	flags              uint32
	Start, End         uint32
	StartRow, StartCol uint32
	EndRow, EndCol     uint32
	Parent             int32 // nearest kept ancestor, or NoNode
	Next               int32 // index after the last node inside this one
}

const (
	flagNamed = 1 << iota
	flagMissing
	flagExtra

	shiftParentKind = 16
)

// Named reports whether the node has a name of its own in the grammar, unlike
// punctuation and keywords.
func (n *Node) Named() bool { return n.flags&flagNamed != 0 }

// parentKind is the kind of the parent in the whole tree, kept or not.
func (n *Node) parentKind() uint16 { return uint16(n.flags >> shiftParentKind) }

// Missing reports a node that the parser made up to go on.
func (n *Node) Missing() bool { return n.flags&flagMissing != 0 }

// Tree is a parsed file as plain data: the kept nodes in preorder. It holds no
// C memory and is safe for concurrent reading.
type Tree struct {
	Grammar *Grammar
	Source  []byte
	Nodes   []Node
	// ErrorBytes is how many bytes of Source lie inside ERROR nodes.
	ErrorBytes uint32
}

// ErrorShare is the share of bytes inside ERROR nodes, 0 to 1. Grammars lag
// behind languages, so files are judged by this and not by a single error.
func (t *Tree) ErrorShare() float64 {
	if len(t.Source) == 0 {
		return 0
	}
	return float64(t.ErrorBytes) / float64(len(t.Source))
}

// Text is the source of node i.
func (t *Tree) Text(i int32) string { return string(t.Source[t.Nodes[i].Start:t.Nodes[i].End]) }

// Kind is the kind of node i by name.
func (t *Tree) Kind(i int32) string { return t.Grammar.KindName(t.Nodes[i].Kind) }

// Children iterates over the kept children of node i in source order.
func (t *Tree) Children(i int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := i + 1; c < t.Nodes[i].Next; c = t.Nodes[c].Next {
			if !yield(c) {
				return
			}
		}
	}
}

// Roots iterates over the kept nodes without a kept ancestor.
func (t *Tree) Roots() func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := int32(0); c < int32(len(t.Nodes)); c = t.Nodes[c].Next {
			if !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child of node i in the named field, or NoNode.
func (t *Tree) Child(i int32, field string) int32 {
	id := t.Grammar.field(field)
	for c := range t.Children(i) {
		if id != 0 && t.Nodes[c].Field == id {
			return c
		}
	}
	return NoNode
}

// Inside iterates over all kept descendants of node i in preorder.
func (t *Tree) Inside(i int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := i + 1; c < t.Nodes[i].Next; c++ {
			if !yield(c) {
				return
			}
		}
	}
}
