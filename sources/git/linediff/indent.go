package linediff

const (
	mostSliding = 100 // places that are looked at
	mostBlank   = 20  // blank lines in a row that are looked at
	mostIndent  = 200 // columns
	tab         = 8   // columns
	noIndent    = -1  // of a blank line, and of what is not there
)

// bestEnd is where the end of a group looks best, of the places from top to where it
// is; the lowest of those that look equally well.
func bestEnd(g *group, top, size int) int {
	best, bestLook := noIndent, look{}
	for end := max(top, g.end-size-1, g.end-mostSliding); end <= g.end; end++ {
		var l look
		l.add(g.s, end)
		l.add(g.s, end-size)
		if best < 0 || l.badness(bestLook) <= 0 {
			best, bestLook = end, l
		}
	}
	return best
}

// look is how a group looks at some place, by the cuts before and behind it: the
// indentation there, and penalties.
type look struct{ indent, penalty int }

// badness is positive where l is worse than o.
func (l look) badness(o look) int {
	const indent = 60 // less indentation is worth so much
	out := l.penalty - o.penalty
	switch {
	case l.indent > o.indent:
		out += indent
	case l.indent < o.indent:
		out -= indent
	}
	return out
}

// add adds the cut before line at. The weights are git's, found there by trying them
// on people's choices.
func (l *look) add(s *side, at int) {
	const (
		atStart, atEnd          = 1, 21
		perBlank, perBlankBelow = -30, 6
		deeper, deeperBlank     = -4, 10
		opens, opensBlank       = 24, 17 // less deep than before, deeper below
		closes, closesBlank     = 23, 17 // less deep than before
	)
	indent := noIndent
	if at < s.lines {
		indent = indentOf(s.text.line(at))
	} else {
		l.penalty += atEnd
	}
	before, blankBefore := s.nearest(at-1, -1)
	after, blankAfter := s.nearest(at+1, 1)
	if before == noIndent && blankBefore == 0 {
		l.penalty += atStart
	}
	blankBelow := 0
	if indent == noIndent {
		blankBelow = 1 + blankAfter
		indent = after
	}
	blanks := blankBefore + blankBelow
	l.penalty += perBlank*blanks + perBlankBelow*blankBelow
	l.indent += indent
	choose := func(plain, blank int) {
		if blanks > 0 {
			plain = blank
		}
		l.penalty += plain
	}
	switch {
	case indent == noIndent || before == noIndent || indent == before:
	case indent > before:
		choose(deeper, deeperBlank)
	case after > indent:
		choose(opens, opensBlank)
	default:
		choose(closes, closesBlank)
	}
}

// nearest is the indentation of the first line from at on that is not blank, and how
// many blank ones stand before it.
func (s *side) nearest(at, step int) (indent, blank int) {
	for ; at >= 0 && at < s.lines; at += step {
		if indent := indentOf(s.text.line(at)); indent != noIndent {
			return indent, blank
		}
		if blank++; blank == mostBlank {
			return 0, blank
		}
	}
	return noIndent, blank
}

// indentOf is the column of a line's first character that is no white space.
func indentOf(line []byte) int {
	column := 0
	for _, c := range line {
		switch c {
		case ' ':
			column++
		case '\t':
			column += tab - column%tab
		case '\r', '\n':
		default:
			return column
		}
		if column >= mostIndent {
			return mostIndent
		}
	}
	return noIndent
}
