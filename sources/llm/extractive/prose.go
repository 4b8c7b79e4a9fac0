package extractive

import (
	"regexp"
	"strings"
)

// prose is what a documentation comment says, by what it is about.
type prose struct {
	summary []string          // sentences
	params  map[string]string // description by parameter
	returns []string          // sentences about the result
	raises  []string          // sentences about failures
}

const maxDoc = 16 << 10

// section is what the lines of a comment are about at some point.
type section int

const (
	inSummary section = iota
	inParams
	inReturns
	inRaises
	inOther // examples, notes, code: skipped
)

var (
	headings = []struct {
		at      section
		pattern *regexp.Regexp
	}{
		{inParams, regexp.MustCompile(`(?i)^#*\s*(args|arguments|parameters|params|inputs?)\s*:?$`)},
		{inReturns, regexp.MustCompile(`(?i)^#*\s*(returns?|return value|yields?|outputs?|result)\s*:?$`)},
		{inRaises, regexp.MustCompile(`(?i)^#*\s*(raises|throws|errors?|exceptions?|panics)\s*:?$`)},
		{inOther, regexp.MustCompile(`(?i)^#*\s*(examples?|notes?|see also|references?|usage|safety|warnings?|todo|attributes|doctest\w*)\s*:?$`)},
		{inOther, regexp.MustCompile(`^#+\s`)},
	}
	paramTag  = regexp.MustCompile(`^[@:\\]t?param(?:eter)?\b(?:\[\w+\])?\s+(?:\{[^}]*\}\s*)?(.*)$`)
	returnTag = regexp.MustCompile(`^[@:\\](?:returns?|yields?|result)\b:?\s*(?:\{[^}]*\}\s*)?(.*)$`)
	raiseTag  = regexp.MustCompile(`^[@:\\](?:raises?|throws?|exception)\b:?\s*(?:\{[^}]*\}\s*)?[\w.]*:?\s*(.*)$`)
	briefTag  = regexp.MustCompile(`^[@\\](?:brief|summary|description|details?)\b\s*(.*)$`)
	otherTag  = regexp.MustCompile(`^(?:[@\\][A-Za-z]+\b|:[a-z]+[^:]*:)`)
	paramLine = regexp.MustCompile(`^[-*]?\s*[*\x60]{0,2}([A-Za-z_$][\w$]*)[*\x60]{0,2}\s*(?:\([^)]*\))?\s*(?::|\s-)\s*(.*)$`)
	rule      = regexp.MustCompile(`^[-=~^*]{3,}$`)
	marker    = regexp.MustCompile(`^\s*(?:///?!?|//!|/\*[*!]?|\*/|\*(?:\s|$)|#+!?\s|#$|--+\s|;;+\s|[rRbBuUfF]?"""|''')`)
	closing   = regexp.MustCompile(`\s*(?:\*+/|"""|''')\s*$`)
	refusals  = regexp.MustCompile(`(?i)^\(|^(?:for (?:example|instance)|note\b|see\b|that is\b|e\.g)|copyright|licen[sc]e|spdx|\btodo\b|\bfixme\b|\bxxx\b|nolint|noqa|eslint|pylint|mypy|rustfmt|clang-format|\bsee\s+(?:also|#)|https?://|^\s*(?:type|rtype)\s*:`)
	codeLike  = regexp.MustCompile(`[{}<>=|\\^~$]|\)\s*;|->|::|\w\(\w*\)\.|\w\[`)
)

// readProse takes a comment apart: the summary in front, and what it says of
// parameters, results and failures in any of the usual notations.
func readProse(doc string, params []string) prose {
	if len(doc) > maxDoc {
		doc = doc[:maxDoc]
	}
	doc = strings.ToValidUTF8(doc, "")
	p := prose{params: map[string]string{}}
	at, param, fenced, afterBlank := inSummary, "", false, true
	var text [inOther + 1]strings.Builder
	for _, line := range strings.Split(strings.ReplaceAll(doc, "\r\n", "\n"), "\n") {
		line = bare(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case fenced || rule.MatchString(line):
			continue
		case strings.HasPrefix(line, ">>>"):
			at = inOther
			continue
		}
		if next, ok := heading(line); ok && afterBlankOrTitle(line, afterBlank) {
			at, param = next, ""
			continue
		}
		afterBlank = line == ""
		if line == "" {
			if at == inOther {
				continue
			}
			text[at].WriteString("\n\n")
			continue
		}
		if m := paramTag.FindStringSubmatch(line); m != nil {
			at, param, line = inParams, "", strings.TrimPrefix(m[1], "* ")
			name, rest := tagged(m[1], params)
			if param = name; param != "" {
				p.params[param] = rest
			}
			continue
		}
		switch m := tag(line); m.at {
		case inSummary, inReturns, inRaises:
			if m.ok {
				at, line = m.at, m.rest
			}
		case inOther:
			at = inOther
		}
		if at == inParams {
			if m := paramLine.FindStringSubmatch(line); m != nil && contains(params, m[1]) {
				param = m[1]
				p.params[param] = m[2]
			} else if param != "" {
				p.params[param] += " " + line
			}
			continue
		}
		text[at].WriteString(line + "\n")
	}
	p.summary = sentences(text[inSummary].String())
	p.returns = sentences(text[inReturns].String())
	p.raises = sentences(text[inRaises].String())
	return p
}

