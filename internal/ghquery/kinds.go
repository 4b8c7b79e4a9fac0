package ghquery

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// kind says what values a qualifier takes.
type kind struct {
	axis  *axis          // for ranges
	value *regexp.Regexp // of the value in lower case, for all others
	what  string         // the value for people
	many  bool           // may be repeated and negated
}

var (
	flag   = kind{value: regexp.MustCompile(`^(true|false)$`), what: "true or false"}
	number = kind{axis: &numbers}
	moment = kind{axis: &times}
	login  = kind{value: regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`), what: "a login", many: true}
)

// kinds are the qualifiers there are. Values are bounded to letters that cannot
// end a qualifier or mean the asker ("@me").
var kinds = map[string]kind{
	"language": {value: regexp.MustCompile(`^[a-z0-9][a-z0-9 .+#*'()/_-]*$`), what: "the name of a language", many: true},
	"license":  {value: regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*$`), what: "the key of a licence", many: true},
	"topic":    {value: regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`), what: "a topic", many: true},
	"repo":     {value: regexp.MustCompile(`^[a-z0-9._-]+/[a-z0-9._-]+$`), what: "of the form owner/name", many: true},
	"user":     login,
	"org":      login,
	"fork":     {value: regexp.MustCompile(`^(true|false|only)$`), what: "true, false or only"},
	"is":       {value: regexp.MustCompile(`^(public|private|internal)$`), what: "public, private or internal"},
	"archived": flag, "mirror": flag, "template": flag,
	"stars": number, "size": number, "forks": number, "followers": number, "topics": number,
	"good-first-issues": number, "help-wanted-issues": number,
	"created": moment, "pushed": moment, "commits-since": moment,
}

func known() []string {
	var out []string
	for key := range kinds {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

const blanks = " \t\r\n"

// split takes the text of a query apart.
func split(text string) ([]Term, error) {
	var out []Term
	for rest := strings.Trim(text, blanks); rest != ""; rest = strings.TrimLeft(rest, blanks) {
		var word string
		word, rest = cutWord(rest)
		key, value, ok := strings.Cut(word, ":")
		if !ok {
			return nil, fmt.Errorf("%q is no qualifier; a query is made of key:value, words are not searched for", word)
		}
		t := Term{Key: key, Value: value}
		t.Key, t.Not = strings.CutPrefix(key, "-")
		if quoted, ok := strings.CutPrefix(value, `"`); ok {
			if t.Value, ok = strings.CutSuffix(quoted, `"`); !ok {
				return nil, fmt.Errorf("%s: the quote in %s is not closed", t.Key, value)
			}
		}
		if strings.Contains(t.Value, `"`) {
			return nil, fmt.Errorf("%s: a quote in the middle of %s", t.Key, value)
		}
		out = append(out, t)
	}
	return out, nil
}

// cutWord cuts text at the first blank outside quotes.
func cutWord(text string) (word, rest string) {
	quoted := false
	for i, c := range text {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted && strings.ContainsRune(blanks, c) {
			return text[:i], text[i:]
		}
	}
	return text, ""
}
