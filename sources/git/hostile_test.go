package git_test

import (
	"fmt"
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

func entry(mode, name, id string) gitfixture.TreeEntry {
	return gitfixture.TreeEntry{Mode: mode, Name: name, ID: id}
}

// TestHostileTrees writes trees that git would not. What cannot be represented
// is skipped with a reason, everything else is there.
func TestHostileTrees(t *testing.T) {
	type entries = []gitfixture.TreeEntry
	tests := []struct {
		name string
		tree func(r *gitfixture.Repo, blob string) entries
		want string
	}{
		{
			name: "names that leave",
			tree: func(_ *gitfixture.Repo, blob string) entries {
				return entries{entry("100644", "..", blob), entry("100644", ".", blob), entry("100644", "", blob), entry("100644", "a/b", blob),
					entry("100644", "/etc/passwd", blob), entry("120000", `..\..\x`, blob), entry("100644", "ok", blob)}
			},
			want: `
file "ok" "x\n"
skipped "": empty name
skipped ".": name leaves its folder
skipped "..": name leaves its folder
skipped "..\\..\\x": name leaves its folder
skipped "/etc/passwd": slash or NUL in a name
skipped "a/b": slash or NUL in a name
`,
		},
		{
			name: "folders that leave",
			tree: func(r *gitfixture.Repo, blob string) entries {
				inside := r.Tree(gitfixture.TreeEntry{Mode: "100644", Name: "f", ID: blob})
				return entries{entry("40000", "..", inside), entry("40000", ".Git", inside), entry("40000", "sub", r.Tree(entries{entry("40000", "..", inside)}...))}
			},
			want: `
skipped "..": name leaves its folder
skipped ".Git": name stands for .git
skipped "sub/..": name leaves its folder
`,
		},
		{
			name: "names of .git",
			tree: func(_ *gitfixture.Repo, blob string) entries {
				return entries{entry("160000", ".GIT", blob), entry("100644", "git~1", blob), entry("100644", ".git ", blob), entry("120000", ".g\u200dit", blob), entry("100644", ".gitattributes", blob)}
			},
			want: `
file ".gitattributes" "x\n"
skipped ".GIT": name stands for .git
skipped ".git ": name stands for .git
skipped ".g\u200dit": name stands for .git
skipped "git~1": name stands for .git
`,
		},
		{
			name: "one name twice",
			tree: func(r *gitfixture.Repo, blob string) entries {
				inside := r.Tree(gitfixture.TreeEntry{Mode: "100644", Name: "passwd", ID: blob})
				return entries{entry("120000", "a", r.Blob("/etc")), entry("40000", "a", inside), entry("100644", "a-b", blob), entry("100755", "b", blob), entry("100644", "b", blob)}
			},
			want: `
link "a" -> /etc
file "a-b" "x\n"
executable "b" "x\n"
skipped "a": name stands twice in its folder
skipped "b": name stands twice in its folder
`,
		},
		{
			name: "out of order",
			tree: func(r *gitfixture.Repo, blob string) entries {
				inside := r.Tree(entries{entry("100644", "z", blob), entry("100644", "a", blob)}...)
				return entries{entry("100644", "z", blob), entry("40000", "m", inside), entry("100644", "m.x", blob), entry("100644", "a", blob)}
			},
			want: `
file "a" "x\n"
file "m.x" "x\n"
file "m/a" "x\n"
file "m/z" "x\n"
file "z" "x\n"
`,
		},
		{
			name: "names that are not text",
			tree: func(r *gitfixture.Repo, blob string) entries {
				inside := r.Tree(entries{entry("100644", "\xff%", blob), entry("100644", "\xc3\xa9", blob)}...)
				return entries{entry("100644", "caf%E9", blob), entry("100644", "caf\xe9", r.Blob("other\n")), entry("40000", "d\xe9", inside), entry("100644", "tab\tend\n", blob)}
			},
			want: `
file "caf%E9" "x\n"
file "d%E9/%FF%25" raw "d\xe9/\xff%" "x\n"
file "d%E9/é" raw "d\xe9/é" "x\n"
file "tab\tend\n" "x\n"
skipped "caf%E9": name stands twice in its folder
`,
		},
		{
			name: "odd modes",
			tree: func(_ *gitfixture.Repo, blob string) entries {
				return entries{entry("100664", "a", blob), entry("0100777", "b", blob), entry("100654", "c", blob), entry("60000", "d", blob), entry("0", "e", blob), entry("777777", "f", blob)}
			},
			want: `
file "a" "x\n"
executable "b" "x\n"
file "c" "x\n"
skipped "d": unknown mode 60000
skipped "e": unknown mode 0
skipped "f": unknown mode 777777
`,
		},
		{
			name: "odd links",
			tree: func(r *gitfixture.Repo, blob string) entries {
				return entries{entry("120000", "a", r.Blob("")), entry("120000", "b", r.Blob("x\x00y")), entry("120000", "c", r.Blob("\xff")), entry("120000", "d", r.Blob(strings.Repeat("x", 4097))), entry("120000", "e", r.Blob("/dev/null"))}
			},
			want: `
link "e" -> /dev/null
skipped "a": empty link target
skipped "b": NUL in a link target
skipped "c": link target is not UTF-8
skipped "d": link target too long
`,
		},
		{
			name: "our own names",
			tree: func(r *gitfixture.Repo, blob string) entries {
				inside := r.Tree(entries{entry("100644", "skipped", blob), entry("100644", "snapshot", blob)}...)
				return entries{entry("40000", ".benchmill", inside)}
			},
			want: `
file ".benchmill/skipped" "x\n"
file ".benchmill/snapshot" "x\n"
`,
		},
		{
			name: "an empty folder",
			tree: func(r *gitfixture.Repo, blob string) entries { return entries{entry("40000", "d", r.Tree())} },
			want: "\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := gitfixture.New(t)
			commit := r.CommitTree(r.Tree(test.tree(r, r.Blob("x\n"))...))
			checkListing(t, fetch(t, git.Options{}, r.Dir(), commit), test.want)
		})
	}
}