// bare takes the comment marks off a line.
func bare(line string) string {
	line = marker.ReplaceAllString(line, "")
	line = closing.ReplaceAllString(line, "")
	return strings.TrimSpace(line)
}

func heading(line string) (section, bool) {
	for _, h := range headings {
		if h.pattern.MatchString(line) {
			return h.at, true
		}
	}
	return 0, false
}

// afterBlankOrTitle keeps a prose line that happens to be one of the headings'
// words from starting a section.
func afterBlankOrTitle(line string, afterBlank bool) bool {
	return afterBlank || strings.HasSuffix(line, ":") || strings.HasPrefix(line, "#")
}

type tagLine struct {
	at   section
	rest string
	ok   bool
}

func tag(line string) tagLine {
	for _, t := range []struct {
		at      section
		pattern *regexp.Regexp
	}{{inReturns, returnTag}, {inRaises, raiseTag}, {inSummary, briefTag}} {
		if m := t.pattern.FindStringSubmatch(line); m != nil {
			return tagLine{t.at, m[1], true}
		}
	}
	if otherTag.MatchString(line) {
		return tagLine{at: inOther}
	}
	return tagLine{at: inSummary}
}

// tagged splits what follows a parameter tag into a known name and its
// description; the name may come after a type.
func tagged(rest string, params []string) (name, description string) {
	head, tail, ok := strings.Cut(rest, ":")
	if words := strings.Fields(head); ok && len(words) > 0 && len(words) <= 3 && contains(params, words[len(words)-1]) {
		return words[len(words)-1], strings.TrimSpace(tail)
	}
	first, tail, _ := strings.Cut(rest, " ")
	first = strings.Trim(first, "[]*&`:,")
	if contains(params, first) {
		return first, strings.TrimLeft(strings.TrimSpace(tail), "-: ")
	}
	return "", ""
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

var (
	linkLabel  = regexp.MustCompile(`\{@link\w*\s+\S+\s+([^}]+)\}`)
	inlineTag  = regexp.MustCompile(`\{@\w+\s+([^}]*)\}`)
	role       = regexp.MustCompile(`:[a-z:]+:(\x60[^\x60]*\x60)`)
	mdLink     = regexp.MustCompile(`\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])`)
	brackets   = regexp.MustCompile(`\[(\x60[^\x60]+\x60|\w+)\]`)
	htmlTag    = regexp.MustCompile(`</?[a-zA-Z][^<>]{0,80}>`)
	emphasis   = regexp.MustCompile(`\*{1,2}([^*\s][^*]*)\*{1,2}`)
	codeQuotes = regexp.MustCompile("`{2,}")
	sentence   = regexp.MustCompile(`(?s).*?(?:[.!?]["')\x60]*(?:\s|$)|\n\s*\n|$)`)
	shortForms = regexp.MustCompile(`\b(?:e\.g|i\.e|etc|vs|cf|resp|approx)\.\s`)
)

// inline takes markup off a text and leaves backquotes around identifiers.
func inline(s string) string {
	s = linkLabel.ReplaceAllString(s, "$1")
	s = inlineTag.ReplaceAllString(s, "`$1`")
	s = role.ReplaceAllString(s, "$1")
	s = mdLink.ReplaceAllString(s, "$1")
	s = brackets.ReplaceAllString(s, "$1")
	s = htmlTag.ReplaceAllString(s, " ")
	s = codeQuotes.ReplaceAllString(s, "`")
	s = emphasis.ReplaceAllString(s, "$1")
	return s
}

// sentences splits prose into sentences of one line each, without a full stop,
// and leaves out what is not about the function: licences, tool directives, code.
func sentences(text string) []string {
	text = shortForms.ReplaceAllStringFunc(inline(text), func(s string) string {
		return strings.ReplaceAll(strings.TrimSpace(s), ".", "\u2024") + " "
	})
	var out []string
	for _, s := range sentence.FindAllString(text, -1) {
		s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\u2024", ".")), " ")
		s = strings.TrimSpace(strings.TrimRight(s, ".:-* "))
		s = strings.TrimLeft(s, "-*• ")
		if n := len(strings.Fields(s)); n < 2 || len(s) > 400 || refusals.MatchString(s) || codeLike.MatchString(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}
