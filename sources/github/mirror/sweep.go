package mirror

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"benchmill/internal/collection"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

// Kinds of logs.
const (
	kindIssues   = "issues"
	kindComments = "comments"
	kindDetails  = "details"
)

// pages is the log of a kind that is collected in sweeps.
type pages struct {
	*log
	sweeps
	kind    string
	address string // of the list, without order and page
	// updates are the update times of a page's items, after all of them were checked.
	updates func(body []byte) ([]time.Time, error)
}

func newPages(l *log, repo, kind string) *pages {
	p := &pages{log: l, kind: kind}
	switch kind {
	case kindIssues:
		p.address = "repos/" + repo + "/issues?state=all&sort=updated&per_page=100"
		p.updates = updatesOf(parseIssues, func(i *collection.Issue) string { return i.UpdatedAt })
	case kindComments:
		p.address = "repos/" + repo + "/issues/comments?sort=updated&per_page=100"
		p.updates = updatesOf(parseComments, func(c *collection.Comment) string { return c.UpdatedAt })
	}
	for i, s := range l.entries {
		p.apply(i, s.entry)
	}
	return p
}

// store appends an entry and takes it into account.
func (p *pages) store(e entry, body []byte) error {
	if err := p.append(e, body); err != nil {
		return err
	}
	p.apply(len(p.entries)-1, e)
	return nil
}

func (p *pages) front() string { return p.address + "&direction=desc" }

// other is where a walk from the other end begins, or goes on: with what was
// updated at a time or later. Whether the API includes the time itself is not
// documented, so a second is added.
func (p *pages) other(since time.Time) string {
	address := p.address + "&direction=asc"
	if !since.IsZero() {
		address += "&since=" + url.QueryEscape(since.Add(-time.Second).UTC().Format(time.RFC3339))
	}
	return address
}

// Bounds of what a server can make of a walk.
const (
	// deep is the number of pages from which on the end of a list is not believed
	// to be the end of what there is: the API numbers no pages beyond some depth.
	deep = 100
	// maxWalks bounds the walks of one update. Each is shorter than the one before
	// unless a repository changes faster than it can be read.
	maxWalks = 10
	// maxPages bounds one walk: five million items.
	maxPages = 50_000
)

// noPage are the refusals of a next page that lies too deep or is no more.
var noPage = []int{http.StatusNotFound, http.StatusGone, http.StatusUnprocessableEntity}

// update makes what was collected complete at the as-of time.
func (f *folder) update(ctx context.Context, p *pages, asOf time.Time) error {
	if p.serves(asOf, f.Full) {
		return nil
	}
	full := f.Full && !covers(p.full, asOf)
	for range maxWalks {
		if done, err := f.walk(ctx, p, full); done || err != nil {
			return err
		}
		full = false
	}
	return pipeline.Mark(fmt.Errorf("its %s change faster than they can be read", p.kind), pipeline.Transient)
}

// walk begins a sweep, or goes on with an unfinished one, and finishes it. Done
// reports whether one request was enough, and nothing can have changed meanwhile.
func (f *folder) walk(ctx context.Context, p *pages, full bool) (done bool, err error) {
	if p.open == nil || full && !p.open.full {
		if done, err := f.begin(ctx, p, full); done || err != nil {
			return done, err
		}
	}
	for p.open != nil {
		if err := f.step(ctx, p); err != nil {
			return false, err
		}
	}
	return false, nil
}

// begin asks for the first page.
func (f *folder) begin(ctx context.Context, p *pages, full bool) (done bool, err error) {
	known := p.known
	if full {
		known = api.Known{}
	}
	answer, updates, err := ask(ctx, f, p.front(), known, p.updates)
	if answer == nil {
		return f.turnedOff(p, err)
	}
	if err != nil {
		return false, fmt.Errorf("page 1 of its %s (%s): %w", p.kind, p.front(), err)
	}
	e := entry{Kind: entrySame, Address: p.front(), Date: answer.Date, Known: known}
	if answer.NotModified {
		return true, p.store(e, nil)
	}
	e.Known = api.Known{ETag: answer.ETag, Modified: answer.Modified}
	e.Body = digest.Of(answer.Body)
	if e.Body == p.digest && !full {
		return true, p.store(e, nil)
	}
	e.Kind, e.First, e.Full = entryPage, true, full || p.watermark.IsZero()
	var floor time.Time
	if !e.Full {
		floor = p.watermark
	}
	for _, at := range updates {
		if at.After(e.Newest) {
			e.Newest = at
		}
	}
	e.Low = e.Newest
	p.descend(&e, answer.Next, updates, floor, 1)
	return e.Done, p.store(e, answer.Body)
}

