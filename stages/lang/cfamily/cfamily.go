// Package cfamily holds what C and C++ have in common and no other language has:
// includes, comments inside macro bodies, the names inside declarators, and what
// names mean. It is no language.
//
// What names mean: a compiler given one file without the files of the repository
// that it includes finds undefined what those declare. Here every such name
// stands for a type without members, so that members of it and of its values are
// uses too, and so are the members of its class that a function uses which is
// defined outside of it. What headers declare is found by name, in any of the
// files that are included, over others too.
//
// Over-approximation of uses: a simple name is that of any namespace of an
// included file; every branch of #if counts. Under-approximation: macros are not
// expanded and no conversion is chosen, so that what those give is not known;
// overloads and operators are chosen in the extended mode only, by the classes of
// arguments; simple names of classes inside a class of another file are none; nor is
// what a function of another file gives.
//
// [Describe] also lists the calls of C++ that types decide, of a tree that [Mend] has
// freed of macros in the place of attributes; package callgraph resolves them.
package cfamily

import (
	"bytes"
	"slices"
	"strings"

	"benchmill/internal/include"
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// Extract gathers includes and mends functions and comments. Statements are
// keywords that the parser takes for names of functions after text it could not
// read.
func Extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts, statements ...string) {
	f.Functions = slices.DeleteFunc(f.Functions, func(fn lang.Function) bool { return slices.Contains(statements, fn.Name) })
	for _, i := range m["import"] {
		if im, ok := imported(t, t.Child(i, "path")); ok {
			f.Imports = append(f.Imports, im)
		}
	}
	for _, i := range m["macro"] {
		body := t.Source[t.Nodes[i].Start:t.Nodes[i].End]
		if at := include.Comment(body); at >= 0 {
			start := int(t.Nodes[i].Start) + at
			f.Comments = append(f.Comments, lang.Span{Start: start, End: start + len(body[at:])})
		}
	}
	for i := range f.Comments { // the grammar counts half a line break to a line comment
		c := &f.Comments[i]
		c.End = c.Start + len(bytes.TrimRight(t.Source[c.Start:c.End], "\r"))
	}
}

// imported reads the path of an include: Kind says how it was written. A macro
// in its place names no file.
func imported(t *treesitter.Tree, path int32) (lang.Import, bool) {
	if path == treesitter.NoNode {
		return lang.Import{}, false
	}
	switch t.Kind(path) {
	case "string_literal":
		return lang.Import{Kind: "quoted", Path: strings.Trim(t.Text(path), `"`)}, true
	case "system_lib_string":
		return lang.Import{Kind: "angled", Path: strings.Trim(t.Text(path), "<>")}, true
	}
	return lang.Import{}, false
}

type resolver struct{ files *include.Index }

// NewResolver resolves includes, see package include.
func NewResolver(ix *lang.Index) lang.Resolver { return resolver{include.New(ix.Entry, ix.Paths)} }

func (r resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	for _, im := range f.Imports {
		if p := r.files.Find(f.Path, im.Path); p != "" {
			out = append(out, p)
		}
	}
	return lang.Unique(f.Path, out)
}

// Declared is the name inside a declarator, or "".
func Declared(t *treesitter.Tree, at int32) string {
	for at != treesitter.NoNode {
		kind := t.Kind(at)
		switch {
		case kind == "identifier" || kind == "type_identifier" || kind == "field_identifier":
			return t.Text(at)
		case !strings.HasSuffix(kind, "_declarator") || kind == "structured_binding_declarator":
			return ""
		}
		at = inner(t, at)
	}
	return ""
}

// inner is the declarator or name inside a declarator. Those around it in
// parentheses have no field for it.
func inner(t *treesitter.Tree, at int32) int32 {
	if d := t.Child(at, "declarator"); d != treesitter.NoNode {
		return d
	}
	for c := range t.Children(at) {
		if kind := t.Kind(c); strings.HasSuffix(kind, "identifier") || strings.HasSuffix(kind, "_declarator") {
			return c
		}
	}
	return treesitter.NoNode
}
