package rust

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"benchmill/stages/lang"
)

const maxManifest = 256 << 10 // bytes; larger ones are passed over

// A table is one of a Cargo.toml. Values of the wrong type count as missing.
type table map[string]any

func (t table) table(key string) table {
	inner, _ := t[key].(map[string]any)
	return inner
}

func (t table) tables(key string) []table {
	var out []table
	list, _ := t[key].([]any)
	for _, one := range list {
		if inner, ok := one.(map[string]any); ok {
			out = append(out, inner)
		}
	}
	return out
}

func (t table) text(key string) string {
	text, _ := t[key].(string)
	return text
}

// A project is a package of a Cargo.toml.
type project struct {
	dir          string
	name         string // that dependencies say
	libName      string // that paths start with
	libPath      string // of the library's root file
	roots        []string
	dependencies map[string]dependency // by the name paths start with
	edition2015  bool                  // use declarations start at the crate's root
}

// projects are all packages of a repository, by folder.
type projects map[string]*project

// of is the package that a file belongs to, or nil.
func (all projects) of(file string) *project {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if p := all[dir]; p != nil || dir == path.Dir(dir) {
			return p
		}
	}
}

// A dependency leads to a folder of the repository, or to a package by name.
type dependency struct{ dir, name string }

func newProjects(ix *lang.Index) projects {
	all := projects{}
	for _, p := range ix.ConfigPaths("Cargo.toml") {
		var manifest table
		if len(ix.Config[p]) > maxManifest || toml.Unmarshal([]byte(ix.Config[p]), (*map[string]any)(&manifest)) != nil {
			continue
		}
		if manifest.table("package").text("name") != "" {
			all[path.Dir(p)] = newProject(path.Dir(p), manifest)
		}
	}
	return all
}

func newProject(dir string, manifest table) *project {
	p := &project{dir: dir, name: manifest.table("package").text("name"), dependencies: map[string]dependency{}}
	p.libName, p.libPath = identifier(p.name), path.Join(dir, "src/lib.rs")
	if name := manifest.table("lib").text("name"); name != "" {
		p.libName = identifier(name)
	}
	if file := manifest.table("lib").text("path"); file != "" {
		p.libPath = path.Join(dir, file)
	}
	for _, kind := range []string{"bin", "test", "example", "bench"} {
		for _, target := range manifest.tables(kind) {
			if file := target.text("path"); file != "" {
				p.roots = append(p.roots, path.Join(dir, file))
			}
		}
	}
	if file := manifest.table("package").text("build"); file != "" {
		p.roots = append(p.roots, path.Join(dir, file))
	}
	edition := manifest.table("package")["edition"] // a table when the workspace has it
	p.edition2015 = edition == nil || edition == "2015"
	p.depend(manifest)
	targets := manifest.table("target")
	for _, platform := range slices.Sorted(maps.Keys(targets)) {
		p.depend(targets.table(platform))
	}
	return p
}

func (p *project) depend(manifest table) {
	for _, kind := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		list := manifest.table(kind)
		for _, alias := range slices.Sorted(maps.Keys(list)) {
			d := dependency{name: alias}
			if name := list.table(alias).text("package"); name != "" {
				d.name = name
			}
			if dir := list.table(alias).text("path"); dir != "" {
				d.dir = path.Join(p.dir, dir)
			}
			p.dependencies[identifier(alias)] = d
		}
	}
}

func identifier(name string) string { return strings.ReplaceAll(name, "-", "_") }

// Files below a package that Cargo takes for roots of crates without being told.
var implied = regexp.MustCompile(`^(src/main|src/bin/[^/]+|src/bin/[^/]+/main|(tests|examples|benches)/[^/]+|(tests|examples|benches)/[^/]+/main|build)\.rs$`)

// below is the path of a file of the package below its folder.
func (p *project) below(file string) string {
	below, _ := holds(p.dir, file)
	return below
}

// holds reports whether a file lies below a folder, and where.
func holds(dir, file string) (below string, ok bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}
