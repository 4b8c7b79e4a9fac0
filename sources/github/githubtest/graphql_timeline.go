package githubtest

import (
	"slices"
	"strings"
	"time"
)

// itemTypes are the timeline items shown, by kind of event.
var itemTypes = map[string]string{
	EventClosed: "CLOSED_EVENT", EventReopened: "REOPENED_EVENT", EventReferenced: "CROSS_REFERENCED_EVENT", EventLabelled: "LABELED_EVENT",
}

func (e *execution) timelineItems(i *Issue, kind string, args arguments) *connection {
	wanted, all := args.list("itemTypes"), args["itemTypes"] == nil
	since, _ := time.Parse(time.RFC3339, args.text("since"))
	var items []*node
	add := func(name string, at time.Time, item *node) {
		if (all || slices.Contains(wanted, name)) && !second(at).Before(since) {
			items = append(items, item)
		}
	}
	for _, item := range i.timeline() {
		switch item := item.(type) {
		case *Comment:
			add("ISSUE_COMMENT", item.Created, e.comment(item))
		case *Event:
			if name := itemTypes[item.Kind]; name != "" {
				add(name, item.At, e.event(i, item))
			}
		}
	}
	return &connection{
		kind: kind + "TimelineItemsConnection", total: len(items), at: func(k int) *node { return items[k] },
		more: func(field string) (any, bool) {
			if field == "updatedAt" {
				return i.Updated, true
			}
			return len(items), field == "filteredCount" || field == "pageCount"
		},
	}
}

func (e *execution) event(i *Issue, v *Event) *node {
	values := map[string]any{
		"id": nodeID("Event", v.ID), "actor": e.actor(v.Actor), "createdAt": v.At,
		"url": e.issuePage(i) + "#event-" + digits(v.ID), "resourcePath": strings.TrimPrefix(e.issuePage(i), e.html) + "#event-" + digits(v.ID),
	}
	lazy := map[string]func() *node{"closable": func() *node { return e.issue(i) }}
	kind := ""
	switch v.Kind {
	case EventClosed:
		kind = "ClosedEvent"
		values["stateReason"] = orNull(strings.ToUpper(v.Reason))
		lazy["closer"] = func() *node {
			switch {
			case v.From != nil:
				return e.issue(v.From)
			case v.Commit != "":
				return e.closingCommit(i, v)
			}
			return nil
		}
	case EventReopened:
		kind = "ReopenedEvent"
		values["stateReason"] = orNull(strings.ToUpper(v.Reason))
	case EventReferenced:
		kind = "CrossReferencedEvent"
		values["willCloseTarget"], values["referencedAt"] = v.WillClose, v.At
		values["isCrossRepository"] = v.From.repo != i.repo
		lazy["source"] = func() *node { return e.issue(v.From) }
		lazy["target"] = lazy["closable"]
	case EventLabelled:
		kind = "LabeledEvent"
		values["label"] = fields("Label", map[string]any{"name": v.Label})
	}
	return &node{kind, func(field string, _ arguments) (any, bool, error) {
		if make := lazy[field]; make != nil {
			return make(), true, nil
		}
		value, known := values[field]
		return value, known, nil
	}}
}

// closingCommit is a commit of the branch, or one that is not on it any more.
func (e *execution) closingCommit(i *Issue, v *Event) *node {
	c := Commit{ID: v.Commit, Message: i.Title, Authored: v.At, Committed: v.At}
	if k := slices.IndexFunc(i.repo.Commits, func(c Commit) bool { return c.ID == v.Commit }); k >= 0 {
		c = i.repo.Commits[k]
	}
	return e.commitObject(i.repo, c)
}
