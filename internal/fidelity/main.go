// Command fidelity measures our rules against rows of released datasets, part by
// part; see [parts]. It reads repositories from local mirrors and changes nothing but
// the folder that it is told to keep outcomes in.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git"
)

// part is what can be measured alone.
type part struct {
	name    string
	long    bool     // for minutes: measured only where it is asked for
	needs   []string // flags that say what it reads
	measure func(ctx context.Context) error
}

// parts declares the flags of all parts:
//
//	needles      RepoQA: whether every released needle is among our functions, and
//	             whether, with the released needles given in their order, contexts put
//	             them at the same tokens
//	completions  CrossCodeEval: see [completions]
//	callgraph    YABLoCo: our call graph against the released one and clang's
//	bodies       YABLoCo: the rules of selection, and what is said of each function
//	dates        YABLoCo: the released days of last commits
//	history      the dates of every line against git blame
//	coverage     YABLoCo: the released test hits against those of a run of the tests
func parts() []part {
	mirrors := flag.String("mirrors", "", "folder with repositories at <owner>/<name>")
	needles := flag.String("needles", "", "released needles, JSON lines")
	model := flag.String("tokenizer", "", "SentencePiece model of CodeLlama or Llama 2")
	verbose := flag.Bool("v", false, "for needles: one line for each")
	references := flag.String("completions", "", "released references with their places, JSON lines")
	official := flag.String("official", "", "released rows of completions, JSON lines")
	y := yablocoFlags(mirrors)
	return []part{
		{"needles", false, []string{"needles", "tokenizer", "mirrors"}, func(ctx context.Context) error { return repoQA(ctx, *needles, *model, *mirrors, *verbose) }},
		{"completions", false, []string{"completions", "mirrors"}, func(ctx context.Context) error { return completions(ctx, *references, *official, *mirrors) }},
		{"callgraph", false, []string{"functions", "graph", "repository", "mirrors"}, y.callGraph},
		{"bodies", false, []string{"functions", "bench", "repository", "mirrors"}, y.bodies},
		{"dates", false, []string{"functions", "dated-at", "repository", "mirrors"}, y.dates},
		{"history", true, []string{"repository", "mirrors"}, y.history},
		{"coverage", true, []string{"functions", "repository", "mirrors"}, y.coverage},
	}
}

func main() {
	all := parts()
	only := flag.String("only", "", "parts to measure, parted by commas: "+names(all)+"; empty: those whose flags are given, without history and coverage, which take minutes")
	flag.Parse()
	chosen, err := choose(all, *only, func(name string) bool { return flag.Lookup(name).Value.String() != "" })
	if err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(2)
	}
	for _, p := range chosen {
		// One dataset without its mirrors leaves the others to be measured.
		if e := p.measure(context.Background()); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", p.name, e))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func names(all []part) string {
	var out []string
	for _, p := range all {
		out = append(out, p.name)
	}
	return strings.Join(out, ", ")
}

// choose returns the parts that only names, parted by commas, in their own order; of
// "" the short ones whose flags are all given.
func choose(all []part, only string, given func(flag string) bool) ([]part, error) {
	var wanted []string
	if only != "" {
		wanted = strings.Split(only, ",")
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(p part) bool { return p.name == name }) {
			return nil, fmt.Errorf("no part %q: there are %s", name, names(all))
		}
	}
	var out []part
	for _, p := range all {
		missing := slices.DeleteFunc(slices.Clone(p.needs), given)
		switch named := slices.Contains(wanted, p.name); {
		case named && len(missing) > 0:
			return nil, fmt.Errorf("%s needs -%s", p.name, strings.Join(missing, ", -"))
		case named || only == "" && !p.long && len(missing) == 0:
			out = append(out, p)
		}
	}
	return out, nil
}

// mirrored reads repositories from mirrors, which may be partial.
func mirrored(mirrors string) *git.Source {
	return git.NewPartial(git.Options{Offline: true, Mirrors: []sources.Mirror{{Prefix: "https://github.com/", Replacement: mirrors + string(filepath.Separator)}}})
}

// fetcher serves fetches straight from a source.
type fetcher struct{ source sources.Source }

func (f fetcher) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	var b bytes.Buffer
	err := f.source.Fetch(ctx, pin, &b)
	return io.NopCloser(&b), err
}

func (f fetcher) Complete(context.Context, pipeline.ModelName, string, pipeline.Request) (pipeline.Reply, error) {
	return pipeline.Reply{}, fmt.Errorf("no models here")
}
