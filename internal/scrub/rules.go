package scrub

import (
	"regexp"
	"strings"
)

// rule finds one kind of secret. needs are words in lower case of which a text
// must have one, so that most texts skip most rules.
type rule struct {
	kind  string
	needs []string
	// re matches; the secret is its first group, or all of it where that has none.
	// Patterns end in open repetitions rather than at borders of words, so that
	// what follows a secret cannot hide it.
	re *regexp.Regexp
	// check refuses what only looks like a secret, by what follows it too; nil: nothing.
	check func(secret, after string) bool
}

func (r rule) find(t subject) []Finding {
	var out []Finding
	for _, m := range r.re.FindAllStringSubmatchIndex(t.text, -1) {
		start, end := m[0], m[1]
		if len(m) > 2 {
			start, end = m[2], m[3]
		}
		if r.check == nil || r.check(t.text[start:end], t.text[end:]) {
			out = append(out, Finding{start, end, r.kind})
		}
	}
	return out
}

func token(pattern string, needs ...string) rule {
	return rule{kind: Token, needs: needs, re: regexp.MustCompile(pattern)}
}

// rules are for secrets with a form of their own. Those of tokens are what their
// services document.
var rules = []rule{
	{kind: Key, needs: []string{"age-secret-key-1"}, re: regexp.MustCompile(`AGE-SECRET-KEY-1[A-Z0-9]{40,}`)},

	token(`gh[pousr]_[A-Za-z0-9_]{30,}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	token(`github_pat_[A-Za-z0-9_]{22,}`, "github_pat_"),
	token(`gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,}`, "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"),
	token(`(?:AKIA|ASIA)[A-Z0-9]{16,}`, "akia", "asia"),
	token(`xox[abeoprs]-[A-Za-z0-9-]{10,}`, "xox"),
	token(`xapp-[0-9]-[A-Za-z0-9-]{10,}`, "xapp-"),
	token(`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/-]{20,})`, "hooks.slack.com/"),
	token(`discord(?:app)?\.com/api/webhooks/[0-9]+/([A-Za-z0-9_-]{20,})`, "/api/webhooks/"),
	token(`AIza[A-Za-z0-9_-]{35,}`, "aiza"),
	token(`ya29\.[A-Za-z0-9_-]{20,}`, "ya29."),
	token(`GOCSPX-[A-Za-z0-9_-]{20,}`, "gocspx-"),
	token(`sk-(?:proj|svcacct|admin|ant|or)-[A-Za-z0-9_-]{20,}`, "sk-"),
	token(`sk-[A-Za-z0-9_-]*T3BlbkFJ[A-Za-z0-9_-]*`, "t3blbkfj"),
	token(`(?:^|[^A-Za-z0-9_-])(sk-[A-Za-z0-9]{32,})`, "sk-"),
	token(`[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`, "k_live_", "k_test_"),
	token(`whsec_[A-Za-z0-9+/=]{24,}`, "whsec_"),
	token(`npm_[A-Za-z0-9]{36,}`, "npm_"),
	token(`pypi-AgE[A-Za-z0-9_-]{40,}`, "pypi-age"),
	token(`hf_[A-Za-z0-9]{30,}`, "hf_"),
	token(`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "sg."),
	token(`eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]+`, "eyj"), // JSON web tokens

	{
		kind: Password, needs: []string{"://"},
		re:    regexp.MustCompile(`://[^\s/:@<>"'` + "`" + `]*:([^\s/<>"'` + "`" + `]+)@`),
		check: func(s, after string) bool { return !isVariable(s) && !strings.HasPrefix(after, "@sha256:") }, // an image's digest
	},
}

// isVariable reports whether a value stands for a secret rather than being one:
// $NAME, {name}, %s, a mask of stars.
func isVariable(s string) bool {
	return strings.HasPrefix(s, "$") || strings.HasPrefix(s, "{") || s == "%s" || s == "%v" || strings.Trim(s, "*x.") == ""
}
