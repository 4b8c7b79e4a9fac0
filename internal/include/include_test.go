package include

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	files := []string{
		"base.h", "app/base.h", "app/deep/main.c", "app/deep/near.h", "app/src/core/core.c", "app/src/core/core.h",
		"app/src/util.h", "app/include/app/api.h", "app/include/app/detail/impl.h",
		"other/include/app/api.h", "other/include/other.h", "other/inc/legacy.h", "other/main.c",
		"third/Include/upper.h", "third/library/lib.h", "third/plain/hidden.h", "tools/build.c",
	}
	tests := []struct{ from, include, want string }{
		{"app/deep/main.c", "near.h", "app/deep/near.h"},
		{"app/deep/main.c", "./near.h", "app/deep/near.h"},
		{"app/deep/main.c", `..\src\util.h`, "app/src/util.h"},
		{"app/deep/main.c", "../src//core/../util.h", "app/src/util.h"},
		// Own folder before roots; a root below a shared folder before others.
		{"app/src/core/core.c", "core.h", "app/src/core/core.h"},
		{"app/src/core/core.c", "core/core.h", "app/src/core/core.h"},
		{"app/src/core/core.c", "app/api.h", "app/include/app/api.h"},
		{"other/main.c", "app/api.h", "other/include/app/api.h"},
		{"other/main.c", "app/detail/impl.h", "app/include/app/detail/impl.h"},
		{"app/deep/main.c", "base.h", "app/base.h"}, // the entry directory shares a folder with it
		{"other/main.c", "base.h", "app/base.h"},    // nothing shared: path order
		{"tools/build.c", "app/base.h", "app/base.h"},
		{"tools/build.c", "app/api.h", "app/include/app/api.h"},
		{"tools/build.c", "legacy.h", "other/inc/legacy.h"},
		{"tools/build.c", "lib.h", "third/library/lib.h"},
		// Climbing from a root.
		{"tools/build.c", "../inc/legacy.h", "other/inc/legacy.h"},
		{"tools/build.c", "../../base.h", "base.h"}, // from other/include
		{"tools/build.c", "../../../base.h", ""},
		{"app/include/app/detail/impl.h", "../../../../../base.h", ""},
		// Not roots, not files.
		{"tools/build.c", "upper.h", ""},
		{"tools/build.c", "hidden.h", ""},
		{"tools/build.c", "Base.h", ""},
		{"app/deep/main.c", "near.h/", ""},
		{"app/deep/main.c", "src", ""},
		{"app/deep/main.c", "", ""},
		{"app/deep/main.c", ".", ""},
		{"app/deep/main.c", "..", ""},
		{"app/deep/main.c", "/base.h", ""},
		{"app/deep/main.c", "//base.h", ""},
		{"app/deep/main.c", `\base.h`, ""},
		{"app/deep/main.c", "C:/base.h", ""},
		{"app/deep/main.c", strings.Repeat("../", 1000) + "base.h", ""},
		// A file that includes itself, and one outside the index.
		{"base.h", "base.h", "base.h"},
		{"nowhere/at/all.c", "util.h", "app/src/util.h"},
	}
	slices.Sort(files)
	ix := New("app", files)
	for _, tt := range tests {
		if got := ix.Find(tt.from, tt.include); got != tt.want {
			t.Errorf("%s includes %.60q: %q, want %q", tt.from, tt.include, got, tt.want)
		}
	}
}

func TestEntry(t *testing.T) {
	files := []string{"client/net/socket.h", "client/query.c"}
	for entry, want := range map[string]string{"client": files[0], "client/": files[0], "./client": files[0], "": "", ".": "", "../client": files[0], "cli": ""} {
		if got := New(entry, files).Find("tests/t.c", "net/socket.h"); got != want {
			t.Errorf("entry %q: %q, want %q", entry, got, want)
		}
	}
}

