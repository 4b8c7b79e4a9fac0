package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"benchmill/schemas"
)

// hitTable counts functions that stand in the same line in both tables, by who
// says that tests ran them.
type hitTable struct {
	both, ours, theirs, neither int
	missing                     int      // released, and no definition of ours begins there
	unreached                   []string // those only theirs
	files                       map[string]*hitTable
}

// compareHits compares hits with the released ones, in files below a folder.
func compareHits(released []releasedHits, defs []schemas.Definition, hits []schemas.FunctionHit, below string) *hitTable {
	type place struct {
		file string
		at   int64
	}
	ran, starts := map[place]bool{}, map[place]int64{}
	for _, h := range hits {
		ran[place{h.Path, h.Start}] = h.Hits > 0
	}
	for _, d := range defs {
		starts[place{d.Path, d.Line}] = d.Start
	}
	t := &hitTable{files: map[string]*hitTable{}}
	for _, r := range released {
		if !strings.HasPrefix(r.file, below) {
			continue
		}
		f := t.files[r.file]
		if f == nil {
			f = &hitTable{}
			t.files[r.file] = f
		}
		start, ok := starts[place{r.file, r.line}]
		ours := ok && ran[place{r.file, start}]
		for _, t := range []*hitTable{t, f} {
			switch {
			case !ok:
				t.missing++
			case ours && r.hit:
				t.both++
			case ours:
				t.ours++
			case r.hit:
				t.theirs++
				t.unreached = append(t.unreached, r.file+" "+r.name)
			default:
				t.neither++
			}
		}
	}
	return t
}

func (t *hitTable) compared() int { return t.both + t.ours + t.theirs + t.neither }

// print writes the table, and the files in which most functions differ.
func (t *hitTable) print(w io.Writer, name string) {
	const titles = "%-32s %9s %6s %9s %11s %8s %8s\n"
	fmt.Fprintf(w, "\n"+titles, "functions that tests ran", "compared", "both", "only ours", "only theirs", "neither", "missing")
	t.row(w, name)
	if n := t.compared(); n > 0 {
		fmt.Fprintf(w, "agreement %.1f%%", 100*float64(t.both+t.neither)/float64(n))
		if theirs := t.both + t.theirs; theirs > 0 {
			fmt.Fprintf(w, "; of the released ones with hits ours have them too: %.1f%%", 100*float64(t.both)/float64(theirs))
		}
		fmt.Fprintln(w)
	}
	const most = 25
	for _, name := range t.unreached[:min(most, len(t.unreached))] {
		fmt.Fprintf(w, "  only theirs: %s\n", name)
	}
	files := slices.SortedFunc(maps.Keys(t.files), func(a, b string) int {
		fa, fb := t.files[a], t.files[b]
		if d := fb.ours + fb.theirs - fa.ours - fa.theirs; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, f := range files[:min(most, len(files))] {
		if c := t.files[f]; c.ours+c.theirs > 0 {
			c.row(w, "  "+f)
		}
	}
}

func (t *hitTable) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%-32s %9d %6d %9d %11d %8d %8d\n", name, t.compared(), t.both, t.ours, t.theirs, t.neither, t.missing)
}
