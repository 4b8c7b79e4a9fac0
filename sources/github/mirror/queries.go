package mirror

import (
	"fmt"
	"strings"
)

// perPage is the length of a page of a list, the most the API gives.
const perPage = 100

// list is one connection of a pull request or an issue.
type list struct {
	name   string // as Pull.Truncated names it
	field  string
	args   string // further arguments
	nodes  string // what is asked of each node
	follow int    // further pages that are asked for
}

// subject is what numbers can be: each kind has a query of its own.
type subjectKind struct {
	field  string // of a repository
	kind   string // GraphQL type
	fields string
	lists  []list
}

const (
	actorFields = "login __typename"
	whereFields = "number repository { nameWithOwner }"
)

var (
	pullKind = subjectKind{
		field: "pullRequest", kind: "PullRequest",
		fields: "number title body author { " + actorFields + " } state createdAt updatedAt closedAt mergedAt mergeCommit { oid } " +
			"baseRefName baseRefOid headRefOid additions deletions",
		lists: []list{
			{name: "closes", field: "closingIssuesReferences", nodes: whereFields},
			{name: "commits", field: "commits", nodes: "commit { oid message authoredDate committedDate }", follow: 9},
			{name: "files", field: "files", nodes: "path changeType additions deletions", follow: 9},
			{name: "reviews", field: "reviews", nodes: "author { " + actorFields + " } authorAssociation state body submittedAt", follow: 9},
		},
	}
	issueKind = subjectKind{
		field: "issue", kind: "Issue",
		fields: "number",
		lists: []list{{
			name: "timeline", field: "timelineItems",
			args: ", itemTypes: [CLOSED_EVENT, REOPENED_EVENT, CROSS_REFERENCED_EVENT]",
			nodes: "__typename " +
				"... on ClosedEvent { createdAt actor { " + actorFields + " } closer { __typename " +
				"... on PullRequest { " + whereFields + " } ... on Commit { oid repository { nameWithOwner } } } } " +
				"... on ReopenedEvent { createdAt actor { " + actorFields + " } } " +
				"... on CrossReferencedEvent { createdAt actor { " + actorFields + " } willCloseTarget source { __typename " +
				"... on Issue { " + whereFields + " } ... on PullRequest { " + whereFields + " } } }",
			follow: 10000, // to the end; the bound is for servers that never end
		}},
	}
)

func kindOf(pull bool) *subjectKind {
	if pull {
		return &pullKind
	}
	return &issueKind
}

func (k *subjectKind) list(name string) *list {
	for i := range k.lists {
		if k.lists[i].name == name {
			return &k.lists[i]
		}
	}
	return nil
}

func (l *list) text(after string) string {
	return fmt.Sprintf("%s(first: %d%s%s) { nodes { %s } pageInfo { hasNextPage endCursor } }", l.field, perPage, after, l.args, l.nodes)
}

// batchQuery asks for n numbers of a kind, the variables $n0 and on.
func (k *subjectKind) batchQuery(n int) string {
	var variables, subjects, lists strings.Builder
	for i := range n {
		fmt.Fprintf(&variables, ", $n%d: Int!", i)
		fmt.Fprintf(&subjects, "    n%d: %s(number: $n%d) { ...details }\n", i, k.field, i)
	}
	for i := range k.lists {
		fmt.Fprintf(&lists, "  %s\n", k.lists[i].text(""))
	}
	return fmt.Sprintf("query($owner: String!, $name: String!%s) {\n  repository(owner: $owner, name: $name) {\n    nameWithOwner\n%s  }\n}\n"+
		"fragment details on %s {\n  %s\n%s}\n", &variables, &subjects, k.kind, k.fields, &lists)
}

// moreQuery asks for a further page of a list of the number $number.
func (k *subjectKind) moreQuery(l *list) string {
	return fmt.Sprintf("query($owner: String!, $name: String!, $number: Int!, $after: String!) {\n  repository(owner: $owner, name: $name) {\n"+
		"    nameWithOwner\n    subject: %s(number: $number) {\n      %s\n    }\n  }\n}\n", k.field, l.text(", after: $after"))
}

// Queries are all GraphQL queries of this package, for validation; those of batches
// with two numbers.
func Queries() []string {
	var out []string
	for _, k := range []*subjectKind{&pullKind, &issueKind} {
		out = append(out, k.batchQuery(2))
		for i := range k.lists {
			if k.lists[i].follow > 0 {
				out = append(out, k.moreQuery(&k.lists[i]))
			}
		}
	}
	return out
}
