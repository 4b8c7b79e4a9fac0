package find

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchmill/internal/collection"
)

// Where continuous integration is set up, and where tests lie, in repositories of
// any language. Only the default branch as it is now can be asked for that.
var (
	ciPaths   = []string{".github/workflows", ".travis.yml", ".circleci", ".gitlab-ci.yml", "azure-pipelines.yml", "appveyor.yml", ".appveyor.yml"}
	testPaths = []string{"tests", "test", "spec", "src/test", "__tests__"}
)

// The queries, without and with a count of commits.
var (
	detailsQuery      = queryText("", "")
	detailsSinceQuery = queryText(", $since: GitTimestamp!", "recent: history(since: $since, until: $until) { totalCount }")
)

// Queries are the texts of all GraphQL queries, for a test against GitHub's own
// schema.
func Queries() []string { return []string{detailsQuery, detailsSinceQuery} }

func queryText(variable, commits string) string {
	var paths strings.Builder
	ask := func(prefix string, list []string) {
		for i, path := range list {
			fmt.Fprintf(&paths, "      %s%d: object(expression: %q) { __typename }\n", prefix, i, "HEAD:"+path)
		}
	}
	ask("ci", ciPaths)
	ask("tests", testPaths)
	return `query Repositories($ids: [ID!]!, $until: GitTimestamp!` + variable + `) {
  nodes(ids: $ids) {
    ... on Repository {
      databaseId
      nameWithOwner
      url
      isFork
      isArchived
      hasIssuesEnabled
      issues(states: CLOSED) { totalCount }
      pullRequests { totalCount }
      licenseInfo { spdxId }
      repositoryTopics(first: 100) { nodes { topic { name } } }
      primaryLanguage { name }
      languages(first: 100, orderBy: {field: SIZE, direction: DESC}) { totalSize edges { size node { name } } }
      defaultBranchRef {
        name
        target {
          ... on Commit {
            last: history(first: 1, until: $until) { nodes { oid } }
            ` + commits + `
          }
        }
      }
` + paths.String() + `    }
  }
}`
}

type count struct {
	Total int64 `json:"totalCount"`
}

type named struct {
	Name string `json:"name"`
}

// details is what GraphQL tells of a repository.
type details struct {
	Number    int64  `json:"databaseId"`
	Name      string `json:"nameWithOwner"`
	URL       string `json:"url"`
	Fork      bool   `json:"isFork"`
	Archived  bool   `json:"isArchived"`
	HasIssues bool   `json:"hasIssuesEnabled"`
	Issues    count  `json:"issues"`
	Pulls     count  `json:"pullRequests"`
	Licence   *struct {
		SPDX string `json:"spdxId"`
	} `json:"licenseInfo"`
	Topics struct {
		Nodes []struct {
			Topic named `json:"topic"`
		} `json:"nodes"`
	} `json:"repositoryTopics"`
	Language  *named `json:"primaryLanguage"`
	Languages struct {
		Total int64 `json:"totalSize"`
		Edges []struct {
			Size int64 `json:"size"`
			Node named `json:"node"`
		} `json:"edges"`
	} `json:"languages"`
	Branch *struct {
		Name   string `json:"name"`
		Target struct {
			Last struct {
				Nodes []struct {
					ID string `json:"oid"`
				} `json:"nodes"`
			} `json:"last"`
			Recent count `json:"recent"`
		} `json:"target"`
	} `json:"defaultBranchRef"`
	hasCI, hasTests bool
}

// UnmarshalJSON reads the numbered paths beside the fields.
func (d *details) UnmarshalJSON(data []byte) error {
	type plain details
	if err := json.Unmarshal(data, (*plain)(d)); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	has := func(prefix string, paths []string, kinds ...string) bool {
		for i := range paths {
			var object struct {
				Kind string `json:"__typename"`
			}
			if json.Unmarshal(all[fmt.Sprint(prefix, i)], &object) == nil && slices.Contains(kinds, object.Kind) {
				return true
			}
		}
		return false
	}
	d.hasCI = has("ci", ciPaths, "Blob", "Tree")
	d.hasTests = has("tests", testPaths, "Tree")
	return nil
}

// repository puts both answers together. GraphQL's is the newer one, and names a
// repository that was renamed by its present name.
func (d *details) repository(i item) (collection.Repository, error) {
	if !fullName.MatchString(d.Name) {
		return collection.Repository{}, fmt.Errorf("%q is no name of a repository", d.Name)
	}
	r := collection.Repository{
		Repo: d.Name, ID: i.ID, URL: d.URL, Description: i.Description,
		Stars: i.Stars, SizeKB: i.Size, CreatedAt: utc(i.Created), PushedAt: utc(i.Pushed),
		Fork: d.Fork, Archived: d.Archived, HasIssues: d.HasIssues,
		ClosedIssues: d.Issues.Total, Pulls: d.Pulls.Total,
		SourceBytes: d.Languages.Total, HasCI: d.hasCI, HasTests: d.hasTests,
	}
	if l := d.Licence; l != nil && l.SPDX != "NOASSERTION" { // a text that is no known licence
		r.Licence = l.SPDX
	}
	for _, t := range d.Topics.Nodes {
		r.Topics = append(r.Topics, t.Topic.Name)
	}
	slices.Sort(r.Topics)
	if d.Language != nil {
		r.Language = d.Language.Name
	}
	for _, e := range d.Languages.Edges {
		if e.Node.Name == r.Language {
			r.LanguageBytes = e.Size
		}
	}
	if b := d.Branch; b != nil {
		r.Branch, r.CommitsSince = b.Name, b.Target.Recent.Total
		if commits := b.Target.Last.Nodes; len(commits) > 0 {
			r.Commit = commits[0].ID
		}
	}
	return r, nil
}

// utc is a time in RFC 3339 and UTC, "" where there is none.
func utc(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
