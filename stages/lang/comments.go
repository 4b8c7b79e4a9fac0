package lang

import "strings"

// StripComments removes the given comment spans (as [Facts.Comments] has them)
// from text. A line that held nothing but comments goes with them, and blanks
// before a comment at the end of a line go too. Of a comment that alone parts
// two words or two operators a blank stays, or all where it has none. spare
// keeps a comment whole; nil spares none.
func StripComments(text string, comments []Span, spare func(comment string) bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, s := range KeptSpans(text, comments, spare) {
		b.WriteString(text[s.Start:s.End])
	}
	return b.String()
}

// KeptSpans are the parts of text that [StripComments] keeps, in order, for
// mapping offsets.
func KeptSpans(text string, comments []Span, spare func(comment string) bool) []Span {
	var kept []Span
	var indent Span // before a comment at the start of a line; goes when all of the line does
	keep := func(start, end int) {
		for _, s := range []Span{indent, {start, end}} {
			if s.Start < s.End {
				kept = append(kept, s)
			}
		}
		indent = Span{}
	}
	at := 0
	bare := true // the line up to at holds nothing but removed comments and blanks
	for i, c := range comments {
		if c.Start < at || spare != nil && spare(text[c.Start:c.End]) {
			continue
		}
		head := text[at:c.Start]
		trimmed := strings.TrimRight(head, " \t")
		if i := strings.LastIndexByte(trimmed, '\n'); i >= 0 {
			bare = i == len(trimmed)-1
		} else {
			bare = bare && trimmed == ""
		}
		rest := text[c.End:]
		after := strings.TrimLeft(rest, " \t")
		switch endsLine := after == "" || after[0] == '\n' || strings.HasPrefix(after, "\r\n"); {
		case endsLine && bare: // the whole line goes
			indent = Span{}
			keep(at, at+len(trimmed))
			at = c.End + len(rest) - len(after)
			if i := strings.IndexByte(after, '\n'); i >= 0 {
				at += i + 1
			}
		case endsLine:
			keep(at, at+len(trimmed))
			at = c.End
			if trimmed == "" { // blanks before several comments
				kept = trimBlanks(text, kept)
			}
		case bare: // code or another comment follows on the line
			if trimmed != "" {
				keep(at, at+len(trimmed))
			}
			if indent == (Span{}) {
				indent = Span{at + len(trimmed), c.Start}
			}
			at = c.End
		default:
			keep(at, c.Start)
			at = c.End
			if adjacent := i+1 < len(comments) && comments[i+1].Start == at; !adjacent && joins(text[kept[len(kept)-1].End-1], text[at]) {
				if blank := strings.IndexAny(text[c.Start:at], " \t\n"); blank >= 0 {
					keep(c.Start+blank, c.Start+blank+1)
				} else {
					keep(c.Start, at)
				}
			}
		}
	}
	keep(at, len(text))
	return kept
}

// trimBlanks drops the blanks that kept spans end in.
func trimBlanks(text string, kept []Span) []Span {
	for n := len(kept) - 1; n >= 0; n-- {
		last := &kept[n]
		if last.End = last.Start + len(strings.TrimRight(text[last.Start:last.End], " \t")); last.End > last.Start {
			break
		}
		kept = kept[:n]
	}
	return kept
}

// joins reports whether two bytes side by side may be one token.
func joins(a, b byte) bool {
	const operators = "+-*/<>=&|!:.?%^~"
	word := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
	}
	return word(a) && word(b) || strings.IndexByte(operators, a) >= 0 && strings.IndexByte(operators, b) >= 0
}