func TestMalformedObjects(t *testing.T) {
	r := gitfixture.New(t)
	broken := r.Object("tree", "100644 a\x00short")
	for commit, words := range map[string]string{
		r.CommitTree(broken): "malformed tree",
		r.CommitTree(r.Tree(gitfixture.TreeEntry{Mode: "40000", Name: "sub", ID: broken})): `"sub": malformed tree`,
		r.Object("commit", "tree zzz\n\n"):                                                 "malformed commit",
		r.Object("commit", "no headers"):                                                   "malformed commit",
		r.Object("commit", "tree "+r.Blob("x")+"\n\n"):                                     "is a blob, not a tree",
		r.Object("commit", strings.Repeat("tree x\n", 700_000)):                            "4900000 bytes",
		r.CommitTree(r.Files(gitfixture.Text("gone", "missing\n"))):                        `"gone"`,
	} {
		if words == `"gone"` {
			r.Remove(r.Blob("missing\n"))
		}
		wantError(t, git.Options{}, pinOf(r.Dir(), commit), pipeline.Permanent, r.Dir(), words)
	}
}

func TestLimits(t *testing.T) {
	r := gitfixture.New(t)
	commit := r.Commit(
		gitfixture.Text("a/b/c/d.txt", "deep\n"),
		gitfixture.Text("a/b/e.txt", "less\n"),
		gitfixture.Text("big", strings.Repeat("x", 100)),
		gitfixture.Text("big too", strings.Repeat("\x00", 101)),
		gitfixture.Text("a/name that goes on", "n\n"),
	)
	checkListing(t, fetch(t, git.Options{Limits: git.Limits{MaxFileBytes: 100, MaxDepth: 2, MaxPathBytes: 12}}, r.Dir(), commit), `
file "a/b/e.txt" "less\n"
file "big" "`+strings.Repeat("x", 100)+`"
oversized "big too" 101
skipped "a/b/c": folders nested too deep
skipped "a/name that goes on": path too long
`)
	r.Pack()
	checkListing(t, fetch(t, git.Options{Limits: git.Limits{MaxFileBytes: 1}}, r.Dir(), commit), `
oversized "a/b/c/d.txt" 5
oversized "a/b/e.txt" 5
oversized "a/name that goes on" 2
oversized "big" 100
oversized "big too" 101
`)
	wantError(t, git.Options{Limits: git.Limits{MaxTreeBytes: 300}}, pinOf(r.Dir(), commit), pipeline.Permanent, "more than 300 bytes")
	wantError(t, git.Options{Limits: git.Limits{MaxEntries: 7}}, pinOf(r.Dir(), commit), pipeline.Permanent, "more than 7 files and folders")
	fetch(t, git.Options{Limits: git.Limits{MaxEntries: 8}}, r.Dir(), commit)
}

// TestTreeBombs multiplies a few objects into more entries than there can be.
func TestTreeBombs(t *testing.T) {
	bomb := func(r *gitfixture.Repo, leaf gitfixture.TreeEntry, levels int) string {
		wide := func(e gitfixture.TreeEntry) string {
			var es []gitfixture.TreeEntry
			for i := range 10 {
				e.Name = fmt.Sprintf("%d", i)
				es = append(es, e)
			}
			return r.Tree(es...)
		}
		id := wide(leaf)
		for range levels {
			id = wide(gitfixture.TreeEntry{Mode: "40000", ID: id})
		}
		return r.CommitTree(id)
	}
	r := gitfixture.New(t)
	for name, commit := range map[string]string{
		"files":         bomb(r, gitfixture.TreeEntry{Mode: "100644", ID: r.Blob("")}, 10),
		"empty folders": bomb(r, gitfixture.TreeEntry{Mode: "40000", ID: r.Tree()}, 10),
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, git.Options{Limits: git.Limits{MaxEntries: 3000}}, pinOf(r.Dir(), commit), pipeline.Permanent, "more than 3000 files and folders")
		})
	}
	t.Run("skipped", func(t *testing.T) {
		commit := bomb(r, gitfixture.TreeEntry{Mode: "0", ID: r.Blob("")}, 10)
		wantError(t, git.Options{}, pinOf(r.Dir(), commit), pipeline.Permanent, "cannot be represented")
	})
	t.Run("depth", func(t *testing.T) {
		id := r.Files(gitfixture.Text("f", "x\n"))
		for range 200 {
			id = r.Tree(gitfixture.TreeEntry{Mode: "40000", Name: "d", ID: id})
		}
		got := listing(t, fetch(t, git.Options{}, r.Dir(), r.CommitTree(id)))
		if want := fmt.Sprintf("skipped %q: folders nested too deep\n", strings.Repeat("d/", git.MaxDepth)+"d"); got != want {
			t.Errorf("snapshot %q, want %q", got, want)
		}
	})
}
