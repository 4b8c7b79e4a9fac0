package langtest

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
)

// wantCalls is the file of a case that lists what is expected.
const wantCalls = "want"

// Calls checks a language's call graph over testdata/calls/*.txtar. Each is a small
// repository whose comment states a rule; its last file, "want", lists the functions
// of the sources and below each its edges, lines counted from 1:
//
//	a.c:3-7 main local inline unsure doc:1-2
//		written helper b.c:1 x2 +1
//		macro log_line log.c:9 via LOG
//		indirect Ops::run ops.h:4
//		written strlen <string.h>
//		written nowhere ?
//
// An edge says its evidence, the callee and its place: a file and line of the
// repository, the header or module of the system (<...>, external ones as <<...>>),
// or ? where only the name is known. Behind it stand how many calls it stands for
// where there are several, and how many other definitions may be meant. A callee of
// the repository that is no function with a body has "declared" behind its place.
// The flag -update writes the list anew. What [CheckCalls] asks must hold as well.
func Calls(t *testing.T, l *lang.Language) {
	eachRule(t, l, "calls", callsCase)
}

func callsCase(t *testing.T, l *lang.Language, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(archive.Comment))) == 0 {
		t.Errorf("%s does not say what it shows", name)
	}
	var sources []lang.SourceFile
	config := map[string]string{}
	for _, f := range archive.Files {
		switch {
		case f.Name == wantCalls:
		case l.Syntax(f.Name) != nil:
			sources = append(sources, lang.SourceFile{Path: f.Name, Text: string(f.Data)})
		case l.IsConfig(f.Name):
			config[f.Name] = string(f.Data)
		}
	}
	files := ReadCalls(t, l, sources)
	graph := l.CallGraph.Link(files, config)
	CheckCalls(t, sources, files, graph)
	got := describeCalls(sources, files, graph)
	last := len(archive.Files) - 1
	if last < 0 || archive.Files[last].Name != wantCalls {
		archive.Files = append(archive.Files, txtar.File{Name: wantCalls})
		last++
	}
	if want := string(archive.Files[last].Data); want != got && !*update {
		t.Errorf("%s differs\n%s", name, difference([]byte(want), []byte(got)))
	}
	archive.Files[last].Data = []byte(got)
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// ReadCalls reads sources for a call graph, ascending by path, which it sorts them by.
func ReadCalls(t testing.TB, l *lang.Language, sources []lang.SourceFile) []*calls.File {
	t.Helper()
	slices.SortFunc(sources, func(a, b lang.SourceFile) int { return cmp.Compare(a.Path, b.Path) })
	var files []*calls.File
	for _, f := range sources {
		tree, err := l.ParseWhole(f.Path, []byte(f.Text), limits)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, l.CallGraph.Read(f.Path, tree))
	}
	return files
}

