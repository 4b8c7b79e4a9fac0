package mirror

import (
	"slices"
	"strings"
	"time"

	"benchmill/internal/collection"
)

func (a *actor) login() string {
	switch {
	case a == nil || a.Login == ghost:
		return ""
	case a.Kind == "Bot" && !strings.HasSuffix(a.Login, "[bot]"):
		return clean(a.Login) + "[bot]" // as REST names it
	}
	return clean(a.Login)
}

func (a *actor) kind() string {
	if a == nil {
		return ""
	}
	return clean(a.Kind)
}

// word is a name of an enumeration as collections write it.
func word(s string) string { return strings.ToLower(clean(s)) }

func timeOf(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return stampOf(*t)
}

// pull is a pull request without its lists.
func (n *node) pull() *collection.Pull {
	out := &collection.Pull{
		Number: *n.Number, Title: clean(n.Title), Body: clean(n.Body),
		Author: n.Author.login(), AuthorType: n.Author.kind(), State: word(n.State),
		CreatedAt: timeOf(n.CreatedAt), UpdatedAt: timeOf(n.UpdatedAt), MergedAt: timeOf(n.MergedAt),
		BaseRef: clean(n.BaseName), BaseCommit: clean(n.BaseCommit), HeadCommit: clean(n.HeadCommit),
		Additions: n.Additions, Deletions: n.Deletions,
	}
	if n.Merge != nil {
		out.MergeCommit = clean(n.Merge.OID)
	}
	for _, l := range pullKind.lists {
		if n.page(l.name) == nil {
			out.Truncated = append(out.Truncated, l.name)
		}
	}
	return out
}

// addTo adds the lists of a node to what was found so far.
func (n *node) addTo(f *found, own string) {
	for _, e := range nodes(n.Timeline) {
		f.addEvent(e, own)
	}
	if f.pull == nil {
		return
	}
	for _, x := range nodes(n.Files) {
		f.pull.Files = append(f.pull.Files, collection.File{
			Path: clean(x.Path), Change: word(x.ChangeType), Additions: x.Additions, Deletions: x.Deletions})
	}
	for _, x := range nodes(n.Commits) {
		if c := x.Commit; c != nil {
			f.pull.Commits = append(f.pull.Commits, collection.Commit{
				ID: clean(c.OID), Message: clean(c.Message), AuthoredAt: timeOf(c.AuthoredDate), CommittedAt: timeOf(c.CommittedDate)})
		}
	}
	for _, x := range nodes(n.Reviews) {
		f.pull.Reviews = append(f.pull.Reviews, collection.Review{
			Author: x.Author.login(), Association: clean(x.Association), State: word(x.State),
			Body: clean(x.Body), SubmittedAt: timeOf(x.SubmittedAt)})
	}
	for _, x := range nodes(n.Closes) {
		if strings.EqualFold(x.Repository.NameWithOwner, own) {
			f.pull.Closes = append(f.pull.Closes, x.Number)
		}
	}
}

// nodes are the nodes there are; the API puts null where it may not show one.
func nodes[T any](c *connection[T]) []*T {
	if c == nil {
		return nil
	}
	return slices.DeleteFunc(c.Nodes, func(x *T) bool { return x == nil })
}

// addEvent adds an entry of a timeline, if it is of a kind that is collected.
func (f *found) addEvent(e *event, own string) {
	out := collection.Event{Actor: e.Actor.login(), At: timeOf(e.CreatedAt)}
	from := e.Source
	switch e.Kind {
	case "ClosedEvent":
		out.Kind, from = collection.EventClosed, e.Closer
	case "ReopenedEvent":
		out.Kind = collection.EventReopened
	case "CrossReferencedEvent":
		out.Kind, out.WillClose = collection.EventReferenced, e.WillCloseTarget
	default:
		return
	}
	if from != nil {
		switch from.Kind {
		case "PullRequest":
			out.FromPull = from.Number
		case "Issue":
			out.FromIssue = from.Number
		case "Commit":
			out.FromCommit = clean(from.OID)
		}
		if there := from.Repository.NameWithOwner; !strings.EqualFold(there, own) {
			out.FromRepo = clean(there)
		}
	}
	f.events = append(f.events, out)
}
