package cfamily

import (
	"path"
	"strings"

	"benchmill/internal/include"
)

// Includes finds included files. Builds search in folders that only they know of, so
// where package include finds nothing, any file of the repository will do whose path
// ends with what is asked for, the nearest first. It is safe for concurrent use.
type Includes struct {
	index *include.Index
	bases map[string][]string
}

// NewIncludes indexes files by their cleaned paths, which must be ascending.
func NewIncludes(paths []string) *Includes {
	f := &Includes{include.New("", paths), map[string][]string{}}
	for _, p := range paths {
		f.bases[path.Base(p)] = append(f.bases[path.Base(p)], p)
	}
	return f
}

// maxSameBase bounds the files of one name that are looked through.
const maxSameBase = 200

// Find is the path of the file that is included, or "". A header of the system is
// only looked for where an include says.
func (f *Includes) Find(from, include string, system bool) string {
	if p := f.index.Find(from, include); p != "" || system {
		return p
	}
	want := strings.ReplaceAll(include, `\`, "/")
	for strings.HasPrefix(want, "../") || strings.HasPrefix(want, "./") {
		want = want[strings.IndexByte(want, '/')+1:]
	}
	found, nearest := "", -1
	list := f.bases[path.Base(want)]
	for _, p := range list[:min(len(list), maxSameBase)] {
		if p != want && !strings.HasSuffix(p, "/"+want) {
			continue
		}
		if n := shared(from, p); n > nearest {
			found, nearest = p, n
		}
	}
	return found
}

// shared counts the leading folders that two paths share.
func shared(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
