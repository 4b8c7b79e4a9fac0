package issues

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/markdown"
	"benchmill/schemas"
)

// reference is a closing word with the number it stands before.
type reference struct {
	Number int64
	Text   string // the words as written
	Other  bool   // it names another repository
}

// name is a repository as texts call it.
type name struct {
	repo string // owner/name
	host string // of its address
}

var webHost = regexp.MustCompile(`^https?://(?:[^/@]*@)?([^/@]+)/`)

// nameOf takes the host from where the repository is cloned from; GitHub's own
// where that is no web address.
func nameOf(r schemas.Repository) name {
	if m := webHost.FindStringSubmatch(r.URL); m != nil {
		return name{r.Repo, m[1]}
	}
	return name{r.Repo, "github.com"}
}

// keyword is a closing word and what it closes. GitHub documents the words, the
// forms "#1", "owner/name#1", and that each number needs a word of its own; the
// colon and the full address are what it does. One line break may stand between,
// since texts are wrapped; a blank line may not.
var keyword = regexp.MustCompile(`(?i)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)` +
	`(?:[ \t]*:[ \t]*(?:\r?\n[ \t]*)?|[ \t]+(?:\r?\n[ \t]*)?|\r?\n[ \t]*)` +
	`(?:([\w.-]+/[\w.-]+)?#([1-9][0-9]*)` +
	`|https?://([\w.:-]+)/([\w.-]+/[\w.-]+)/(?:issues|pull)/([1-9][0-9]*))`)

// references finds the closing words of a text in GitHub's Markdown, in order.
// Code and quotations close nothing; comments are as if they were not there.
func references(text string, in name) []reference {
	prose := markdown.Blank(text, func(k markdown.Kind) byte {
		if k == markdown.Comment {
			return ' '
		}
		return 0 // neither a word nor a space
	})
	var out []reference
	for _, m := range keyword.FindAllStringSubmatchIndex(prose, -1) {
		if inWord(prose, m[0], m[1]) {
			continue
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return prose[m[2*n]:m[2*n+1]]
		}
		number, err := strconv.ParseInt(group(2)+group(5), 10, 64)
		if err != nil {
			continue // more digits than any issue has
		}
		repo, host := group(1)+group(4), group(3)
		out = append(out, reference{
			Number: number, Text: text[m[0]:m[1]],
			Other: repo != "" && !strings.EqualFold(repo, in.repo) || host != "" && !in.at(host),
		})
	}
	return out
}

// at reports whether the repository's issues are on that host.
func (n name) at(host string) bool {
	bare := func(s string) string { return strings.TrimPrefix(strings.ToLower(s), "www.") }
	return bare(host) == bare(n.host)
}

// inWord reports whether text[start:end] is a part of something longer.
func inWord(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return isWord(before) || isWord(after)
}

func isWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

var (
	upstreamComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	upstreamNumber  = regexp.MustCompile(`([\pL\pN_]+)[\s\v\x{1c}-\x{1f}\x{85}\p{Z}]+#([0-9]+)`)
	upstreamWord    = regexp.MustCompile(`^(?i:close[sd]?|fix(?:e[sd])?|resolve[sd]?)$`)
)

// upstreamReferences is the rule of SWE-bench's collector: a closing word, white
// space and a number sign, anywhere in title, body and commit messages joined by
// line breaks, once the closed HTML comments are cut out. It misses a colon
// ("Fixes: #1"), addresses and names of repositories, and takes what stands in
// code, in quotations, and across the end of the title. All places are "text".
func upstreamReferences(p schemas.PullRequest) []reference {
	parts := []string{p.Title, p.Body}
	for _, c := range p.Commits {
		parts = append(parts, c.Message)
	}
	text := upstreamComment.ReplaceAllString(strings.Join(parts, "\n"), "")
	var out []reference
	for _, m := range upstreamNumber.FindAllStringSubmatch(text, -1) {
		number, err := strconv.ParseInt(m[2], 10, 64)
		if err == nil && upstreamWord.MatchString(m[1]) {
			out = append(out, reference{Number: number, Text: m[0]})
		}
	}
	return out
}
