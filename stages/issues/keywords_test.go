package issues

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/schemas"
)

var here = name{"Owner/na-me.x", "github.com"}

// said writes references as "number text", those to other repositories with "!".
func said(refs []reference) []string {
	var out []string
	for _, r := range refs {
		mark := ""
		if r.Other {
			mark = "!"
		}
		out = append(out, fmt.Sprintf("%s%d %s", mark, r.Number, r.Text))
	}
	return out
}

func TestReferences(t *testing.T) {
	for text, want := range map[string][]string{
		// The words, in any case, whole.
		"close #1 closes #2 closed #3":       {"1 close #1", "2 closes #2", "3 closed #3"},
		"Fix #1 FIXES #2 fixed #3":           {"1 Fix #1", "2 FIXES #2", "3 fixed #3"},
		"resolve #1 Resolves #2 rEsolved #3": {"1 resolve #1", "2 Resolves #2", "3 rEsolved #3"},
		"prefix #1, discloses #1, fix_ #1":   nil,
		"üfix #1 éfixes #1":                  nil,
		"fixing #1 closing #2 see #3":        nil,
		"(fixes #1)":                         {"1 fixes #1"},
		"hot-fix #1":                         {"1 fix #1"},
		// What may stand between.
		"Fixes: #1":             {"1 Fixes: #1"},
		"Fixes : #1":            {"1 Fixes : #1"},
		"Fixes:#1":              {"1 Fixes:#1"},
		"fixes\t #1":            {"1 fixes\t #1"},
		"this change fixes\n#1": {"1 fixes\n#1"},
		"fixes:\r\n  #1":        {"1 fixes:\r\n  #1"},
		"fixes\n\n#1":           nil,
		"fixes#1":               nil,
		"fixes - #1":            nil,
		"fixes issue #1":        nil,
		"fixes :: #1":           nil,
		"**Fixes** #1":          nil,
		// Numbers, whole, from 1.
		"fixes #12.":                    {"12 fixes #12"},
		"fixes #12-alpha":               {"12 fixes #12"},
		"fixes #12a":                    nil,
		"fixes #12_":                    nil,
		"fixes #0 fixes #01":            nil,
		"fixes 1":                       nil,
		"fixes #9999999999999999999999": nil,
		// Each number needs its own word.
		"Fixes #1, #2 and #3": {"1 Fixes #1"},
		"Fixes #1, fixes #2":  {"1 Fixes #1", "2 fixes #2"},
		"Fixes #1 Fixes #2":   {"1 Fixes #1", "2 Fixes #2"},
		"fixes #1\ncloses #1": {"1 fixes #1", "1 closes #1"},
		// Names of repositories and addresses.
		"fixes owner/NA-me.x#7": {"7 fixes owner/NA-me.x#7"},
		"fixes other/name#7":    {"!7 fixes other/name#7"},
		"fixes name#7":          nil,
		"closes https://github.com/owner/na-me.x/issues/8":             {"8 closes https://github.com/owner/na-me.x/issues/8"},
		"closes: http://www.github.com/owner/na-me.x/issues/8#issue-1": {"8 closes: http://www.github.com/owner/na-me.x/issues/8"},
		"closes https://github.com/owner/na-me.x/pull/8/files":         {"8 closes https://github.com/owner/na-me.x/pull/8"},
		"closes https://github.com/other/name/issues/8":                {"!8 closes https://github.com/other/name/issues/8"},
		"closes https://elsewhere.org/owner/na-me.x/issues/8":          {"!8 closes https://elsewhere.org/owner/na-me.x/issues/8"},
		"closes https://github.com/owner/na-me.x/discussions/8":        nil,
		"closes https://github.com/owner/na-me.x/issues/8x":            nil,
		// What is not prose.
		"`fixes #1`":                    nil,
		"`x` fixes #1 `y`":              {"1 fixes #1"},
		"fixes `#1`":                    nil,
		"fixes `x` #1":                  nil,
		"```\nfixes #1\n```\nfixes #2":  {"2 fixes #2"},
		"a\n\n    fixes #1\n\nfixes #2": {"2 fixes #2"},
		"> fixes #1\n\nfixes #2":        {"2 fixes #2"},
		"> a\nfixes #1":                 nil,
		"<!-- fixes #1 -->fixes #2":     {"2 fixes #2"},
		"<!-- fixes #1":                 nil,
		"fixes <!-- the issue --> #1":   {"1 fixes <!-- the issue --> #1"},
		"- fixes #1\n  - closes #2":     {"1 fixes #1", "2 closes #2"},
		"# Fixes #1":                    {"1 Fixes #1"},
		"does not fix #1":               {"1 fix #1"},
		"":                              nil,
	} {
		if got := said(references(text, here)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	for url, host := range map[string]string{
		"https://ghe.local:8443/o/n": "ghe.local:8443",
		"https://user@ghe.local/o/n": "ghe.local",
		"https://github.com/o/n.git": "github.com",
		"/srv/mirror/o/n":            "github.com",
		"git@github.com:o/n":         "github.com",
		"":                           "github.com",
	} {
		if got := nameOf(schemas.Repository{Repo: "o/n", URL: url}); got.host != host || got.repo != "o/n" {
			t.Errorf("%s: %+v", url, got)
		}
	}
	refs := references("fixes https://ghe.local/o/n/issues/3, fixes https://github.com/o/n/issues/4", name{"o/n", "ghe.local"})
	if len(refs) != 2 || refs[0].Other || !refs[1].Other {
		t.Errorf("%+v", refs)
	}
}

func TestUpstreamReferences(t *testing.T) {
	for _, test := range []struct {
		pull schemas.PullRequest
		want []string
	}{
		{schemas.PullRequest{Title: "Fixes #1", Body: "closes  #2\nResolved\n#3"}, []string{"1 Fixes #1", "2 closes  #2", "3 Resolved\n#3"}},
		{schemas.PullRequest{Body: "Fixes: #1, fixes o/n#2, fixes https://github.com/o/n/issues/3"}, nil},
		{schemas.PullRequest{Body: "`fixes #1`\n> closes #2"}, []string{"1 fixes #1", "2 closes #2"}},
		{schemas.PullRequest{Body: "<!-- fixes #1\n-->fixes #2 fi<!-- -->xes #3 <!-- fixes #4"}, []string{"2 fixes #2", "3 fixes #3", "4 fixes #4"}},
		{schemas.PullRequest{Title: "We fix", Body: "#5"}, []string{"5 fix\n#5"}},
		{schemas.PullRequest{Commits: []schemas.PullCommit{{Message: "close #6\n\nx"}, {Message: "fixed #7a"}}}, []string{"6 close #6", "7 fixed #7"}},
		{schemas.PullRequest{Body: "prefix #1 éfix #2 fix\u00a0#3 fixing #4"}, []string{"3 fix\u00a0#3"}},
	} {
		if got := said(upstreamReferences(test.pull)); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q, want %q", test.pull, got, test.want)
		}
	}
}

func FuzzReferences(f *testing.F) {
	for _, s := range []string{"Fixes #1, closes: o/n#2", "`fix #1`\n> fix #2\n<!-- fix #3", "resolves https://github.com/o/n/issues/4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range references(text, here) {
			if r.Number < 1 || !strings.Contains(text, r.Text) || !strings.HasSuffix(r.Text, fmt.Sprint(r.Number)) {
				t.Errorf("%+v in %q", r, text)
			}
			// Words alone mean what they meant in the text, but for comments inside.
			if alone := references(r.Text, here); len(alone) != 1 || alone[0] != r {
				t.Errorf("%+v alone is %+v", r, alone)
			}
		}
		upstreamReferences(schemas.PullRequest{Body: text})
	})
}
