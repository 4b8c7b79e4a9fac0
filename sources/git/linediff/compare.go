package linediff

import "math"

const (
	leastCost = 256 // up to this many differences the answer is the shortest one
	snake     = 20  // equal lines in a row that make a good place to divide
	reward    = 4   // how far, in lines for each difference, such a place must lie
)

// comparison finds the changes among the kept lines. Positions are in id of the two
// sides; a diagonal is the difference of two positions.
type comparison struct {
	a, b    *side
	x, y    []int32 // the ids
	forward []int   // by diagonal: how far in x the search from the beginning came
	back    []int   // by diagonal: how far in x the search from the end came
	zero    int     // where diagonal 0 is in both
	cost    int     // differences after which any good division will do
}

func compare(a, b *side) {
	diagonals := len(a.id) + len(b.id) + 3
	c := &comparison{
		a: a, b: b, x: a.id, y: b.id,
		forward: make([]int, diagonals), back: make([]int, diagonals), zero: len(b.id) + 1,
		cost: max(root(diagonals), leastCost),
	}
	c.run(box{0, len(c.x), 0, len(c.y)}, false)
}

// box is a part of the two lists: x from x0 up to x1, y from y0 up to y1.
type box struct{ x0, x1, y0, y1 int }

// run marks the changes of a box. shortest asks for the shortest answer at any cost.
// The second half is a loop, so that the depth is that of first halves, each of
// which has spent a difference more.
func (c *comparison) run(r box, shortest bool) {
	for {
		for r.x0 < r.x1 && r.y0 < r.y1 && c.x[r.x0] == c.y[r.y0] {
			r.x0++
			r.y0++
		}
		for r.x0 < r.x1 && r.y0 < r.y1 && c.x[r.x1-1] == c.y[r.y1-1] {
			r.x1--
			r.y1--
		}
		if r.x0 == r.x1 || r.y0 == r.y1 {
			for _, at := range c.a.at[r.x0:r.x1] {
				c.a.set(int(at), true)
			}
			for _, at := range c.b.at[r.y0:r.y1] {
				c.b.set(int(at), true)
			}
			return
		}
		d := c.divide(r, shortest)
		c.run(box{r.x0, d.x, r.y0, d.y}, d.firstShortest)
		r.x0, r.y0, shortest = d.x, d.y, d.secondShortest
	}
}

// division is where a box is cut in two, and which halves must be solved in the
// shortest way.
type division struct {
	x, y                          int
	firstShortest, secondShortest bool
}

// span is the diagonals that a search has reached; it grows by one at both ends
// with each difference and turns around at the edges of the box.
type span struct{ low, high int }

func (s *span) grow(reached []int, zero, lowest, highest, beyond int) {
	if s.low > lowest {
		s.low--
		reached[zero+s.low-1] = beyond
	} else {
		s.low++
	}
	if s.high < highest {
		s.high++
		reached[zero+s.high+1] = beyond
	} else {
		s.high--
	}
}

func (s span) has(d int) bool { return s.low <= d && d <= s.high }

// divide searches from both corners of a box until the searches meet, or until a
// good place is found and the cost allows for one.
func (c *comparison) divide(r box, shortest bool) division {
	lowest, highest := r.x0-r.y1, r.x1-r.y0
	first, last := r.x0-r.y0, r.x1-r.y1 // the diagonals of the corners
	odd := (first-last)&1 != 0
	f, b := span{first, first}, span{last, last}
	c.forward[c.zero+first], c.back[c.zero+last] = r.x0, r.x1
	for spent := 1; ; spent++ {
		long := false
		f.grow(c.forward, c.zero, lowest, highest, -1)
		for d := f.high; d >= f.low; d -= 2 {
			reach := c.forward[c.zero+d-1 : c.zero+d+2]
			x := reach[2]
			if reach[0] >= reach[2] {
				x = reach[0] + 1
			}
			from, y := x, x-d
			for x < r.x1 && y < r.y1 && c.x[x] == c.y[y] {
				x++
				y++
			}
			long = long || x-from > snake
			reach[1] = x
			if odd && b.has(d) && c.back[c.zero+d] <= x {
				return division{x, y, true, true}
			}
		}
		b.grow(c.back, c.zero, lowest, highest, math.MaxInt)
		for d := b.high; d >= b.low; d -= 2 {
			reach := c.back[c.zero+d-1 : c.zero+d+2]
			x := reach[0]
			if reach[0] >= reach[2] {
				x = reach[2] - 1
			}
			from, y := x, x-d
			for x > r.x0 && y > r.y0 && c.x[x-1] == c.y[y-1] {
				x--
				y--
			}
			long = long || from-x > snake
			reach[1] = x
			if !odd && f.has(d) && x <= c.forward[c.zero+d] {
				return division{x, y, true, true}
			}
		}
		if shortest {
			continue
		}
		if long && spent > leastCost {
			if d, ok := c.promising(r, f, b, spent); ok {
				return d
			}
		}
		if spent >= c.cost {
			return c.furthest(r, f, b)
		}
	}
}

// promising looks for a diagonal that came far for its cost and ends with many equal
// lines in a row.
func (c *comparison) promising(r box, f, b span, spent int) (division, bool) {
	var out division
	best := 0
	for d := f.high; d >= f.low; d -= 2 {
		x := c.forward[c.zero+d]
		y := x - d
		far := (x - r.x0) + (y - r.y0) - distance(d, r.x0-r.y0)
		if far > reward*spent && far > best && r.x0+snake <= x && x < r.x1 && r.y0+snake <= y && y < r.y1 && c.equal(x-snake, y-snake) {
			best, out = far, division{x, y, true, false}
		}
	}
	if best > 0 {
		return out, true
	}
	for d := b.high; d >= b.low; d -= 2 {
		x := c.back[c.zero+d]
		y := x - d
		far := (r.x1 - x) + (r.y1 - y) - distance(d, r.x1-r.y1)
		if far > reward*spent && far > best && r.x0 < x && x <= r.x1-snake && r.y0 < y && y <= r.y1-snake && c.equal(x, y) {
			best, out = far, division{x, y, false, true}
		}
	}
	return out, best > 0
}

func distance(a, b int) int { return max(a-b, b-a) }

// equal reports whether a snake of equal lines begins at x and y.
func (c *comparison) equal(x, y int) bool {
	for i := range snake {
		if c.x[x+i] != c.y[y+i] {
			return false
		}
	}
	return true
}

// furthest divides where one of the searches came furthest.
func (c *comparison) furthest(r box, f, b span) division {
	most, mostX := -1, -1
	for d := f.high; d >= f.low; d -= 2 {
		x := min(c.forward[c.zero+d], r.x1)
		y := x - d
		if y > r.y1 {
			x, y = r.y1+d, r.y1
		}
		if x+y > most {
			most, mostX = x+y, x
		}
	}
	least, leastX := math.MaxInt, math.MaxInt
	for d := b.high; d >= b.low; d -= 2 {
		x := max(c.back[c.zero+d], r.x0)
		y := x - d
		if y < r.y0 {
			x, y = r.y0+d, r.y0
		}
		if x+y < least {
			least, leastX = x+y, x
		}
	}
	if r.x1+r.y1-least < most-(r.x0+r.y0) {
		return division{mostX, most - mostX, true, false}
	}
	return division{leastX, least - leastX, false, true}
}
