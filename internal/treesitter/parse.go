// Package treesitter owns every tree-sitter handle, every Close and every time
// limit of the program. A file goes in as bytes and comes out as a [Tree]:
// plain data, from one call into C that walks the whole syntax tree and keeps
// the nodes a [Query] asks for.
//
// What it works around in the library: a parser that ran into its limit returns
// a wrong tree next time unless reset; a cancellable context makes later parses
// fail at random; trees that are not closed by hand pile up.
package treesitter

// The functions of walk.c that call tree-sitter are resolved when the program
// is linked; cgo's own trial link of this package alone must let them pass.

// #cgo CFLAGS: -O2 -std=c11
// #cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-all
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include <stdlib.h>
// #include "walk.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Limits bound one parse.
type Limits struct {
	MaxBytes int           // larger files are not parsed
	MaxNodes int           // kept nodes
	Timeout  time.Duration // of the parse itself
}

// DefaultLimits are generous for code that people wrote. The timeout is a guard
// against inputs that blow up the parser, far above what any file of MaxBytes
// needs, since a verdict that depends on the machine must be rare.
var DefaultLimits = Limits{MaxBytes: 8 << 20, MaxNodes: 20_000_000, Timeout: 60 * time.Second}

// Errors of Parse; test with errors.Is.
var (
	ErrTooLarge = errors.New("file is too large to parse")
	ErrTimeout  = errors.New("parsing took too long")
	ErrTooMany  = errors.New("syntax tree has too many nodes")
	ErrCostly   = errors.New("text is too costly to parse") // see [Grammar.Costly]
)

// The layouts that Go and C share have the same size, or this does not compile.
// Only a test can look at the library's cursor.
const cursorSize = C.sizeof_TSTreeCursor

var (
	_ [C.sizeof_bm_node]byte = [unsafe.Sizeof(Node{})]byte{}
	_ [C.sizeof_TSNode]byte  = [unsafe.Sizeof(sitter.Node{}) - unsafe.Sizeof(uintptr(0))]byte{}
)

// A worker is a parser with its result buffer, used by one goroutine at a time.
type worker struct {
	parser *sitter.Parser
	walk   *C.bm_walk
}

func newWorker(g *Grammar) *worker {
	w := &worker{parser: sitter.NewParser(), walk: (*C.bm_walk)(C.calloc(1, C.sizeof_bm_walk))}
	w.parser.SetLanguage(g.language)
	return w
}

func (w *worker) close() {
	w.parser.Close()
	C.bm_walk_free(w.walk)
}

// idle keeps a few workers per grammar. A sync.Pool would drop them without
// closing.
type idle struct {
	mu      sync.Mutex
	workers []*worker
}

const maxIdle = 16

func (p *idle) get(g *Grammar) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.workers); n > 0 {
		w := p.workers[n-1]
		p.workers = p.workers[:n-1]
		return w
	}
	return newWorker(g)
}

func (p *idle) put(w *worker) {
	const maxKept = 1 << 20 // nodes; one huge file must not hold memory for ever
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.workers) >= maxIdle || w.walk.capacity > maxKept {
		w.close()
		return
	}
	p.workers = append(p.workers, w)
}

// MustParse parses a text that is part of the program, with every node of its
// tree. It panics where that fails.
func MustParse(src []byte, g *Grammar) *Tree {
	t, err := Parse(src, g, nil, DefaultLimits)
	if err != nil || t.ErrorBytes > 0 {
		panic(fmt.Sprintf("a text of the program in %s does not parse: %v", g.Name, err))
	}
	return t
}

// Parse parses src and keeps the nodes that keep asks for; a nil keep keeps all.
// A file with syntax errors still gives a tree, see [Tree.ErrorShare].
// The tree refers to src, which must not change.
func Parse(src []byte, g *Grammar, keep *Keep, limits Limits) (*Tree, error) {
	if len(src) > limits.MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, limit %d", ErrTooLarge, len(src), limits.MaxBytes)
	}
	if g.Costly != nil && g.Costly(src) {
		return nil, ErrCostly
	}
	w := g.idle.get(g)
	defer g.idle.put(w)
	w.parser.SetOperationLimit(int(limits.Timeout.Microseconds()))
	parsed, err := w.parser.ParseCtx(context.Background(), nil, src)
	if err != nil {
		w.parser.Reset()
		if errors.Is(err, sitter.ErrOperationLimit) {
			return nil, fmt.Errorf("%w: limit %s", ErrTimeout, limits.Timeout)
		}
		return nil, err
	}
	defer parsed.Close()
	root := parsed.RootNode()
	// sitter.Node starts with the TSNode it wraps; the layout test guards it.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	C.bm_tree_walk(*(*C.TSNode)(unsafe.Pointer(root)), keep.c(src, limits, &pinner), w.walk)
	switch w.walk.failed {
	case 1:
		return nil, fmt.Errorf("%w: limit %d", ErrTooMany, limits.MaxNodes)
	case 2:
		return nil, errors.New("out of memory while walking a syntax tree")
	}
	runtime.KeepAlive(parsed)
	t := &Tree{Grammar: g, Source: src, ErrorBytes: uint32(w.walk.error_bytes)}
	if n := int(w.walk.count); n > 0 {
		t.Nodes = append([]Node(nil), unsafe.Slice((*Node)(unsafe.Pointer(w.walk.nodes)), n)...)
	}
	return t, nil
}

// ParseOnly parses src and throws the tree away: the cost every analysis has in
// common, for benchmarks to compare with.
func ParseOnly(src []byte, g *Grammar) error {
	w := g.idle.get(g)
	defer g.idle.put(w)
	w.parser.SetOperationLimit(0)
	t, err := w.parser.ParseCtx(context.Background(), nil, src)
	if err != nil {
		w.parser.Reset()
		return err
	}
	t.Close()
	return nil
}
