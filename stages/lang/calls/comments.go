package calls

import "benchmill/internal/treesitter"

// comments follows the comments of a file: the last run of them without a blank line
// inside, and what stands after it.
type comments struct {
	run      Span
	last     int32 // the line it ends in
	next     int32 // where what follows it starts, -1 while nothing does
	lastCode int32 // the line the last token before it ends in, plus 1
}

// add notes a comment.
func (c *comments) add(n *treesitter.Node) {
	first, last := int32(n.StartRow), int32(n.EndRow)
	if n.EndCol == 0 && last > first {
		last-- // the line's end belongs to it
	}
	switch {
	case c.lastCode == first+1: // it stands behind code
		c.run, c.next = Span{}, 0
	case c.run != (Span{}) && c.next < 0 && first <= c.last+1:
		c.run.End, c.last = int32(n.End), last
	default:
		c.run, c.last, c.next = Span{int32(n.Start), int32(n.End)}, last, -1
	}
}

// token notes a token that is no comment.
func (c *comments) token(n *treesitter.Node) {
	if c.next < 0 {
		c.next = int32(n.Start)
	}
	c.lastCode = int32(n.EndRow) + 1
}

// above is the run that belongs to a definition, which begins with node: it ends in
// the line above or in that of the node, and nothing is between; or it stands
// between decorators and the rest.
func (c *comments) above(node, definition *treesitter.Node) Span {
	inside := c.run.Start >= int32(node.Start)
	switch {
	case c.run == (Span{}),
		inside && c.next >= 0 && c.next != int32(definition.Start),
		!inside && c.next >= 0 && c.next != int32(node.Start),
		!inside && c.last+1 < int32(node.StartRow):
		return Span{}
	}
	return c.run
}
