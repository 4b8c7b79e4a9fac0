package typescript

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"benchmill/stages/lang"
)

// Bounds on hostile config files.
const (
	maxConfig   = 256 << 10 // bytes; larger files are passed over
	maxDepth    = 256       // of brackets, whose parser takes the square of it
	maxExtends  = 16        // configs that one config extends, directly or not
	maxPatterns = 1 << 10   // of one config
	maxTargets  = 16        // of one pattern
)

// objects reads the config files of some base names by path: JSON with comments
// and trailing commas. What is no object is left out.
func objects(ix *lang.Index, is func(base string) bool) map[string]map[string]any {
	out := map[string]map[string]any{}
	for p, text := range ix.Config {
		if !is(path.Base(p)) || len(text) > maxConfig || tooDeep(text) {
			continue
		}
		standard, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
		if err != nil {
			continue
		}
		var object map[string]any
		if json.Unmarshal(standard, &object) == nil && object != nil {
			out[p] = object
		}
	}
	return out
}

// tooDeep counts brackets, those in strings too, which seldom stand alone.
func tooDeep(text string) bool {
	depth := 0
	for i := 0; i < len(text) && depth <= maxDepth; i++ {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return depth > maxDepth
}

// A pattern is one key of `paths`, `exports` or `imports`; without a star it
// stands for itself alone.
type pattern struct {
	prefix, suffix string
	star           bool
	targets        []string
}

func newPattern(key string, value any) pattern {
	p := pattern{targets: stringsIn(value)}
	p.prefix, p.suffix, p.star = strings.Cut(key, "*")
	return p
}

// newPatterns reads an object of patterns, the one to try first in front: those
// without a star, then the longest prefix.
func newPatterns(object map[string]any) []pattern {
	var out []pattern
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if len(out) < maxPatterns {
			out = append(out, newPattern(key, object[key]))
		}
	}
	slices.SortStableFunc(out, func(a, b pattern) int {
		switch {
		case a.star == b.star:
			return len(b.prefix) - len(a.prefix)
		case a.star:
			return 1
		}
		return -1
	})
	return out
}

func (p pattern) match(specifier string) (star string, ok bool) {
	if !p.star {
		return "", specifier == p.prefix
	}
	rest, ok := strings.CutPrefix(specifier, p.prefix)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, p.suffix)
}

// expand gives the targets of the first pattern that fits.
func expand(patterns []pattern, specifier string) []string {
	for _, p := range patterns {
		if star, ok := p.match(specifier); ok {
			var out []string
			for _, target := range p.targets {
				out = append(out, strings.Replace(target, "*", star, 1))
			}
			return out
		}
	}
	return nil
}

// stringsIn lists the first strings in a value, objects in the order of keys.
func stringsIn(value any) []string {
	var out []string
	var visit func(any)
	visit = func(value any) {
		switch v := value.(type) {
		case string:
			if len(out) < maxTargets {
				out = append(out, v)
			}
		case []any:
			for _, one := range v {
				visit(one)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key])
			}
		}
	}
	visit(value)
	return out
}

// A mapping is what a tsconfig.json says of specifiers that are not relative.
type mapping struct {
	baseURL  string // folder such specifiers are looked up in, "" for none
	patterns []pattern
	dir      string // of the config that has the patterns
}

func (m *mapping) override(by mapping) {
	if by.baseURL != "" {
		m.baseURL = by.baseURL
	}
	if by.patterns != nil {
		m.patterns, m.dir = by.patterns, by.dir
	}
}

// A config is one tsconfig.json by itself.
type config struct {
	mapping
	extends []string // candidates are tried for each
	beside  []string // configs in the same folder that it refers to
}

func newConfig(p string, object map[string]any) config {
	dir := path.Dir(p)
	var c config
	for _, base := range stringsIn(object["extends"]) {
		if relative(base) { // packages from elsewhere are not here
			c.extends = append(c.extends, path.Join(dir, base))
		}
	}
	options, _ := object["compilerOptions"].(map[string]any)
	if base, ok := options["baseUrl"].(string); ok {
		c.baseURL = path.Join(dir, base)
	}
	if paths, ok := options["paths"].(map[string]any); ok {
		c.patterns, c.dir = newPatterns(paths), dir
	}
	references, _ := object["references"].([]any)
	for _, one := range references {
		to, _ := one.(map[string]any)
		file, _ := to["path"].(string)
		if file = path.Join(dir, file); path.Dir(file) == dir {
			c.beside = append(c.beside, file)
		}
	}
	return c
}

// mappings reads all configs, by the folder they hold for.
func mappings(ix *lang.Index) map[string]mapping {
	configs := map[string]config{}
	for p, object := range objects(ix, func(base string) bool { return base != "package.json" }) {
		configs[p] = newConfig(p, object)
	}
	out := map[string]mapping{}
	for _, base := range []string{"jsconfig.json", "tsconfig.json"} {
		for _, p := range ix.ConfigPaths(base) {
			out[path.Dir(p)] = resolveConfig(configs, p, map[string]bool{})
		}
	}
	return out
}

// resolveConfig joins a config with those it extends. One that maps nothing
// itself lets the configs beside it speak.
func resolveConfig(configs map[string]config, p string, seen map[string]bool) mapping {
	var m mapping
	c, ok := configs[p]
	if !ok || seen[p] || len(seen) > maxExtends {
		return m
	}
	seen[p] = true
	for _, base := range c.extends {
		for _, candidate := range []string{base, base + ".json", path.Join(base, "tsconfig.json")} {
			if _, ok := configs[candidate]; ok {
				m.override(resolveConfig(configs, candidate, seen))
				break
			}
		}
	}
	m.override(c.mapping)
	for _, p := range c.beside {
		if m.baseURL == "" && m.patterns == nil {
			m = resolveConfig(configs, p, seen)
		}
	}
	return m
}

// A manifest is what a package.json says of its folder.
type manifest struct {
	name    string
	main    []string // files that stand for the folder
	types   []string // of main, those to prefer for types
	exports []pattern
	imports []pattern
}

// manifests reads every package.json, by folder.
func manifests(ix *lang.Index) map[string]manifest {
	out := map[string]manifest{}
	for p, object := range objects(ix, func(base string) bool { return base == "package.json" }) {
		out[path.Dir(p)] = newManifest(object)
	}
	return out
}

func newManifest(object map[string]any) manifest {
	text := func(fields ...string) []string {
		var out []string
		for _, field := range fields {
			if s, ok := object[field].(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	m := manifest{main: text("main", "module", "source"), types: text("types", "typings")}
	m.name, _ = object["name"].(string)
	if imports, ok := object["imports"].(map[string]any); ok {
		m.imports = newPatterns(imports)
	}
	exports, _ := object["exports"].(map[string]any)
	for key := range exports {
		if strings.HasPrefix(key, ".") {
			m.exports = newPatterns(exports)
			return m
		}
	}
	m.exports = []pattern{newPattern(".", object["exports"])} // a file, or conditions
	return m
}

// packages finds the folder of each package by name. Of two packages with one
// name the upper one counts, then the one first in order.
func packages(manifests map[string]manifest) map[string]string {
	dirs := slices.Sorted(maps.Keys(manifests))
	slices.SortStableFunc(dirs, func(a, b string) int { return depth(a) - depth(b) })
	out := map[string]string{}
	for _, dir := range dirs {
		name := manifests[dir].name
		if _, taken := out[name]; !taken && name != "" && !strings.Contains("/"+dir+"/", "/node_modules/") {
			out[name] = dir
		}
	}
	return out
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}
