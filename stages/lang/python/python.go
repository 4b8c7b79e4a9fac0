// Package python knows Python: every `def` is a function, methods and nested
// ones included; comments are `#` lines and docstrings; imports are resolved to
// modules and packages below the roots that the repository's layout suggests.
//
// Over-approximation: `from package import name` depends on the package and,
// where one exists, on its submodule name; a string that is a statement counts
// as a docstring wherever it stands; a module found below no root of the
// importing file is looked for below those of all others. Under-approximation:
// imports by computed names (importlib) are not seen.
package python

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/python"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Python.
func Language() *lang.Language {
	return &lang.Language{
		Name: "python", Title: "Python", Version: version,
		Doc:           "Functions are def statements, methods included; imports are resolved to modules and packages, absolute and relative.",
		CommentPrefix: "#",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".py"},
			Grammar:  treesitter.NewGrammar("python", grammar.GetLanguage()),
			Source:   queries,
			Texts:    []string{"#", "def", "import", `"""`, `'''`},
			Starts:   stringStarts(),
		}},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
	}
}

// stringStarts are the ways a string on one line can start.
func stringStarts() []string {
	var out []string
	for _, prefix := range []string{"", "r", "u", "b", "f", "br", "rb", "fr", "rf"} {
		for upper := range 1 << len(prefix) { // every mix of cases
			mixed := []byte(prefix)
			for i := range mixed {
				if upper>>i&1 == 1 {
					mixed[i] -= 'a' - 'A'
				}
			}
			out = append(out, string(mixed)+`"`, string(mixed)+`'`)
		}
	}
	return out
}

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["import"] {
		f.Imports = append(f.Imports, imports(t, i)...)
	}
}

// imports reads one import statement: Level counts the dots of a relative
// import, Path is the module, Names are what is taken from it.
func imports(t *treesitter.Tree, at int32) []lang.Import {
	if t.Kind(at) == "import_statement" {
		var out []lang.Import
		for c := range t.Children(at) {
			if m := module(t, c); m != "" {
				out = append(out, lang.Import{Kind: "import", Path: m})
			}
		}
		return out
	}
	im := lang.Import{Kind: "from"}
	from := t.Child(at, "module_name")
	if from == treesitter.NoNode {
		return nil // from __future__ import ...
	}
	im.Path = module(t, from)
	if t.Kind(from) == "relative_import" {
		text := t.Text(from)
		im.Path = strings.TrimLeft(text, ". \t\\\r\n")
		im.Level = strings.Count(text[:len(text)-len(im.Path)], ".")
	}
	for c := range t.Children(at) {
		if name := module(t, c); c != from && name != "" {
			im.Names = append(im.Names, name)
		}
	}
	return []lang.Import{im}
}

// module is the dotted name of a dotted_name or of an aliased one.
func module(t *treesitter.Tree, at int32) string {
	switch t.Kind(at) {
	case "dotted_name":
		return strings.Join(strings.Fields(t.Text(at)), "")
	case "aliased_import":
		if n := t.Child(at, "name"); n != treesitter.NoNode {
			return module(t, n)
		}
	}
	return ""
}

type resolver struct {
	ix    *lang.Index
	roots map[string]string // folder of a file -> where its absolute imports start from
	tops  map[string][]string
}

