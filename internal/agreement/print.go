package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"benchmill/schemas"
	"benchmill/stages/crossfile"
)

const (
	header = "repository                       language    files   native     tool  precision  recall      F1   native s     tool s   ratio"
	format = "%-32s %-10s %6s %8d %8d     %6.4f  %6.4f  %6.4f   %8.2f   %8.2f  %6.1f\n"
)

// print prints a line, and what else was asked for.
func (r *result) print(w io.Writer, o options) {
	if r.Error != "" {
		fmt.Fprintf(w, "%-32s %-10s %s\n", r.Repo, r.Language, r.Error)
		return
	}
	counts := r.Counts[:1]
	if o.kinds {
		counts = r.Counts
	}
	for i, c := range counts {
		if i == 0 {
			fmt.Fprintf(w, format, r.Repo, r.Language, fmt.Sprintf("%d/%d", c.Files, r.Sources),
				c.Both+c.Native, c.Both+c.Tool, c.Precision, c.Recall, c.F1, r.Native, r.Tool, ratio(r.Tool, r.Native))
			continue
		}
		fmt.Fprintf(w, "  %-41s %6s %8d %8d     %6.4f  %6.4f  %6.4f\n", c.Kind, "", c.Both+c.Native, c.Both+c.Tool, c.Precision, c.Recall, c.F1)
	}
	if o.verbose {
		r.differences(w)
	}
}

// ratio is how many times longer the tool takes.
func ratio(tool, native float64) float64 {
	if native == 0 {
		return 0
	}
	return tool / native
}

// differences lists what only one detector found: + ours, - the tool's.
func (r *result) differences(w io.Writer) {
	type difference struct {
		mark string
		schemas.CrossFileUse
	}
	var all []difference
	for _, u := range r.comparison.OnlyNative {
		all = append(all, difference{"+", u})
	}
	for _, u := range r.comparison.OnlyReference {
		all = append(all, difference{"-", u})
	}
	slices.SortStableFunc(all, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Name, b.Name))
	})
	for _, d := range all {
		fmt.Fprintf(w, "  %s %s:%d:%d %s [%s %s] %s\n", d.mark, d.Path, d.Line+1, d.Column+1, d.Name, d.Kind, d.Via, sourceLine(r.texts[d.Path], d.Start))
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(w, "  the tool read %d files not: %s\n", r.Skipped[reason], reason)
	}
}

// sourceLine is the line around a byte, without its indentation, cut where it is
// very long.
func sourceLine(text string, at int64) string {
	if at > int64(len(text)) {
		return ""
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return fmt.Sprintf("%.160s", strings.TrimSpace(line))
}

// totals sums up by language.
type totals struct{ by map[string]*result }

func newTotals() *totals { return &totals{map[string]*result{}} }

func (t *totals) add(r *result) {
	if r.Error != "" {
		return
	}
	sum := t.by[r.Language]
	if sum == nil {
		sum = &result{Repo: "all", Language: r.Language, comparison: &crossfile.Comparison{}}
		t.by[r.Language] = sum
	}
	c := sum.comparison
	c.Files += r.comparison.Files
	c.Both = append(c.Both, r.comparison.Both...)
	c.OnlyNative = append(c.OnlyNative, r.comparison.OnlyNative...)
	c.OnlyReference = append(c.OnlyReference, r.comparison.OnlyReference...)
	sum.Sources, sum.Native, sum.Tool = sum.Sources+r.Sources, sum.Native+r.Native, sum.Tool+r.Tool
}

func (t *totals) print(w io.Writer) {
	for _, language := range slices.Sorted(maps.Keys(t.by)) {
		sum := t.by[language]
		sum.Counts = countsOf(sum.comparison)
		sum.print(w, options{})
	}
}
