package golang

import (
	"strconv"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// maxPath is the length in bytes of the longest import path that counts. Every
// part of a path is looked up, so that its cost is the square of its length.
const maxPath = 1000

// extract writes import paths without their quotes. What a package is called
// here matters to nobody.
func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for _, i := range m["package"] {
		if f.Module == "" {
			f.Module = t.Text(i)
		}
	}
	for _, i := range m["import"] {
		for spec := range t.Inside(i) {
			if t.Kind(spec) != "import_spec" {
				continue
			}
			if p := unquote(t, t.Child(spec, "path")); p != "" {
				f.Imports = append(f.Imports, lang.Import{Kind: "import", Path: p})
			}
		}
	}
}

// unquote is the text of a string literal, "" for none that names a package.
func unquote(t *treesitter.Tree, at int32) string {
	if at == treesitter.NoNode {
		return ""
	}
	p, err := strconv.Unquote(t.Text(at))
	if err != nil || len(p) > maxPath || !utf8.ValidString(p) {
		return ""
	}
	return p
}
