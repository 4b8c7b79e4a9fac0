package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/artifacts/release"
)

// storeFlags are for verbs that need a store but no pipeline.
type storeFlags struct {
	storeFlag
	File string `short:"f" help:"Pipeline file, beside which the store lies." default:"pipeline.yaml" placeholder:"FILE"`
	JSON bool   `help:"Print as JSON."`
}

func (f storeFlags) releases() string { return f.dir(f.File) + "/releases" }

const noReleases = `no releases yet; "benchmill run" makes them`

type releasesCmd struct {
	storeFlags
	Dataset string `arg:"" optional:"" help:"Only this dataset."`
}

func (releasesCmd) Example() string {
	return `  benchmill releases
  benchmill releases repoqa --json | jq -r '.[-1].path'`
}

// Run implements the verb.
func (c *releasesCmd) Run(s *streams) error {
	all, err := release.List(c.releases(), c.Dataset)
	if err != nil {
		return err
	}
	if c.JSON {
		if all == nil {
			all = []release.Listed{}
		}
		return printJSON(s.out, all)
	}
	if len(all) == 0 {
		fmt.Fprintln(s.out, noReleases)
		return nil
	}
	t := newTable(s.out, []int{2}, "dataset", "version", "rows", "rows digest", "path")
	for _, l := range all {
		t.AppendRow(table.Row{l.Dataset, l.Version, l.Rows, l.RowsDigest.Short(), l.Path})
	}
	t.Render()
	return nil
}

type showCmd struct {
	storeFlags
	Release string `arg:"" help:"Dataset, dataset@version, or the path of a release."`
}

func (showCmd) Example() string {
	return `  benchmill show repoqa                the newest release
  benchmill show repoqa@1.0.0 --json   its manifest`
}

// Run implements the verb.
func (c *showCmd) Run(s *streams) error {
	l, err := release.Find(c.releases(), c.Release)
	if err != nil {
		return err
	}
	m, _, err := release.Read(l.Path)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, m)
	}
	fmt.Fprintf(s.out, "%s %s: %d rows\n", m.Dataset, m.Version, m.Rows)
	if m.Title != "" {
		fmt.Fprintln(s.out, m.Title)
	}
	fmt.Fprintf(s.out, "%s\nmanifest %s, rows %s\nschema %s/%d, pipeline %s, seed %d\n",
		l.Path, l.ManifestDigest, m.RowsDigest, m.Schema.Name, m.Schema.Version, m.Pipeline.Name, m.Pipeline.Seed)
	if m.Partial != "" {
		fmt.Fprintf(s.out, "partial: %s\n", m.Partial)
	}
	fmt.Fprintln(s.out)
	files := newTable(s.out, []int{1, 2}, "file", "rows", "bytes")
	for _, f := range m.Files {
		files.AppendRow(table.Row{f.Path, f.Rows, f.Bytes})
	}
	for _, f := range m.Also {
		files.AppendRow(table.Row{f.Path, "", f.Bytes})
	}
	files.Render()
	fmt.Fprintln(s.out)
	printFunnel(s.out, m.Stages)
	fmt.Fprintln(s.out)
	sources := newTable(s.out, []int{3}, "source", "commit", "licence", "rows")
	for _, src := range m.Sources {
		sources.AppendRow(table.Row{src.Name, src.Commit[:min(12, len(src.Commit))], src.Licence, src.Rows})
	}
	sources.Render()
	if len(m.Models) > 0 {
		fmt.Fprintln(s.out)
		models := newTable(s.out, []int{3, 4, 5, 6}, "provider", "model", "replies", "requests", "tokens in", "tokens out", "USD")
		for _, u := range m.Models {
			models.AppendRow(table.Row{u.Provider, u.Model, u.Origin, u.Requests, u.InputTokens, u.OutputTokens, fmt.Sprintf("%.2f", float64(u.CostMicroUSD)/1e6)})
		}
		models.Render()
	}
	for _, q := range m.Quarantined {
		fmt.Fprintf(s.out, "\nquarantined %s [%s]: %s\n", q.Node, q.Partition, q.Error)
	}
	return nil
}
