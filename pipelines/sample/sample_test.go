package sample

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/sources"
	gitsource "benchmill/sources/git"
)

var update = flag.Bool("update", false, "write repositories.yaml and the golden files of testdata")

const listHead = `# The sample repositories. Written by "go test ./pipelines/sample -update": the
# commit ids follow from the programs and recipes in _repos.
repositories:
`

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is computed; -update writes it:\n%s", path, got)
	}
}

func repositories(t testing.TB) []Repository {
	t.Helper()
	all, err := Repositories()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no sample repositories")
	}
	return all
}

func prepared(t testing.TB) (dir string, all []Repository) {
	t.Helper()
	dir = t.TempDir()
	all, err := Prepare(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, all
}

func folder(dir, repo string) string { return filepath.Join(dir, filepath.FromSlash(repo)) }

func open(t *testing.T, dir, repo string) *git.Repository {
	t.Helper()
	r, err := git.PlainOpen(folder(dir, repo))
	if err != nil {
		t.Fatalf("%s: %v", repo, err)
	}
	return r
}

func TestList(t *testing.T) {
	var b strings.Builder
	b.WriteString(listHead)
	for _, r := range repositories(t) {
		if r.Unlisted {
			continue
		}
		fmt.Fprintf(&b, "  - {repo: %s, url: %q, commit: %s, entrypoint: %s, language: %s, topic: %s, licence: %s}\n",
			r.Repo, r.URL, r.Commit, r.Entrypoint, r.Language, r.Topic, r.Licence)
	}
	golden(t, "repositories.yaml", b.String())
}

// TestHistory reads what was written back: branch and HEAD, and of each commit
// its id, times, people, message and files.
func TestHistory(t *testing.T) {
	dir, all := prepared(t)
	if want := repositories(t); !slices.Equal(all, want) {
		t.Errorf("Prepare returns %v, Repositories %v", all, want)
	}
	var b strings.Builder
	for _, want := range all {
		r := open(t, dir, want.Repo)
		head, err := r.Head()
		if err != nil {
			t.Fatal(err)
		}
		if got := head.String(); got != want.Commit+" refs/heads/main" {
			t.Errorf("%s: HEAD is %s", want.Repo, got)
		}
		fmt.Fprintf(&b, "== %s\n", want.Repo)
		for _, c := range commits(t, r, head.Hash()) {
			fmt.Fprintf(&b, "%s %s %s: %s", c.Hash, c.Author.When.Format(time.RFC3339), c.Author.Name, c.Message)
			if c.Author.String() != c.Committer.String() || !c.Author.When.Equal(c.Committer.When) {
				t.Errorf("%s: author %s and committer %s differ", c.Hash, c.Author.String(), c.Committer.String())
			}
			if _, offset := c.Author.When.Zone(); offset != 0 {
				t.Errorf("%s: not in UTC", c.Hash)
			}
			for _, change := range changes(t, c) {
				fmt.Fprintf(&b, "  %s\n", change)
			}
		}
	}
	golden(t, filepath.Join("testdata", "history.txt"), b.String())
}

// commits walks from a commit to the first one and returns them the other way
// round.
func commits(t *testing.T, r *git.Repository, id plumbing.Hash) []*object.Commit {
	t.Helper()
	c, err := r.CommitObject(id)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumParents() == 0 {
		return []*object.Commit{c}
	}
	if c.NumParents() > 1 {
		t.Fatalf("%s has %d parents", id, c.NumParents())
	}
	before := commits(t, r, c.ParentHashes[0])
	if last := before[len(before)-1]; !c.Author.When.After(last.Author.When) {
		t.Errorf("%s is not later than %s", c.Hash, last.Hash)
	}
	return append(before, c)
}

// changes lists what a commit adds. Commits of the sample do nothing else.
func changes(t *testing.T, c *object.Commit) []string {
	t.Helper()
	before := map[string]object.TreeEntry{}
	if p, err := c.Parent(0); err == nil {
		before = tree(t, p)
	} else if !errors.Is(err, object.ErrParentNotFound) {
		t.Fatal(err)
	}
	var out []string
	after := tree(t, c)
	for path, e := range after {
		if old, ok := before[path]; !ok {
			out = append(out, fmt.Sprintf("%o %s", uint32(e.Mode), path))
		} else if old != e {
			t.Errorf("%s changes %s", c.Hash, path)
		}
	}
	if len(out) == 0 || len(after) != len(before)+len(out) {
		t.Errorf("%s does not just add files", c.Hash)
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(a[7:], b[7:]) })
	return out
}

func tree(t *testing.T, c *object.Commit) map[string]object.TreeEntry {
	t.Helper()
	root, err := c.Tree()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]object.TreeEntry{}
	w := object.NewTreeWalker(root, true, nil)
	defer w.Close()
	for {
		path, e, err := w.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Mode != filemode.Dir {
			e.Name = path
			out[path] = e
		}
	}
}

