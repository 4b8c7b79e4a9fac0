package git_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/internal/linedates"
	"benchmill/internal/snapshot"
	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

// dated fetches the dates of lines: of all files for git.MainlineScheme, else of those
// at the paths.
func dated(t *testing.T, o git.Options, scheme, locator, commit string, paths ...string) []byte {
	t.Helper()
	src, versions := git.NewMainline(o), []string{commit}
	if scheme == git.BlameScheme {
		src, versions = git.NewBlame(o), nil
		for _, p := range paths {
			versions = append(versions, commit+":"+p)
		}
	}
	var b bytes.Buffer
	for _, v := range versions {
		if err := src.Fetch(t.Context(), pipeline.Pin{Scheme: scheme, Locator: locator, Version: v}, &b); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// commitsOf reads one or more documents: the commit of each line of each text, by path.
func commitsOf(t *testing.T, b []byte) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, doc := range bytes.SplitAfter(b, []byte("\nend ")) {
		if i := bytes.IndexByte(doc, '\n'); !bytes.HasPrefix(doc, []byte("benchmill")) {
			doc = doc[i+1:] // the number of files of the document before
		}
		if len(doc) == 0 {
			continue
		}
		files := bytes.Count(doc, []byte("\ntext ")) + bytes.Count(doc, []byte("\nbinary ")) + bytes.Count(doc, []byte("\noversized "))
		r, err := linedates.NewReader(io.MultiReader(bytes.NewReader(doc), strings.NewReader(fmt.Sprintln(files))))
		if err != nil {
			t.Fatalf("%v in %q", err, doc)
		}
		for {
			f, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v in %q", err, doc)
			}
			if f.Kind != linedates.Text {
				continue
			}
			ids := []string{}
			for _, run := range f.Runs {
				for range run.Lines {
					ids = append(ids, r.Commits()[run.Commit].ID)
				}
			}
			out[f.Path] = ids
		}
	}
	return out
}

// blamed is the commit of each line of each text, by path, as the git program says.
func blamed(t *testing.T, dir, commit string, flags ...string) map[string][]string {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		testdeps.Missing(t, "git", "that dates are those of git blame")
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, append([]string{"--git-dir=" + dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_NO_REPLACE_OBJECTS=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %q: %v", args, err)
		}
		return string(out)
	}
	out := map[string][]string{}
	for _, e := range strings.Split(run("ls-tree", "-r", "-z", commit), "\x00") {
		head, path, ok := strings.Cut(e, "\t")
		if !ok || !strings.HasPrefix(head, "100") {
			continue
		}
		if text := run("cat-file", "blob", strings.Fields(head)[2]); strings.Contains(text[:min(len(text), 8000)], "\x00") {
			continue
		}
		ids := []string{}
		for line := range strings.Lines(run(slices.Concat([]string{"blame", "-s", "-l", "--root"}, flags, []string{commit, "--", path})...)) {
			ids = append(ids, line[:40])
		}
		out[snapshot.EscapePath(path)] = ids
	}
	return out
}

// checkDates compares go-git alone, the git program as reader, and git blame.
func checkDates(t *testing.T, dir, commit string) map[string]map[string][]string {
	t.Helper()
	out := map[string]map[string][]string{}
	for scheme, flags := range map[string][]string{git.MainlineScheme: {"--first-parent"}, git.BlameScheme: nil} {
		want := blamed(t, dir, commit, flags...)
		paths := slices.Sorted(maps.Keys(want))
		alone := dated(t, git.Options{Accelerator: git.AcceleratorNever}, scheme, dir, commit, paths...)
		if !bytes.Equal(alone, dated(t, git.Options{}, scheme, dir, commit, paths...)) {
			t.Errorf("%s: with and without the git program the bytes differ", scheme)
		}
		got := commitsOf(t, alone)
		for path, ids := range want {
			if !slices.Equal(got[path], ids) {
				t.Errorf("%s %q: %s\nwant %s", scheme, path, short(got[path]), short(ids))
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d texts, want %d", scheme, len(got), len(want))
		}
		out[scheme] = got
	}
	return out
}

func short(ids []string) string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, "%.6s ", id)
	}
	return b.String()
}

