package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/internal/review"
)

type reviewCheckCmd struct {
	Sheets []string `arg:"" name:"sheet" help:"Sheets that came back, one or several about the same rows."`
	By     string   `help:"Column that puts rows into groups." default:"bracket" placeholder:"COLUMN"`
	JSON   bool     `help:"Print as JSON."`
}

func (reviewCheckCmd) Example() string {
	return `  benchmill review check verdicts.csv
  benchmill review check zoe.csv adam.csv --json`
}

type rejected struct {
	ID       string   `json:"id"`
	Group    string   `json:"group"`
	Reviewer string   `json:"reviewer"` // who rejected
	Notes    []string `json:"notes"`    // of all who judged it
}

type checked struct {
	review.Count                    // of all rows
	By           string             `json:"by"`
	Groups       []review.Count     `json:"groups"`
	Agreement    []review.Agreement `json:"agreement"`
	Rejects      []rejected         `json:"rejects"`
}

// Run implements the verb.
func (c *reviewCheckCmd) Run(s *streams) error {
	var v review.Verdicts
	for _, path := range c.Sheets {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := v.Add(path, data); err != nil {
			return err
		}
	}
	out := checked{By: c.By, Groups: v.Counts(c.By), Agreement: v.Agreements(), Rejects: []rejected{}}
	out.Group = "all"
	for i := range out.Groups {
		g := &out.Groups[i]
		out.Rows, out.Accepted, out.Rejected, out.Open, out.Split = out.Rows+g.Rows, out.Accepted+g.Accepted, out.Rejected+g.Rejected, out.Open+g.Open, out.Split+g.Split
	}
	for _, id := range v.IDs() {
		verdict, by := v.Verdict(id)
		if verdict != review.Reject {
			continue
		}
		r := rejected{ID: id, Group: v.Cell(id, c.By), Reviewer: by, Notes: []string{}}
		for _, vote := range v.Votes(id) {
			if vote.Note != "" {
				r.Notes = append(r.Notes, vote.Note)
			}
		}
		out.Rejects = append(out.Rejects, r)
	}
	if c.JSON {
		return printJSON(s.out, out)
	}
	c.print(s, out)
	return nil
}

func (c *reviewCheckCmd) print(s *streams, out checked) {
	t := newTable(s.out, []int{1, 2, 3, 4, 5}, c.By, "rows", "accepted", "rejected", "split", "open")
	for _, g := range append(out.Groups, out.Count) {
		t.AppendRow(table.Row{g.Group, g.Rows, g.Accepted, g.Rejected, g.Split, g.Open})
	}
	t.Render()
	if len(out.Agreement) > 0 {
		fmt.Fprintln(s.out)
		t := newTable(s.out, []int{1, 2, 3}, "reviewers", "both judged", "agree (%)", "kappa")
		for _, a := range out.Agreement {
			kappa := "undefined"
			if a.Kappa != nil {
				kappa = fmt.Sprintf("%.2f", *a.Kappa)
			}
			t.AppendRow(table.Row{unnamed(a.Reviewers[0]) + ", " + unnamed(a.Reviewers[1]), a.Rows, fmt.Sprintf("%.1f", a.Percent), kappa})
		}
		t.Render()
	}
	for i, r := range out.Rejects {
		if i == 0 {
			fmt.Fprintln(s.out)
		}
		fmt.Fprintf(s.out, "rejected %s [%s] by %s", r.ID, r.Group, unnamed(r.Reviewer))
		if len(r.Notes) > 0 {
			fmt.Fprintf(s.out, ": %s", strings.Join(strings.Fields(strings.Join(r.Notes, "; ")), " "))
		}
		fmt.Fprintln(s.out)
	}
}

func unnamed(reviewer string) string {
	if reviewer == "" {
		return "(no name)"
	}
	return reviewer
}
