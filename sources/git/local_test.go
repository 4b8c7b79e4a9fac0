package git_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/sourcetest"
)

func TestConformsLocal(t *testing.T) {
	r, _ := sample(t)
	for name, locator := range map[string]string{"path": r.Dir(), "url": r.URL()} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Subject{
				New:        func(*testing.T) sources.Source { return git.New(git.Options{Offline: true}) },
				Ref:        refOf(locator, "main"),
				Local:      true,
				UnknownRef: refOf(locator, "nothing"),
				UnknownPin: pinOf(locator, noSuchCommit),
			})
		})
	}
}

func TestSnapshotOfEveryKind(t *testing.T) {
	r, commit := sample(t)
	want := `
file "README.md" "# Sample\n\nMore.\n"
file "größe.txt" "ß\n"
file "lib-x.py" ""
file "lib/a.py" 20700 bytes
lfs "model.bin" 4d7a 12345
executable "run.sh" "#!/bin/sh\n"
link "up" -> ../../etc/passwd
submodule "vendor/dep" -> 00000000000000000000000000000000deadbeef
`
	loose := fetch(t, git.Options{}, r.Dir(), commit)
	checkListing(t, loose, want)
	sr, err := snapshot.NewReader(bytes.NewReader(loose))
	if err != nil {
		t.Fatal(err)
	}
	if h := sr.Header(); h.Commit != commit || !h.CommitTime.Equal(gitfixture.Epoch.Add(2*60e9)) || h.AuthorTime != h.CommitTime {
		t.Errorf("header %+v", h)
	}
	r.Pack()
	if !bytes.Equal(loose, fetch(t, git.Options{}, r.Dir(), commit)) {
		t.Error("packed and loose objects give different snapshots")
	}
}

// TestLargeDeltas reads a file that a pack stores as a difference which copies
// back and forth: go-git's streaming of large objects gets those wrong.
func TestLargeDeltas(t *testing.T) {
	var text strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&text, "line %d\n", i*7919%100_003)
	}
	parts := func(from, to int) string { return text.String()[from*text.Len()/100 : to*text.Len()/100] }
	r := gitfixture.New(t)
	old := r.Commit(gitfixture.Text("big", parts(0, 100)))
	now := r.Commit(gitfixture.Text("big", parts(10, 20)+parts(0, 1)+parts(30, 100)))
	wantOld, wantNow := fetch(t, git.Options{}, r.Dir(), old), fetch(t, git.Options{}, r.Dir(), now)
	r.Pack()
	packs, err := filepath.Glob(filepath.Join(r.Dir(), "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("%v, %v", packs, err)
	}
	if info, err := os.Stat(packs[0]); err != nil || info.Size() > 500_000 {
		t.Fatalf("the pack of %d bytes holds no difference, %v", info.Size(), err)
	}
	if !bytes.Equal(wantOld, fetch(t, git.Options{}, r.Dir(), old)) || !bytes.Equal(wantNow, fetch(t, git.Options{}, r.Dir(), now)) {
		t.Error("packed and loose objects give different snapshots")
	}
}

