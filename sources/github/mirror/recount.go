package mirror

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"benchmill/internal/collection"
	"benchmill/sources/github/api"
)

// recount lists the comments of those issues alone whose count differs from the
// comments in the mirror: some were deleted, or never shown. A difference that a
// listing does not settle is believed until the issue changes.
func (f *folder) recount(ctx context.Context, t *table) error {
	known := f.comments.listings()
	for _, number := range t.numbers() {
		issue := t.issues[number]
		if agrees(issue, t.comments[number]) || known.done[number] == versionOf(issue) {
			continue
		}
		if err := f.list(ctx, t, known, issue); err != nil {
			return fmt.Errorf("comments of number %d: %w", number, err)
		}
		if t.issues[number] != nil && !agrees(issue, t.comments[number]) {
			f.say.Warn("the count of comments and the comments differ", "number", number,
				"count", issue.Comments, "comments", len(t.comments[number]))
		}
	}
	return nil
}

// agrees reports whether the comments are as many as the issue says. The comments
// are swept after the issues, so they can be ahead by some.
func agrees(i *collection.Issue, comments map[int64]*collection.Comment) bool {
	if int64(len(comments)) == i.Comments {
		return true
	}
	var then int64
	for _, c := range comments {
		if c.CreatedAt <= i.UpdatedAt {
			then++
		}
	}
	return then == i.Comments
}

// versionOf tells versions of an issue apart: deleting a comment changes the count
// but not the time.
func versionOf(i *collection.Issue) string {
	return i.UpdatedAt + " " + strconv.FormatInt(i.Comments, 10)
}

// list asks for the comments of one issue, or goes on asking, and replaces them.
func (f *folder) list(ctx context.Context, t *table, known *listings, i *collection.Issue) error {
	e := entry{Kind: entryListing, Issue: i.Number, Version: versionOf(i), First: true}
	e.Next = fmt.Sprintf("repos/%s/issues/%d/comments?per_page=100", f.repo, i.Number)
	if o := known.open; o != nil && o.issue == i.Number && o.version == e.Version {
		e.First, e.Next = false, o.next
	}
	for pages := 0; !e.Done; pages++ {
		e.Address = e.Next
		answer, comments, err := ask(ctx, f, e.Address, api.Known{}, parseComments)
		if status := refused(err); status == http.StatusNotFound || status == http.StatusGone {
			// The issue is gone, unless it is the repository that is.
			if _, err := f.API.Get(ctx, f.issues.front(), f.issues.known); err != nil {
				return explain(err)
			}
			return f.gone(t, known, e)
		}
		if refused(err) == http.StatusUnprocessableEntity && !e.First {
			known.open = nil // the page it was to go on with is no more
			return f.list(ctx, t, known, i)
		}
		if answer == nil {
			return explain(err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.Address, err)
		}
		if len(comments) > 0 && comments[0].Number != i.Number {
			return f.gone(t, known, e) // moved to another repository, and the client followed
		}
		if answer.Next == e.Address || pages == maxPages {
			return fmt.Errorf("%s: there is no end of pages", e.Address)
		}
		e.Next, e.Done, e.Date = answer.Next, answer.Next == "", answer.Date
		if err := f.comments.append(e, answer.Body); err != nil {
			return err
		}
		known.apply(e)
		e.First = false
	}
	return f.relist(t, i.Number)
}

// gone drops an issue that is no more.
func (f *folder) gone(t *table, known *listings, e entry) error {
	f.say.Warn("an issue of the mirror is gone", "number", e.Issue)
	t.drop(e.Issue)
	e = entry{Kind: entryGone, Address: e.Address, Issue: e.Issue, Version: e.Version}
	known.apply(e)
	return f.comments.append(e, nil)
}

// dropGone takes out the issues that were gone when they were last asked for, and
// have not been seen differently since.
func (f *folder) dropGone(t *table) {
	for number, version := range f.comments.listings().gone {
		if i := t.issues[number]; i != nil && versionOf(i) == version {
			t.drop(number)
		}
	}
}

// listings is what the log says of listings since the last full sweep.
func (p *pages) listings() *listings {
	l := &listings{done: map[int64]string{}, gone: map[int64]string{}}
	for _, s := range p.entries[p.base:] {
		l.apply(s.entry)
	}
	return l
}

// relist replaces the comments of an issue by those of its newest listing, which
// may have been begun before the last sweep.
func (f *folder) relist(t *table, number int64) error {
	var newest []stored
	for _, s := range f.comments.entries[f.comments.base:] {
		if s.Kind == entryListing && s.Issue == number {
			if s.First {
				newest = nil
			}
			newest = append(newest, s)
		}
	}
	var listed listingPages
	for _, s := range newest {
		body, err := f.comments.body(s)
		if err == nil {
			err = listed.add(t, s.entry, body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listingPages gathers the pages of a listing until it is whole. One that was cut
// off counts for nothing.
type listingPages struct{ comments []collection.Comment }

func (l *listingPages) add(t *table, e entry, body []byte) error {
	if e.First {
		l.comments = nil
	}
	comments, err := parseComments(body)
	if err != nil {
		return err
	}
	l.comments = append(l.comments, comments...)
	if !e.Done {
		return nil
	}
	delete(t.comments, e.Issue)
	for i := range l.comments {
		if c := &l.comments[i]; c.Number == e.Issue {
			t.addComment(c)
		}
	}
	l.comments = nil
	return nil
}