// CheckCalls checks what must hold of any call graph: functions lie in their file, in
// order and with right lines; edges have callers, come in order, each once, and those
// whose callee is defined lead to a function.
func CheckCalls(t testing.TB, sources []lang.SourceFile, files []*calls.File, graph calls.Graph) {
	t.Helper()
	type place struct {
		path  string
		start int32
	}
	functions := map[place]calls.Function{}
	for i, f := range files {
		text := sources[i].Text
		if f.Path != sources[i].Path {
			t.Fatalf("file %d is %s, want %s", i, f.Path, sources[i].Path)
		}
		for j, fn := range f.Functions {
			functions[place{f.Path, fn.Start}] = fn
			bad := func(what string) { t.Helper(); t.Errorf("%s: function %+v: %s", f.Path, fn, what) }
			switch {
			case fn.Start < 0 || fn.Start > fn.Body || fn.Body > fn.End || int(fn.End) > len(text):
				bad("its offsets are not in order")
				continue
			case fn.Doc.Start < 0 || fn.Doc.End < fn.Doc.Start || int(fn.Doc.End) > len(text):
				bad("its comment is not in the file")
			case fn.Name == "" || fn.Qualified == "":
				bad("it has no name")
			case j > 0 && f.Functions[j-1].Start > fn.Start:
				bad("it is not in source order")
			}
			if fn.Line != line(text, fn.Start) || fn.EndLine != line(text, max(fn.Start, fn.End-1)) {
				bad(fmt.Sprintf("it has lines %d to %d", line(text, fn.Start), line(text, fn.End-1)))
			}
		}
	}
	for i, f := range files {
		var before calls.Edge
		count := 0
		seen := map[calls.Edge]bool{}
		for e := range graph.Edges(f.Path) {
			bad := func(what string) { t.Helper(); t.Errorf("%s: edge %+v: %s", f.Path, e, what) }
			if e.Caller < 0 || e.Caller >= len(f.Functions) {
				bad("it has no caller")
				continue
			}
			fn := f.Functions[e.Caller]
			if e.First < fn.Start || e.First >= fn.End || e.Sites < 1 || e.Alternatives < 0 || e.Callee.Name == "" || int(e.First) > len(sources[i].Text) {
				bad("it is not in its caller, or not a call")
			}
			if count > 0 && (before.Caller > e.Caller || before.Caller == e.Caller && before.First > e.First) {
				bad("it is not in order")
			}
			if callee, ok := functions[place{e.Callee.Path, e.Callee.Start}]; e.Callee.Origin == calls.Defined && (!ok || callee.Qualified != e.Callee.Name || callee.Line != e.Callee.Line) {
				bad("no function is defined there")
			}
			key := calls.Edge{Caller: e.Caller, Callee: e.Callee, Evidence: e.Evidence}
			if seen[key] {
				bad("it comes twice")
			}
			seen[key] = true
			before = e
			count++
		}
		again := 0
		for range graph.Edges(f.Path) {
			again++
		}
		if again != count {
			t.Errorf("%s: %d edges, then %d", f.Path, count, again)
		}
	}
}

// describeCalls lists functions with their edges.
func describeCalls(sources []lang.SourceFile, files []*calls.File, graph calls.Graph) string {
	var b strings.Builder
	for i, f := range files {
		text := sources[i].Text
		edges := map[int][]calls.Edge{}
		for e := range graph.Edges(f.Path) {
			edges[e.Caller] = append(edges[e.Caller], e)
		}
		for j, fn := range f.Functions {
			fmt.Fprintf(&b, "%s:%d-%d %s", f.Path, fn.Line+1, fn.EndLine+1, fn.Qualified)
			for _, flag := range []struct {
				is   bool
				name string
			}{{fn.Local, "local"}, {fn.Inline, "inline"}, {fn.Unsure, "unsure"}} {
				if flag.is {
					b.WriteString(" " + flag.name)
				}
			}
			if fn.Doc.End > fn.Doc.Start {
				fmt.Fprintf(&b, " doc:%d-%d", line(text, fn.Doc.Start)+1, line(text, fn.Doc.End-1)+1)
			}
			b.WriteByte('\n')
			for _, e := range edges[j] {
				b.WriteString("\t" + describeEdge(e) + "\n")
			}
		}
	}
	return b.String()
}

func describeEdge(e calls.Edge) string {
	out := string(e.Evidence) + " " + e.Callee.Name + " "
	switch c := e.Callee; c.Origin {
	case calls.System:
		out += "<" + c.Path + ">"
	case calls.External:
		out += "<<" + c.Path + ">>"
	case calls.Unresolved:
		out += "?"
	default:
		out += fmt.Sprintf("%s:%d", path.Clean(c.Path), c.Line+1)
		if c.Origin == calls.Declared {
			out += " declared"
		}
	}
	if e.Via != "" {
		out += " via " + e.Via
	}
	if e.Sites > 1 {
		out += fmt.Sprintf(" x%d", e.Sites)
	}
	if e.Alternatives > 0 {
		out += fmt.Sprintf(" +%d", e.Alternatives)
	}
	return out
}

// line is that of a place, 0-based.
func line(text string, at int32) int32 {
	return int32(strings.Count(text[:at], "\n"))
}
