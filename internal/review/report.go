package review

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Count is how far the review of some rows has come.
type Count struct {
	Group    string `json:"group"`
	Rows     int    `json:"rows"`
	Accepted int    `json:"accepted"`
	Rejected int    `json:"rejected"`
	Open     int    `json:"open"`
	Split    int    `json:"split"` // among the rejected: some reviewer accepted
}

// Counts counts the rows by what stands in a column, in the order of
// [CompareGroups].
func (v *Verdicts) Counts(by string) []Count {
	counts := map[string]*Count{}
	for id := range v.rows {
		group := v.Cell(id, by)
		c := counts[group]
		if c == nil {
			c = &Count{Group: group}
			counts[group] = c
		}
		c.Rows++
		switch verdict, _ := v.Verdict(id); verdict {
		case Accept:
			c.Accepted++
		case Reject:
			c.Rejected++
			if slices.ContainsFunc(v.Votes(id), func(o Vote) bool { return o.Verdict == Accept }) {
				c.Split++
			}
		default:
			c.Open++
		}
	}
	out := []Count{}
	for _, group := range slices.SortedFunc(maps.Keys(counts), CompareGroups) {
		out = append(out, *counts[group])
	}
	return out
}

// Agreement is how far two reviewers agree on the rows that both judged.
type Agreement struct {
	Reviewers [2]string `json:"reviewers"` // in order; "" is whoever gave no name
	Rows      int       `json:"rows"`
	Same      int       `json:"same"`
	Percent   float64   `json:"percent"`
	// Kappa is Cohen's: 1 for full agreement, 0 for what chance would give with
	// each reviewer's own share of accepts. Nil where chance alone explains
	// everything, as both gave all rows one and the same verdict.
	Kappa *float64 `json:"kappa"`
}

// Agreements are those of all pairs of reviewers with rows in common.
func (v *Verdicts) Agreements() []Agreement {
	type pair [2]string
	tables := map[pair]*[2][2]int{} // accepts of the one by accepts of the other
	index := func(verdict Verdict) int {
		if verdict == Accept {
			return 1
		}
		return 0
	}
	for id := range v.rows {
		votes := slices.SortedFunc(slices.Values(v.Votes(id)), func(a, b Vote) int { return strings.Compare(a.Reviewer, b.Reviewer) })
		for i, a := range votes {
			for _, b := range votes[i+1:] {
				p := pair{a.Reviewer, b.Reviewer}
				if tables[p] == nil {
					tables[p] = new([2][2]int)
				}
				tables[p][index(a.Verdict)][index(b.Verdict)]++
			}
		}
	}
	out := []Agreement{}
	for _, p := range slices.SortedFunc(maps.Keys(tables), func(a, b pair) int { return slices.Compare(a[:], b[:]) }) {
		t := tables[p]
		same, n := t[0][0]+t[1][1], t[0][0]+t[0][1]+t[1][0]+t[1][1]
		a := Agreement{Reviewers: p, Rows: n, Same: same, Percent: 100 * float64(same) / float64(n)}
		// Chance, times n²: both accept or both reject.
		chance := (t[1][0]+t[1][1])*(t[0][1]+t[1][1]) + (t[0][0]+t[0][1])*(t[0][0]+t[1][0])
		if chance != n*n {
			kappa := float64(same*n-chance) / float64(n*n-chance)
			a.Kappa = &kappa
		}
		out = append(out, a)
	}
	return out
}

// CompareGroups orders names of groups as people do: numbers by size, also with a
// unit ("32K" before "1M"), and before words.
func CompareGroups(a, b string) int {
	x, xok := size(a)
	y, yok := size(b)
	switch {
	case xok && yok && x != y:
		return cmp.Compare(x, y)
	case xok != yok:
		return map[bool]int{true: -1, false: 1}[xok]
	}
	return strings.Compare(a, b)
}

func size(s string) (float64, bool) {
	unit := 1.0
	if s != "" {
		if i := strings.IndexByte("KMG", s[len(s)-1]); i >= 0 {
			unit, s = []float64{1 << 10, 1 << 20, 1 << 30}[i], s[:len(s)-1]
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n * unit, err == nil && n == n
}
