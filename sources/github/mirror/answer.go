package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// answer is the data of a GraphQL query about one repository.
type answer struct {
	own    string // owner/name as it was then
	fields map[string]json.RawMessage
}

func parseAnswer(body []byte) (*answer, error) {
	var data struct {
		Repository map[string]json.RawMessage `json:"repository"`
	}
	if err := json.Unmarshal(body, &data); err != nil {
		return nil, fmt.Errorf("not the data that was asked for: %w", err)
	}
	a := &answer{fields: data.Repository}
	if err := json.Unmarshal(data.Repository["nameWithOwner"], &a.own); err != nil || a.own == "" {
		return nil, errors.New("the data names no repository")
	}
	return a, nil
}

// node is a pull request or an issue, or a part of one.
type node struct {
	Number     *int64
	Title      string
	Body       string
	Author     *actor
	State      string
	CreatedAt  *time.Time
	UpdatedAt  *time.Time
	ClosedAt   *time.Time
	MergedAt   *time.Time
	Merge      *oid   `json:"mergeCommit"`
	BaseName   string `json:"baseRefName"`
	BaseCommit string `json:"baseRefOid"`
	HeadCommit string `json:"headRefOid"`
	Additions  int64
	Deletions  int64

	Files    *connection[file]                     `json:"files"`
	Commits  *connection[struct{ Commit *commit }] `json:"commits"`
	Reviews  *connection[review]                   `json:"reviews"`
	Closes   *connection[place]                    `json:"closingIssuesReferences"`
	Timeline *connection[event]                    `json:"timelineItems"`
}

type connection[T any] struct {
	Nodes    []*T
	PageInfo pageInfo
}

type pageInfo struct {
	HasNextPage bool
	EndCursor   string
}

type (
	actor struct {
		Login string
		Kind  string `json:"__typename"`
	}
	oid  struct{ OID string }
	file struct {
		Path       string
		ChangeType string
		Additions  int64
		Deletions  int64
	}
	commit struct {
		OID           string
		Message       string
		AuthoredDate  *time.Time
		CommittedDate *time.Time
	}
	review struct {
		Author      *actor
		Association string `json:"authorAssociation"`
		State       string
		Body        string
		SubmittedAt *time.Time
	}
	// place is an issue, a pull request or a commit, of any repository.
	place struct {
		Kind       string `json:"__typename"`
		Number     int64
		OID        string
		Repository struct{ NameWithOwner string }
	}
	event struct {
		Kind            string `json:"__typename"`
		CreatedAt       *time.Time
		Actor           *actor
		Closer          *place
		WillCloseTarget bool
		Source          *place
	}
)

func (c *connection[T]) info() *pageInfo {
	if c == nil {
		return nil
	}
	return &c.PageInfo
}

// page is what a node says about the page of a list, nil when the list is absent.
func (n *node) page(list string) *pageInfo {
	switch list {
	case "closes":
		return n.Closes.info()
	case "commits":
		return n.Commits.info()
	case "files":
		return n.Files.info()
	case "reviews":
		return n.Reviews.info()
	case "timeline":
		return n.Timeline.info()
	}
	return nil
}

// node reads a field of the repository.
func (a *answer) node(alias string) (*node, error) {
	var n *node
	if err := json.Unmarshal(a.fields[alias], &n); err != nil {
		return nil, fmt.Errorf("not what was asked for: %w", err)
	}
	if n == nil {
		return nil, errors.New("null, without a reason")
	}
	return n, nil
}

// check reports what is wrong with the details of a number, and the cursors of its
// lists that go on.
func (a *answer) check(kind *subjectKind, alias string, number int64) (more map[string]string, err error) {
	n, err := a.node(alias)
	if err != nil {
		return nil, err
	}
	if n.Number == nil || *n.Number != number {
		return nil, errors.New("the details of another number, or of none")
	}
	if kind == &pullKind && (n.CreatedAt == nil || n.UpdatedAt == nil) {
		return nil, errors.New("no createdAt or no updatedAt")
	}
	if kind == &issueKind && n.Timeline == nil {
		return nil, errors.New("no timeline")
	}
	for _, l := range kind.lists {
		info := n.page(l.name)
		if info == nil || !info.HasNextPage {
			continue
		}
		if info.EndCursor == "" {
			return nil, fmt.Errorf("the %s go on without a cursor", l.name)
		}
		if more == nil {
			more = map[string]string{}
		}
		more[l.name] = info.EndCursor
	}
	return more, nil
}

// checkMore is the cursor after a further page of a list, "" at its end.
func (a *answer) checkMore(l *list) (cursor string, err error) {
	n, err := a.node("subject")
	if err != nil {
		return "", err
	}
	switch info := n.page(l.name); {
	case info == nil:
		return "", errors.New("the list is absent")
	case !info.HasNextPage:
		return "", nil
	case info.EndCursor == "":
		return "", errors.New("the list goes on without a cursor")
	default:
		return info.EndCursor, nil
	}
}
