package review

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Vote is one person's verdict on a row.
type Vote struct {
	ID       string
	Verdict  Verdict // never None
	Reviewer string  // "" where the sheet does not say
	Note     string
	At       string // file:line
}

// Verdicts are the votes of one sheet or several about the same rows. The zero
// value is ready to use.
type Verdicts struct {
	rows map[string]*row
}

// row is what the sheets say about one row.
type row struct {
	shown // where it stood first
	votes []Vote
	saw   []shown // by each vote
}

// shown is what one sheet shows of a row.
type shown struct{ columns, cells []string }

// cell is what stands in a column; ok is false where there is no such column.
func (s shown) cell(column string) (text string, ok bool) {
	if i := slices.Index(s.columns, column); i >= 0 {
		return s.cells[i], true
	}
	return "", false
}

// Add reads a sheet and adds its votes; name stands in errors. A second verdict
// of one reviewer on one row is an error, whatever it says. After an error the
// verdicts are not to be used.
func (v *Verdicts) Add(name string, data []byte) error {
	s, err := Read(name, data)
	if err != nil {
		return err
	}
	if v.rows == nil {
		v.rows = map[string]*row{}
	}
	var errs []error
	for i, cells := range s.Rows {
		id, n := cells[0], len(cells)
		r := v.rows[id]
		if r == nil {
			r = &row{shown: shown{s.Columns, cells}}
			v.rows[id] = r
		}
		vote := Vote{id, Verdict(cells[n-3]), cells[n-2], cells[n-1], fmt.Sprintf("%s:%d", name, s.lines[i])}
		if vote.Verdict == None {
			continue
		}
		if k := slices.IndexFunc(r.votes, func(o Vote) bool { return o.Reviewer == vote.Reviewer }); k >= 0 {
			errs = append(errs, fmt.Errorf("%s: %s is judged at %s already%s", vote.At, id, r.votes[k].At, of(vote.Reviewer)))
			continue
		}
		r.votes, r.saw = append(r.votes, vote), append(r.saw, shown{s.Columns, cells})
	}
	return errors.Join(errs[:min(len(errs), most)]...)
}

// IDs are the rows of the sheets, in order, judged or not.
func (v *Verdicts) IDs() []string { return slices.Sorted(maps.Keys(v.rows)) }

// Votes are all votes on a row, in the order they were read.
func (v *Verdicts) Votes(id string) []Vote {
	if r := v.rows[id]; r != nil {
		return r.votes
	}
	return nil
}

// Verdict is what the votes on a row come to, and the reviewers whose votes make
// it so, joined by ", ": one reject rejects, whoever accepts.
func (v *Verdicts) Verdict(id string) (verdict Verdict, reviewer string) {
	var names []string
	for _, vote := range v.Votes(id) {
		if verdict != vote.Verdict && verdict != Reject {
			verdict, names = vote.Verdict, nil
		}
		if vote.Verdict == verdict && vote.Reviewer != "" {
			names = append(names, vote.Reviewer)
		}
	}
	slices.Sort(names)
	return verdict, strings.Join(names, ", ")
}

// Withdraw takes back the votes on a row whose sheet showed something else than
// there is by now, and returns how many. stale is given the cells of each vote's
// own sheet: the text of a column, and whether there is such a column.
func (v *Verdicts) Withdraw(id string, stale func(cell func(column string) (string, bool)) bool) int {
	r := v.rows[id]
	if r == nil {
		return 0
	}
	var votes []Vote
	var saw []shown
	for i, s := range r.saw {
		if !stale(s.cell) {
			votes, saw = append(votes, r.votes[i]), append(saw, s)
		}
	}
	withdrawn := len(r.votes) - len(votes)
	r.votes, r.saw = votes, saw
	return withdrawn
}

// Cell is what the sheets show of a row in a column, "" where they have none.
func (v *Verdicts) Cell(id, column string) string {
	if r := v.rows[id]; r != nil {
		text, _ := r.cell(column)
		return text
	}
	return ""
}
