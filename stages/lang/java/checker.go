package java

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// checker is the language's [lang.Language.Checker].
//
// Version history:
//
//	1: first version
func checker() *lang.Checker {
	return &lang.Checker{
		Version: 1, Tool: "javac",
		Doc: "Counts 'cannot find symbol' for variables and methods, method references included, that javac reports of a file among empty public classes " +
			"in place of the project's other types, and not of the whole project. The classes have the type parameters of what they stand for and empty " +
			"classes in them for its own. Libraries are missing in both runs.",
		Check: check,
	}
}

// perRun bounds how many files one start of javac checks, each with its stand-ins.
const perRun = 250

// source is a file to check.
type source struct {
	lang.SourceFile
	n     int // names the file where javac reports it
	tree  *treesitter.Tree
	facts *lang.Facts
	types []standIn
	needs []*source // what it depends on
	// around are the simple names of all classes that stand in for others.
	around map[string]bool
}

func check(ctx context.Context, files []lang.SourceFile, run lang.Run) (map[string][]bind.Use, map[string]string, error) {
	skipped := map[string]string{}
	all := sources(files, skipped)
	c := &compiler{run: run, skipped: skipped}
	var alone []finding
	for group := range slices.Chunk(all, perRun) {
		found, err := c.compile(ctx, group, apart)
		if err != nil {
			return nil, nil, err
		}
		alone = append(alone, found...)
	}
	whole, err := c.compile(ctx, slices.DeleteFunc(slices.Clone(all), func(s *source) bool { return skipped[s.Path] != "" }), together)
	if err != nil {
		return nil, nil, err
	}
	known := map[place]bool{}
	for _, f := range whole {
		if f.syntax() && f.file < len(all) {
			skipped[all[f.file].Path] = "javac does not read it: " + f.code
		}
		known[f.place] = known[f.place] || f.name != ""
	}
	uses := map[string][]bind.Use{}
	for _, s := range all {
		if skipped[s.Path] == "" {
			uses[s.Path] = nil
		}
	}
	for _, f := range alone {
		if f.file >= len(all) || known[f.place] || skipped[all[f.file].Path] != "" {
			continue
		}
		s := all[f.file]
		if u, ok := s.use(f); ok {
			uses[s.Path] = append(uses[s.Path], u)
		}
	}
	for p, u := range uses {
		slices.SortFunc(u, func(a, b bind.Use) int { return cmp.Compare(a.Start, b.Start) })
		uses[p] = slices.CompactFunc(u, func(a, b bind.Use) bool { return a.Start == b.Start })
	}
	return uses, skipped, nil
}

// sources reads those of files that are Java and not descriptions of packages or
// modules.
func sources(files []lang.SourceFile, skipped map[string]string) []*source {
	l := Language()
	var out []*source
	var facts []*lang.Facts
	byPath := map[string]*source{}
	for _, f := range files {
		base := path.Base(f.Path)
		if l.Syntax(f.Path) == nil || base == "module-info.java" || base == "package-info.java" {
			continue
		}
		t, err := l.ParseWhole(f.Path, []byte(f.Text), treesitter.DefaultLimits)
		if err != nil {
			skipped[f.Path] = err.Error()
			continue
		}
		s := &source{SourceFile: f, n: len(out), tree: t, types: standIns(t)}
		s.facts = factsOf(f.Path, t, s.types)
		facts = append(facts, s.facts)
		byPath[f.Path] = s
		out = append(out, s)
	}
	resolver := newResolver(lang.NewIndex("", facts, nil))
	for _, s := range out {
		for _, path := range resolver.Dependencies(s.facts) {
			s.needs = append(s.needs, byPath[path])
		}
	}
	return out
}

// compiler runs javac.
type compiler struct {
	run     lang.Run
	skipped map[string]string
}

// compile runs javac over some sources, laid out by layout. Where it breaks down,
// it is tried with halves of them.
func (c *compiler) compile(ctx context.Context, group []*source, layout func([]*source) []lang.SourceFile) ([]finding, error) {
	if len(group) == 0 {
		return nil, nil
	}
	files := layout(group)
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "%q\n", f.Path)
	}
	const argFile = "arguments"
	out, err := c.run(ctx, append(slices.Clone(arguments), "@"+argFile), append(files, lang.SourceFile{Path: argFile, Text: list.String()}))
	if err != nil {
		return nil, fmt.Errorf("javac: %w", err)
	}
	if out.Exit <= 1 {
		return findings(out.Stderr), nil
	}
	if len(group) == 1 {
		c.skipped[group[0].Path] = fmt.Sprintf("javac breaks down (exit code %d): %s", out.Exit, firstLine(out.Stderr))
		return nil, nil
	}
	half := len(group) / 2
	a, err := c.compile(ctx, group[:half], layout)
	if err != nil {
		return nil, err
	}
	b, err := c.compile(ctx, group[half:], layout)
	return append(a, b...), err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(len(line), 200)]
}

// arguments make javac attribute all it can read, whatever is wrong elsewhere,
// and write nothing but messages in a form that depends on no language.
var arguments = []string{
	"-encoding", "UTF-8", "-proc:none", "-implicit:none", "-nowarn", "-Xmaxerrs", "10000000", "-XDrawDiagnostics",
	"-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW", "-d", "out", "--module-source-path", ".",
}
