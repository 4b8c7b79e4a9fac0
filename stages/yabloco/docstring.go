package yabloco

import "strings"

// Docstring is a comment without its markers, line by line, as the published rows
// have it. column is the 1-based column of bytes in which the comment begins.
//
// Of a block comment the opening and closing marks go, a second '*' or a '!' after
// the opening one, and on each further line blanks with a '*' after them; of line
// comments the marks. On the first line blanks at its beginning go; further lines
// lose blanks up to the column in which the first line's text began, so that a text
// beginning on the second line keeps its blanks. Blanks at the ends of lines and
// before the closing mark stay, empty lines at the end go. Several comments follow
// each other line by line. Text outside of comments is left out.
func Docstring(comment string, column int) string {
	d := docLines{column: column}
	for comment != "" {
		switch {
		case strings.HasPrefix(comment, "/*"):
			comment = d.block(comment)
		case strings.HasPrefix(comment, "//"):
			comment = d.line(comment, "//")
		case strings.HasPrefix(comment, "#"):
			comment = d.line(comment, "#")
		default:
			if comment[0] == '\n' {
				d.column = 0
			}
			d.column++
			comment = comment[1:]
		}
	}
	return strings.TrimRight(strings.Join(d.lines, "\n"), "\n")
}

// docLines collects the lines of comments.
type docLines struct {
	lines  []string
	column int // 1-based, of what is next
	indent int // column in which the text of the first line begins; 0: it has none
}

// add takes a line whose text begins in a column.
func (d *docLines) add(text string, column int) {
	blanks := len(text) - len(strings.TrimLeft(text, " \t"))
	if len(d.lines) == 0 {
		if text != "" {
			d.indent = column + blanks
		}
		d.lines = append(d.lines, text[blanks:])
		return
	}
	d.lines = append(d.lines, text[min(blanks, max(0, d.indent-column)):])
}

// block takes a block comment off, one without an end up to the end of the text.
func (d *docLines) block(comment string) (rest string) {
	text, rest, closed := strings.Cut(comment[2:], "*/")
	skipped := 2
	if text != "" && (text[0] == '!' || text[0] == '*' && (closed || len(text) > 1)) {
		text, skipped = text[1:], skipped+1
	}
	if strings.HasPrefix(text, "<") { // marks a comment behind what it is about
		text, skipped = text[1:], skipped+1
	}
	column := d.column + skipped
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if i > 0 {
			column = 1
			if star := strings.TrimLeft(line, " \t\v\f"); strings.HasPrefix(star, "*") {
				column += len(line) - len(star) + 1
				line = star[1:]
			}
		}
		d.add(line, column)
	}
	d.column = column + len(lines[len(lines)-1]) + 2
	return rest
}

// line takes a line comment off, with its line break.
func (d *docLines) line(comment, mark string) (rest string) {
	text, rest, _ := strings.Cut(comment, "\n")
	text = strings.TrimSuffix(text, "\r")
	skipped := len(mark)
	if mark == "//" && len(text) > skipped && (text[skipped] == '/' || text[skipped] == '!') {
		skipped++
	}
	if mark == "//" && strings.HasPrefix(text[skipped:], "<") {
		skipped++
	}
	d.add(text[skipped:], d.column+skipped)
	d.column = 1
	return rest
}
