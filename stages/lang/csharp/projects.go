package csharp

import (
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"

	"benchmill/stages/lang"
)

// projects are the .csproj files of a repository by their folders.
type projects struct{ byFolder map[string]*project }

type project struct {
	references map[string]bool // folders
	usings     []lang.Import   // global ones written in the project file
}

func newProjects(ix *lang.Index) *projects {
	ps := &projects{map[string]*project{}}
	for _, p := range configPaths(ix) {
		folder := path.Dir(p)
		if ps.byFolder[folder] == nil {
			ps.byFolder[folder] = &project{references: map[string]bool{}}
		}
		ps.byFolder[folder].read(folder, ix.Config[p])
	}
	return ps
}

// of is the folder of the project a path belongs to, "" for none.
func (ps *projects) of(p string) string {
	if len(ps.byFolder) == 0 {
		return ""
	}
	for folder := path.Dir(p); ; folder = path.Dir(folder) {
		if ps.byFolder[folder] != nil {
			return folder
		}
		if folder == "." || folder == "/" {
			return ""
		}
	}
}

func (ps *projects) refers(from, to string) bool {
	p := ps.byFolder[from]
	return p != nil && p.references[to]
}

// read takes what it understands of a project file, which may be damaged.
func (p *project) read(folder, content string) {
	d := xml.NewDecoder(strings.NewReader(content))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // what is read is ASCII
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range e.Attr {
			attr[a.Name.Local] = a.Value
		}
		include := attr["Include"]
		switch {
		case include == "":
		case e.Name.Local == "ProjectReference":
			p.references[path.Dir(path.Join(folder, strings.ReplaceAll(include, `\`, "/")))] = true
		case e.Name.Local == "Using":
			im := lang.Import{Kind: using, Path: plain(include)}
			if strings.EqualFold(attr["Static"], "true") {
				im.Kind = static
			} else if attr["Alias"] != "" {
				im.Kind, im.Names = alias, []string{attr["Alias"]}
			}
			p.usings = append(p.usings, im)
		}
	}
}

// configPaths lists the project files, ascending.
func configPaths(ix *lang.Index) []string {
	var out []string
	for p := range ix.Config {
		if strings.HasSuffix(p, ".csproj") {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}
