package git_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/sourcetest"
)

func TestDatesConform(t *testing.T) {
	r, _ := sample(t)
	url := r.ServeBackend(t)
	for _, accelerator := range accelerators {
		for name, source := range map[string]func(git.Options) *git.Dates{git.MainlineScheme: git.NewMainline, git.BlameScheme: git.NewBlame} {
			path := ""
			if name == git.BlameScheme {
				path = ":README.md"
			}
			subject := func(o git.Options, locator string) sourcetest.Subject {
				o.Accelerator, o.TempDir = accelerator, t.TempDir()
				return sourcetest.Subject{
					New:        func(*testing.T) sources.Source { return source(o) },
					Ref:        pipeline.Ref{Scheme: name, Locator: locator, Name: "main" + path},
					Local:      locator == r.Dir(),
					UnknownRef: pipeline.Ref{Scheme: name, Locator: locator, Name: "nothing" + path},
					UnknownPin: pipeline.Pin{Scheme: name, Locator: locator, Version: noSuchCommit + path},
				}
			}
			t.Run(name+" local "+accelerator, func(t *testing.T) {
				sourcetest.Run(t, subject(git.Options{Offline: true}, r.Dir()))
			})
			t.Run(name+" remote "+accelerator, func(t *testing.T) {
				s := subject(git.Options{HistoryDir: t.TempDir(), Mirrors: []sources.Mirror{{
					Prefix: "https://example.test/repo", Replacement: strings.Replace(url, "http://", "http://ada:s3cret-Pa55@", 1),
				}}}, "https://example.test/repo")
				s.Secrets = []string{"s3cret-Pa55"}
				sourcetest.Run(t, s)
			})
		}
	}
}

// TestHistoryIsKept fetches what is new, from servers of either kind, and nothing
// twice.
func TestHistoryIsKept(t *testing.T) {
	r := gitfixture.New(t)
	first := r.Commit(gitfixture.Text("f", "1\n"))
	second := r.Commit(gitfixture.Text("f", "1\n2\n"))
	var seen agents
	for name, url := range map[string]string{
		"backend": gitfixture.Serve(t, seen.around(r.Backend(t))) + "/" + filepath.Base(r.Dir()),
		"own":     gitfixture.Serve(t, seen.around(r.Handler())) + "/repo",
	} {
		for _, accelerator := range accelerators {
			t.Run(name+" "+accelerator, func(t *testing.T) {
				o := git.Options{Accelerator: accelerator, HistoryDir: t.TempDir(), TempDir: t.TempDir()}
				check := func(commit string, fetches bool) {
					t.Helper()
					want := dated(t, git.Options{}, git.MainlineScheme, r.Dir(), commit)
					if got := dated(t, o, git.MainlineScheme, url, commit); !bytes.Equal(got, want) {
						t.Errorf("%s, want %s", got, want)
					}
					if packs := seen.take(); fetches != (packs != "") {
						t.Errorf("packs for %q", packs)
					}
				}
				check(second, true)
				check(second, false)
				check(first, false)
				third := r.Commit(gitfixture.Text("f", "1\n2\n3\n"))
				check(third, true)
				o.HistoryDir = ""
				check(second, true)
				check(second, true)
				if left, err := os.ReadDir(o.TempDir); err != nil || len(left) != 0 {
					t.Errorf("%d temporary folders are left, %v", len(left), err)
				}
			})
		}
	}
}

// TestBrokenReader puts other programs in the place of git: each stops or lies
// somewhere, and the answer is that of go-git.
func TestBrokenReader(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		testdeps.Missing(t, "git", "that a git that breaks is noticed")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		testdeps.Missing(t, "sh", "that a git that breaks is noticed")
	}
	r := gitfixture.New(t)
	r.Commit(gitfixture.Text("dir/f", numbered("f", 50)), gitfixture.Text("g", "1\n"))
	commit := r.Commit(gitfixture.Text("dir/f", numbered("f", 60)), gitfixture.Text("h", "1\n"))
	want := dated(t, git.Options{Accelerator: git.AcceleratorNever}, git.MainlineScheme, r.Dir(), commit)
	scripts := map[string]string{
		"fails":      "exit 128",
		"is killed":  "kill -9 $$",
		"is mad":     "while read -r id; do echo $id commit 1; echo; echo; done",
		"misses all": "while read -r id; do echo $id missing; done",
		"has no end": "yes",
		"counts ill": "while read -r id; do echo $id commit -1; done",
	}
	for n := 10; n < 1300; n += 129 {
		scripts[fmt.Sprintf("stops after %d bytes", n)] = fmt.Sprintf(`%q "$@" | { dd bs=1 count=%d 2> /dev/null; kill -9 $$; }`, program, n)
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!"+sh+"\n"+script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			var b bytes.Buffer
			err := git.NewMainline(git.Options{TempDir: t.TempDir()}).Fetch(t.Context(), pipeline.Pin{Scheme: git.MainlineScheme, Locator: r.Dir(), Version: commit}, &b)
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%v: %q", err, b.Bytes())
			}
		})
	}
}

