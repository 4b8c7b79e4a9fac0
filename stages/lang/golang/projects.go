package golang

import (
	"path"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"benchmill/stages/lang"
)

const maxManifest = 1 << 20 // bytes; a larger go.mod counts as an empty one

// A project is the module of one go.mod.
type project struct {
	dir      string
	path     string            // that its packages' paths start with; "" if unknown
	replaced map[string]string // folders by module path; "" for what lies elsewhere
}

// projects are all modules of a repository.
type projects struct {
	byDir  map[string]*project
	byPath map[string]*project // nil where several go.mod files have the path
}

func newProjects(ix *lang.Index) projects {
	all := projects{map[string]*project{}, map[string]*project{}}
	for _, file := range ix.ConfigPaths("go.mod") {
		p := newProject(path.Dir(file), ix.Config[file])
		all.byDir[p.dir] = p
		// A path without a host may be one of the standard library.
		if host, _, _ := strings.Cut(p.path, "/"); !strings.Contains(host, ".") {
			continue
		}
		if _, taken := all.byPath[p.path]; taken {
			all.byPath[p.path] = nil
		} else {
			all.byPath[p.path] = p
		}
	}
	return all
}

// newProject reads a go.mod. One with mistakes still says where a module starts.
func newProject(dir, content string) *project {
	p := &project{dir: dir, replaced: map[string]string{}}
	if len(content) > maxManifest {
		return p
	}
	// The library minds backslashes in paths on some systems and not on others.
	data := []byte(strings.ReplaceAll(content, `\`, "/"))
	file, err := modfile.Parse(path.Join(dir, "go.mod"), data, nil)
	if err != nil {
		p.path = modfile.ModulePath(data)
		return p
	}
	if file.Module != nil {
		p.path = file.Module.Mod.Path
	}
	for _, r := range file.Replace {
		if p.replaced[r.Old.Path] == "" {
			p.replaced[r.Old.Path] = p.folder(r.New)
		}
	}
	return p
}

// folder is where a replacement lies in the repository, or "".
func (p *project) folder(to module.Version) string {
	if to.Version != "" || path.IsAbs(to.Path) {
		return ""
	}
	dir := path.Join(p.dir, to.Path)
	if dir == ".." || strings.HasPrefix(dir, "../") {
		return ""
	}
	return dir
}

// of is the module that a folder belongs to, or nil.
func (all projects) of(dir string) *project {
	for ; ; dir = path.Dir(dir) {
		if p := all.byDir[dir]; p != nil || dir == path.Dir(dir) {
			return p
		}
	}
}

// module is the folder that a module path means in a project, which may be nil;
// "" for none.
func (all projects) module(from *project, modulePath string) string {
	if from != nil {
		if from.path == modulePath {
			return from.dir
		}
		if dir, ok := from.replaced[modulePath]; ok {
			return dir
		}
	}
	if p := all.byPath[modulePath]; p != nil {
		return p.dir
	}
	return ""
}
