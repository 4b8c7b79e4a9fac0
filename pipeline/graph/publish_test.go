package graph

import (
	"context"
	"strings"
	"testing"

	"benchmill/pipeline"
)

type publishRow struct {
	Name string `parquet:"name"`
}

// PartitionKey implements pipeline.Partitioned.
func (r publishRow) PartitionKey() string { return r.Name }

// A table whose key holds only within a partition cannot be published, nor one
// that no program could read.
func TestReleaseRefusesUnreadable(t *testing.T) {
	list := pipeline.NewSchema[publishRow]("list", 1, "Lists.", "name")
	local := pipeline.NewSchema[publishRow]("local", 1, "Local.", "name").InPartition()
	unknown := pipeline.NewSchema[publishRow]("unknown", 1, "Unknown.", "name")
	run := func(context.Context, *pipeline.Pass) error { return nil }
	kinds := Kinds{Schemas: []*pipeline.Schema{list, local}, Stages: []*pipeline.Stage{
		{Name: "x.list", Doc: "Lists.", Version: 1, Scope: pipeline.Whole, Run: run,
			Out: []pipeline.Port{{Name: "list", Schema: list, Partitions: true}}},
		{Name: "x.make", Doc: "Makes.", Version: 1, Run: run, In: []pipeline.Port{{Name: "list", Schema: list}},
			Out: []pipeline.Port{{Name: "local", Schema: local}, {Name: "unknown", Schema: unknown}}},
	}}
	file := func(table string) []byte {
		return []byte("version: 1\nname: x\nstages:\n  list: {uses: x.list}\n  made: {uses: x.make, from: list}\nreleases:\n  r: {table: " + table + "}\n")
	}
	for table, want := range map[string]string{
		"list":         "",
		"made.local":   "pipeline.yaml:7:14: releases.r.table: rows of made.local (local/1) are unique only within a repository",
		"made.unknown": "pipeline.yaml:7:14: releases.r.table: nothing could read a release of made.unknown (unknown/1)",
	} {
		_, err := Parse("pipeline.yaml", file(table), kinds, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", table, err, want)
		}
	}
}
