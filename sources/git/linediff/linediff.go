package linediff

import (
	"bytes"
	"hash/maphash"
	"sort"
)

// Text is a text cut into lines. A line ends with a line feed; a last line without one
// is another line than the same with one. It does not change, and is safe for
// concurrent use.
type Text struct {
	bytes []byte
	start []int32  // of each line, and of what would follow
	hash  []uint64 // of each line: only equal lines are ever said to be equal
}

// NewText cuts a text of less than 2 GiB into lines. It keeps the bytes.
func NewText(b []byte) *Text {
	n := Lines(b)
	t := &Text{bytes: b, start: make([]int32, 1, n+1), hash: make([]uint64, 0, n)}
	for at := 0; at < len(b); {
		end := bytes.IndexByte(b[at:], '\n') + 1
		if end == 0 {
			end = len(b) - at
		}
		t.hash = append(t.hash, maphash.Bytes(seed, b[at:at+end]))
		at += end
		t.start = append(t.start, int32(at))
	}
	return t
}

// seed differs from process to process. It decides how fast equal lines are found,
// and nothing else.
var seed = maphash.MakeSeed()

// Lines is how many lines the text has.
func (t *Text) Lines() int { return len(t.hash) }

func (t *Text) line(i int) []byte { return t.bytes[t.start[i]:t.start[i+1]] }

// same reports whether line i is line j of another text.
func (t *Text) same(i int, o *Text, j int) bool {
	return t.hash[i] == o.hash[j] && bytes.Equal(t.line(i), o.line(j))
}

// Lines is how many lines a text has.
func Lines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// Block is a stretch of lines that both texts have. Lines count from 0.
type Block struct{ Old, New, Lines int }

// Blocks returns the lines of new that come from old, ascending, as few blocks as
// say it.
func Blocks(old, new *Text) []Block {
	a, b := &side{text: old}, &side{text: new}
	same := cutTail(a, b)
	begin := 0
	for begin < min(a.lines, b.lines) && old.same(begin, new, begin) {
		begin++
	}
	end := 0
	for end < min(a.lines, b.lines)-begin && old.same(a.lines-1-end, new, b.lines-1-end) {
		end++
	}
	a.open(begin, a.lines-end)
	b.open(begin, b.lines-end)
	if a.first < a.last && b.first < b.last {
		setAside(a, b)
		compare(a, b)
	} else {
		a.setAll()
		b.setAll()
	}
	a.compact(b)
	b.compact(a)
	return join(a, b, same)
}

const tailBlock = 1024 // bytes

// cutTail takes lines off the end of both texts and returns how many: as far as whole
// blocks of equal bytes from the end go, without the first line that a block cuts.
func cutTail(a, b *side) int {
	x, y := a.text.bytes, b.text.bytes
	n := 0
	for n+tailBlock <= min(len(x), len(y)) && bytes.Equal(x[len(x)-n-tailBlock:len(x)-n], y[len(y)-n-tailBlock:len(y)-n]) {
		n += tailBlock
	}
	a.lines, b.lines = a.text.Lines(), b.text.Lines()
	feed := bytes.IndexByte(x[len(x)-n:], '\n')
	if feed < 0 {
		return 0
	}
	from := int32(len(x) - n + feed + 1)
	same := a.lines - sort.Search(a.lines, func(i int) bool { return a.text.start[i] >= from })
	a.lines -= same
	b.lines -= same
	return same
}

// side is one of the two texts.
type side struct {
	text    *Text
	lines   int    // that are looked at
	changed []bool // with a false one at either end: line i is changed[i+1]
	// All changed lines are from first up to last.
	first, last int
	// Lines that take part in the comparison: numbers, equal for equal lines of both
	// texts, and where they stand.
	id, at []int32
}

// open says where the texts differ: from first up to last.
func (s *side) open(first, last int) {
	s.changed = make([]bool, s.lines+2)
	s.first, s.last = first, last
}

func (s *side) isChanged(i int) bool   { return s.changed[i+1] }
func (s *side) set(i int, change bool) { s.changed[i+1] = change }

func (s *side) setAll() {
	for i := s.first; i < s.last; i++ {
		s.set(i, true)
	}
}

// join lists the lines that are not changed; same more follow at the end.
func join(a, b *side, same int) []Block {
	var out []Block
	add := func(old, new, n int) {
		if n == 0 {
			return
		}
		if k := len(out) - 1; k >= 0 && out[k].Old+out[k].Lines == old && out[k].New+out[k].Lines == new {
			out[k].Lines += n
			return
		}
		out = append(out, Block{old, new, n})
	}
	i := min(a.first, b.first)
	add(0, 0, i)
	for j := i; i < a.lines && j < b.lines; {
		switch {
		case a.isChanged(i):
			i++
		case b.isChanged(j):
			j++
		default:
			add(i, j, 1)
			i++
			j++
		}
	}
	add(a.lines, b.lines, same)
	return out
}
