package gitfixture

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Modes of files, as git writes them.
const (
	Regular    = "100644"
	Executable = "100755"
	Link       = "120000"
	Submodule  = "160000"
	Folder     = "40000"
)

// File is one file of a commit.
type File struct {
	Path    string // slash-separated
	Content string // a link's target; a submodule's commit id
	Mode    string // "" is Regular
}

// Text is a regular file.
func Text(path, content string) File { return File{Path: path, Content: content} }

// FromFS lists the regular files of a file system, such as os.DirFS of a folder.
func FromFS(fsys fs.FS) ([]File, error) {
	var files []File
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := fs.ReadFile(fsys, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := Text(path, string(b))
		if info.Mode()&0o100 != 0 {
			f.Mode = Executable
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// Commit makes a commit on main whose tree holds exactly these files, with the
// branch's present commit as its parent, and returns its id.
func (r *Repo) Commit(files ...File) string {
	r.t.Helper()
	return r.CommitOn("main", files...)
}

// CommitOn is [Repo.Commit] on another branch, which it makes where there is none.
func (r *Repo) CommitOn(branch string, files ...File) string {
	r.t.Helper()
	var parents []string
	if ref, err := r.st.Reference(plumbing.NewBranchReferenceName(branch)); err == nil {
		parents = append(parents, ref.Hash().String())
	}
	id := r.CommitTree(r.Files(files...), parents...)
	r.Branch(branch, id)
	return id
}

// CommitTree makes a commit of a tree that no reference names yet.
func (r *Repo) CommitTree(tree string, parents ...string) string {
	r.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %[1]s\n\nChange %d\n", r.signature(), r.commits+1)
	r.commits++
	return r.Object("commit", b.String())
}

// Files makes the well-formed tree of these files and returns its id.
func (r *Repo) Files(files ...File) string {
	r.t.Helper()
	folders := map[string][]File{}
	var entries []TreeEntry
	for _, f := range files {
		if f.Mode == "" {
			f.Mode = Regular
		}
		folder, rest, nested := strings.Cut(f.Path, "/")
		switch {
		case nested:
			f.Path = rest
			folders[folder] = append(folders[folder], f)
		case f.Mode == Submodule:
			entries = append(entries, TreeEntry{Mode: f.Mode, Name: f.Path, ID: f.Content})
		default:
			entries = append(entries, TreeEntry{Mode: f.Mode, Name: f.Path, ID: r.Blob(f.Content)})
		}
	}
	for name, inside := range folders {
		entries = append(entries, TreeEntry{Mode: Folder, Name: name, ID: r.Files(inside...)})
	}
	slices.SortFunc(entries, func(a, b TreeEntry) int { return strings.Compare(a.sortName(), b.sortName()) })
	return r.Tree(entries...)
}

// TreeEntry is one line of a tree object.
type TreeEntry struct{ Mode, Name, ID string }

func (e TreeEntry) sortName() string {
	if e.Mode == Folder {
		return e.Name + "/"
	}
	return e.Name
}

// Tree writes a tree object as given, however malformed, and returns its id.
func (r *Repo) Tree(entries ...TreeEntry) string {
	r.t.Helper()
	var b strings.Builder
	for _, e := range entries {
		id, err := hex.DecodeString(e.ID)
		r.must(err)
		fmt.Fprintf(&b, "%s %s\x00%s", e.Mode, e.Name, id)
	}
	return r.Object("tree", b.String())
}

// Blob writes a blob and returns its id.
func (r *Repo) Blob(content string) string {
	r.t.Helper()
	return r.Object("blob", content)
}

// Object writes any object of type "blob", "tree", "commit" or "tag" and
// returns its id.
func (r *Repo) Object(kind, content string) string {
	r.t.Helper()
	t, err := plumbing.ParseObjectType(kind)
	r.must(err)
	id := plumbing.ComputeHash(t, []byte(content)).String()
	r.loose(id, fmt.Sprintf("%s %d\x00%s", kind, len(content), content))
	return id
}

// Corrupt replaces the stored bytes of an object by those of another one of the
// same type, under the old id: a store that lies.
func (r *Repo) Corrupt(id, kind, content string) {
	r.t.Helper()
	r.CorruptRaw(id, fmt.Sprintf("%s %d\x00%s", kind, len(content), content))
}

// CorruptRaw is [Repo.Corrupt] for an object whose header is given too.
func (r *Repo) CorruptRaw(id, raw string) {
	r.t.Helper()
	r.Remove(id)
	r.loose(id, raw)
}

// Remove deletes a loose object.
func (r *Repo) Remove(id string) {
	r.t.Helper()
	r.must(os.Remove(r.loosePath(id)))
}

func (r *Repo) loosePath(id string) string { return filepath.Join(r.dir, "objects", id[:2], id[2:]) }

func (r *Repo) loose(id, raw string) {
	r.t.Helper()
	if _, err := os.Stat(r.loosePath(id)); err == nil {
		return
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write([]byte(raw))
	r.must(err)
	r.must(z.Close())
	r.Write("objects/"+id[:2]+"/"+id[2:], b.String())
}
