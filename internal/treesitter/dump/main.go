// Command dump prints the syntax tree of a file as a language of the registry
// parses it, for writing queries.
package main

import (
	"fmt"
	"os"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/all"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: dump LANGUAGE FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}

func run(language, path string) error {
	set, err := all.Languages()
	if err != nil {
		return err
	}
	l := set.Get(language)
	if l == nil {
		return fmt.Errorf("no language %q; there are %s", language, strings.Join(set.Names(), ", "))
	}
	s := l.Syntax(path)
	if s == nil {
		return fmt.Errorf("%s is not a %s file", path, l.Title)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	t, err := treesitter.Parse(src, s.Grammar, nil, treesitter.DefaultLimits)
	if err != nil {
		return err
	}
	depth := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent != treesitter.NoNode {
			depth[i] = depth[n.Parent] + 1
		}
		if !n.Named() {
			continue
		}
		field := t.Grammar.FieldName(n.Field)
		if field != "" {
			field += ": "
		}
		line, _, more := strings.Cut(t.Text(int32(i)), "\n")
		if more {
			line += "..."
		}
		fmt.Printf("%s%s%s [%d:%d-%d:%d] %q\n", strings.Repeat("  ", depth[i]), field, t.Kind(int32(i)), n.StartRow+1, n.StartCol, n.EndRow+1, n.EndCol, line)
	}
	return nil
}
