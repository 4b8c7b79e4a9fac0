package yabloco

import (
	"regexp"
	"slices"
	"strings"

	"benchmill/schemas"
)

// elseBranches leaves of each #if in a text that has an #else what stands under that:
// the lines of its other branches go, and so do its directives ("#if/#else: lines of
// the #if part are dropped, the #else part kept"). An #if without #else stays.
// branches is as in [schemas.BodyCandidate]. Where not each #if has its #endif, there
// are none: other languages have comments that look like one.
//
// sound is false where what is left may build nowhere: some condition would have to
// hold and not to hold, or decides about lines that stay, too; an #error is in it, or
// its braces do not match.
//
// all: once there is an #else, the lines of those without one go as well, which is
// what the published rows were chosen by.
func elseBranches(text string, all bool) (kept, branches string, sound bool) {
	lines, any := conditionals(text)
	if !any {
		return text, "", true
	}
	if all && slices.ContainsFunc(lines, func(l textLine) bool { return l.of != nil && l.of.hasElse }) {
		for _, l := range lines {
			if l.of != nil {
				l.of.hasElse = true
			}
		}
	}
	var out strings.Builder
	hidden, open := 0, 0 // of the conditionals around: in a branch that goes; that stay
	assumed, asked := map[string]bool{"0": false, "1": true}, map[string]bool{}
	branches, sound = schemas.BranchesWritten, true
	for _, l := range lines {
		name, holds := condition(l.word, l.rest)
		switch c := l.of; {
		case l.word == "error":
			sound = sound && hidden+open > 0
		case l.word == "":
		case !c.hasElse:
			if hidden == 0 && name != "" {
				asked[name] = true
			}
			if strings.HasPrefix(l.word, "if") {
				open++
			} else if l.word == "endif" {
				open--
			}
		default:
			branches = schemas.BranchesElse
			if c.gone {
				hidden--
			}
			if c.gone = name != ""; c.gone {
				if before, known := assumed[name]; hidden == 0 && known && before != holds {
					sound = false
				} else if hidden == 0 {
					assumed[name] = holds
				}
				hidden++
			}
		}
		if hidden == 0 && (l.of == nil || !l.of.hasElse) {
			out.WriteString(l.text)
		}
	}
	for name := range asked {
		if _, both := assumed[name]; both {
			sound = false
		}
	}
	kept = out.String()
	return kept, branches, sound && balanced(kept)
}

// conditional is an #if up to its #endif.
type conditional struct {
	hasElse bool
	gone    bool // the branch at hand goes
}

// textLine is a line of a text.
type textLine struct {
	text       string
	word, rest string       // of a directive, see [directive]; "" on the lines that continue it
	of         *conditional // that the directive belongs to
}

// conditionals cuts a text into lines; any is false where it has no #if, or one
// without #endif.
func conditionals(text string) (lines []textLine, any bool) {
	var around []*conditional
	var continued *conditional
	for line := range strings.SplitAfterSeq(text, "\n") {
		l := textLine{text: line, of: continued}
		if continued == nil {
			l.word, l.rest = directive(line)
		}
		if strings.HasPrefix(l.word, "if") {
			any = true
			around = append(around, &conditional{})
		}
		if l.word != "" && l.word != "error" {
			top := len(around) - 1
			if top < 0 {
				return nil, false
			}
			l.of = around[top]
			switch l.word {
			case "else":
				l.of.hasElse = true
			case "endif":
				around = around[:top]
			}
		}
		if continued = nil; l.of != nil && strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`) {
			continued = l.of
		}
		lines = append(lines, l)
	}
	return lines, any && len(around) == 0
}

// atom is a condition of one name.
var atom = regexp.MustCompile(`^(!?)\s*(defined\b)?\s*\(?\s*(\w+)\s*\)?$`)

// condition is what decides about the branch that a directive begins, and whether it
// holds where the branch goes; "" where nothing does.
func condition(word, rest string) (name string, holds bool) {
	rest, _, _ = strings.Cut(rest, "/*")
	rest, _, _ = strings.Cut(rest, "//")
	rest = strings.TrimSpace(rest)
	m := atom.FindStringSubmatch(rest)
	switch {
	case word == "" || word == "else" || word == "endif" || word == "error":
		return "", false
	case strings.HasSuffix(word, "def"):
		return "defined " + rest, strings.HasSuffix(word, "ndef")
	case m == nil:
		return rest + "?", false // never ""
	case m[2] != "":
		return "defined " + m[3], m[1] != ""
	}
	return m[3], m[1] != ""
}

// directive is the word of a conditional directive or of #error, or "", and what
// follows it.
func directive(line string) (word, rest string) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	if !ok {
		return "", ""
	}
	word = strings.TrimLeft(rest, " \t")
	rest = strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz")
	switch word = word[:len(word)-len(rest)]; word {
	case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error":
		return word, rest
	}
	return "", ""
}

// hasDirective reports whether a text is one thing or another by a condition.
func hasDirective(text string) bool {
	for line := range strings.Lines(text) {
		if word, _ := directive(line); word != "" {
			return true
		}
	}
	return false
}

// bodyLines counts the lines of a body between its first '{' and its last '}', or of
// all of it where it has none. Blank lines do not count: so every published row is
// within the bounds.
func bodyLines(body string) int64 {
	if first, last := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}'); first >= 0 && first < last {
		body = body[first+1 : last]
	}
	var n int64
	for line := range strings.Lines(strings.TrimSpace(body)) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