// tries is how often an answer that is no page is asked for again before that is
// believed: a server in trouble sends anything.
const tries = 3

// ask asks for a page and parses it, unless it is not modified. No answer comes
// with the error of the API, an answer with what is wrong with it.
func ask[T any](ctx context.Context, f *folder, address string, known api.Known, parse func([]byte) (T, error)) (answer *api.Answer, parsed T, err error) {
	for range tries {
		if answer, err = f.API.Get(ctx, address, known); err != nil {
			return nil, parsed, err
		}
		if answer.NotModified && known != (api.Known{}) {
			return answer, parsed, nil
		}
		if parsed, err = parse(answer.Body); err == nil {
			return answer, parsed, nil
		}
		f.say.Warn("an answer is not a page of the list that was asked for", "address", address, "error", err)
	}
	return answer, parsed, err
}

// turnedOff takes down that the issues are switched off, if that is what the
// refusal of a list means, and when that was so.
func (f *folder) turnedOff(p *pages, err error) (done bool, _ error) {
	var s *api.StatusError
	if p.kind != kindIssues || !errors.As(err, &s) || s.Status != http.StatusGone {
		return false, explain(err)
	}
	return true, p.store(entry{Kind: entryOff, Address: p.front(), Date: s.Date}, nil)
}

// step asks for the next page of the unfinished sweep.
func (f *folder) step(ctx context.Context, p *pages) error {
	w := p.open
	e := entry{Kind: entryPage, Address: w.next, Low: w.low, Rising: w.rising}
	answer, updates, err := ask(ctx, f, e.Address, api.Known{}, p.updates)
	if status := refused(err); !w.rising && slices.Contains(noPage, status) {
		f.say.Info("the next page is no more; going on from the other end", "kind", p.kind, "page", w.pages+1, "status", status)
		e.Address, e.Rising = p.other(w.floor), true
		answer, updates, err = ask(ctx, f, e.Address, api.Known{}, p.updates)
	}
	if answer == nil {
		_, err := f.turnedOff(p, err)
		return err
	}
	if err == nil && answer.Next == e.Address {
		err = errors.New("its next page is itself")
	}
	if err == nil && w.pages >= maxPages {
		err = errors.New("there is no end of pages")
	}
	if err != nil {
		return fmt.Errorf("page %d of its %s (%s): %w", w.pages+1, p.kind, e.Address, err)
	}
	e.Date = answer.Date
	if e.Rising {
		p.ascend(&e, answer.Next, updates)
	} else {
		p.descend(&e, answer.Next, updates, w.floor, w.pages+1)
	}
	return p.store(e, answer.Body)
}

// descend says how a walk from the front goes on after a page.
func (p *pages) descend(e *entry, next string, updates []time.Time, floor time.Time, pages int) {
	if len(updates) > 0 {
		e.Low = updates[len(updates)-1]
	}
	switch {
	case e.Low.Before(floor):
		e.Done = true
	case next != "":
		e.Next = next
	case pages < deep:
		e.Done = true
	default:
		e.Next, e.Rising = p.other(floor), true
	}
}

// ascend says how a walk from the other end goes on after a page: until it meets
// the part that was walked from the front. Each page starts at the last time of the
// one before, because pages counted by number slide when items move away to the end.
// Only within two seconds full of items there is nothing else to go by.
func (p *pages) ascend(e *entry, next string, updates []time.Time) {
	if next == "" || len(updates) == 0 {
		e.Done = true
		return
	}
	first, last := updates[0], updates[len(updates)-1]
	switch {
	case last.After(e.Low):
		e.Done = true
	case last.Sub(first) > time.Second:
		e.Next = p.other(last)
	default:
		e.Next = next
	}
}
