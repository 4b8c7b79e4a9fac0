package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"benchmill/stages/lang/calls"
)

func processors() int { return runtime.GOMAXPROCS(0) }

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

// lastName is the part of a name behind its namespaces and classes.
func lastName(name string) string {
	if i := strings.LastIndex(name, "::"); i >= 0 {
		return name[i+2:]
	}
	return name
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

func (g releasedGraph) compare(own, upstream *ownGraph, below string) againstReleased {
	var out againstReleased
	for _, f := range g {
		if !strings.HasPrefix(f.path, below) {
			continue
		}
		out.functions++
		key := nodeKey(f.path, f.line, f.name)
		node := own.nodes[key]
		if node != nil && node.last == f.last {
			out.exact++
		}
		names, shaped, theirs := map[string]bool{}, map[string]bool{}, map[string]bool{}
		if node != nil {
			names = calleeNames(node.edges, func(calls.Edge) bool { return true })
			shaped = calleeNames(upstream.nodes[key].edges, resolved)
		}
		for _, c := range f.callees {
			name := lastName(c.name)
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

func resolved(e calls.Edge) bool { return e.Callee.Origin != calls.Unresolved }

func calleeNames(edges []calls.Edge, keep func(calls.Edge) bool) map[string]bool {
	out := map[string]bool{}
	for _, e := range edges {
		if keep(e) {
			out[lastName(e.Callee.Name)] = true
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

// referenceGraph is the call graph of a compiler: edges by caller.
type referenceGraph map[string][]referenceEdge

type referenceEdge struct {
	CallerPath string `json:"caller_path"`
	CallerLine int    `json:"caller_line"`
	Caller     string `json:"caller"`
	Callee     string `json:"callee_qualified"`
	Path       string `json:"callee_defined_path"`
	Evidence   string `json:"evidence"`
}

func readReference(path string) (referenceGraph, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := referenceGraph{}
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var e referenceEdge
		if err := d.Decode(&e); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		key := nodeKey(e.CallerPath, e.CallerLine, e.Caller)
		out[key] = append(out[key], e)
	}
}

// againstCompiler is how our graph stands to that of a compiler, over the functions
// that both have and that call something there. What is unresolved does not count,
// nor do functions that are built into the compiler. A call by a name that a macro
// stands for is written to us and of the macro to compilers: it counts among written
// calls only where these say so, and always with macros.
type againstCompiler struct {
	functions                 int
	written, macros, indirect tally
	files, sameFile           int
}

func (g referenceGraph) compare(own *ownGraph, below string) againstCompiler {
	var out againstCompiler
	for key, edges := range g {
		node := own.nodes[key]
		if node == nil || !strings.HasPrefix(node.path, below) {
			continue
		}
		out.functions++
		theirs := map[string]map[string]bool{}
		files := map[string]string{}
		for _, e := range edges {
			name := lastName(e.Callee)
			if strings.HasPrefix(name, "__builtin_") {
				continue
			}
			if e.Evidence == string(calls.Indirect) {
				name = e.Callee
			}
			if theirs[e.Evidence] == nil {
				theirs[e.Evidence] = map[string]bool{}
			}
			theirs[e.Evidence][name] = true
			if e.Evidence == string(calls.Written) && e.Path != "" && !strings.HasPrefix(e.Path, "/") {
				files[name] = e.Path
			}
		}
		written, macros := string(calls.Written), string(calls.Macro)
		ours := calleeNames(node.edges, func(e calls.Edge) bool {
			name := lastName(e.Callee.Name)
			return resolved(e) && e.Evidence == calls.Written && (theirs[written][name] || e.Via == "")
		})
		out.written.add(ours, theirs[written])
		both := map[string]bool{}
		for _, evidence := range []string{written, macros} {
			for name := range theirs[evidence] {
				both[name] = true
			}
		}
		out.macros.add(calleeNames(node.edges, func(e calls.Edge) bool {
			return resolved(e) && (e.Evidence == calls.Written || e.Evidence == calls.Macro)
		}), both)
		pseudo := map[string]bool{}
		for _, e := range node.edges {
			if e.Evidence == calls.Indirect {
				pseudo[e.Callee.Name] = true
			}
			if path := files[lastName(e.Callee.Name)]; path != "" && e.Evidence == calls.Written {
				out.files++
				if e.Callee.Path == path {
					out.sameFile++
				}
			}
		}
		out.indirect.add(pseudo, theirs[string(calls.Indirect)])
	}
	return out
}

func (a againstCompiler) print(w io.Writer) {
	fmt.Fprintf(w, "against a compiler, over %d functions\n", a.functions)
	fmt.Fprintf(w, "written calls      %v\n", a.written)
	fmt.Fprintf(w, "with macros        %v\n", a.macros)
	fmt.Fprintf(w, "through pointers   %v\n", a.indirect)
	fmt.Fprintf(w, "callee's file      %6d of %6d   %.4f\n", a.sameFile, a.files, share(a.sameFile, a.files))
}
