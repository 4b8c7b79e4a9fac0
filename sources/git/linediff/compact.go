package linediff

// group is a run of changed lines from start up to end, empty between two unchanged
// lines. The groups of the two texts come in pairs.
type group struct {
	s          *side
	start, end int
}

// groupAt is the group that ends before line i or begins with it; line i-1 is not
// changed.
func groupAt(s *side, i int) group {
	g := group{s: s, start: i, end: i}
	g.extendDown()
	return g
}

func (g *group) empty() bool { return g.start == g.end }

func (g *group) extendDown() {
	for g.s.isChanged(g.end) {
		g.end++
	}
}

func (g *group) extendUp() {
	for g.s.isChanged(g.start - 1) {
		g.start--
	}
}

// next moves on behind the unchanged line after the group, if there is one.
func (g *group) next() bool {
	if g.end == g.s.lines {
		return false
	}
	g.start = g.end + 1
	g.end = g.start
	g.extendDown()
	return true
}

// previous moves before the unchanged line in front of the group.
func (g *group) previous() {
	g.end = g.start - 1
	g.start = g.end
	g.extendUp()
}

// down moves a group that is not empty by a line, where that changes no meaning, and
// takes in the group it meets.
func (g *group) down() bool {
	if g.end == g.s.lines || !g.s.text.same(g.start, g.s.text, g.end) {
		return false
	}
	g.s.set(g.start, false)
	g.s.set(g.end, true)
	g.start++
	g.end++
	g.s.last = max(g.s.last, g.end)
	g.extendDown()
	return true
}

func (g *group) up() bool {
	if g.start == 0 || !g.s.text.same(g.start-1, g.s.text, g.end-1) {
		return false
	}
	g.start--
	g.end--
	g.s.first = min(g.s.first, g.start)
	g.s.set(g.start, true)
	g.s.set(g.end, false)
	g.extendUp()
	return true
}

// compact moves the groups of changed lines to where they read best. The groups of
// the other text stay.
func (s *side) compact(other *side) {
	// Before the first change the groups of both texts are empty, one for each line.
	first := min(s.first, other.first)
	g, o := groupAt(s, first), groupAt(other, first)
	for g.start <= s.last {
		if !g.empty() {
			settle(&g, &o)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

// settle places one group; o is its partner, and stays so.
func settle(g, o *group) {
	top, beside, size := slide(g, o)
	switch {
	case g.end == top: // it cannot move
	case beside:
		for o.empty() {
			g.up()
			o.previous()
		}
	default:
		for best := bestEnd(g, top, size); g.end > best; {
			g.up()
			o.previous()
		}
	}
}

// slide moves a group up and then down as far as it goes, again when it took in
// others on the way. It returns the highest place its end can have, whether a change
// of the other text is beside it at some place, and its size.
func slide(g, o *group) (top int, beside bool, size int) {
	for {
		size = g.end - g.start
		for g.up() {
			o.previous()
		}
		top, beside = g.end, !o.empty()
		for g.down() {
			o.next()
			beside = beside || !o.empty()
		}
		if size == g.end-g.start {
			return top, beside, size
		}
	}
}
