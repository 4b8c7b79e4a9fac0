// Command callagreement measures how far the call graph found from the text agrees
// with that of libclang on a repository that was built, and how long both take. It
// reads a folder and its compile database, and changes nothing.
//
// The compiler's parser runs on the code of the folder, in processes of its own but
// in no sandbox: it is for code that you would compile.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"benchmill/internal/clangindex"
	"benchmill/internal/libclang"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
	"benchmill/stages/lang"
	languages "benchmill/stages/lang/all"
)

type options struct {
	root, database, language, index, under string
	examples, parallel                     int
	verbose, worker                        bool
	unit                                   time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "folder of the repository")
	flag.StringVar(&o.database, "compile-commands", "", "its compile database; else the one at the top of the folder, or all below it")
	flag.StringVar(&o.language, "language", "c", "language of the repository, as this program names it")
	flag.StringVar(&o.index, "index", "", "file that keeps libclang's graph: read where it is there (its time is not libclang's then), else made")
	flag.StringVar(&o.under, "under", "", "compare the functions below this folder of it only")
	flag.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "units that libclang parses at once")
	flag.DurationVar(&o.unit, "unit", 10*time.Minute, "longest that libclang may take for one unit")
	flag.BoolVar(&o.verbose, "v", false, "list what only one of them found")
	flag.IntVar(&o.examples, "examples", 40, "with -v, how many of each")
	flag.BoolVar(&o.worker, "worker", false, "parse units for another process of this program")
	flag.Parse()
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "callagreement:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.worker {
		l, err := libclang.Find()
		if err != nil {
			return err
		}
		return clangindex.Serve(l, os.Stdin, os.Stdout)
	}
	set, err := languages.Languages()
	if err != nil {
		return err
	}
	l := set.Get(o.language)
	if l == nil || l.CallGraph == nil {
		return fmt.Errorf("what calls what is not known for %q", o.language)
	}
	begin := time.Now()
	graph, err := reference(ctx, o)
	if err != nil {
		return err
	}
	clang := time.Since(begin)
	files, texts, err := sources(o.root, l)
	if err != nil {
		return err
	}
	begin = time.Now()
	native, failed, err := callgraph.Analyze(ctx, l, files, nil)
	if err != nil {
		return err
	}
	ours := native.Rows()
	took := time.Since(begin)
	theirs := callgraph.FromClang(graph, texts)
	fmt.Fprintf(w, "%s: %d files, %d of them not read; %.1f s\n", callgraph.EngineNative, len(files), len(failed), took.Seconds())
	fmt.Fprintf(w, "%s: %s, %d units, %d problems; %.1f s\n", callgraph.EngineClang, graph.Clang, graph.Units, len(graph.Problems), clang.Seconds())
	return report(w, callgraph.Compare(ours.Below(o.under), theirs.Below(o.under)), o, texts)
}

// reference is libclang's graph.
func reference(ctx context.Context, o options) (*clangindex.Graph, error) {
	if o.index != "" {
		data, err := os.ReadFile(o.index)
		if err == nil {
			return clangindex.Read(bytes.NewReader(data))
		}
	}
	l, err := libclang.Find()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	workers := clangindex.NewWorkers([]string{self, "-worker"}, o.unit)
	defer workers.Close()
	g, err := clangindex.Index(ctx, workers, o.root, clangindex.Options{Database: o.database, Parallel: o.parallel})
	if err != nil {
		return nil, err
	}
	g.Clang = l.Version
	if o.index != "" {
		var out bytes.Buffer
		if err := g.Write(&out); err != nil {
			return nil, err
		}
		err = os.WriteFile(o.index, out.Bytes(), 0o644)
	}
	return g, err
}

// largest is what a pipeline takes for a source file, if it is not told otherwise.
const largest = 1 << 20

// sources are the files that the text is read from, ascending by path, and the
// contents of all files that could hold a function, by path.
func sources(root string, l *lang.Language) ([]lang.SourceFile, map[string]string, error) {
	var files []lang.SourceFile
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		info, err := d.Info()
		if err != nil || info.Size() > 16*largest {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		texts[name] = string(data)
		if l.Syntax(name) != nil && len(data) <= largest && utf8.Valid(data) {
			files = append(files, lang.SourceFile{Path: name, Text: texts[name]})
		}
		return nil
	})
	// A folder's entries come in the order of their names, a path's parts do not.
	slices.SortFunc(files, func(a, b lang.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return files, texts, err
}

func report(w io.Writer, c *callgraph.Comparison, o options, texts map[string]string) error {
	if err := c.Print(w); err != nil {
		return err
	}
	if !o.verbose {
		return nil
	}
	list(w, "only clang", c.Missed, o.examples, texts)
	list(w, "only native", c.Extra, o.examples, texts)
	return nil
}

// list prints examples, spread evenly, with their lines of source.
func list(w io.Writer, what string, calls []schemas.Call, most int, texts map[string]string) {
	fmt.Fprintf(w, "%s, written calls: %d\n", what, len(calls))
	step := max(1, len(calls)/max(1, most))
	for i := 0; i < len(calls) && i < step*most; i += step {
		c := calls[i]
		line, number := sourceLine(texts[c.CallerPath], c.First)
		fmt.Fprintf(w, "  %s:%d %s -> %s (%s %s)\n      %s\n", c.CallerPath, number, c.Caller, c.Callee, c.Origin, cmp.Or(c.CalleePath, "-"), line)
	}
}

func sourceLine(text string, at int64) (line string, number int) {
	at = min(max(at, 0), int64(len(text)))
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ = strings.Cut(text[from:], "\n")
	return strings.TrimSpace(line), strings.Count(text[:at], "\n") + 1
}
