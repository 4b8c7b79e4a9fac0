package githubtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"benchmill/internal/testdeps"
	"benchmill/sources/github/find"
	"benchmill/sources/github/mirror"
)

func officialSchema(t *testing.T) *ast.Schema {
	t.Helper()
	path := testdeps.NPM(t, "@octokit/graphql-schema/schema.graphql", "GraphQL queries are not held against GitHub's own schema")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: "schema.graphql", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	// The published schema names a field twice, which the parser's rules forbid.
	for _, d := range doc.Definitions {
		seen := map[string]bool{}
		d.Fields = slices.DeleteFunc(d.Fields, func(f *ast.FieldDefinition) bool {
			again := seen[f.Name]
			seen[f.Name] = true
			return again
		})
	}
	schema, err := validator.ValidateSchemaDocument(doc)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// query asks the fake and returns its data and errors.
func query(t *testing.T, s *Server, text string, variables map[string]any) (data map[string]any, errs []any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(s.URL+"/graphql", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Data   map[string]any `json:"data"`
		Errors []any          `json:"errors"`
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return out.Data, out.Errors
}

// check validates a query, asks the fake, and validates the answer.
func (c *typed) check(t *testing.T, s *Server, text string, variables map[string]any) {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(c.schema, text, nil)
	if len(errs) > 0 {
		t.Errorf("not a query of GitHub: %v\n%s", errs, text)
		return
	}
	c.doc = doc
	for _, op := range doc.Operations {
		withNames(&op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		withNames(&f.SelectionSet)
	}
	var asked strings.Builder
	formatter.NewFormatter(&asked).FormatQueryDocument(doc)
	data, refused := query(t, s, asked.String(), variables)
	if len(refused) > 0 {
		t.Errorf("the fake refuses: %v\n%s", refused, text)
		return
	}
	c.object(doc.Operations[0].SelectionSet, data, "data")
	for _, wrong := range c.wrong {
		t.Error(wrong)
	}
	c.wrong = nil
}

// everything asks for every type the fake has.
const everything = `query($owner: String!, $name: String!, $ids: [ID!]!, $id: ID!) {
  rateLimit { limit cost remaining used resetAt nodeCount }
  viewer { login id databaseId }
  node(id: $id) { id ... on Repository { nameWithOwner } }
  nodes(ids: $ids) { id ... on Repository { ...repository } }
  repository(owner: $owner, name: $name) {
    ...repository
    issues(first: 100, states: [CLOSED, OPEN], orderBy: {field: UPDATED_AT, direction: DESC}, filterBy: {since: "2015-01-01T00:00:00Z"}) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        ...subject stateReason
        closedByPullRequestsReferences(first: 5, includeClosedPrs: true) { totalCount nodes { number } }
        timelineItems(first: 100) { totalCount filteredCount pageCount updatedAt nodes { ...item } }
      }
    }
    pullRequests(last: 100) {
      edges { cursor node {
        ...subject merged mergedAt mergedBy { login } mergeCommit { oid } isDraft isCrossRepository
        baseRefName baseRefOid headRefName headRefOid additions deletions changedFiles
        files(first: 100) { totalCount nodes { path changeType additions deletions } }
        commits(first: 100) { totalCount nodes { id url commit { ...commit } } }
        reviews(first: 100) { nodes { id fullDatabaseId author { login } authorAssociation state body submittedAt createdAt updatedAt commit { oid } } }
        closingIssuesReferences(first: 10) { totalCount nodes { number repository { nameWithOwner } } }
        timelineItems(last: 50, itemTypes: [CLOSED_EVENT, ISSUE_COMMENT], since: "2015-01-01T00:00:00Z") { nodes { ...item } }
      } }
    }
  }
}
fragment repository on Repository {
  id databaseId name nameWithOwner url resourcePath description homepageUrl createdAt pushedAt updatedAt diskUsage isFork isArchived isDisabled
  isEmpty isPrivate isLocked isMirror isTemplate isInOrganization visibility hasIssuesEnabled stargazerCount forkCount
  owner { login id url avatarUrl resourcePath } primaryLanguage { id name color } licenseInfo { id key name spdxId url }
  stargazers { totalCount } watchers { totalCount }
  repositoryTopics(first: 100) { nodes { id url topic { id name } } }
  languages(first: 100, orderBy: {field: SIZE, direction: DESC}) { totalCount totalSize edges { size cursor node { name } } }
  defaultBranchRef { id name prefix target { ... on Commit { ...commit tree { oid } repository { name }
    history(first: 5, since: "2015-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z") { totalCount nodes { oid } } } } }
  ref(qualifiedName: "refs/heads/none") { name }
  dir: object(expression: "HEAD:src") { oid ... on Tree { id entries { name path oid type mode } } }
  file: object(expression: "HEAD:README.md") { ... on Blob { id oid byteSize text isBinary isTruncated } }
  none: object(expression: "HEAD:nowhere") { oid }
}
fragment commit on Commit {
  id oid abbreviatedOid message messageHeadline messageBody authoredDate committedDate url
  author { name email date user { login } } committer { name }
}
fragment subject on IssueOrPullRequest {
  ... on Comment { id author { login } authorAssociation body bodyText createdAt updatedAt publishedAt }
  ... on Closable { closed closedAt }
  ... on Labelable { labels(first: 10) { nodes { id name description isDefault } } }
  ... on Issue { databaseId fullDatabaseId number title url resourcePath state locked comments(first: 20) { totalCount nodes { ...comment } } }
  ... on PullRequest { fullDatabaseId number title url resourcePath prState: state locked }
}
fragment comment on IssueComment { id fullDatabaseId author { login } authorAssociation body bodyText createdAt updatedAt url }
fragment item on Node {
  ... on IssueComment { ...comment }
  ... on ClosedEvent { id actor { login } createdAt url resourcePath closedReason: stateReason closable { closed } closer { ... on PullRequest { number } ... on Commit { oid } } }
  ... on ReopenedEvent { id actor { login } createdAt stateReason }
  ... on LabeledEvent { id actor { login } createdAt label { name } }
  ... on CrossReferencedEvent { id actor { login } createdAt referencedAt url resourcePath willCloseTarget isCrossRepository
    source { ... on Issue { number } ... on PullRequest { number } } target { ... on Issue { number } } }
}`

func TestGraphQLConformance(t *testing.T) {
	schema := officialSchema(t)
	w := Generate(5, 2, 60)
	edges(w)
	s := Serve(w, Options{})
	defer s.Close()
	c := &typed{schema: schema, found: map[string]bool{}}
	for _, r := range w.Repositories() {
		if r.Deleted || !r.Blocked.IsZero() {
			continue
		}
		id := nodeID("Repository", r.ID)
		c.check(t, s, everything, map[string]any{"owner": r.Owner, "name": r.Name, "id": id, "ids": []string{id}})
	}
	for _, kind := range []string{
		"Bot", "Blob", "ClosedEvent", "Commit", "CrossReferencedEvent", "IssueComment", "Label", "LabeledEvent", "License", "Organization",
		"PullRequestReview", "Ref", "ReopenedEvent", "RepositoryTopic", "Tree", "TreeEntry", "User",
	} {
		if !c.found[kind] {
			t.Errorf("no %s was in any answer", kind)
		}
	}
	for condition, kinds := range abstract {
		for kind := range strings.FieldsSeq(kinds) {
			if !c.fits(kind, condition) {
				t.Errorf("a %s is no %s", kind, condition)
			}
		}
	}
}

// The queries this project sends are valid, and the fake answers them.
func TestQueries(t *testing.T) {
	schema := officialSchema(t)
	w := Generate(5, 1, 60)
	s := Serve(w, Options{})
	defer s.Close()
	r := w.Repositories()[0]
	var pull, issue int64
	for _, i := range r.Issues {
		if i.Pull != nil {
			pull = i.Number
		} else {
			issue = i.Number
		}
	}
	all := map[string]any{
		"owner": r.Owner, "name": r.Name, "after": cursor(0), "ids": []string{nodeID("Repository", r.ID)},
		"until": "2025-01-01T00:00:00Z", "since": "2016-01-01T00:00:00Z",
	}
	c := &typed{schema: schema, found: map[string]bool{}}
	for name, queries := range map[string][]string{"find": find.Queries(), "mirror": mirror.Queries()} {
		if len(queries) == 0 {
			t.Errorf("%s has no queries", name)
		}
		for _, text := range queries {
			number := issue
			if strings.Contains(text, "pullRequest(") {
				number = pull
			}
			variables := map[string]any{"number": number, "n0": number, "n1": number}
			for key, value := range all {
				variables[key] = value
			}
			c.check(t, s, text, variables)
		}
	}
}
