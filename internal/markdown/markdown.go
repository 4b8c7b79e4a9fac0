// Package markdown tells the prose of a text in GitHub's Markdown from what is
// not: code, quotations and comments.
//
// It follows CommonMark where that decides what a reader sees, in one pass and in
// linear time, and is no parser. Over-approximation: every line of a block quote
// is a quotation, code inside it included; a list ends at the first line after a
// blank one that is not indented. Under-approximation: a quote or a fence that
// begins on the line of a list marker is taken for prose.
package markdown

import "strings"

// Kind says what a [Region] is.
type Kind int

// Kinds of regions.
const (
	Code    Kind = iota // fenced and indented blocks, code spans, <pre> and <code>
	Quote               // block quotes, with the lines that continue their last paragraph
	Comment             // <!-- ... -->, up to the end of the text when it is not closed
)

// Region is a part of a text that is not prose: text[Start:End].
type Region struct {
	Start, End int
	Kind       Kind
}

// Regions lists what is not prose, in order and without overlaps.
func Regions(text string) []Region {
	s := scanner{text: text}
	for s.at < len(text) {
		s.line()
	}
	return s.out
}

// Blank replaces each region by as many bytes of the fill for its kind, so that
// offsets stay.
func Blank(text string, fill func(Kind) byte) string {
	regions := Regions(text)
	if len(regions) == 0 {
		return text
	}
	out := []byte(text)
	for _, r := range regions {
		if b := fill(r.Kind); b != Keep {
			for i := r.Start; i < r.End; i++ {
				out[i] = b
			}
		}
	}
	return string(out)
}

// Keep is the fill that leaves a region as it is.
const Keep = 0xff

type scanner struct {
	text string
	at   int
	out  []Region

	blank bool // the last line was blank
	para  bool // the last line belongs to a paragraph that may go on
	quote bool // the last line belongs to a paragraph of a quote that may go on
	list  bool // inside a list, where indentation is no code

	ends   int         // end of the paragraph that inline text was last read in
	close  map[int]int // start of a run of backquotes -> start of the next of its length
	absent [2]bool     // no closing tag of codeTags follows
}

// line reads one line, or more where something on it runs on.
func (s *scanner) line() {
	start, end := s.at, s.lineEnd(s.at)
	body := strings.TrimRight(s.text[start:end], " \t\r\n")
	indent, body := indentation(body)
	if body == "" {
		s.at, s.blank, s.para, s.quote = end, true, false, false
		return
	}
	if isItem(body) && (indent < 4 || s.list) {
		s.list, s.para = true, false
	} else if s.blank && indent < 2 {
		s.list = false
	}
	deep := indent >= 4 && !s.list // too deep to begin a block
	s.blank = false
	switch {
	case deep && !s.para && !s.quote:
		s.mark(start, end, Code)
	case !deep && fenceOf(body) > 0:
		s.mark(start, s.fenceEnd(body, end), Code)
		s.para, s.quote = false, false
	case !deep && body[0] == '>':
		s.mark(start, end, Quote)
		inner := strings.TrimLeft(body, "> \t")
		s.para, s.quote = false, inner != "" && fenceOf(inner) == 0
	case s.quote && !beginsBlock(body):
		s.mark(start, end, Quote)
	default:
		s.para, s.quote = !isHeading(body), false
		s.inline(start, end)
	}
}

// mark adds a region and goes on after it.
func (s *scanner) mark(start, end int, k Kind) {
	s.out = append(s.out, Region{start, end, k})
	s.at = end
}

// inline reads prose up to the end of a line, where a code span or a comment
// that runs on may move that end.
func (s *scanner) inline(at, end int) {
	for at < end {
		i := strings.IndexAny(s.text[at:end], "`<\\")
		if i < 0 {
			break
		}
		at += i
		start := at
		switch s.text[at] {
		case '\\':
			at += 2 // what it stands before is no mark
		case '`':
			at = s.span(at)
		default:
			at = s.tag(at)
		}
		if at > end {
			at = min(at, len(s.text))
			end = s.lineEnd(max(start, at-1))
		}
	}
	s.at = end
}

// span reads a run of backquotes, and the code up to the next run of the same
// length in the paragraph.
func (s *scanner) span(at int) int {
	length := run(s.text[at:])
	if s.close == nil {
		s.close = spans(s.text[at:], at)
	}
	end, ok := s.close[at]
	if !ok || end >= s.paragraphEnd(at) {
		return at + length
	}
	s.mark(at, end+length, Code)
	return end + length
}

// codeTags hold code; whatever has them inside is not prose.
var codeTags = [2]struct{ open, close string }{{"<pre", "</pre>"}, {"<code", "</code>"}}

func (s *scanner) tag(at int) int {
	rest := s.text[at:]
	if strings.HasPrefix(rest, "<!--") {
		end := len(s.text)
		if i := strings.Index(rest[4:], "-->"); i >= 0 {
			end = at + 4 + i + 3
		}
		s.mark(at, end, Comment)
		return end
	}
	for n, t := range codeTags {
		if after, ok := strings.CutPrefix(rest, t.open); ok && !s.absent[n] && after != "" && strings.IndexByte("> \t\n", after[0]) >= 0 {
			i := strings.Index(after, t.close)
			if i < 0 {
				s.absent[n] = true // so that a text full of open tags is searched once
				continue
			}
			end := at + len(t.open) + i + len(t.close)
			s.mark(at, end, Code)
			return end
		}
	}
	return at + 1
}

// paragraphEnd is where the next blank line begins.
func (s *scanner) paragraphEnd(at int) int {
	for s.ends <= at && s.ends < len(s.text) {
		s.ends = s.lineEnd(at)
		for s.ends < len(s.text) {
			next := s.lineEnd(s.ends)
			if strings.TrimSpace(s.text[s.ends:next]) == "" {
				break
			}
			s.ends = next
		}
	}
	return s.ends
}

// fenceEnd is where the block ends that a fence on the line before at opens.
func (s *scanner) fenceEnd(open string, at int) int {
	length := fenceOf(open)
	for at < len(s.text) {
		end := s.lineEnd(at)
		line := strings.TrimSpace(s.text[at:end])
		at = end
		if len(line) >= length && line[0] == open[0] && strings.Trim(line, line[:1]) == "" {
			break
		}
	}
	return at
}

// lineEnd is the offset after the line break that ends the line at lies in.
func (s *scanner) lineEnd(at int) int {
	if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.text)
}
