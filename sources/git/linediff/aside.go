package linediff

const (
	frequentMost = 1024 // so many equal lines in the other text are always frequent
	window       = 100  // lines on either side that decide about a frequent one
	asideShare   = 4    // a frequent line goes when less than 1 of so many around it is frequent
)

// What the other text has of a line.
const (
	absent = iota
	some
	frequent
)

// setAside marks lines as changed that cannot be, or should not be, compared: those
// the other text lacks, and frequent ones in the middle of such.
func setAside(a, b *side) {
	t := newTable(a.last - a.first + b.last - b.first)
	inA, inB := t.number(a), t.number(b)
	// Equal lines at the beginning and the end count for both texts.
	for i := range a.first {
		t.count(a.text, i)
	}
	for i := a.last; i < a.lines; i++ {
		t.count(a.text, i)
	}
	counts := func(ids []int32) []int32 {
		n := append([]int32(nil), t.outside...)
		for _, id := range ids {
			n[id]++
		}
		return n
	}
	a.keep(inA, counts(inB))
	b.keep(inB, counts(inA))
}

// keep chooses from the lines between first and last; ids are theirs, other is how
// often the other text has each.
func (s *side) keep(ids, other []int32) {
	limit := int32(min(root(s.lines), frequentMost))
	kinds := make([]uint8, len(ids))
	for i, id := range ids {
		switch n := other[id]; {
		case n == 0:
			kinds[i] = absent
		case n >= limit:
			kinds[i] = frequent
		default:
			kinds[i] = some
		}
	}
	for i, kind := range kinds {
		if kind == some || kind == frequent && !stray(kinds, i) {
			s.id, s.at = append(s.id, ids[i]), append(s.at, int32(s.first+i))
		} else {
			s.set(s.first+i, true)
		}
	}
}

// stray reports whether the frequent line i has mostly absent lines around it, on
// both sides, up to the next line of which there are some.
func stray(kinds []uint8, i int) bool {
	lacking, many := 0, 2
	look := func(from, to, step int) bool {
		found := false
		for j := from; j != to && kinds[j] != some; j += step {
			if kinds[j] == absent {
				lacking++
				found = true
			} else {
				many++
			}
		}
		return found
	}
	return look(i-1, max(i-window, 0)-1, -1) && look(i+1, min(i+window, len(kinds)-1)+1, 1) &&
		many*asideShare < many+lacking
}

// root is a power of two near the square root of n, from above.
func root(n int) int {
	r := 1
	for ; n > 0; n >>= 2 {
		r <<= 1
	}
	return r
}

// table numbers lines.
type table struct {
	slots   []int32 // number + 1, or 0
	lines   []where // by number
	outside []int32 // by number: how often counted
}

type where struct {
	text *Text
	line int
}

// newTable has room for so many lines.
func newTable(lines int) *table {
	size := 16
	for size < 2*lines {
		size *= 2
	}
	return &table{slots: make([]int32, size)}
}

// find returns the slot of a line, which is 0 where the line has no number yet.
func (t *table) find(text *Text, i int) *int32 {
	mask := uint64(len(t.slots) - 1)
	for at := text.hash[i] & mask; ; at = (at + 1) & mask {
		n := t.slots[at]
		if n == 0 {
			return &t.slots[at]
		}
		if w := t.lines[n-1]; w.text.same(w.line, text, i) {
			return &t.slots[at]
		}
	}
}

// number numbers the lines of a side from first up to last.
func (t *table) number(s *side) []int32 {
	ids := make([]int32, 0, s.last-s.first)
	for i := s.first; i < s.last; i++ {
		slot := t.find(s.text, i)
		if *slot == 0 {
			t.lines = append(t.lines, where{s.text, i})
			t.outside = append(t.outside, 0)
			*slot = int32(len(t.lines))
		}
		ids = append(ids, *slot-1)
	}
	return ids
}

// count counts a line that may have a number.
func (t *table) count(text *Text, i int) {
	if n := *t.find(text, i); n > 0 {
		t.outside[n-1]++
	}
}
