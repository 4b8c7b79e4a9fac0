package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"benchmill/artifacts"
	"benchmill/artifacts/release"
	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/github"
)

func openSources(o git.Options, hub *github.World, p programs) []sources.Source {
	out := append(git.NewDates(o), git.New(o), git.NewPartial(o), p.tools, p.runtime)
	return append(out, hub.Sources()...)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func writeJSON(path, temp string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteVia(temp, path, append(data, '\n'), 0o644)
}

func readObject(ctx context.Context, s artifacts.Store, d digest.Digest) ([]byte, error) {
	o, err := s.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
}

// newTable is a plain table; columns listed in right are numbers.
func newTable(w io.Writer, right []int, header ...string) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = text.FormatDefault
	row := table.Row{}
	for _, h := range header {
		row = append(row, h)
	}
	t.AppendHeader(row)
	var configs []table.ColumnConfig
	for _, n := range right {
		configs = append(configs, table.ColumnConfig{Number: n + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}

func (sum *summary) print(s *streams) error {
	for _, f := range sum.Failures {
		fmt.Fprintf(s.out, "quarantined %s [%s]: %s\n", f.Node, f.Partition, f.Error)
	}
	for _, r := range sum.Releases {
		state := "unchanged"
		if r.New {
			state = "new"
		}
		fmt.Fprintf(s.out, "\n%s %s (%s): %d rows\n", r.Dataset, r.Version, state, r.Rows)
		if r.Partial != "" {
			fmt.Fprintf(s.out, "partial: %s\n", r.Partial)
		}
		printFunnel(s.out, r.Funnel)
		fmt.Fprintf(s.out, "%s\n", r.Path)
	}
	for _, base := range sortedKeys(sum.Asked) {
		a := sum.Asked[base]
		fmt.Fprintf(s.out, "\n%s: %d requests (%d not modified, %d sent again), %.1f MB\n", base, a.Requests, a.Statuses[http.StatusNotModified], a.Retries, float64(a.Bytes)/1e6)
	}
	fmt.Fprintf(s.out, "\n%d tasks ran, %d were up to date, %d were quarantined, %d were skipped, in %.1f s\n",
		sum.Tasks, sum.Reused, sum.Quarantined, sum.Skipped, sum.Seconds)
	return nil
}

func printFunnel(w io.Writer, stages []release.Stage) {
	t := newTable(w, []int{1}, "step", "partitions", "in", "out", "dropped (noted)")
	for _, s := range stages {
		partitions := fmt.Sprint(s.Partitions)
		if s.Quarantined+s.Skipped > 0 {
			partitions += fmt.Sprintf(" (%d quarantined, %d skipped)", s.Quarantined, s.Skipped)
		}
		var drops []string
		for _, d := range s.Drops {
			drops = append(drops, fmt.Sprintf("%d %s", d.Rows, d.Reason))
		}
		for _, n := range s.Notes {
			drops = append(drops, fmt.Sprintf("(%d %s)", n.Rows, n.Table))
		}
		t.AppendRow(table.Row{s.Node, partitions, counts(s.In), counts(s.Out), text.WrapSoft(strings.Join(drops, ", "), 38)})
	}
	t.Render()
}

func counts(cs []release.Count) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, fmt.Sprintf("%d %s", c.Rows, c.Table))
	}
	return text.WrapSoft(strings.Join(parts, ", "), 26)
}
