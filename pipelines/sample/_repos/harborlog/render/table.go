// Package render draws text for terminals: tables, bars and colours.
package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table lines up rows in columns. Columns whose cells are all numbers are set flush right.
func Table(rows [][]string, gap int) string {
	widths, numeric := measure(rows)
	var out strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			if numeric[i] {
				line.WriteString(PadLeft(cell, widths[i]))
			} else {
				line.WriteString(PadRight(cell, widths[i]))
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

func measure(rows [][]string) (widths []int, numeric []bool) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
				numeric = append(numeric, true)
			}
			widths[i] = max(widths[i], Width(cell))
			numeric[i] = numeric[i] && isNumeric(cell)
		}
	}
	return widths, numeric
}

func isNumeric(cell string) bool {
	trimmed := strings.TrimLeft(cell, "+-")
	return trimmed != "" && strings.Trim(trimmed, "0123456789.,%") == ""
}

// PadRight fills up with blanks behind the text.
func PadRight(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// PadLeft fills up with blanks before the text.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(text))) + text
}

// Width is the number of terminal columns: marks such as ́ take none, 港 takes two.
func Width(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeColumns(r)
	}
	return columns
}

func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || unicode.IsControl(r):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		r >= 0x1f300 && r <= 0x1faff, r >= 0xff01 && r <= 0xff60:
		return 2
	}
	return 1
}

// Shorten cuts out the middle of a text that is too wide and puts "…" there.
func Shorten(text string, width int) string {
	if Width(text) <= width || width < 1 {
		return text
	}
	head, tail := takeColumns(text, width/2, false), takeColumns(text, width-1-width/2, true)
	return head + "…" + tail
}

// takeColumns returns as many characters from one end as fit into the columns.
func takeColumns(text string, columns int, fromEnd bool) string {
	taken := 0
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if fromEnd {
			r, size = utf8.DecodeLastRuneInString(rest)
		}
		if columns -= runeColumns(r); columns < 0 {
			break
		}
		taken += size
		if fromEnd {
			rest = rest[:len(rest)-size]
		} else {
			rest = rest[size:]
		}
	}
	if fromEnd {
		return text[len(text)-taken:]
	}
	return text[:taken]
}