// TestIncompleteHistory cuts history off, or takes one old file away.
func TestIncompleteHistory(t *testing.T) {
	for _, accelerator := range accelerators {
		r := gitfixture.New(t)
		first := r.Commit(gitfixture.Text("f", "1\n"))
		second := r.Commit(gitfixture.Text("f", "1\n2\n"))
		wantMissing := func(source *git.Dates, version string) {
			t.Helper()
			err := source.Fetch(t.Context(), pipeline.Pin{Scheme: source.Scheme(), Locator: r.Dir(), Version: version}, &bytes.Buffer{})
			checkError(t, err, pipeline.Permanent, "lacks a part of its history", "missing", r.Dir())
		}
		o := git.Options{Accelerator: accelerator}
		r.Remove(r.Blob("1\n"))
		wantMissing(git.NewMainline(o), second)
		wantMissing(git.NewBlame(o), second+":f")
		for _, source := range git.NewDates(o) {
			version, partial := second, strings.HasSuffix(source.Scheme(), "-partial")
			if strings.Contains(source.Scheme(), "blame") {
				version += ":f"
			}
			var b bytes.Buffer
			err := source.Fetch(t.Context(), pipeline.Pin{Scheme: source.Scheme(), Locator: r.Dir(), Version: version}, &b)
			if partial != (err == nil) || partial && !strings.Contains(b.String(), "\nmissing \"f\"\n") {
				t.Errorf("%s: %v, %s", source.Scheme(), err, b.String())
			}
		}
		r.Blob("1\n")
		r.Remove(first)
		r.Write("shallow", second+"\n")
		wantMissing(git.NewMainline(o), second)
		wantMissing(git.NewBlame(o), second+":f")
	}
}

// TestNothingButObjectsCounts plants what makes git itself see another history.
func TestNothingButObjectsCounts(t *testing.T) {
	r := gitfixture.New(t)
	first := r.Commit(gitfixture.Text("f", numbered("f", 20)), gitfixture.Text(".gitattributes", "* binary diff=trap -text eol=crlf\n"))
	second := r.Commit(gitfixture.Text("g", numbered("f", 20)+"x\n"), gitfixture.Text(".gitattributes", "* binary diff=trap -text eol=crlf\n"))
	want := commitsOf(t, dated(t, git.Options{Accelerator: git.AcceleratorNever}, git.BlameScheme, r.Dir(), second, "g"))
	if ids := want["g"]; len(ids) != 21 || ids[0] != first || ids[20] != second {
		t.Fatalf("%v", want)
	}
	other := r.CommitTree(r.Files(gitfixture.Text("g", "other\n")))
	trap := filepath.Join(t.TempDir(), "sprung")
	run := fmt.Sprintf("touch %s; false", trap)
	r.Config(fmt.Sprintf("[diff]\n\trenames = false\n\talgorithm = patience\n\tindentHeuristic = false\n\texternal = %[1]q\n[diff \"trap\"]\n\ttextconv = %[1]q\n[core]\n\tfsmonitor = %[1]q\n[blame]\n\tignoreRevsFile = x\n[extensions]\n\tpartialClone = x\n[broken\n", run))
	r.Ref("refs/replace/"+first, other)
	r.Write("info/grafts", second+"\n")
	r.Write("info/attributes", "* diff=trap\n")
	for _, accelerator := range accelerators {
		got := commitsOf(t, dated(t, git.Options{Accelerator: accelerator}, git.BlameScheme, r.Dir(), second, "g"))
		if !slices.Equal(got["g"], want["g"]) {
			t.Errorf("%s: %v", accelerator, got)
		}
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a configured program ran")
	}
}

// TestDatesLimits: what is too large now has no lines; what was, shares none.
func TestDatesLimits(t *testing.T) {
	r := gitfixture.New(t)
	small, large := "1\n2\n", numbered("large", 100)
	r.Commit(gitfixture.Text("f", small), gitfixture.Text("old", large))
	r.Commit(gitfixture.Text("f", small+large), gitfixture.Text("old", large))
	third := r.Commit(gitfixture.Text("f", small), gitfixture.Text("g", large), gitfixture.Text("new", small+"3\n"))
	for _, accelerator := range accelerators {
		o := git.Options{Accelerator: accelerator, Limits: git.Limits{MaxFileBytes: 100}}
		b := dated(t, o, git.MainlineScheme, r.Dir(), third)
		got := commitsOf(t, b)
		if !slices.Equal(got["f"], []string{third, third}) || len(got["new"]) != 3 || !bytes.Contains(b, []byte("\noversized \"g\"\n")) {
			t.Errorf("%s", b)
		}
	}
}

func TestBlameOfNoFile(t *testing.T) {
	r, commit := sample(t)
	for _, path := range []string{"nothing", "up", "lib", "vendor/dep", "../x", "lib/"} {
		b := dated(t, git.Options{}, git.BlameScheme, r.Dir(), commit, path)
		if !bytes.HasSuffix(b, []byte("\ncommits 0\nend 0\n")) {
			t.Errorf("%q: %s", path, b)
		}
	}
	for _, version := range []string{commit, commit + ":"} {
		err := git.NewBlame(git.Options{}).Fetch(t.Context(), pipeline.Pin{Scheme: git.BlameScheme, Locator: r.Dir(), Version: version}, &bytes.Buffer{})
		checkError(t, err, pipeline.Permanent, "a colon and a path are missing")
	}
}
