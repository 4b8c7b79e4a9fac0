package yabloco

import (
	"strings"
)

// elseBranches leaves of each #if in a text what stands under its #else: the lines
// of the other branches go, and so do the directives ("#if/#else: lines of the #if
// part are dropped, the #else part kept"). any reports whether there was one.
func elseBranches(text string) (kept string, any bool) {
	var out strings.Builder
	var inElse []bool // of the #if around, the outermost first
	hidden := 0       // how many of them are in another branch than #else
	continued := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		word := ""
		if !continued {
			word = directive(line)
		}
		directiveLine := word != "" || continued
		continued = directiveLine && strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`)
		top := len(inElse) - 1
		switch {
		case strings.HasPrefix(word, "if"):
			inElse = append(inElse, false)
			hidden++
		case strings.HasPrefix(word, "el") && top >= 0:
			if now := word == "else"; now != inElse[top] {
				inElse[top] = now
				if now {
					hidden--
				} else {
					hidden++
				}
			}
		case word == "endif" && top >= 0:
			if !inElse[top] {
				hidden--
			}
			inElse = inElse[:top]
		}
		any = any || word != ""
		if !directiveLine && hidden == 0 {
			out.WriteString(line)
		}
	}
	return out.String(), any
}

// directive is the word of a conditional directive, or "".
func directive(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t")
	word := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		word = rest[:i]
	}
	switch word {
	case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif":
		return word
	}
	return ""
}

// bodyLines counts the lines of a body between its first '{' and its last '}', or of
// all of it where it has none. Blank lines do not count.
func bodyLines(body string) int64 {
	if first, last := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}'); first >= 0 && first < last {
		body = body[first+1 : last]
	}
	var n int64
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
