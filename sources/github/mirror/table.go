package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"benchmill/internal/collection"
)

// table is what the logs of a repository amount to, without regard to the as-of
// time.
type table struct {
	issues   map[int64]*collection.Issue
	comments map[int64]map[int64]*collection.Comment // by issue and id
	shared   map[string]string
}

// errAnother: a number that was created at another moment is another issue, and the
// name now leads to another repository than the one that was collected.
var errAnother = errors.New("the name leads to another repository than before")

func newTable() *table {
	return &table{
		issues:   map[int64]*collection.Issue{},
		comments: map[int64]map[int64]*collection.Comment{},
		shared:   map[string]string{},
	}
}

// table derives issues and comments from both logs.
func (f *folder) table(ctx context.Context) (*table, error) {
	t := newTable()
	if err := f.issues.each(ctx, func(_ entry, body []byte) error { return t.addIssues(body, true) }); err != nil {
		return nil, err
	}
	var listed listingPages
	err := f.comments.each(ctx, func(e entry, body []byte) error {
		if e.Kind == entryListing {
			return listed.add(t, e, body)
		}
		return t.addComments(body)
	})
	if err != nil {
		return nil, err
	}
	f.dropGone(t)
	return t, nil
}

// outline derives issues without their texts.
func (f *folder) outline(ctx context.Context) (*table, error) {
	t := newTable()
	err := f.issues.each(ctx, func(_ entry, body []byte) error { return t.addIssues(body, false) })
	if err == nil {
		f.dropGone(t)
	}
	return t, err
}

// each hands on the bodies that count: those since the last finished full sweep.
func (p *pages) each(ctx context.Context, use func(e entry, body []byte) error) error {
	for _, s := range p.entries[p.base:] {
		if s.Size == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		body, err := p.body(s)
		if err == nil {
			err = use(s.entry, body)
		}
		if err != nil {
			return fmt.Errorf("%s, stored answer of %s: %w", p.path, s.Address, err)
		}
	}
	return nil
}

func (t *table) addIssues(body []byte, texts bool) error {
	issues, err := parseIssues(body)
	for i := range issues {
		n := &issues[i]
		old := t.issues[n.Number]
		if old != nil && old.CreatedAt != n.CreatedAt {
			return fmt.Errorf("number %d: %w", n.Number, errAnother)
		}
		if old != nil && old.UpdatedAt > n.UpdatedAt {
			continue
		}
		if !texts {
			n.Title, n.Body = "", ""
		}
		t.share(&n.Author, &n.AuthorType, &n.Association, &n.State, &n.StateReason)
		for k := range n.Labels {
			t.share(&n.Labels[k])
		}
		t.issues[n.Number] = new(*n)
	}
	return err
}

func (t *table) addComments(body []byte) error {
	comments, err := parseComments(body)
	for i := range comments {
		t.addComment(&comments[i])
	}
	return err
}

func (t *table) addComment(c *collection.Comment) {
	of := t.comments[c.Number]
	if old := of[c.ID]; old != nil && old.UpdatedAt > c.UpdatedAt {
		return
	}
	if of == nil {
		of = map[int64]*collection.Comment{}
		t.comments[c.Number] = of
	}
	t.share(&c.Author, &c.AuthorType, &c.Association)
	if c.UpdatedAt == c.CreatedAt {
		c.UpdatedAt = c.CreatedAt // one text for both
	}
	of[c.ID] = new(*c)
}

// share lets equal short texts be one text in memory.
func (t *table) share(texts ...*string) {
	for _, s := range texts {
		if known, ok := t.shared[*s]; ok {
			*s = known
		} else {
			t.shared[*s] = *s
		}
	}
}

// drop takes an issue out.
func (t *table) drop(number int64) {
	delete(t.issues, number)
	delete(t.comments, number)
}

// numbers are the issues, ascending.
func (t *table) numbers() []int64 { return slices.Sorted(maps.Keys(t.issues)) }
