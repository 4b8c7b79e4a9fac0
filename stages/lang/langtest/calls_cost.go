package langtest

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
)

// FuzzCalls checks that no text breaks the call graph of a repository of two files:
// that of the fuzzer and one that both may see. Seeds are the sources of
// testdata/calls.
func FuzzCalls(f *testing.F, l *lang.Language) {
	if err := l.Compile(); err != nil {
		f.Fatal(err)
	}
	cases, err := filepath.Glob(filepath.Join("testdata", "calls", "*.txtar"))
	if err != nil || len(cases) == 0 {
		f.Fatalf("no testdata/calls/*.txtar (%v)", err)
	}
	var names []string
	seen := map[string]bool{}
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if l.Syntax(file.Name) == nil {
				continue
			}
			f.Add(string(file.Data), "")
			if base := filepath.Base(file.Name); !seen[base] && len(names) < 2 {
				seen[base] = true
				names = append(names, base)
			}
			if n := len(archive.Files); n > 1 && l.Syntax(archive.Files[1].Name) != nil {
				f.Add(string(file.Data), string(archive.Files[1].Data))
			}
		}
	}
	for len(names) < 2 {
		names = append(names, "other"+l.Syntaxes[0].Suffixes[0])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		sources := []lang.SourceFile{{Path: names[0], Text: a}, {Path: names[1], Text: b}}
		var files []*calls.File
		var kept []lang.SourceFile
		if sources[0].Path > sources[1].Path {
			sources[0], sources[1] = sources[1], sources[0]
		}
		for _, s := range sources {
			tree, err := l.ParseWhole(s.Path, []byte(s.Text), limits)
			if err != nil {
				continue
			}
			files = append(files, l.CallGraph.Read(s.Path, tree))
			kept = append(kept, s)
		}
		CheckCalls(t, kept, files, l.CallGraph.Link(files, nil))
	})
}

// BenchCalls measures parsing, reading, linking and asking for all edges, over the
// golden and sample files, in bytes per second.
func BenchCalls(b *testing.B, l *lang.Language) {
	if err := l.Compile(); err != nil {
		b.Fatal(err)
	}
	var sources []lang.SourceFile
	seen := map[string]bool{}
	size := 0
	for _, f := range append(goldenSources(b, l), samples(b, l)...) {
		if !seen[f.path] {
			seen[f.path] = true
			sources = append(sources, lang.SourceFile{Path: f.path, Text: string(f.src)})
			size += len(f.src)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		files := ReadCalls(b, l, sources)
		graph := l.CallGraph.Link(files, nil)
		for _, f := range files {
			for range graph.Edges(f.Path) {
			}
		}
	}
}

func goldenSources(b *testing.B, l *lang.Language) []file { return sources(l, readGoldens(b)) }