// numbered is a text of lines with a prefix.
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d\n", prefix, i)
	}
	return b.String()
}

func TestDatesOfLines(t *testing.T) {
	long, other := numbered("some", 20), numbered("other", 20)
	// Each builds a history whose commits are called a, b, c... in the order they were
	// made, and says which made the lines: "mainline" and, where it is another, "blame".
	for name, test := range map[string]struct {
		build func(r *gitfixture.Repo) []string
		want  map[string][2]string
	}{
		"edits, no last line feed, carriage returns, an empty file": {
			func(r *gitfixture.Repo) []string {
				return []string{
					r.Commit(gitfixture.Text("f", "1\n2\n3"), gitfixture.Text("crlf", "1\n2\n"), gitfixture.Text("empty", "")),
					r.Commit(gitfixture.Text("f", "1\nx\n2\n3\n"), gitfixture.Text("crlf", "1\r\n2\n"), gitfixture.Text("empty", "")),
					r.Commit(gitfixture.Text("f", "1\nx\n2\n3\ny"), gitfixture.Text("crlf", "1\r\n2\n"), gitfixture.Text("empty", "")),
				}
			},
			map[string][2]string{"f": {"ababc"}, "crlf": {"ba"}, "empty": {}},
		},
		"renames: whole, changed, by its name, two of one": {
			func(r *gitfixture.Repo) []string {
				return []string{
					r.Commit(gitfixture.Text("a", "1\n2\n"), gitfixture.Text("b", long), gitfixture.Text("dir/c", other), gitfixture.Text("x", numbered("x", 9))),
					r.Commit(gitfixture.Text("a2", "1\n2\n"), gitfixture.Text("b2", "new\n"+long), gitfixture.Text("other/c", other+"new\n"),
						gitfixture.Text("x1", numbered("x", 9)+"1\n"), gitfixture.Text("x2", numbered("x", 9)+"2\n")),
				}
			},
			map[string][2]string{
				"a2": {"aa"}, "b2": {"b" + strings.Repeat("a", 20)}, "other/c": {strings.Repeat("a", 20) + "b"},
				"x1": {"aaaaaaaaab"}, "x2": {"aaaaaaaaab"},
			},
		},
		"a copy is new, and so is what shares too little": {
			func(r *gitfixture.Repo) []string {
				return []string{
					r.Commit(gitfixture.Text("a", long), gitfixture.Text("b", numbered("b", 4))),
					r.Commit(gitfixture.Text("a", long), gitfixture.Text("a2", "1\n"), gitfixture.Text("b2", numbered("b", 2)+numbered("c", 6))),
				}
			},
			map[string][2]string{"a": {strings.Repeat("a", 20)}, "a2": {"b"}, "b2": {"bbbbbbbb"}},
		},
		"a merge": {
			func(r *gitfixture.Repo) []string {
				a := r.Commit(gitfixture.Text("f", "1\n2\n3\n4\n5\n"))
				b := r.CommitTree(r.Files(gitfixture.Text("f", "b\n2\n3\n4\n5\n")), a)
				c := r.CommitTree(r.Files(gitfixture.Text("f", "1\n2\n3\n4\nc\n"), gitfixture.Text("g", "g\n")), a)
				d := r.CommitTree(r.Files(gitfixture.Text("f", "b\n2\nd\n4\nc\n"), gitfixture.Text("g", "g\n")), b, c)
				return []string{a, b, c, d}
			},
			map[string][2]string{"f": {"badad", "badac"}, "g": {"d", "c"}},
		},
		"a merge of three, of which two have the same": {
			func(r *gitfixture.Repo) []string {
				a := r.Commit(gitfixture.Text("f", "1\n2\n3\n"))
				b := r.CommitTree(r.Files(gitfixture.Text("f", "1\n2\n3\n"), gitfixture.Text("g", "g\n")), a)
				c := r.CommitTree(r.Files(gitfixture.Text("f", "1\nc\n3\n")), a)
				d := r.CommitTree(r.Files(gitfixture.Text("f", "1\nc\n3\n"), gitfixture.Text("h", "h\n")), a)
				e := r.CommitTree(r.Files(gitfixture.Text("f", "1\nc\n3\ne\n"), gitfixture.Text("g", "g\n"), gitfixture.Text("h", "h\n")), b, c, d)
				return []string{a, b, c, d, e}
			},
			map[string][2]string{"f": {"aeae", "acae"}, "g": {"b"}, "h": {"e", "d"}},
		},
		"a file renamed on a branch": {
			func(r *gitfixture.Repo) []string {
				a := r.Commit(gitfixture.Text("f", long))
				b := r.CommitTree(r.Files(gitfixture.Text("f", "b\n"+long)), a)
				c := r.CommitTree(r.Files(gitfixture.Text("g", long+"c\n")), a)
				d := r.CommitTree(r.Files(gitfixture.Text("g", "b\n"+long+"c\n")), b, c)
				return []string{a, b, c, d}
			},
			map[string][2]string{"g": {"b" + strings.Repeat("a", 20) + "d", "b" + strings.Repeat("a", 20) + "c"}},
		},
		"modes, links, folders, zero bytes": {
			func(r *gitfixture.Repo) []string {
				return []string{
					r.Commit(gitfixture.Text("run", "1\n"), gitfixture.File{Path: "link", Content: "1\n", Mode: gitfixture.Link},
						gitfixture.Text("dir/f", "1\n"), gitfixture.Text("bin", "1\n\x00\n3\n")),
					r.Commit(gitfixture.File{Path: "run", Content: "1\n", Mode: gitfixture.Executable}, gitfixture.Text("link", "1\n"),
						gitfixture.Text("dir", "2\n"), gitfixture.Text("bin", "1\n2\n3\n"), gitfixture.Text("zero", "\x00")),
					r.Commit(gitfixture.Text("run", "1\n2\n"), gitfixture.File{Path: "link", Content: "run", Mode: gitfixture.Link},
						gitfixture.Text("dir", "2\n"), gitfixture.Text("bin", "1\n2\n3\n"), gitfixture.Text("zero", "\x00")),
				}
			},
			map[string][2]string{"run": {"ac"}, "dir": {"b"}, "bin": {"aba"}},
		},
		"hostile paths": {
			func(r *gitfixture.Repo) []string {
				files := func(text string) (out []gitfixture.File) {
					for _, p := range []string{"a\nb", `"q"`, " ", "\xff\xfe", "-n", "\t", "ü", "x:y", "back\\slash"} {
						out = append(out, gitfixture.Text(p, p+"\n"+text))
					}
					return out
				}
				return []string{r.Commit(files("")...), r.Commit(files("more\n")...)}
			},
			map[string][2]string{
				"a\nb": {"aab"}, `"q"`: {"ab"}, " ": {"ab"}, "%FF%FE": {"ab"}, "-n": {"ab"}, "\t": {"ab"}, "ü": {"ab"}, "x:y": {"ab"}, "back\\slash": {"ab"},
			},
		},
		"one commit": {
			func(r *gitfixture.Repo) []string { return []string{r.Commit(gitfixture.Text("dir/f", "1\n2\n"))} },
			map[string][2]string{"dir/f": {"aa"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gitfixture.New(t)
			commits := test.build(r)
			for range 2 {
				got := checkDates(t, r.Dir(), commits[len(commits)-1])
				for path, want := range test.want {
					for i, scheme := range []string{git.MainlineScheme, git.BlameScheme} {
						if want[i] == "" {
							want[i] = want[0]
						}
						letters := ""
						for _, id := range got[scheme][path] {
							letters += string(rune('a' + slices.Index(commits, id)))
						}
						if _, ok := got[scheme][path]; !ok || letters != want[i] {
							t.Errorf("%s %q: %s, want %s", scheme, path, letters, want[i])
						}
					}
				}
				if len(got[git.MainlineScheme]) != len(test.want) {
					t.Errorf("%d files, want %d", len(got[git.MainlineScheme]), len(test.want))
				}
				r.Pack()
			}
		})
	}
}

// TestDatesOfRandomHistories compares with git blame on histories with all that
// happens to files, in no order.
func TestDatesOfRandomHistories(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := gitfixture.New(t)
			checkDates(t, r.Dir(), randomHistory(r, rand.New(rand.NewPCG(seed, 7))))
		})
	}
}

