package longcodeqa

import (
	"regexp"
	"strings"

	"benchmill/schemas"
)

// Roles that stand for the names of people.
const (
	roleAuthor      = "author"
	roleMaintainer  = "maintainer"
	roleContributor = "contributor"
	roleOther       = "user"
)

// roleOf tells what somebody is to the repository.
func roleOf(association string) string {
	switch association {
	case "OWNER", "MEMBER", "COLLABORATOR":
		return roleMaintainer
	case "CONTRIBUTOR":
		return roleContributor
	}
	return roleOther
}

// isBot reports whether a program wrote something. A deleted account is a
// person's until shown otherwise.
func isBot(login, kind string) bool {
	return kind == "Bot" || strings.HasSuffix(login, "[bot]")
}

// discussion writes an issue down as question writers read it: each text under
// the role of its author, comments in their order. People who take part are
// called by their role in the texts as well; names of others are not known to be
// names and stay.
func discussion(issue schemas.Issue, comments []schemas.Comment) schemas.Discussion {
	roles := map[string]string{} // by login in small letters
	note := func(login, role string) string {
		if login == "" {
			return role // a deleted account may be anybody's
		}
		login = strings.ToLower(login)
		if roles[login] == "" {
			roles[login] = role
		}
		return roles[login]
	}
	note(issue.Author, roleAuthor)
	speakers := make([]string, len(comments))
	for i, k := range comments {
		speakers[i] = note(k.Author, roleOf(k.Association))
	}
	var b strings.Builder
	say := func(role, text string) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("[" + role + "]\n" + unnamed(text, roles))
	}
	say(roleAuthor, issue.Body)
	for i, k := range comments {
		say(speakers[i], k.Body)
	}
	return schemas.Discussion{
		Number: issue.Number, Title: unnamed(issue.Title, roles), Text: b.String(), Comments: int64(len(comments)),
		CreatedAt: issue.CreatedAt, ClosedAt: issue.ClosedAt,
	}
}

// heading is a line that looks like those [discussion] puts before texts.
var heading = regexp.MustCompile(`(?m)^([ \t]*)(\[(?:` + roleAuthor + `|` + roleMaintainer + `|` + roleContributor + `|` + roleOther + `)\][ \t]*)$`)

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

var mention = regexp.MustCompile(`(^|[^\w@/.-])@([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)`)

// unnamed replaces mentions of people by their roles, and the line ends of web
// forms by line feeds. What would pass for the beginning of another's text gets a
// mark of quotation, so that nobody speaks as a maintainer who is none.
func unnamed(text string, roles map[string]string) string {
	text = strings.TrimSpace(lineEnds.Replace(text))
	text = heading.ReplaceAllString(text, "> $1$2")
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		before, login, _ := strings.Cut(found, "@")
		if role := roles[strings.ToLower(login)]; role != "" {
			return before + "@" + role
		}
		return found
	})
}
