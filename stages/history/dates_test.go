package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func id(n int) string { return fmt.Sprintf("%040x", n) }

// commits have the later of two times twice.
var commits = []linedates.Commit{
	{ID: id(1), Time: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)},
	{ID: id(2), Time: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)},
	{ID: id(3), Time: time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)},
	{ID: id(4), Time: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)},
}

var tree = []linedates.File{
	{Path: "a.c", Kind: linedates.Text, Runs: []linedates.Run{{Lines: 10, Commit: 2}, {Lines: 2, Commit: 0}, {Lines: 5, Commit: 1}, {Lines: 1, Commit: 3}}},
	{Path: "bin.c", Kind: linedates.Binary},
	{Path: "empty.c", Kind: linedates.Text},
	{Path: "huge.c", Kind: linedates.Oversized},
}

// world answers fetches from tree: whole, or one file.
type world struct {
	asked []pipeline.Pin
	cut   int // bytes that are missing at the end
}

func (w *world) Fetch(_ context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	w.asked = append(w.asked, pin)
	h := linedates.Header{Mode: linedates.Mainline, Commit: id(9)}
	_, path, one := strings.Cut(pin.Version, ":")
	if one {
		h.Mode = linedates.Blame
	}
	var b bytes.Buffer
	out, err := linedates.NewWriter(&b, h, commits)
	for _, f := range tree {
		if err == nil && (!one || f.Path == path) {
			err = out.Add(f)
		}
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - w.cut)
	return io.NopCloser(&b), nil
}

func (w *world) Complete(context.Context, pipeline.ModelName, string, pipeline.Request) (r pipeline.Reply, err error) {
	return r, errors.New("no model here")
}

func date(t *testing.T, w *world, mode string, definitions ...schemas.Definition) (*stagetest.Result, error) {
	t.Helper()
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: Dates(), Config: &DatesConfig{Mode: mode}, Effects: w,
		Inputs: map[string]any{
			"repository":  []schemas.Repository{{Repo: "o/r", URL: "https://host/o/r", Commit: id(9)}},
			"definitions": definitions,
		},
	})
}

func TestDates(t *testing.T) {
	definitions := []schemas.Definition{
		{Path: "a.c", Start: 0, Line: 1, EndLine: 10},
		{Path: "a.c", Start: 50, Line: 10, EndLine: 11},
		{Path: "a.c", Start: 60, Line: 9, EndLine: 18},
		{Path: "a.c", Start: 70, Line: 13, EndLine: 13},
		{Path: "a.c", Start: 80, Line: 18, EndLine: 19},
		{Path: "a.c", Start: 90, Line: 0, EndLine: 2},
		{Path: "bin.c", Start: 0, Line: 1, EndLine: 1},
		{Path: "empty.c", Start: 0, Line: 1, EndLine: 1},
		{Path: "gone.c", Start: 0, Line: 1, EndLine: 1},
		{Path: "huge.c", Start: 7, Line: 1, EndLine: 1},
	}
	for mode, want := range map[string][]string{
		schemas.HistoryMainline: {"git-mainline https://host/o/r@" + id(9)},
		schemas.HistoryBlame: {
			"git-blame https://host/o/r@" + id(9) + ":a.c", "git-blame https://host/o/r@" + id(9) + ":bin.c",
			"git-blame https://host/o/r@" + id(9) + ":empty.c", "git-blame https://host/o/r@" + id(9) + ":gone.c",
			"git-blame https://host/o/r@" + id(9) + ":huge.c",
		},
	} {
		w := &world{}
		r, err := date(t, w, mode, definitions...)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, pin := range w.asked {
			asked = append(asked, pin.String())
		}
		if !slices.Equal(asked, want) {
			t.Errorf("asked for %q", asked)
		}
		rows := stagetest.Rows[schemas.FunctionDate](r, "dates")
		wantRows := []schemas.FunctionDate{
			{Path: "a.c", Start: 0, Date: "2010-01-01T00:00:00Z", Commit: id(3), Mode: mode},
			{Path: "a.c", Start: 50, Date: "2020-01-01T00:00:00Z", Commit: id(1), Mode: mode},
			{Path: "a.c", Start: 60, Date: "2024-02-03T04:05:06Z", Commit: id(4), Mode: mode},
			{Path: "a.c", Start: 70, Date: "2024-02-03T04:05:06Z", Commit: id(2), Mode: mode},
		}
		if !slices.Equal(rows, wantRows) {
			t.Errorf("%s: %+v", mode, rows)
		}
		var dropped []string
		for _, d := range r.Dropped {
			dropped = append(dropped, d.Key+" "+d.Reason)
		}
		slices.Sort(dropped)
		if want := []string{"a.c 80 outside", "a.c 90 outside", "bin.c 0 binary", "empty.c 0 outside", "gone.c 0 no_history", "huge.c 7 oversized"}; !slices.Equal(dropped, want) {
			t.Errorf("%s: dropped %q", mode, dropped)
		}
	}
}

// A partial repository is asked for as one.
func TestPartial(t *testing.T) {
	for _, mode := range []string{schemas.HistoryMainline, schemas.HistoryBlame} {
		w := &world{}
		_, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: Dates(), Config: &DatesConfig{Mode: mode, Partial: true}, Effects: w,
			Inputs: map[string]any{
				"repository":  []schemas.Repository{{Repo: "o/r", URL: "https://host/o/r", Commit: id(9)}},
				"definitions": []schemas.Definition{{Path: "a.c", Line: 1, EndLine: 1}},
			},
		})
		if err != nil || len(w.asked) != 1 || w.asked[0].Scheme != "git-"+mode+"-partial" {
			t.Errorf("%v, asked for %v", err, w.asked)
		}
	}
}

// Without functions nothing is fetched.
func TestNoFunctions(t *testing.T) {
	w := &world{}
	if _, err := date(t, w, schemas.HistoryMainline); err != nil || len(w.asked) > 0 {
		t.Errorf("%v, asked for %v", err, w.asked)
	}
}

// A document that was cut short is an error that names the repository.
func TestCutShort(t *testing.T) {
	for _, mode := range []string{schemas.HistoryMainline, schemas.HistoryBlame} {
		for _, cut := range []int{1, 6, 40} {
			_, err := date(t, &world{cut: cut}, mode, schemas.Definition{Path: "a.c", Line: 1, EndLine: 1})
			if !errors.Is(err, linedates.ErrDamaged) || !strings.Contains(err.Error(), "dates of o/r") {
				t.Errorf("%s, %d bytes less: %v", mode, cut, err)
			}
		}
	}
}

// TestNewest compares with looking at every line.
func TestNewest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var runs []linedates.Run
		var each []linedates.Commit
		for range n {
			run := linedates.Run{Lines: 1 + r.IntN(4), Commit: r.IntN(len(commits))}
			runs = append(runs, run)
			for range run.Lines {
				each = append(each, commits[run.Commit])
			}
		}
		l := newLines(runs, commits)
		for first := -1; first <= len(each)+1; first++ {
			for last := -1; last <= len(each)+1; last++ {
				got, ok := l.newest(int64(first), int64(last))
				if valid := first >= 1 && first <= last && last <= len(each); ok != valid {
					t.Fatalf("lines %d to %d of %d: %v", first, last, len(each), ok)
				} else if !valid {
					continue
				}
				var want linedates.Commit
				for _, c := range each[first-1 : last] {
					want = newer(want, c)
				}
				if got != want {
					t.Fatalf("%v: lines %d to %d: %v, want %v", runs, first, last, got, want)
				}
			}
		}
	}
}