// state is a commit and its files.
type state struct {
	id    string
	files map[string][]string
}

func randomHistory(r *gitfixture.Repo, random *rand.Rand) string {
	line := func() string { return fmt.Sprintf("%*s%d\n", random.IntN(3)*2, "", random.IntN(30)) }
	change := func(files map[string][]string) {
		paths := slices.Sorted(maps.Keys(files))
		pick := func() string { return paths[random.IntN(len(paths))] }
		switch kind := random.IntN(10); {
		case kind == 0 || len(paths) < 3:
			var text []string
			for range 5 + random.IntN(30) {
				text = append(text, line())
			}
			files[fmt.Sprintf("d%d/f%d", random.IntN(3), random.IntN(8))] = text
		case kind == 1:
			delete(files, pick())
		case kind <= 4: // a rename, which the next change may touch
			from := pick()
			to := fmt.Sprintf("d%d/%s", random.IntN(4), []string{"f1", "f2", "f9", from[3:]}[random.IntN(4)])
			files[to] = files[from]
			if to != from {
				delete(files, from)
			}
		case kind == 5: // a copy
			files[fmt.Sprintf("d%d/f%d", random.IntN(3), random.IntN(8))] = files[pick()]
		default:
			p := pick()
			text := slices.Clone(files[p])
			for range 1 + random.IntN(4) {
				at := random.IntN(len(text) + 1)
				text = slices.Replace(text, at, min(len(text), at+random.IntN(3)), line(), line())
			}
			files[p] = text
		}
	}
	commit := func(files map[string][]string, parents ...string) state {
		var out []gitfixture.File
		for _, p := range slices.Sorted(maps.Keys(files)) {
			out = append(out, gitfixture.Text(p, strings.Join(files[p], "")))
		}
		return state{r.CommitTree(r.Files(out...), parents...), files}
	}
	first := map[string][]string{}
	for range 6 {
		change(first)
	}
	tips := []state{commit(first)}
	for range 40 {
		i := random.IntN(len(tips))
		files := maps.Clone(tips[i].files)
		if len(tips) > 1 && random.IntN(4) == 0 { // a merge, of which either side has each file, or both half
			j := random.IntN(len(tips))
			for p, text := range tips[j].files {
				switch mine, ok := files[p]; {
				case !ok || random.IntN(3) == 0:
					files[p] = text
				case random.IntN(2) == 0:
					files[p] = slices.Concat(mine[:len(mine)/2], text[len(text)/2:])
				}
			}
			if tips[i].id != tips[j].id {
				tips[i] = commit(files, tips[i].id, tips[j].id)
			}
			continue
		}
		for range 1 + random.IntN(3) {
			change(files)
		}
		if s := commit(files, tips[i].id); len(tips) < 4 && random.IntN(3) == 0 {
			tips = append(tips, s)
		} else {
			tips[i] = s
		}
	}
	last := tips[0]
	for _, s := range tips[1:] {
		files := maps.Clone(s.files)
		maps.Copy(files, last.files)
		last = commit(files, last.id, s.id)
	}
	return last.id
}
