package typescript

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"benchmill/stages/lang"
)

type resolver struct {
	ix        *lang.Index
	mappings  map[string]mapping  // by folder
	manifests map[string]manifest // by folder
	packages  map[string]string   // folder by package name
}

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{ix: ix, mappings: mappings(ix), manifests: manifests(ix)}
	r.packages = packages(r.manifests)
	return r
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	from := r.importer(f.Path)
	for _, im := range f.Imports {
		if found := from.find(im.Path, im.Kind == "reference"); found != "" {
			out = append(out, found)
		}
	}
	return lang.Unique(f.Path, out)
}

func relative(specifier string) bool {
	return specifier == "." || specifier == ".." || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
}

// An importer looks files up on behalf of one. TypeScript prefers TypeScript:
// of a script with a declaration beside it, it imports the declaration.
type importer struct {
	*resolver
	path       string
	typescript bool
}

func (r *resolver) importer(file string) importer {
	return importer{r, file, slices.Contains([]string{".ts", ".tsx", ".mts", ".cts"}, path.Ext(file))}
}

// find is the file that a specifier means, or "". A path is relative without
// saying so.
func (i importer) find(specifier string, isPath bool) string {
	switch {
	case isPath || relative(specifier):
		return i.module(path.Join(path.Dir(i.path), specifier))
	case strings.HasPrefix(specifier, "#"):
		return i.private(specifier)
	}
	return i.mapped(specifier)
}

var (
	scriptsFirst = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".d.ts", ".mts", ".cts"}
	typesFirst   = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
	// What a specifier may mean that is written as the file it compiles to.
	sources = map[string][]string{
		".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx", ".d.ts"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
	}
)

// module is the file or folder at base.
func (i importer) module(base string) string {
	if p := i.file(base); p != "" {
		return p
	}
	m := i.manifests[base]
	mains := slices.Concat(m.main, m.types)
	if i.typescript {
		mains = slices.Concat(m.types, m.main)
	}
	for _, main := range mains {
		main = path.Join(base, main)
		if p := cmp.Or(i.file(main), i.suffixed(main+"/index")); p != "" {
			return p
		}
	}
	return i.suffixed(path.Join(base, "index"))
}

func (i importer) file(base string) string {
	candidates := []string{base}
	ext := path.Ext(base)
	for _, suffix := range sources[ext] {
		candidates = append(candidates, strings.TrimSuffix(base, ext)+suffix)
	}
	if i.typescript && len(candidates) > 1 {
		candidates = append(candidates[1:], base)
	}
	for _, p := range candidates {
		if i.ix.Has(p) {
			return p
		}
	}
	return i.suffixed(base)
}

func (i importer) suffixed(base string) string {
	order := scriptsFirst
	if i.typescript {
		order = typesFirst
	}
	for _, suffix := range order {
		if i.ix.Has(base + suffix) {
			return base + suffix
		}
	}
	return ""
}

// first is the first of some targets below a folder that is there.
func (i importer) first(dir string, targets []string) string {
	for _, target := range targets {
		if p := i.module(path.Join(dir, target)); p != "" {
			return p
		}
	}
	return ""
}

// mapped looks up a specifier that is not relative: by the nearest config, then
// by the name of a package.
func (i importer) mapped(specifier string) string {
	if m, ok := nearest(i.mappings, i.path); ok {
		found := i.first(cmp.Or(m.baseURL, m.dir), expand(m.patterns, specifier))
		if found == "" && m.baseURL != "" {
			found = i.module(path.Join(m.baseURL, specifier))
		}
		if found != "" {
			return found
		}
	}
	return i.packaged(specifier)
}

// packaged looks up "name", "@scope/name" or a path below either.
func (i importer) packaged(specifier string) string {
	name, below, _ := strings.Cut(specifier, "/")
	if strings.HasPrefix(name, "@") {
		inScope := below
		inScope, below, _ = strings.Cut(inScope, "/")
		name += "/" + inScope
	}
	dir, ok := i.packages[name]
	if !ok {
		return ""
	}
	return cmp.Or(
		i.first(dir, expand(i.manifests[dir].exports, strings.TrimSuffix("./"+below, "/"))),
		i.module(path.Join(dir, below)),
		i.module(path.Join(dir, "src", below)),
	)
}

// private looks up a "#name" in `imports` of the nearest package.json.
func (i importer) private(specifier string) string {
	for dir := path.Dir(i.path); ; dir = path.Dir(dir) {
		if m, ok := i.manifests[dir]; ok || dir == path.Dir(dir) {
			return i.first(dir, expand(m.imports, specifier))
		}
	}
}

// nearest is what the nearest folder upwards of a file has.
func nearest[T any](byFolder map[string]T, file string) (found T, ok bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if found, ok = byFolder[dir]; ok || dir == path.Dir(dir) {
			return found, ok
		}
	}
}
