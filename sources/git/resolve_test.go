package git_test

import (
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

// names is a repository in which names are ambiguous, and what each means.
func names(t *testing.T) (*gitfixture.Repo, map[string]string) {
	t.Helper()
	r := gitfixture.New(t)
	one := r.Commit(gitfixture.Text("a", "1\n"))
	two := r.CommitOn("feature/x", gitfixture.Text("a", "2\n"))
	three := r.Commit(gitfixture.Text("a", "3\n"))
	r.Branch("both", one)
	r.Tag("both", two)
	tag := r.AnnotatedTag("v1.0", "commit", one)
	r.AnnotatedTag("v1.0-signed", "tag", tag)
	r.Branch("deadbeef", one)
	r.Ref("refs/pull/7/head", two)
	r.Ref("refs/remotes/origin/next", two)
	return r, map[string]string{
		"":                         three,
		"HEAD":                     three,
		"main":                     three,
		"heads/main":               three,
		"refs/heads/main":          three,
		"feature/x":                two,
		"both":                     two,
		"heads/both":               one,
		"tags/both":                two,
		"v1.0":                     one,
		"refs/tags/v1.0":           one,
		"v1.0-signed":              one,
		"deadbeef":                 one,
		"pull/7/head":              two,
		"origin/next":              two,
		two:                        two,
		strings.ToUpper(two):       two,
		"refs/remotes/origin/next": two,
	}
}

func checkNames(t *testing.T, locator string, names map[string]string) {
	t.Helper()
	src := git.New(git.Options{})
	for name, want := range names {
		pin, err := src.Resolve(t.Context(), refOf(locator, name))
		if err != nil || pin != pinOf(locator, want) {
			t.Errorf("%q: %s, %v; want %s", name, pin, err, want)
		}
	}
	for name, words := range map[string]string{
		"mian":                                  `nearest: "main"`,
		"v1":                                    `nearest: "v1.0"`,
		"refs/heads/v1.0":                       "no such branch or tag",
		"abcdef12":                              "all 40 digits",
		"main~1":                                "no such branch or tag",
		"a\nb":                                  `resolve "a\nb"`,
		strings.Repeat("0123456789abcdef", 4):   "SHA-256",
		"../../../../etc/passwd":                "no such branch or tag",
		"feature":                               `nearest:`,
		strings.Repeat("a", 41):                 "no such branch or tag",
		"0123456789abcdef0123456789abcdef01234": "all 40 digits",
	} {
		_, err := src.Resolve(t.Context(), refOf(locator, name))
		checkError(t, err, pipeline.Permanent, locator, words)
	}
}

func TestResolveLocal(t *testing.T) {
	r, want := names(t)
	checkNames(t, r.Dir(), want)
	src := git.New(git.Options{})
	_, err := src.Resolve(t.Context(), refOf(r.Dir(), noSuchCommit))
	checkError(t, err, pipeline.Permanent, "missing")

	r.AnnotatedTag("tree", "tree", r.Files())
	_, err = src.Resolve(t.Context(), refOf(r.Dir(), "tree"))
	checkError(t, err, pipeline.Permanent, "is a tree, not a commit")
	r.Tag("bad", r.Object("tag", "no headers"))
	_, err = src.Resolve(t.Context(), refOf(r.Dir(), "bad"))
	checkError(t, err, pipeline.Permanent, "malformed tag")
	r.Tag("gone", noSuchCommit)
	_, err = src.Resolve(t.Context(), refOf(r.Dir(), "gone"))
	checkError(t, err, pipeline.Permanent, "missing")
	tag := want["main"]
	for range 20 {
		kind := "tag"
		if tag == want["main"] {
			kind = "commit"
		}
		tag = r.AnnotatedTag("chain", kind, tag)
	}
	_, err = src.Resolve(t.Context(), refOf(r.Dir(), "chain"))
	checkError(t, err, pipeline.Permanent, "without end")
	r.Head("nowhere")
	_, err = src.Resolve(t.Context(), refOf(r.Dir(), ""))
	checkError(t, err, pipeline.Permanent, "default branch does not exist", `"main"`)
	_, err = src.Resolve(t.Context(), refOf(gitfixture.New(t).Dir(), "main"))
	checkError(t, err, pipeline.Permanent, "empty")
}

func TestResolveRemote(t *testing.T) {
	r, want := names(t)
	t.Run("own server", func(t *testing.T) {
		checkNames(t, gitfixture.Serve(t, r.Handler())+"/repo", want)
	})
	t.Run("git http-backend", func(t *testing.T) {
		checkNames(t, r.ServeBackend(t), want)
	})
}