// newResolver finds the folders absolute imports start from: those above the
// topmost package of each file, where a package is a folder with __init__.py.
// tops lists those that hold a module or a folder of a name.
func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{ix: ix, roots: map[string]string{}, tops: map[string][]string{}}
	isRoot := map[string]bool{}
	for _, p := range ix.Paths {
		dir := path.Dir(p)
		if _, ok := r.roots[dir]; !ok {
			r.roots[dir] = r.root(dir)
			isRoot[r.roots[dir]] = true
		}
	}
	seen := map[[2]string]bool{}
	for _, p := range ix.Paths {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			top, _, _ := strings.Cut(strings.TrimPrefix(p, dir+"/"), "/")
			top = strings.TrimSuffix(top, ".py")
			if isRoot[dir] && !seen[[2]string{dir, top}] {
				seen[[2]string{dir, top}] = true
				r.tops[top] = append(r.tops[top], dir)
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return r
}

func (r *resolver) root(dir string) string {
	for dir != "." && r.ix.Has(path.Join(dir, "__init__.py")) {
		dir = path.Dir(dir)
	}
	return dir
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	for _, im := range f.Imports {
		if im.Level > 0 {
			if dir, ok := above(path.Dir(f.Path), im.Level-1); ok {
				out = append(out, r.in(dir, im)...)
			}
			continue
		}
		out = append(out, r.absolute(f, im)...)
	}
	return lang.Unique(f.Path, out)
}

// above is the folder so many levels up, which the root has none of.
func above(dir string, levels int) (string, bool) {
	for range levels {
		if dir == "." || dir == "/" {
			return "", false
		}
		dir = path.Dir(dir)
	}
	return dir, true
}

// absolute looks an import up below the file's own root, the folders above it,
// which hold packages without __init__.py, and at last below other files' roots.
func (r *resolver) absolute(f *lang.Facts, im lang.Import) []string {
	own, ok := r.roots[path.Dir(f.Path)]
	for ; ok; own, ok = above(own, 1) {
		if found := r.in(own, im); len(found) > 0 {
			return found
		}
	}
	top, _, _ := strings.Cut(im.Path, ".")
	for _, root := range r.tops[top] {
		if found := r.in(root, im); len(found) > 0 {
			return found
		}
	}
	return nil
}

// in looks an import up below a folder: the module itself and, for "from",
// submodules among the names.
func (r *resolver) in(dir string, im lang.Import) []string {
	base := path.Join(dir, strings.ReplaceAll(im.Path, ".", "/"))
	if strings.HasPrefix(base, "../") {
		return nil
	}
	var out []string
	for _, name := range im.Names {
		if p := r.module(path.Join(base, strings.ReplaceAll(name, ".", "/"))); p != "" {
			out = append(out, p)
		}
	}
	if p := r.module(base); p != "" && (im.Path != "" || im.Level > 0) {
		out = append(out, p)
	}
	return out
}

func (r *resolver) module(base string) string {
	for _, p := range []string{base + "/__init__.py", base + ".py"} {
		if r.ix.Has(path.Clean(p)) {
			return path.Clean(p)
		}
	}
	return ""
}

// names lists parameters, and as locals what else gets a name inside: targets of
// assignments, loops, with, except, walrus, comprehensions and case patterns,
// functions, classes, and parameters of functions and lambdas. Each is listed
// once. The tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	own := t.Child(fn, "parameters")
	if own != treesitter.NoNode {
		n.Params = once(targets(t, own))
	}
	for i := range t.Inside(fn) {
		switch kind := t.Kind(i); kind {
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
			if left := t.Child(i, "left"); left != treesitter.NoNode {
				n.Locals = append(n.Locals, targets(t, left)...)
			}
		case "named_expression", "function_definition", "class_definition":
			if name := t.Child(i, "name"); name != treesitter.NoNode {
				n.Locals = append(n.Locals, t.Text(name))
			}
		case "as_pattern_target", "lambda_parameters", "parameters", "splat_pattern":
			if i != own {
				n.Locals = append(n.Locals, targets(t, i)...)
			}
		case "case_pattern", "keyword_pattern", "as_pattern":
			n.Locals = append(n.Locals, captured(t, i)...)
		}
	}
	n.Locals = once(n.Locals)
	return n
}

// captured lists what a case pattern itself gives a name to: a lone name, and
// the one after "as". Dotted names are values to compare with.
func captured(t *treesitter.Tree, at int32) []string {
	var out []string
	before := ""
	for c := range t.Children(at) {
		kind := t.Kind(c)
		alone := kind == "dotted_name" && t.Nodes[c].Next == c+2 && t.Kind(at) != "as_pattern"
		if alone || kind == "identifier" && before == "as" {
			out = append(out, t.Text(c))
		}
		before = kind
	}
	return out
}

func once(names []string) []string {
	seen := map[string]bool{"_": true}
	return slices.DeleteFunc(names, func(name string) bool {
		repeated := seen[name]
		seen[name] = true
		return repeated
	})
}

// targets lists the identifiers bound at or below a node: not those of default
// values, types, attributes or subscripts.
func targets(t *treesitter.Tree, at int32) []string {
	switch t.Kind(at) {
	case "identifier":
		return []string{t.Text(at)}
	case "attribute", "subscript", "type", "call":
		return nil
	case "default_parameter", "typed_default_parameter":
		if name := t.Child(at, "name"); name != treesitter.NoNode {
			return targets(t, name)
		}
		return nil
	}
	var out []string
	for c := range t.Children(at) {
		out = append(out, targets(t, c)...)
	}
	return out
}
