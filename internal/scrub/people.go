package scrub

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/markdown"
)

// People gives the people of one discussion numbers, in the order in which they
// are first named, so that a dialogue stays readable without their names. The
// zero value is ready; it is not safe for concurrent use.
type People struct {
	numbers map[string]int // by login in lower case
}

// Name is what stands for a login: "user1", "user2", ... It is "" for "".
func (p *People) Name(login string) string {
	if login == "" {
		return ""
	}
	if p.numbers == nil {
		p.numbers = map[string]int{}
	}
	login = strings.ToLower(login)
	if p.numbers[login] == 0 {
		p.numbers[login] = len(p.numbers) + 1
	}
	return fmt.Sprintf("user%d", p.numbers[login])
}

// mention is a login after a sign. The first group is what stands before.
var mention = regexp.MustCompile(`(^|[^A-Za-z0-9_./@#+-])@([A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?(?:\[bot\])?)`)

// Mentions replaces the logins that a text in GitHub's Markdown mentions; rename
// gives the new name, "" for none. As on GitHub, code mentions nobody. What goes
// on with "/", "(" or a dot and a letter is the name of a team, a package or a
// decorator, not of a person. Names without the sign are not found.
func Mentions(text string, rename func(login string) string) (out string, replaced int64) {
	if !strings.Contains(text, "@") {
		return text, 0
	}
	prose := markdown.Blank(text, func(k markdown.Kind) byte {
		if k == markdown.Code {
			return ' '
		}
		return markdown.Keep
	})
	var b strings.Builder
	at := 0
	for _, m := range mention.FindAllStringSubmatchIndex(prose, -1) {
		start, end := m[4], m[5]
		if isCode(prose[end:]) || followsFinding(prose[:start-1]) {
			continue
		}
		if name := rename(text[start:end]); name != "" {
			b.WriteString(text[at:start])
			b.WriteString(name)
			at = end
			replaced++
		}
	}
	b.WriteString(text[at:])
	return b.String(), replaced
}

// followsFinding reports whether a replacement of [Text] stands before a sign: what
// follows it is then a host.
func followsFinding(before string) bool {
	return slices.ContainsFunc([]string{Email, Token, Key, Password, IP}, func(kind string) bool {
		return strings.HasSuffix(before, "<"+kind+">")
	})
}

func isCode(after string) bool {
	switch {
	case after == "":
		return false
	case after[0] == '.':
		return len(after) > 1 && isLetter(after[1])
	}
	return strings.IndexByte("/(_@", after[0]) >= 0
}
