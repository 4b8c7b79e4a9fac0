// Command callscale measures how the cost of native call graphs grows with the
// size of a repository: it takes growing shares of the source files below a folder,
// analyses each share in a process of its own, and prints lines, time by the clock
// and of all processors, the memory in use at the end, and the most that was resident.
// The collector lets the heap grow to twice what is in use; with GOMEMLIMIT in the
// environment it collects earlier. With -plot it also draws the time of processors
// (blue) and the peak (brown).
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"benchmill/stages/all"
	"benchmill/stages/callgraph"
	"benchmill/stages/lang"
)

type options struct {
	root, language, plot string
	steps                int
	maxFile              int64
	child                int // files of the one share to measure, in a child process
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "", "folder with the sources")
	flag.StringVar(&o.language, "language", "cpp", "language to read them as")
	flag.StringVar(&o.plot, "plot", "", "file to draw the plot to, as SVG")
	flag.IntVar(&o.steps, "steps", 6, "how many sizes, each half of the next")
	flag.Int64Var(&o.maxFile, "max-file", 1<<20, "larger files are left out, in bytes")
	flag.IntVar(&o.child, "share", 0, "measure just so many files, and print JSON")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "callscale:", err)
		os.Exit(1)
	}
}

// point is the cost of one share.
type point struct {
	Files   int     `json:"files"`
	Lines   int     `json:"lines"`
	Bytes   int     `json:"bytes"`
	Nodes   int     `json:"functions"`
	Edges   int     `json:"edges"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`  // seconds of all processors
	Live    int64   `json:"live"` // bytes of the heap that are in use at the end
	Peak    int64   `json:"peak"` // bytes that were resident at most
}

func run(ctx context.Context, o options) error {
	registry, err := all.New()
	if err != nil {
		return err
	}
	l := registry.Languages.Get(o.language)
	if l == nil || l.CallGraph == nil {
		return fmt.Errorf("no call graphs of %q", o.language)
	}
	paths, err := list(o.root, l, o.maxFile)
	if err != nil {
		return err
	}
	if o.child > 0 {
		p, err := measure(ctx, o.root, l, paths[:min(o.child, len(paths))])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(p)
	}
	var points []point
	fmt.Printf("%8s %10s %10s %10s %10s %10s %12s %8s %8s\n", "files", "lines", "functions", "edges", "seconds", "CPU s", "lines/CPU s", "live MB", "peak MB")
	for i := range o.steps {
		n := len(paths) >> (o.steps - 1 - i)
		if n == 0 {
			continue
		}
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, os.Args[0], "-root", o.root, "-language", o.language, "-max-file", strconv.FormatInt(o.maxFile, 10), "-share", strconv.Itoa(n))
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
		var p point
		if err := json.Unmarshal(out.Bytes(), &p); err != nil {
			return err
		}
		fmt.Printf("%8d %10d %10d %10d %10.2f %10.2f %12.0f %8d %8d\n", p.Files, p.Lines, p.Nodes, p.Edges, p.Seconds, p.CPU, float64(p.Lines)/p.CPU, p.Live>>20, p.Peak>>20)
		points = append(points, p)
	}
	if o.plot == "" {
		return nil
	}
	return os.WriteFile(o.plot, draw(points), 0o644)
}

// list are the source files of a language, ascending by path.
func list(root string, l *lang.Language, maxFile int64) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || l.Syntax(p) == nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > maxFile {
			return err
		}
		rel, err := filepath.Rel(root, p)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no %s files below %s", l.Title, root)
	}
	return out, err
}

// measure analyses files as the stage does, rows included.
func measure(ctx context.Context, root string, l *lang.Language, paths []string) (p point, err error) {
	files := make([]lang.SourceFile, 0, len(paths))
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return p, err
		}
		if !utf8.Valid(data) {
			continue
		}
		files = append(files, lang.SourceFile{Path: path, Text: string(data)})
		p.Lines += bytes.Count(data, []byte("\n"))
		p.Bytes += len(data)
	}
	p.Files = len(files)
	start, before := time.Now(), cpu()
	g, _, err := callgraph.Analyze(ctx, l, files, nil)
	if err != nil {
		return p, err
	}
	for i := range g.Files {
		p.Nodes += len(g.Definitions(i))
		p.Edges += len(g.Calls(i))
	}
	p.Seconds, p.CPU = time.Since(start).Seconds(), (cpu() - before).Seconds()
	p.Peak, err = peak()
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	p.Live = int64(stats.HeapAlloc)
	runtime.KeepAlive(g)
	return p, err
}

// cpu is the time that this process has used of all processors.
func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// peak is the most memory this process has held, in bytes.
func peak() (int64, error) {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("the system does not say how much memory a process held")
}
