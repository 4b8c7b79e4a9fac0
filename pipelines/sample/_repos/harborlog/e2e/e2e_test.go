// Package e2e_test puts the packages together the way the command does.
package e2e_test

import (
	"strings"
	"testing"

	"github.com/benchmill-samples/harborlog/filter"
	"github.com/benchmill-samples/harborlog/internal/ring"
	"github.com/benchmill-samples/harborlog/parse"
	"github.com/benchmill-samples/harborlog/record"
	"github.com/benchmill-samples/harborlog/summary"
)

const log = `ts=1709287200 lvl=info app=pier msg="moored 3"
ts=1709287260 lvl=warn app=crane msg="load 41 of 40"
{"ts":1709287320,"level":"error","service":"crane","msg":"load 52 of 40"}
<11>Mar  1 10:03:00 quay crane[7]: stopped
`

func parseAll(t *testing.T, text, where string) []record.Record {
	t.Helper()
	keep, err := filter.Compile(where)
	if err != nil {
		t.Fatal(err)
	}
	var kept []record.Record
	err = parse.Lines(strings.NewReader(text), func(_ int, line string) error {
		parser, err := parse.ByName(parse.Detect([]string{line}))
		if err != nil {
			return err
		}
		r, err := parser(line)
		if err == nil && keep(&r) {
			kept = append(kept, r)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestThroughAllStages(t *testing.T) {
	report := summary.Summarise(parseAll(t, log, "level>=warn and source=crane"), 1, 10)
	if report.Records != 3 || report.Templates[0] != (summary.Count[string]{Key: "load # of #", N: 2}) {
		t.Errorf("got %+v", report)
	}
}

func TestTailKeepsTheLast(t *testing.T) {
	records := parseAll(t, log, "")
	last, dropped, err := ring.Tail(2, func(yield func(record.Record)) error {
		for _, r := range records {
			yield(r)
		}
		return nil
	})
	if err != nil || dropped != 2 || len(last) != 2 || last[1].Message != "stopped" {
		t.Errorf("%v %d %v", last, dropped, err)
	}
}
