package golang

import (
	"slices"
	"strings"

	"benchmill/stages/lang/bind"
)

// imports declares the packages. Of one without a name of its own here the name
// is guessed from its path: every import must be used, so of several guesses the
// one that the file uses is right.
func (x *walker) imports(tops []int32) {
	qualifiers := map[string]bool{}
	for i := range x.t.Nodes {
		switch i := int32(i); x.t.Kind(i) {
		case "qualified_type":
			qualifiers[x.text(i, "package")] = true
		case "selector_expression":
			qualifiers[x.text(i, "operand")] = true
		}
	}
	for _, top := range tops {
		if x.t.Kind(top) != "import_declaration" {
			continue
		}
		for spec := range x.t.Inside(top) {
			path := ""
			if x.t.Kind(spec) == "import_spec" {
				path = unquote(x.t, x.t.Child(spec, "path"))
			}
			if path == "" {
				continue
			}
			im := bind.Import{Kind: importPackage, Path: path}
			switch name := x.text(spec, "name"); name {
			case ".":
				im.All = true
				x.Import(im, "", 0)
				continue
			case "_":
				continue
			case "":
				guesses := packageNames(path)
				at := max(0, slices.IndexFunc(guesses, func(g string) bool { return qualifiers[g] }))
				x.declarePackage(im, guesses[at], x.start(spec))
			default:
				x.declarePackage(im, name, x.start(spec))
			}
		}
	}
}

func (x *walker) declarePackage(im bind.Import, name string, start int32) {
	x.packages[name] = im.Path
	x.Import(im, name, start)
}

// packageNames are the names that the package of an import path may have, the
// likeliest first.
func packageNames(path string) []string {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && isVersion(last) {
		last = parts[len(parts)-2]
	}
	if at := strings.LastIndex(last, ".v"); at > 0 && isVersion(last[at+1:]) {
		last = last[:at]
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go"), ".go")
	names := []string{last, bare}
	for _, sep := range []string{"-", "."} {
		first, rest, _ := strings.Cut(bare, sep)
		names = append(names, first, rest, strings.ReplaceAll(bare, sep, ""), strings.ReplaceAll(bare, sep, "_"))
	}
	return append(names, parts...)
}

// isVersion reports whether the element of a path is a major version: v2.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}
