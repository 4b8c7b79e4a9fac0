package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchmill/sources/github/api"
)

const (
	batchSize = 20 // numbers of a query at first and at most
	growAfter = 8  // queries that pass before a reduced size is doubled
)

// subject is a number whose details are wanted.
type subject struct {
	number  int64
	pull    bool
	updated string // in the mirror
}

// subjectsOf are the pull requests and the closed issues at a time, ascending.
func subjectsOf(t *table, asOf time.Time) []subject {
	var out []subject
	cut := stampOf(asOf)
	for _, n := range t.numbers() {
		if i, ok := issueAt(*t.issues[n], cut); ok && (i.Pull || i.State == "closed") {
			out = append(out, subject{n, i.Pull, i.UpdatedAt})
		}
	}
	return out
}

// details is the log of batches, with what is known of each number.
type details struct {
	*log
	numbers map[int64]*detail
}

// detail is where the newest details of a number stand.
type detail struct {
	asked
	since    time.Time
	batch    int            // entry
	followed map[string]int // further pages by list
}

func newDetails(l *log) *details {
	d := &details{l, map[int64]*detail{}}
	for i, s := range l.entries {
		d.apply(i, s.entry)
	}
	return d
}

func (d *details) apply(i int, e entry) {
	switch e.Kind {
	case entryBatch:
		for _, a := range e.Asked {
			a.More = maps.Clone(a.More)
			d.numbers[a.Number] = &detail{asked: a, since: e.Since, batch: i, followed: map[string]int{}}
		}
	case entryMore:
		if n := d.numbers[e.Issue]; n != nil && n.More != nil {
			n.followed[e.List]++
			if n.More[e.List] = e.Cursor; e.Cursor == "" {
				delete(n.More, e.List)
			}
		}
	}
}

func (d *details) store(e entry, body []byte) error {
	if err := d.append(e, body); err != nil {
		return err
	}
	d.apply(len(d.entries)-1, e)
	return nil
}

// askDetails asks for the details that are missing or older than the mirror's
// version of their number.
func (f *folder) askDetails(ctx context.Context, subjects []subject) error {
	for _, pull := range []bool{true, false} {
		var todo []subject
		for _, s := range subjects {
			d := f.details.numbers[s.number]
			if s.pull == pull && (d == nil || d.Updated != s.updated || f.Full && d.since.Before(f.issues.full)) {
				todo = append(todo, s)
			}
		}
		if err := f.askBatches(ctx, kindOf(pull), todo); err != nil {
			return err
		}
	}
	for _, s := range subjects {
		d, kind := f.details.numbers[s.number], kindOf(s.pull)
		for _, name := range slices.Sorted(maps.Keys(d.More)) {
			if err := f.follow(ctx, d, kind, kind.list(name)); err != nil {
				return fmt.Errorf("%s of number %d: %w", name, s.number, err)
			}
		}
	}
	return nil
}

// askBatches asks for numbers of one kind, in batches as large as the server bears.
func (f *folder) askBatches(ctx context.Context, kind *subjectKind, todo []subject) error {
	size, passed := batchSize, 0
	for len(todo) > 0 {
		n := min(size, len(todo))
		err := f.askBatch(ctx, kind, todo[:n])
		switch {
		case err == nil:
			todo = todo[n:]
			if passed++; passed >= growAfter {
				size, passed = min(2*size, batchSize), 0
			}
		case api.TooHeavy(err) && n > 1:
			size, passed = n/2, 0
			f.say.Info("a batch of details is too heavy; asking for less", "numbers", size)
		case api.TooHeavy(err):
			return fmt.Errorf("the details of number %d alone are too heavy for the server: %w", todo[0].number, err)
		default:
			return err
		}
	}
	return nil
}

func (f *folder) variables() map[string]any {
	owner, name, _ := strings.Cut(f.repo, "/")
	return map[string]any{"owner": owner, "name": name}
}

func (f *folder) askBatch(ctx context.Context, kind *subjectKind, batch []subject) error {
	variables := f.variables()
	for i, s := range batch {
		variables["n"+strconv.Itoa(i)] = s.number
	}
	var body json.RawMessage
	gone, err := missing(f.API.Query(ctx, kind.batchQuery(len(batch)), variables, &body))
	if err != nil {
		return err
	}
	answer, err := parseAnswer(body)
	if err != nil {
		return err
	}
	e := entry{Kind: entryBatch, Address: "details by GraphQL", Since: f.issues.full}
	for i, s := range batch {
		alias := "n" + strconv.Itoa(i)
		a := asked{Number: s.number, Updated: s.updated, Gone: gone[alias]}
		if a.Gone {
			f.say.Warn("GitHub knows nothing of a number in the mirror", "number", s.number)
		} else if a.More, err = answer.check(kind, alias, s.number); err != nil {
			return fmt.Errorf("details of number %d: %w", s.number, err)
		}
		e.Asked = append(e.Asked, a)
	}
	return f.details.store(e, body)
}

// missing takes from a query's error the fields that GitHub says do not exist. Any
// other error stays one.
func missing(err error) (map[string]bool, error) {
	var q *api.QueryError
	if !errors.As(err, &q) || len(q.Errors) == 0 || api.TooHeavy(err) {
		return nil, err
	}
	gone := map[string]bool{}
	for _, fault := range q.Errors {
		if fault.Type != "NOT_FOUND" || len(fault.Path) == 0 || fault.Path[0] != "repository" {
			return nil, err
		}
		if len(fault.Path) == 1 {
			return nil, fmt.Errorf("there is none of this name, or the token may not see it: %w", err)
		}
		field := fault.Path[1]
		if len(fault.Path) != 2 || field == "" {
			return nil, err
		}
		gone[field] = true
	}
	return gone, nil
}

// follow asks for the further pages of a list.
func (f *folder) follow(ctx context.Context, d *detail, kind *subjectKind, l *list) error {
	for d.More[l.name] != "" && d.followed[l.name] < l.follow {
		variables := f.variables()
		variables["number"], variables["after"] = d.Number, d.More[l.name]
		var body json.RawMessage
		gone, err := missing(f.API.Query(ctx, kind.moreQuery(l), variables, &body))
		if err != nil {
			return err
		}
		if gone["subject"] {
			f.say.Warn("GitHub knows nothing of a number in the mirror any more", "number", d.Number)
			a := asked{Number: d.Number, Updated: d.Updated, Gone: true}
			return f.details.store(entry{Kind: entryBatch, Since: d.since, Asked: []asked{a}}, nil)
		}
		answer, err := parseAnswer(body)
		if err != nil {
			return err
		}
		cursor, err := answer.checkMore(l)
		if err != nil {
			return err
		}
		if cursor == d.More[l.name] {
			return errors.New("its next page is itself")
		}
		e := entry{Kind: entryMore, Address: "details by GraphQL", Issue: d.Number, List: l.name, Cursor: cursor}
		if err := f.details.store(e, body); err != nil {
			return err
		}
	}
	return nil
}
