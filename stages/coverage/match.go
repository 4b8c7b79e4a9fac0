package coverage

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"benchmill/schemas"
)

// fileIndex finds the definitions of one file.
type fileIndex struct {
	defs []definition // ascending by start
	// heads are indexes of definitions by the lines from their first to the one
	// where their body begins, and by their name there; named by their name.
	heads  map[int64]only
	inHead map[head]only
	named  map[string]only
	reach  []int64 // the last line of what begins up to here
}

type definition struct {
	schemas.Definition
	base string
	body int64 // line in which the body begins
}

type head struct {
	line int64
	name string
}

// only is an index that is there once, or several times.
type only struct {
	index int
	more  bool
}

// maxHead is in how many lines a definition may begin. Longer ones are cut.
const maxHead = 200

// newFileIndex takes the definitions of a file with its text.
func newFileIndex(defs []schemas.Definition, text []byte) *fileIndex {
	x := &fileIndex{heads: map[int64]only{}, inHead: map[head]only{}, named: map[string]only{}}
	slices.SortFunc(defs, func(a, b schemas.Definition) int { return cmp.Compare(a.Start, b.Start) })
	var breaks []int64 // offsets of the ends of lines
	for i, c := range text {
		if c == '\n' {
			breaks = append(breaks, int64(i))
		}
	}
	lineAt := func(offset int64) int64 {
		n, _ := slices.BinarySearch(breaks, offset)
		return int64(n)
	}
	last := int64(0)
	for i, d := range defs {
		def := definition{Definition: d, base: base(d.Name), body: d.Line}
		if 0 <= d.Start && d.Start <= d.Body && d.Body <= int64(len(text)) {
			def.body += lineAt(d.Body) - lineAt(d.Start)
		}
		def.body = min(def.body, d.Line+maxHead)
		x.defs = append(x.defs, def)
		for line := d.Line; line <= def.body; line++ {
			put(x.heads, line, i)
			put(x.inHead, head{line, def.base}, i)
		}
		put(x.named, def.base, i)
		last = max(last, d.EndLine)
		x.reach = append(x.reach, last)
	}
	return x
}

func put[K comparable](m map[K]only, key K, i int) {
	_, there := m[key]
	m[key] = only{i, there}
}

// find returns the definition that a row is about: by its line and name, by its
// name alone, or by its line alone, which is weak: macros have other names than
// what they make, but so have lambdas. Without one there is a reason.
func (x *fileIndex) find(f Function) (index int, weak bool, reason string) {
	name := base(f.Name)
	if name != "" {
		if d, ok := x.inHead[head{f.Line, name}]; ok {
			return pick(d)
		}
		if d, ok := x.named[name]; ok {
			if !d.more && x.inside(f.Line) && !within(x.defs[d.index], f.Line) {
				return 0, false, reasonInside
			}
			return pick(d)
		}
	}
	local := strings.Contains(f.Name, "{lambda") || strings.HasPrefix(f.Name, "_ZZ")
	d, ok := x.heads[f.Line]
	switch {
	case ok && !local:
		index, _, reason = pick(d)
		return index, name != "", reason
	case local || x.inside(f.Line):
		return 0, false, reasonInside
	}
	return 0, false, reasonNone
}

func pick(d only) (int, bool, string) {
	if d.more {
		return 0, false, reasonAmbiguous
	}
	return d.index, false, ""
}

func within(d definition, line int64) bool { return d.Line <= line && line <= d.EndLine }

// inside reports whether a line is one of some definition.
func (x *fileIndex) inside(line int64) bool {
	n := sort.Search(len(x.defs), func(i int) bool { return x.defs[i].Line > line })
	return n > 0 && x.reach[n-1] >= line
}

// byFunctions gives the hits of the definitions that rows speak of, by their
// index, and counts the rows that are dropped by reason. Rows of one definition
// are added up: its instances, its clones, its copies in several object files.
func (x *fileIndex) byFunctions(rows []Function, notes map[string]int64) map[int]int64 {
	hits := map[int]int64{}
	weakHits, weakRows := map[int]int64{}, map[int]int64{}
	for _, f := range rows {
		switch i, weak, reason := x.find(f); {
		case reason != "":
			notes[reason]++
		case weak:
			weakHits[i] = add(weakHits[i], f.Hits)
			weakRows[i]++
		default:
			hits[i] = add(hits[i], f.Hits)
		}
	}
	for i, n := range weakHits {
		if _, named := hits[i]; named {
			notes[reasonOther] += weakRows[i]
		} else {
			hits[i] = n
		}
	}
	return hits
}

// byNames is upstream's way: what rows of a name say in a file is added up, and
// given to every definition of that name there.
func (x *fileIndex) byNames(rows []Function, notes map[string]int64) map[int]int64 {
	sums := map[string]int64{}
	for _, f := range rows {
		name := base(f.Name)
		if _, ok := x.named[name]; !ok || name == "" {
			notes[reasonNone]++
			continue
		}
		sums[name] = add(sums[name], f.Hits)
	}
	out := map[int]int64{}
	for i, d := range x.defs {
		if hits, ok := sums[d.base]; ok && d.base != "" {
			out[i] = hits
		}
	}
	return out
}

// byLines gives every definition the hits of the first of its lines that rows
// speak of.
func (x *fileIndex) byLines(rows []Line) map[int]int64 {
	hits := map[int64]int64{}
	for _, l := range rows {
		hits[l.Line] = add(hits[l.Line], l.Hits)
	}
	lines := make([]int64, 0, len(hits))
	for line := range hits {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	out := map[int]int64{}
	for i, d := range x.defs {
		if at, _ := slices.BinarySearch(lines, d.Line); at < len(lines) && lines[at] <= d.EndLine {
			out[i] = hits[lines[at]]
		}
	}
	return out
}
