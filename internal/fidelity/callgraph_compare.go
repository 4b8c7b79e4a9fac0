package main

import (
	"fmt"
	"io"
	"strings"

	"benchmill/schemas"
	"benchmill/stages/callgraph"
)

// tally counts what is in both of two sets, in ours alone and in theirs alone.
type tally struct{ both, ours, theirs int }

func (t *tally) add(ours, theirs map[string]bool) {
	for name := range ours {
		if theirs[name] {
			t.both++
		} else {
			t.ours++
		}
	}
	for name := range theirs {
		if !ours[name] {
			t.theirs++
		}
	}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func (t tally) precision() float64 { return share(t.both, t.both+t.ours) }
func (t tally) recall() float64    { return share(t.both, t.both+t.theirs) }
func (t tally) f1() float64        { return share(2*t.both, 2*t.both+t.ours+t.theirs) }

func (t tally) String() string {
	return fmt.Sprintf("%6d shared %6d ours alone %6d theirs alone   P %.4f R %.4f F1 %.4f", t.both, t.ours, t.theirs, t.precision(), t.recall(), t.f1())
}

// againstReleased is how our graph stands to the released one. Callees are compared
// by their last names, caller by caller. Recall has two figures: over the callees
// that are functions or fields, in our graph as it is; and over all, with the
// variables that calls through fields begin with, which only the graph in upstream's
// shape has, added to it.
type againstReleased struct {
	functions, exact int
	callees, found   int
	all, allFound    int
	upstream         tally
}

func (g releasedGraph) compare(own, upstream map[string]*callNode, below string) againstReleased {
	var out againstReleased
	for _, f := range g {
		if !strings.HasPrefix(f.path, below) {
			continue
		}
		out.functions++
		key := nodeKey(f.path, f.line, f.name)
		node := own[key]
		if node != nil && node.EndLine == f.last {
			out.exact++
		}
		names, shaped, theirs := map[string]bool{}, map[string]bool{}, map[string]bool{}
		if node != nil {
			names = calleeNames(node.calls, func(schemas.Call) bool { return true })
			shaped = calleeNames(upstream[key].calls, resolved)
		}
		for _, c := range f.callees {
			name := callgraph.LastName(c.name)
			theirs[name] = true
			out.all++
			if names[name] || shaped[name] {
				out.allFound++
			}
			if !c.pseudo || name != c.name {
				out.callees++
				if names[name] {
					out.found++
				}
			}
		}
		out.upstream.add(shaped, theirs)
	}
	return out
}

func resolved(c schemas.Call) bool { return c.Origin != schemas.OriginUnresolved }

func calleeNames(calls []schemas.Call, keep func(schemas.Call) bool) map[string]bool {
	out := map[string]bool{}
	for _, c := range calls {
		if keep(c) {
			out[callgraph.LastName(c.Callee)] = true
		}
	}
	return out
}

func (a againstReleased) print(w io.Writer) {
	fmt.Fprintf(w, "released functions with the same place and length   %6d of %6d   %.4f\n", a.exact, a.functions, share(a.exact, a.functions))
	fmt.Fprintf(w, "released edges, functions and fields                %6d of %6d   %.4f\n", a.found, a.callees, share(a.found, a.callees))
	fmt.Fprintf(w, "released edges, variables that hold pointers too    %6d of %6d   %.4f\n", a.allFound, a.all, share(a.allFound, a.all))
	fmt.Fprintf(w, "upstream's shape   %v\n", a.upstream)
}
