package csharp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// Version history of the checker:
//
//	1: first version
const checkerVersion = 1

// newChecker asks mcs, which compiles C# 7.0 at most. Each file is compiled with
// empty types in place of all others of the repository; what is new against the
// project as it is, counts.
func newChecker(l *lang.Language) *lang.Checker {
	return &lang.Checker{
		Version: checkerVersion, Tool: "mcs",
		Doc: "CS1061 and CS0117 (no such member), CS0103 (no such name), CS0234 and CS0426 (no such type in it), " +
			"once empty classes, structs, interfaces and enums stand for the other files' types. Delegates stay, exceptions and attributes stay such. " +
			"A file is skipped where mcs stops before its bodies: newer syntax, packages that are not there.",
		Check: func(ctx context.Context, files []lang.SourceFile, run lang.Run) (map[string][]bind.Use, map[string]string, error) {
			c := check{l: l, run: run, uses: map[string][]bind.Use{}, skipped: map[string]string{}, libraries: libraries}
			projects := c.prepare(files)
			for _, folder := range slices.Sorted(maps.Keys(projects)) {
				if err := c.project(ctx, folder, projects[folder]); err != nil {
					return nil, nil, err
				}
			}
			return c.uses, c.skipped, nil
		},
	}
}

// libraries are asked for beside those that mcs takes anyway; what is not
// installed is left out.
var libraries = []string{
	"System.Xml", "System.Xml.Linq", "System.Configuration", "System.Numerics", "Microsoft.CSharp", "System.Data", "System.Runtime.Serialization",
	"System.Net.Http", "System.Web", "System.ServiceProcess", "System.Management", "System.ComponentModel.DataAnnotations", "System.ComponentModel.Composition", "System.ServiceModel",
	"System.Drawing", "System.Windows.Forms", "System.Configuration.Install", "System.Transactions",
}

// members are the errors that count, and which name in quotes is the one missing.
var members = map[int]struct {
	nth  int
	kind string
}{
	1061: {2, bind.KindMember}, 117: {2, bind.KindMember},
	103: {1, bind.KindName}, 234: {1, bind.KindMember}, 426: {1, bind.KindMember},
}

type check struct {
	l         *lang.Language
	run       lang.Run
	libraries []string
	projects  *projects
	units     map[string][]*source // by project folder
	uses      map[string][]bind.Use
	skipped   map[string]string
}

// source is a file to compile.
type source struct {
	path  string
	text  string // with what mcs may not see overwritten by blanks
	lines []int  // where they start
	tree  *treesitter.Tree
	types []*declared
	out   bool // a stand-in takes its place everywhere
	bare  bool // its stand-in has no directives, since they do not hold
}

// prepare parses the files and sorts them by project.
func (c *check) prepare(files []lang.SourceFile) map[string][]*source {
	config := map[string]string{}
	c.units = map[string][]*source{}
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b lang.SourceFile) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range sorted {
		if c.l.IsConfig(f.Path) {
			config[f.Path] = f.Text
		}
	}
	c.projects = newProjects(lang.NewIndex("", nil, config))
	for _, f := range sorted {
		if c.l.Syntax(f.Path) == nil {
			continue
		}
		t, err := c.l.ParseWhole(f.Path, []byte(f.Text), treesitter.DefaultLimits)
		if err != nil {
			c.skipped[f.Path] = err.Error()
			continue
		}
		t = asCompiled(t)
		s := &source{path: f.Path, text: f.Text, lines: lineStarts(f.Text), tree: t, types: outline(t)}
		if strings.Contains(f.Text, "#line") {
			c.leave(s, "it sets its own line numbers")
		}
		folder := c.projects.of(f.Path)
		c.units[folder] = append(c.units[folder], s)
	}
	return c.units
}

func (c *check) leave(s *source, reason string) {
	s.out = true
	c.skipped[s.path] = reason
}

