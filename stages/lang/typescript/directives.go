package typescript

import (
	"bytes"
	"regexp"
	"slices"

	"benchmill/stages/lang/bind"
)

// Comments after which the compiler reports nothing on the next line that holds
// code, and those in front of a file that silence it in whole.
var (
	ignoreLine = regexp.MustCompile(`^(?:///?|/[/*]*\*)?[\s*]*@ts-(?:ignore|expect-error)`)
	ignoreFile = regexp.MustCompile(`^(?:///?|/[/*]*\*)[\s*]*@ts-nocheck`)
)

// setIgnored marks the names on lines that the compiler is told to ignore.
func (b *binder) setIgnored() {
	t := b.t
	if !bytes.Contains(t.Source, []byte("@ts-")) {
		return
	}
	code := false
	for i := range t.Nodes {
		at := int32(i)
		switch {
		case t.Kind(at) != "comment":
			code = code || t.Nodes[i].Parent == 0
		case !code && ignoreFile.MatchString(t.Text(at)):
			b.ignore(0, len(t.Source))
		default:
			b.ignoreAfter(at)
		}
	}
}

// ignoreAfter looks at the last line of a comment.
func (b *binder) ignoreAfter(comment int32) {
	n := b.t.Nodes[comment]
	text := b.t.Source[n.Start:n.End]
	last := bytes.TrimLeft(text[bytes.LastIndexByte(text, '\n')+1:], " \t")
	if !ignoreLine.Match(last) {
		return
	}
	const maxLines = 64 // of comments in between
	src := b.t.Source
	at := lineEnd(src, int(n.End))
	for range maxLines {
		end := lineEnd(src, at)
		if line := bytes.TrimSpace(src[at:end]); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			b.ignore(at, end)
			return
		}
		at = end
	}
}

// lineEnd is where the line after an offset starts.
func lineEnd(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// ignore marks the refs from an offset up to another.
func (b *binder) ignore(start, end int) {
	f := b.File
	first, _ := slices.BinarySearchFunc(f.Refs, start, func(e bind.ExprID, at int) int { return int(f.Exprs[e].Start) - at })
	for _, ref := range f.Refs[first:] {
		if int(f.Exprs[ref].Start) >= end {
			return
		}
		f.Exprs[ref].N = apart
	}
}
