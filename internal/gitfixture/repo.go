package gitfixture

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// Epoch is the time of the first commit; each later one comes a minute after.
var Epoch = time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)

// Repo is a repository on disk that a test builds. Any failure ends the test.
// It is not safe for concurrent use.
type Repo struct {
	t       testing.TB
	dir     string
	st      *filesystem.Storage
	commits int
}

// New makes an empty bare repository in a temporary folder of the test. HEAD
// names the branch main, which does not exist yet.
func New(t testing.TB) *Repo {
	t.Helper()
	return NewAt(t, filepath.Join(t.TempDir(), "repo.git"))
}

// NewAt makes an empty repository whose git folder is dir: "x.git", or
// "work/.git" for one that looks like a repository with a work tree.
func NewAt(t testing.TB, dir string) *Repo {
	t.Helper()
	r := &Repo{t: t, dir: dir, st: filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRUDefault())}
	_, err := git.InitWithOptions(r.st, nil, git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")})
	r.must(err)
	return r
}

// Dir is the git folder.
func (r *Repo) Dir() string { return r.dir }

// URL is the git folder as a file URL.
func (r *Repo) URL() string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(r.dir)}
	return u.String()
}

// Config replaces the configuration file.
func (r *Repo) Config(text string) {
	r.t.Helper()
	r.Write("config", text)
}

// Write puts a file into the git folder, by its slash-separated path there.
func (r *Repo) Write(path, content string) {
	r.t.Helper()
	path = filepath.Join(r.dir, filepath.FromSlash(path))
	r.must(os.MkdirAll(filepath.Dir(path), 0o755))
	r.must(os.WriteFile(path, []byte(content), 0o644))
}

// Branch sets a branch.
func (r *Repo) Branch(name, commit string) { r.Ref("refs/heads/"+name, commit) }

// Tag sets a tag without an object of its own.
func (r *Repo) Tag(name, commit string) { r.Ref("refs/tags/"+name, commit) }

// Ref sets a reference by its full name.
func (r *Repo) Ref(name, id string) {
	r.t.Helper()
	r.must(r.st.SetReference(plumbing.NewReferenceFromStrings(name, id)))
}

// Head makes HEAD name a branch.
func (r *Repo) Head(branch string) {
	r.t.Helper()
	r.must(r.st.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, plumbing.NewBranchReferenceName(branch))))
}

// AnnotatedTag makes a tag object for any object and a tag that names it, and
// returns the id of the tag object. kind is the type of the target: "commit".
func (r *Repo) AnnotatedTag(name, kind, target string) string {
	r.t.Helper()
	id := r.Object("tag", fmt.Sprintf("object %s\ntype %s\ntag %s\ntagger %s\n\n%s\n", target, kind, name, r.signature(), name))
	r.Tag(name, id)
	return id
}

// Pack moves all loose objects into one pack with deltas, as a server's garbage
// collection would.
func (r *Repo) Pack() {
	r.t.Helper()
	var loose []plumbing.Hash
	r.must(r.st.ForEachObjectHash(func(h plumbing.Hash) error {
		loose = append(loose, h)
		return nil
	}))
	w, err := r.st.PackfileWriter()
	r.must(err)
	const window = 10 // objects a delta may be made against, git's default
	_, err = packfile.NewEncoder(w, r.st, false).Encode(loose, window)
	r.must(err)
	r.must(w.Close())
	for _, h := range loose {
		r.must(r.st.DeleteLooseObject(h))
	}
}

func (r *Repo) signature() string {
	at := Epoch.Add(time.Duration(r.commits) * time.Minute)
	return fmt.Sprintf("Ada Fixture <ada@example.com> %d +0200", at.Unix())
}

func (r *Repo) must(err error) {
	if err != nil {
		r.t.Helper()
		r.t.Fatalf("fixture %s: %v", r.dir, err)
	}
}