// project finds the uses in the files of one project.
func (c *check) project(ctx context.Context, folder string, units []*source) error {
	var references []*source
	for _, other := range c.referred(folder) {
		references = append(references, c.units[other]...)
	}
	known, err := c.settle(ctx, units, references)
	if err != nil {
		return err
	}
	for _, s := range units {
		if s.out {
			continue
		}
		out, reached, err := c.reach(ctx, []*source{s}, slices.Concat(units, references), func(*source, message) bool { return false })
		if err != nil {
			return err
		}
		if !reached {
			c.leave(s, "mcs does not compile it without the other files: "+first(out))
			continue
		}
		c.uses[s.path] = s.found(out, known)
	}
	return nil
}

// first is the first error, for people.
func first(out []message) string {
	if len(out) == 0 {
		return "it says nothing"
	}
	return out[0].String()
}

// referred lists the projects that one refers to, and those these refer to.
func (c *check) referred(folder string) []string {
	seen := map[string]bool{folder: true}
	todo := []string{folder}
	for len(todo) > 0 {
		p := c.projects.byFolder[todo[0]]
		todo = todo[1:]
		if p == nil {
			continue
		}
		for _, r := range slices.Sorted(maps.Keys(p.references)) {
			if !seen[r] {
				seen[r] = true
				todo = append(todo, r)
			}
		}
	}
	delete(seen, folder)
	return slices.Sorted(maps.Keys(seen))
}

// settle compiles a project as it is, without the files that mcs cannot take, and
// returns the errors in it. Of the projects it refers to, what has types is
// compiled with it.
func (c *check) settle(ctx context.Context, units, references []*source) (map[string]bool, error) {
	files := slices.Clone(units)
	for _, s := range references {
		if !s.out && len(s.types) > 0 {
			files = append(files, s)
		}
	}
	replaced := map[*source]bool{}
	out, reached, err := c.reach(ctx, files, slices.Concat(units, references), func(s *source, m message) bool {
		replaced[s] = true
		if slices.Contains(units, s) {
			c.leave(s, "mcs does not compile it: "+m.String())
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if !reached {
		for _, s := range units {
			if !s.out {
				c.leave(s, "mcs does not compile its project: "+first(out))
			}
		}
	}
	for _, s := range references {
		replaced[s] = replaced[s] || s.out
	}
	return known(out, replaced), nil
}

// known are the errors in a project as it is, but for those about the types of
// files that stand-ins are there for.
func known(out []message, replaced map[*source]bool) map[string]bool {
	keys := map[string]bool{}
	for s, is := range replaced {
		if is {
			for _, d := range s.types {
				d.mention("", keys)
			}
		}
	}
	names := map[string]bool{}
	for key := range keys {
		names[asReported(key)] = true
	}
	known := map[string]bool{}
	for _, m := range out {
		if !names[asReported(m.subject(1))] {
			known[m.String()] = true
		}
	}
	return known
}

var typeArguments = regexp.MustCompile("<.*?>")

// asReported is the name of a type without type arguments.
func asReported(key string) string {
	return strings.ReplaceAll(typeArguments.ReplaceAllString(key, ""), "+", ".")
}

func (m message) String() string {
	return fmt.Sprintf("%s(%d,%d): CS%04d %s", m.path, m.line, m.column, m.code, m.text)
}

// found are the names that new errors are about, in source order.
func (s *source) found(out []message, known map[string]bool) (uses []bind.Use) {
	for _, m := range out {
		about, counts := members[m.code]
		if !counts || m.source != s || m.standIn || known[m.String()] {
			continue
		}
		name := m.subject(about.nth)
		if i := strings.IndexByte(name, '<'); i >= 0 {
			name = name[:i]
		}
		if at := nameAt(s.text, offset(s.text, s.lines, m.line, m.column), name); at >= 0 {
			uses = append(uses, bind.Use{Start: at, End: at + len(name), Name: name, Kind: about.kind})
		}
	}
	slices.SortFunc(uses, func(a, b bind.Use) int { return a.Start - b.Start })
	return slices.CompactFunc(uses, func(a, b bind.Use) bool { return a.Start == b.Start })
}