func TestShared(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "a", 0}, {"a", "a", 1}, {"a", "ab", 0}, {"ab", "a", 0}, {"a/b", "a", 1}, {"a", "a/b", 1},
		{"a/b", "a/c", 1}, {"a/b/c", "a/b/c", 3}, {"a/b/c", "a/b/cd", 2}, {"b/a", "a/b", 0}, {"a", ".", 0},
	} {
		if got := shared(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q share %d folders, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// roots lists what New takes for roots, the slow way.
func roots(entry string, files []string) []string {
	out := []string{""}
	for _, p := range files {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if dir == entry || rootNames[path.Base(dir)] {
				out = append(out, dir)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// slowFind tries every root in turn.
func slowFind(entry string, files []string, from, include string) string {
	if include == "" || include[0] == '/' || strings.HasSuffix(include, "/") {
		return ""
	}
	if own := path.Join(path.Dir(from), include); slices.Contains(files, own) {
		return own
	}
	best, nearest := "", -1
	for _, root := range roots(entry, files) {
		p := path.Clean(path.Join("/top", root, include))
		p, ok := strings.CutPrefix(p, "/top/")
		if !ok || strings.HasPrefix(path.Join(root, include), "..") || !slices.Contains(files, p) {
			continue
		}
		seen := strings.TrimSuffix(strings.TrimSuffix(p, strings.TrimLeft(path.Clean(include), "./")), "/")
		if n := shared(seen, path.Dir(from)); n > nearest || n == nearest && p < best {
			best, nearest = p, n
		}
	}
	return best
}

func TestFindIsSlowFind(t *testing.T) {
	var files []string
	for _, a := range []string{"", "src/", "include/", "x/", "x/src/", "x/y/include/", "x/include/src/", "lib/x/"} {
		for _, b := range []string{"", "x/", "src/", "x/y/"} {
			files = append(files, a+b+"one.h", a+b+"two.h")
		}
	}
	slices.Sort(files)
	files = slices.DeleteFunc(slices.Compact(files), func(p string) bool { return len(p)%3 == 0 })
	ix, found := New("x/y", files), 0
	for _, from := range append(files, "z/far.c", "x/y/z/deep.c") {
		for _, up := range []string{"", "./", "../", "../../", "../../../"} {
			for _, in := range []string{"", "x/", "src/", "x/y/", "include/", "lib/x/"} {
				include := up + in + "one.h"
				got, want := ix.Find(from, include), slowFind("x/y", files, from, include)
				if got != want {
					t.Errorf("%s includes %q: %q, want %q", from, include, got, want)
				}
				if got != "" {
					found++
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d includes were found", found)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a/include/b.h\nsrc/x/main.c", "b.h")
	f.Add("a/b\n../x\n/y", "../../x")
	f.Add("lib/lib/lib/x\nlib/x", "../lib/x")
	f.Fuzz(func(t *testing.T, list, include string) {
		files := strings.Split(list, "\n")
		slices.Sort(files)
		ix, again := New(files[0], files), New(files[0], files)
		for _, from := range files {
			got := ix.Find(from, include)
			if got != "" && !slices.Contains(files, got) {
				t.Errorf("%q includes %q: %q is no file", from, include, got)
			}
			if other := again.Find(from, include); other != got {
				t.Errorf("%q includes %q: %q and %q", from, include, got, other)
			}
		}
	})
}

// large is a repository of 10,000 files in 500 folders that look like roots.
func large() []string {
	var files []string
	for i := range 10_000 {
		files = append(files, fmt.Sprintf("module%03d/%s/part%d/file%d.h", i%250, []string{"src", "include"}[i/250%2], i%7, i))
	}
	slices.Sort(files)
	return files
}

func BenchmarkNew(b *testing.B) {
	files := large()
	for b.Loop() {
		New("module000", files)
	}
}

func BenchmarkFind(b *testing.B) {
	files := large()
	ix := New("module000", files)
	for b.Loop() {
		for _, p := range files {
			ix.Find(p, "part3/file1501.h")
			ix.Find(p, "vector.h")
		}
	}
}
