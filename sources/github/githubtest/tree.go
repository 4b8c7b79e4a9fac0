package githubtest

import (
	"encoding/base64"
	"slices"
	"strings"

	"benchmill/internal/digest"
)

// The identifiers of objects this package only pretends to have.

func objectID(text string) string { return digest.Of([]byte(text)).Hex()[:40] }

func treeID(commit string) string { return objectID("tree " + commit) }

func blobID(path string) string { return objectID("blob " + path) }

// content is what is in a file: enough to be told from others.
func content(path string) string { return "The file " + path + ".\n" }

// entry is one name in a folder.
type entry struct {
	path string // from the root
	dir  bool
}

func (e entry) name() string { return e.path[strings.LastIndexByte(e.path, '/')+1:] }

func (e entry) kind(dir, file string) string {
	if e.dir {
		return dir
	}
	return file
}

func (e entry) id() string {
	if e.dir {
		return objectID("tree at " + e.path)
	}
	return blobID(e.path)
}

// entries are the names below a folder ("" is the root), the whole depth or one
// level, ascending by path. ok is whether there is such a folder.
func (r *Repository) entries(folder string, deep bool) (out []entry, ok bool) {
	prefix := folder + "/"
	if folder == "" {
		prefix = ""
	}
	seen := map[string]bool{}
	for _, path := range r.Files {
		rest, below := strings.CutPrefix(path, prefix)
		if !below {
			continue
		}
		parts := strings.Split(rest, "/")
		for depth := range parts {
			e := entry{prefix + strings.Join(parts[:depth+1], "/"), depth < len(parts)-1}
			if !seen[e.path] {
				seen[e.path] = true
				out = append(out, e)
			}
			if !deep {
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return out, len(out) > 0 || folder == "" && len(r.Commits) > 0
}

// entry is one name of the contents API, in a listing or, alone, with its content.
func (n names) entry(r *Repository, ref string, e entry, alone bool) raw {
	path := escapePath(e.path)
	url := n.repoURL(r) + "/contents/" + path + "?ref=" + ref
	git := n.repoURL(r) + "/git/" + e.kind("trees", "blobs") + "/" + e.id()
	page := n.repoPage(r) + "/" + e.kind("tree", "blob") + "/" + ref + "/" + path
	o := new(object)
	o.add("name", e.name()).add("path", e.path).add("sha", e.id())
	if e.dir {
		o.add("size", 0).add("url", url).add("html_url", page).add("git_url", git).add("download_url", nil)
	} else {
		o.add("size", len(content(e.path))).add("url", url).add("html_url", page).add("git_url", git)
		o.add("download_url", n.repoPage(r)+"/raw/"+ref+"/"+path)
	}
	o.add("type", e.kind("dir", "file"))
	if alone {
		o.add("content", base64.StdEncoding.EncodeToString([]byte(content(e.path)))+"\n").add("encoding", "base64")
	}
	return o.add("_links", new(object).add("self", url).add("git", git).add("html", page).end()).end()
}

// tree is the answer of the git trees API for the folder of an identifier, or for
// the root at a commit or a branch.
func (n names) tree(r *Repository, id string, deep bool) (raw, bool) {
	folder := ""
	if id != r.branch() && id != "HEAD" && !slices.ContainsFunc(r.Commits, func(c Commit) bool { return c.ID == id || treeID(c.ID) == id }) {
		all, _ := r.entries("", true)
		at := slices.IndexFunc(all, func(e entry) bool { return e.dir && e.id() == id })
		if at < 0 {
			return nil, false
		}
		folder = all[at].path
	}
	entries, ok := r.entries(folder, deep)
	if !ok {
		return nil, false
	}
	var out []raw
	for _, e := range entries {
		o := new(object)
		o.add("path", strings.TrimPrefix(strings.TrimPrefix(e.path, folder), "/")).add("mode", e.kind("040000", "100644"))
		o.add("type", e.kind("tree", "blob")).add("sha", e.id())
		if !e.dir {
			o.add("size", len(content(e.path)))
		}
		out = append(out, o.add("url", n.repoURL(r)+"/git/"+e.kind("trees", "blobs")+"/"+e.id()).end())
	}
	o := new(object).add("sha", id).add("url", n.repoURL(r)+"/git/trees/"+id)
	return o.add("tree", list(out)).add("truncated", false).end(), true
}
