package treesitter

// #include "walk.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// All, as a number of levels, keeps everything below a node.
const All = 255

// Keep says which nodes of a tree are kept. Build it once, then it is safe for
// concurrent use.
type Keep struct {
	grammar *Grammar
	levels  []uint8
	under   []uint16
	spots   *spots
}

// NewKeep returns a Keep that keeps nothing yet.
func NewKeep(g *Grammar) *Keep {
	return &Keep{grammar: g, levels: make([]uint8, len(g.kinds)), under: make([]uint16, len(g.kinds))}
}

// Add keeps nodes of a named kind with the given number of levels downwards (1:
// the node alone). It reports whether the grammar has the kind.
func (k *Keep) Add(kind string, levels int) bool {
	for _, id := range k.grammar.named[kind] {
		k.add(id, levels, nil)
	}
	return len(k.grammar.named[kind]) > 0
}

// AddUnder is [Keep.Add] for nodes whose parent is of the given kind. Nodes
// under other parents are kept too where the kind was asked for before.
func (k *Keep) AddUnder(parent, kind string, levels int) bool {
	parents := k.grammar.named[parent]
	for _, id := range k.grammar.named[kind] {
		k.add(id, levels, parents)
	}
	return len(parents) > 0 && len(k.grammar.named[kind]) > 0
}

func (k *Keep) add(id uint16, levels int, parents []uint16) {
	before := k.levels[id]
	k.levels[id] = uint8(max(int(before), min(levels, All)))
	if len(parents) != 1 || before > 0 && k.under[id] != parents[0] {
		k.under[id] = 0
	} else {
		k.under[id] = parents[0]
	}
}

// Only promises that everything above a node to keep, up to the children of the
// root, contains one of the given texts, so that subtrees without any need no
// visit: most of a file is expressions that hold neither functions nor comments.
// The node itself needs no text, since a visit to its parent shows all children.
// Starts are texts that count only where a statement may begin: after a line
// break, ';', ':' or '{' and blanks, or after anything but printable ASCII.
func (k *Keep) Only(texts, starts []string) { k.spots = newSpots(texts, starts) }

// Unpruned is the same Keep without the promise of [Keep.Only], to test it.
func (k *Keep) Unpruned() *Keep {
	u := *k
	u.spots = nil
	return &u
}

func (k *Keep) c(src []byte, limits Limits, pinner *runtime.Pinner) C.bm_keep {
	out := C.bm_keep{max_nodes: C.uint32_t(limits.MaxNodes)}
	if k == nil {
		return out
	}
	pinner.Pin(&k.levels[0])
	pinner.Pin(&k.under[0])
	out.levels = (*C.uint8_t)(unsafe.Pointer(&k.levels[0]))
	out.under = (*C.uint16_t)(unsafe.Pointer(&k.under[0]))
	if k.spots == nil {
		return out
	}
	out.use_spots = true
	if found := k.spots.find(src); len(found) > 0 {
		pinner.Pin(&found[0])
		out.spots = (*C.uint32_t)(unsafe.Pointer(&found[0]))
		out.spot_count = C.uint32_t(len(found))
	}
	return out
}

// spots finds where any of a few short texts occurs.
type spots struct {
	first         [256]bool     // begins a text
	texts, starts [256][]string // by first byte
}

func newSpots(texts, starts []string) *spots {
	s := &spots{}
	for _, t := range texts {
		s.first[t[0]] = true
		s.texts[t[0]] = append(s.texts[t[0]], t)
	}
	for _, t := range starts {
		s.first[t[0]] = true
		s.starts[t[0]] = append(s.starts[t[0]], t)
	}
	return s
}

// find returns the offsets in ascending order.
func (s *spots) find(src []byte) []uint32 {
	found := make([]uint32, 0, len(src)/64+1)
	for i, b := range src {
		if !s.first[b] {
			continue
		}
		if hasAny(src[i:], s.texts[b]) || hasAny(src[i:], s.starts[b]) && beginsStatement(src[:i]) {
			found = append(found, uint32(i))
		}
	}
	return found
}

func hasAny(src []byte, texts []string) bool {
	for _, t := range texts {
		if len(src) >= len(t) && string(src[:len(t)]) == t {
			return true
		}
	}
	return false
}

func beginsStatement(before []byte) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch b := before[i]; b {
		case ' ', '\t', '\f', '\\':
		case ';', ':', '{':
			return true
		default:
			return b < ' ' || b > '~' // a byte order mark, a space of another kind
		}
	}
	return true
}