func TestFullDisk(t *testing.T) {
	r, commit := sample(t)
	for _, broken := range []error{syscall.ENOSPC, errors.New("other")} {
		err := git.New(git.Options{}).Fetch(t.Context(), pinOf(r.Dir(), commit), failing{broken})
		want := pipeline.Permanent
		if broken == syscall.ENOSPC {
			want = pipeline.Fatal
		}
		checkError(t, err, want, r.Dir())
		if !errors.Is(err, broken) {
			t.Errorf("the writer's error is lost: %v", err)
		}
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestLayouts reads one commit from every layout a local repository can have.
func TestLayouts(t *testing.T) {
	bare, commit := sample(t)
	want := fetch(t, git.Options{}, bare.Dir(), commit)
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	fill(gitfixture.NewAt(t, filepath.Join(work, ".git")))
	tree := filepath.Join(dir, "linked")
	admin := filepath.Join(work, ".git", "worktrees", "linked")
	write(filepath.Join(tree, ".git"), "gitdir: ../work/.git/worktrees/linked\n")
	write(filepath.Join(admin, "commondir"), "../..\n")
	write(filepath.Join(admin, "HEAD"), "ref: refs/heads/side\n")
	borrower := gitfixture.NewAt(t, filepath.Join(dir, "borrower.git"))
	borrower.Write("objects/info/alternates", "# comment\n../../second.git/objects\n"+filepath.Join(dir, "missing", "objects")+"\n")
	second := gitfixture.NewAt(t, filepath.Join(dir, "second.git"))
	second.Write("objects/info/alternates", filepath.Join(work, ".git", "objects")+"\n"+filepath.Join(dir, "borrower.git", "objects")+"\n")

	for _, path := range []string{work, filepath.Join(work, ".git"), tree, borrower.Dir()} {
		if !bytes.Equal(want, fetch(t, git.Options{}, path, commit)) {
			t.Errorf("%s: another snapshot", path)
		}
	}
	src := git.New(git.Options{})
	for path, want := range map[string]string{work: "main", tree: "side"} {
		head, err := src.Resolve(t.Context(), refOf(path, ""))
		if err != nil {
			t.Fatal(err)
		}
		branch, err := src.Resolve(t.Context(), refOf(path, want))
		if err != nil || branch != head {
			t.Errorf("%s: HEAD is %s, %s is %s, %v", path, head, want, branch, err)
		}
	}
}

// TestConfigRunsNothing plants every setting that makes git run a program.
func TestConfigRunsNothing(t *testing.T) {
	r, commit := sample(t)
	want := fetch(t, git.Options{}, r.Dir(), commit)
	trap := filepath.Join(t.TempDir(), "sprung")
	run := fmt.Sprintf("touch %s; false", trap)
	r.Config(fmt.Sprintf(`[core]
	repositoryformatversion = 1
	fsmonitor = %[1]q
	sshCommand = %[1]q
	hooksPath = hooks
	alternateRefsCommand = %[1]q
	worktree = /
[extensions]
	partialClone = origin
	preciousObjects = true
[remote "origin"]
	url = "ext::sh -c %[1]s"
	promisor = true
	uploadpack = %[1]q
[filter "lfs"]
	smudge = %[1]q
[include]
	path = /dev/stdin
[broken
`, run))
	for _, hook := range []string{"post-checkout", "reference-transaction", "pre-auto-gc"} {
		r.Write("hooks/"+hook, "#!/bin/sh\n"+run)
	}
	if !bytes.Equal(want, fetch(t, git.Options{}, r.Dir(), commit)) {
		t.Error("the configuration changes the snapshot")
	}
	if _, err := git.New(git.Options{}).Resolve(t.Context(), refOf(r.Dir(), "v1")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a configured program ran")
	}
}

func TestUnsupportedRepositories(t *testing.T) {
	r, commit := sample(t)
	r.Config("[extensions]\n\tobjectFormat = sha256\n")
	wantError(t, git.Options{}, pinOf(r.Dir(), commit), pipeline.Permanent, r.Dir(), "SHA-256")
	r.Config("[extensions]\n\trefStorage = reftable\n")
	fetch(t, git.Options{}, r.Dir(), commit)
	_, err := git.New(git.Options{}).Resolve(t.Context(), refOf(r.Dir(), "main"))
	checkError(t, err, pipeline.Permanent, "reftable", "full commit id")

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	pointer := t.TempDir()
	if err := os.WriteFile(filepath.Join(pointer, ".git"), []byte("gitdir: nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantError(t, git.Options{}, pinOf(file, commit), pipeline.Permanent, file, "not a git repository")
	wantError(t, git.Options{}, pinOf(t.TempDir(), commit), pipeline.Permanent, "not a git repository")
	wantError(t, git.Options{}, pinOf(pointer, commit), pipeline.Permanent, "names a missing folder")
	wantError(t, git.Options{}, pinOf("no/such/folder", commit), pipeline.Permanent, "no/such/folder", "no such folder")
}

func TestVersions(t *testing.T) {
	r, commit := sample(t)
	for version, words := range map[string]string{
		commit[:7]:               "all 40 digits",
		"":                       "40 lower-case",
		"main":                   "40 lower-case",
		strings.ToUpper(commit):  "40 lower-case",
		commit + commit[:24]:     "SHA-256",
		noSuchCommit:             "missing",
		r.Blob("just a file"):    "is a blob, not a commit",
		r.Files():                "is a tree, not a commit",
		"../../" + commit[:34]:   "40 lower-case",
		strings.Repeat("ab", 40): "all 40 digits",
	} {
		wantError(t, git.Options{}, pinOf(r.Dir(), version), pipeline.Permanent, r.Dir(), words)
	}
}

// TestDamaged reads objects from a store that lies.
func TestDamaged(t *testing.T) {
	const id = "f719efd430d52bcfc8566a43b2eb655688d38871" // of "two\n"
	tests := map[string]struct {
		damage func(*gitfixture.Repo)
		words  string
	}{
		"other content":   {func(r *gitfixture.Repo) { r.Corrupt(id, "blob", "owt\n") }, "another id"},
		"other type":      {func(r *gitfixture.Repo) { r.Corrupt(id, "commit", "two\n") }, "is a commit, not a blob"},
		"size too small":  {func(r *gitfixture.Repo) { r.CorruptRaw(id, "blob 3\x00two\n") }, "another id"},
		"size too large":  {func(r *gitfixture.Repo) { r.CorruptRaw(id, "blob 5\x00two\n") }, "another id"},
		"negative size":   {func(r *gitfixture.Repo) { r.CorruptRaw(id, "blob -4\x00two\n") }, "malformed object"},
		"no header":       {func(r *gitfixture.Repo) { r.CorruptRaw(id, strings.Repeat("blob", 1<<20)) }, "malformed object"},
		"unknown type":    {func(r *gitfixture.Repo) { r.CorruptRaw(id, "bolb 4\x00two\n") }, "malformed object"},
		"empty":           {func(r *gitfixture.Repo) { r.CorruptRaw(id, "") }, "malformed object"},
		"not compressed":  {func(r *gitfixture.Repo) { r.Write("objects/"+id[:2]+"/"+id[2:], "blob 4\x00two\n") }, "zlib"},
		"cut short":       {func(r *gitfixture.Repo) { r.Write("objects/"+id[:2]+"/"+id[2:], "x\x9c\x4b\xca") }, "unexpected EOF"},
		"missing":         {func(r *gitfixture.Repo) { r.Remove(id) }, "missing"},
		"bomb behind a 4": {func(r *gitfixture.Repo) { r.CorruptRaw(id, "blob 4\x00"+strings.Repeat("\x00", 8<<20)) }, "another id"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := gitfixture.New(t)
			commit := r.Commit(gitfixture.Text("dir/one", "one\n"), gitfixture.Text("dir/two", "two\n"))
			test.damage(r)
			wantError(t, git.Options{}, pinOf(r.Dir(), commit), pipeline.Permanent, r.Dir(), `"dir/two"`, id, test.words)
		})
	}
	t.Run("tree", func(t *testing.T) {
		r := gitfixture.New(t)
		commit := r.Commit(gitfixture.Text("dir/one", "one\n"))
		tree := r.Files(gitfixture.Text("one", "one\n"))
		r.Corrupt(tree, "tree", "")
		wantError(t, git.Options{}, pinOf(r.Dir(), commit), pipeline.Permanent, `"dir"`, tree, "another id")
	})
	t.Run("commit", func(t *testing.T) {
		r := gitfixture.New(t)
		first := r.Commit(gitfixture.Text("one", "one\n"))
		second := r.Commit()
		r.Corrupt(second, "commit", "tree "+r.Files(gitfixture.Text("one", "one\n"))+"\n\n")
		wantError(t, git.Options{}, pinOf(r.Dir(), second), pipeline.Permanent, second, "another id")
		fetch(t, git.Options{}, r.Dir(), first)
	})
}