// TestTrees checks that what cannot be stored as it is arrives as it should, and
// that what only serves storing does not.
func TestTrees(t *testing.T) {
	dir, all := prepared(t)
	var links, encoded, renamed int
	for _, repo := range all {
		r := open(t, dir, repo.Repo)
		c, err := r.CommitObject(plumbing.NewHash(repo.Commit))
		if err != nil {
			t.Fatal(err)
		}
		got := tree(t, c)
		content := func(path string) string {
			t.Helper()
			b, err := r.BlobObject(got[path].Hash)
			if err != nil {
				t.Fatalf("%s: %s: %v", repo.Repo, path, err)
			}
			rd, err := b.Reader()
			if err != nil {
				t.Fatal(err)
			}
			defer rd.Close()
			text, err := io.ReadAll(rd)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		_, base, _ := strings.Cut(repo.Repo, "/")
		source := os.DirFS(filepath.Join(root, base))
		recipe, err := readRecipe(source, base)
		if err != nil {
			t.Fatal(err)
		}
		for path, target := range recipe.Links {
			links++
			if got[path].Mode != filemode.Symlink || content(path) != target {
				t.Errorf("%s: %s is no link to %s", repo.Repo, path, target)
			}
		}
		for path := range recipe.Encoded {
			encoded++
			if got[path].Mode != filemode.Regular || utf8.ValidString(content(path)) {
				t.Errorf("%s: %s is not the Latin-1 file it should be", repo.Repo, path)
			}
		}
		for stored, path := range recipe.Rename {
			renamed++
			want, err := os.ReadFile(filepath.Join(root, base, stored))
			if err != nil {
				t.Fatal(err)
			}
			if content(path) != string(want) {
				t.Errorf("%s: %s is not the file %s", repo.Repo, path, stored)
			}
			if _, ok := got[stored]; ok {
				t.Errorf("%s: %s was not renamed", repo.Repo, stored)
			}
		}
		inside := 0
		for path := range got {
			if strings.HasPrefix(path, strings.TrimPrefix(repo.Entrypoint+"/", "./")) {
				inside++
			}
			if filepath.Base(path) == recipeName {
				t.Errorf("%s: the recipe is in the repository", repo.Repo)
			}
		}
		if inside == 0 {
			t.Errorf("%s: nothing is below the entry directory %s", repo.Repo, repo.Entrypoint)
		}
	}
	if links == 0 || encoded == 0 || renamed == 0 {
		t.Errorf("the sample has %d links, %d encoded and %d renamed files; it should have each", links, encoded, renamed)
	}
	kelp := slices.IndexFunc(all, func(r Repository) bool { return strings.HasSuffix(r.Repo, "/kelpdb") })
	text := latin1(t, open(t, dir, all[kelp].Repo), all[kelp].Commit, "engine/src/legacy_messages.cpp")
	if !strings.Contains(text, "Datei besch\xe4digt") {
		t.Errorf("the Latin-1 bytes are not there:\n%q", text)
	}
}

func latin1(t *testing.T, r *git.Repository, commit, path string) string {
	t.Helper()
	c, err := r.CommitObject(plumbing.NewHash(commit))
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.File(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Contents()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestFsck asks git itself.
func TestFsck(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program: the repositories are not checked by git fsck")
	}
	dir, all := prepared(t)
	for _, repo := range all {
		run := func(args ...string) string {
			cmd := exec.Command(program, append([]string{"-c", "safe.directory=*", "-C", folder(dir, repo.Repo)}, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s: git %s: %v\n%s", repo.Repo, strings.Join(args, " "), err, out)
			}
			return strings.TrimSpace(string(out))
		}
		if out := run("fsck", "--full", "--strict", "--no-progress"); out != "" {
			t.Errorf("%s: git fsck says:\n%s", repo.Repo, out)
		}
		if got := run("rev-parse", "HEAD"); got != repo.Commit {
			t.Errorf("%s: HEAD is %s for git, not %s", repo.Repo, got, repo.Commit)
		}
		if got := run("symbolic-ref", "HEAD"); got != "refs/heads/main" {
			t.Errorf("%s: HEAD is %s", repo.Repo, got)
		}
	}
}

// TestMirror fetches every URL of the list the way a pipeline does.
func TestMirror(t *testing.T) {
	dir, all := prepared(t)
	s := gitsource.New(gitsource.Options{
		Mirrors: []sources.Mirror{{Prefix: Host, Replacement: dir + "/"}},
		Offline: true, TempDir: t.TempDir(),
	})
	for _, repo := range all {
		pin, err := s.Resolve(t.Context(), pipeline.Ref{Scheme: gitsource.Scheme, Locator: repo.URL, Name: "main"})
		if err != nil {
			t.Fatal(err)
		}
		if pin.Version != repo.Commit {
			t.Errorf("%s: main is %s, listed is %s", repo.Repo, pin.Version, repo.Commit)
		}
		pr, pw := io.Pipe()
		go func() { pw.CloseWithError(s.Fetch(t.Context(), pin, pw)) }()
		r, err := snapshot.NewReader(pr)
		if err != nil {
			t.Fatalf("%s: %v", repo.Repo, err)
		}
		if got := r.Header().Commit; got != repo.Commit {
			t.Errorf("%s: the snapshot is of %s", repo.Repo, got)
		}
		files := 0
		for ; ; files++ {
			if _, _, err = r.Next(); err != nil {
				break
			}
		}
		if err != io.EOF || files == 0 {
			t.Errorf("%s: %d files, then %v", repo.Repo, files, err)
		}
	}
}
