package sample

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const head = `
repo: owner/demo
language: python
entrypoint: src
topic: demo
licence: MIT
`

const first = `
  - message: "First"
    author: "Ada Sample <ada@example.invalid>"
    date: "2024-01-15T09:00:00Z"
    add: `

const second = `
  - message: "Second"
    author: "Bo Sample <bo@example.invalid>"
    date: "2024-02-15T10:00:00+01:00"
    add: `

func demo(recipe string, files ...string) fstest.MapFS {
	fsys := fstest.MapFS{recipeName: {Data: []byte(recipe)}}
	for _, name := range files {
		fsys[name] = &fstest.MapFile{Data: []byte("text of " + name)}
	}
	return fsys
}

// TestSchedule: "|" parts commits.
func TestSchedule(t *testing.T) {
	files := []string{"README.md", "go.mod.in", "src/a.py", "src/deep/b.py", "src/deep/deeper/c.py"}
	for _, c := range []struct{ name, first, second, extra, want string }{
		{"names", `[README.md, src/a.py]`, `["**"]`, "", "README.md src/a.py | go.mod.in src/deep/b.py src/deep/deeper/c.py"},
		{"a star stops at a slash", `["src/*"]`, `["**"]`, "", "src/a.py | README.md go.mod.in src/deep/b.py src/deep/deeper/c.py"},
		{"everything below", `["src/deep/**"]`, `["**"]`, "", "src/deep/b.py src/deep/deeper/c.py | README.md go.mod.in src/a.py"},
		{"stored name", `[go.mod.in]`, `["**"]`, "rename: {go.mod.in: go.mod}", "go.mod | README.md src/a.py src/deep/b.py src/deep/deeper/c.py"},
		{"name in the repository", `[go.mod]`, `["**"]`, "rename: {go.mod.in: go.mod}", "go.mod | README.md src/a.py src/deep/b.py src/deep/deeper/c.py"},
		{"the first commit wins", `["**/a.py", "src/a.py"]`, `["**"]`, "", "error"},
		{"links and encoded files", `["src/*"]`, `["**"]`, "links: {src/l.py: ../x}\nencoded: {latin.py: /w==}",
			"src/a.py src/l.py | README.md go.mod.in latin.py src/deep/b.py src/deep/deeper/c.py"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := demo(head+"commits:"+first+c.first+second+c.second+"\n"+c.extra, files...)
			got := "error"
			if r, err := readRecipe(fsys, "demo"); err == nil {
				all, err := r.files(fsys)
				if err != nil {
					t.Fatal(err)
				}
				commits, err := r.schedule(all)
				if err != nil {
					t.Fatal(err)
				}
				var parts []string
				for _, files := range commits {
					var names []string
					for _, f := range files {
						names = append(names, f.name)
					}
					parts = append(parts, strings.Join(names, " "))
				}
				got = strings.Join(parts, " | ")
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	all := head + "commits:" + first + `["**"]` + "\n"
	for _, c := range []struct{ name, recipe, want string }{
		{"no recipe key", all + "licenses: MIT\n", "licenses"},
		{"other name", strings.Replace(all, "owner/demo", "owner/other", 1), "owner/demo"},
		{"path as owner", strings.Replace(all, "owner/demo", "../demo", 1), "../demo"},
		{"no licence", strings.Replace(all, "licence: MIT", "", 1), "licence"},
		{"entry outside", strings.Replace(all, "entrypoint: src", "entrypoint: ../src", 1), "entrypoint"},
		{"no commits", head, "no commits"},
		{"no message", strings.Replace(all, "First", " ", 1), "commit 1: no message"},
		{"no address", strings.Replace(all, "<ada@example.invalid>", "", 1), "commit 1: author"},
		{"no date", strings.Replace(all, `    date: "2024-01-15T09:00:00Z"`+"\n", "", 1), "commit 1: the date"},
		{"back in time", head + "commits:" + second + `[README.md]` + first + `["**"]`, "commit 2: not later"},
		{"broken pattern", strings.Replace(all, `["**"]`, `["a[", "**"]`, 1), `"a["`},
		{"stars in the middle", strings.Replace(all, `["**"]`, `["**/a.py", "**"]`, 1), `"**/a.py"`},
		{"stars after a name", strings.Replace(all, `["**"]`, `["src**"]`, 1), `"src**"`},
		{"pattern for nothing", strings.Replace(all, `["**"]`, `["**", "nothing"]`, 1), `"nothing"`},
		{"nothing left", head + "commits:" + first + `["**"]` + second + `["src/a.py"]`, "commit 2: no file is left"},
		{"empty commit", head + "commits:" + first + `["**"]` + second + `[]`, "commit 2 adds nothing"},
		{"file without a commit", strings.Replace(all, `["**"]`, `[README.md]`, 1), "no commit adds src/a.py"},
		{"bad base64", all + "encoded: {x.py: '!'}\n", "x.py"},
		{"rename of nothing", all + "rename: {gone.in: gone}\n", "gone.in"},
		{"same name", all + "rename: {src/a.py: README.md}\n", "two files are called README.md"},
		{"link over a file", all + "links: {src/a.py: x}\n", "two files are called src/a.py"},
		{"link outside", all + "links: {../a.py: x}\n", `"../a.py"`},
		{"link in .git", all + "links: {.git/config: x}\n", `".git/config"`},
		{"file as folder", all + "links: {README.md/x: y}\n", "README.md is a file and the folder of README.md/x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := build(demo(c.recipe, "README.md", "src/a.py"), "demo")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one about %s", err, c.want)
			}
		})
	}
}

// TestIdentity: everything git hashes moves the commit id, nothing else does.
func TestIdentity(t *testing.T) {
	recipe := head + "commits:" + first + `[README.md]` + second + `["**"]` + "\n"
	commit := func(recipe string, files ...string) string {
		b, err := build(demo(recipe, files...), "demo")
		if err != nil {
			t.Fatal(err)
		}
		return b.Commit
	}
	files := []string{"README.md", "src/a.py"}
	seen := []string{commit(recipe, files...)}
	for _, other := range []string{
		strings.Replace(recipe, "First", "Erste", 1),
		strings.Replace(recipe, "Ada", "Eva", 1),
		strings.Replace(recipe, "09:00:00Z", "09:00:01Z", 1),
		recipe + "rename: {src/a.py: src/b.py}\n",
		recipe + "links: {src/l.py: a.py}\n",
		recipe + "encoded: {src/l.py: YS5weQ==}\n", // the bytes of the link, as a file
	} {
		id := commit(other, files...)
		if slices.Contains(seen, id) {
			t.Errorf("the same commit %s without this change:\n%s", id, other)
		}
		seen = append(seen, id)
	}
	for _, same := range []string{
		strings.Replace(recipe, "topic: demo", "topic: other", 1),
		strings.Replace(recipe, "10:00:00+01:00", "09:00:00Z", 1),
		strings.Replace(recipe, `["**"]`, `["src/*"]`, 1),
	} {
		if id := commit(same, files...); id != seen[0] {
			t.Errorf("another commit %s for this change:\n%s", id, same)
		}
	}
}
