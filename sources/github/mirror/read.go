package mirror

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"benchmill/internal/collection"
)

// found is what the details of a number amount to.
type found struct {
	pull     *collection.Pull // nil for an issue
	closedAt string           // of a pull request
	events   []collection.Event
}

// read derives the details of the subjects.
func (d *details) read(ctx context.Context, subjects []subject) (map[int64]*found, error) {
	wanted := map[int64]bool{} // number to: it is a pull request
	for _, s := range subjects {
		wanted[s.number] = s.pull
	}
	out := map[int64]*found{}
	for i, s := range d.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.readEntry(i, s, wanted, out); err != nil {
			return nil, fmt.Errorf("%s, answer stored at byte %d: %w", d.path, s.at, err)
		}
	}
	for number, f := range out {
		if f.pull != nil {
			f.finish(d.numbers[number].More)
		}
	}
	return out, nil
}

// finish orders the lists of a pull request and names those that go on.
func (f *found) finish(more map[string]string) {
	p := f.pull
	slices.SortStableFunc(p.Files, func(a, b collection.File) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(p.Closes)
	p.Closes = slices.Compact(p.Closes)
	p.Truncated = append(p.Truncated, slices.Collect(maps.Keys(more))...)
	slices.Sort(p.Truncated)
}

// readEntry adds what an entry says of wanted numbers, where no later batch speaks
// of them.
func (d *details) readEntry(i int, s stored, wanted map[int64]bool, out map[int64]*found) error {
	live := s.Kind == entryMore && out[s.Issue] != nil && d.numbers[s.Issue].batch < i
	for _, a := range s.Asked {
		live = live || d.newest(i, a, wanted)
	}
	if !live {
		return nil
	}
	body, err := d.body(s)
	if err != nil {
		return err
	}
	answer, err := parseAnswer(body)
	if err != nil {
		return err
	}
	if s.Kind == entryMore {
		return answer.read("subject", out[s.Issue])
	}
	for k, a := range s.Asked {
		if !d.newest(i, a, wanted) {
			continue
		}
		f := &found{}
		if wanted[a.Number] {
			f.pull = &collection.Pull{}
		}
		if err := answer.read("n"+strconv.Itoa(k), f); err != nil {
			return err
		}
		out[a.Number] = f
	}
	return nil
}

// newest reports whether the i-th entry is the last word about a wanted number.
func (d *details) newest(i int, a asked, wanted map[int64]bool) bool {
	_, ok := wanted[a.Number]
	return ok && !a.Gone && d.numbers[a.Number].batch == i
}

// read adds what a field of the repository says.
func (a *answer) read(alias string, f *found) error {
	n, err := a.node(alias)
	if err != nil {
		return err
	}
	if f.pull != nil && f.pull.Number == 0 && n.Number != nil {
		f.pull, f.closedAt = n.pull(), timeOf(n.ClosedAt)
	}
	n.addTo(f, a.own)
	return nil
}

// writeDetails writes details as they were at a time: pull requests, then events.
func writeDetails(repo string, asOf time.Time, subjects []subject, of map[int64]*found, w io.Writer) error {
	header := collection.Header{Kind: collection.KindDetails, Name: repo, NoIssues: of == nil}
	out := collection.NewWriter(w, header)
	cut := stampOf(asOf)
	for _, s := range subjects {
		if f := of[s.number]; f != nil && f.pull != nil {
			if err := out.Write(collection.Record{Pull: f.pullAt(cut)}); err != nil {
				return err
			}
		}
	}
	for _, s := range subjects {
		if f := of[s.number]; f != nil && f.pull == nil {
			for _, e := range f.eventsAt(s.number, cut) {
				if err := out.Write(collection.Record{Event: &e}); err != nil {
					return err
				}
			}
		}
	}
	return out.Close()
}

// pullAt is a pull request as it was at a time, as far as can be known: files and
// commits are those of today.
func (f *found) pullAt(cut string) *collection.Pull {
	p := *f.pull
	if p.MergedAt > cut || f.closedAt > cut {
		p.State, p.MergedAt, p.MergeCommit = "open", "", ""
	}
	p.Reviews = slices.DeleteFunc(slices.Clone(p.Reviews), func(r collection.Review) bool { return r.SubmittedAt > cut })
	return &p
}

func (f *found) eventsAt(number int64, cut string) []collection.Event {
	var out []collection.Event
	for _, e := range f.events {
		if e.At <= cut {
			e.Number, e.Index = number, int64(len(out))
			out = append(out, e)
		}
	}
	return out
}
