package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

// releasedDate is a function of a release with the day of its last change.
type releasedDate struct {
	path        string // without the first folder, which names the repository
	pos, length int    // the first line, 1-based, and the last line less the first
	day         string // DD.MM.YYYY
}

// dates compares days of released functions with the newest commit of their lines at
// a commit, and says how many are the same under each reading: which mode, with or
// without the last line, in which time zone.
func (y *yablocoOptions) dates(ctx context.Context) error {
	rows, err := readReleasedDates(y.functions)
	if err != nil {
		return err
	}
	repository, err := y.mirror()
	if err != nil {
		return err
	}
	local, err := time.LoadLocation(y.zone)
	if err != nil {
		return err
	}
	fmt.Printf("\nYABLoCo, released days of last changes, by the history of %s\n", y.datedAt)
	fmt.Printf("%-10s %-22s %-16s %9s %8s %7s\n", "mode", "lines", "day in", "functions", "same", "share")
	for _, mode := range []string{linedates.Blame, linedates.Mainline} {
		doc, err := datesOf(ctx, mode, repository, y.datedAt, rows)
		if err != nil {
			return err
		}
		byPath := map[string][]linedates.Commit{}
		for _, f := range doc.files {
			for _, r := range f.Runs {
				for range r.Lines {
					byPath[f.Path] = append(byPath[f.Path], doc.commits[r.Commit])
				}
			}
		}
		for _, last := range []int{0, 1} {
			what := []string{"without the last one", "with the last one"}[last]
			for _, zone := range slices.Compact([]*time.Location{local, time.UTC}) {
				same := 0
				for _, r := range rows {
					if newestDay(byPath[r.path], r.pos, r.pos+r.length-1+last, zone) == r.day {
						same++
					}
				}
				fmt.Printf("%-10s %-22s %-16s %9d %8d %6.2f%%\n", mode, what, zone, len(rows), same, 100*float64(same)/float64(len(rows)))
			}
		}
	}
	return nil
}

// datesOf fetches the dates of all files that hold released functions.
func datesOf(ctx context.Context, mode, repository, commit string, rows []releasedDate) (*document, error) {
	o := git.Options{Offline: true}
	if mode == linedates.Mainline {
		return dates(ctx, datesSource(o, git.MainlinePartialScheme), pipeline.Pin{Scheme: git.MainlinePartialScheme, Locator: repository, Version: commit})
	}
	all, blame := &document{}, datesSource(o, git.BlamePartialScheme)
	var paths []string
	for _, r := range rows {
		paths = append(paths, r.path)
	}
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		one, err := dates(ctx, blame, pipeline.Pin{Scheme: git.BlamePartialScheme, Locator: repository, Version: commit + ":" + p})
		if err != nil {
			return nil, err
		}
		all.add(one)
	}
	return all, nil
}

// newestDay is the day of the newest of some lines, 1-based, both included; "" where
// there are none.
func newestDay(lines []linedates.Commit, first, last int, zone *time.Location) string {
	last = min(last, len(lines))
	if first < 1 || first > last {
		return ""
	}
	newest := slices.MaxFunc(lines[first-1:last], func(a, b linedates.Commit) int { return a.Time.Compare(b.Time) })
	return newest.Time.In(zone).Format("02.01.2006")
}

func readReleasedDates(path string) ([]releasedDate, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no rows", path)
	}
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	for _, name := range []string{"file", "pos", "code_length", "last_commit"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("%s: no column %s", path, name)
		}
	}
	var out []releasedDate
	for i, r := range records[1:] {
		pos, errPos := strconv.Atoi(r[column["pos"]])
		length, errLength := strconv.Atoi(r[column["code_length"]])
		if errPos != nil || errLength != nil {
			return nil, fmt.Errorf("%s: row %d: no numbers", path, i+1)
		}
		_, file, _ := strings.Cut(r[column["file"]], "/")
		out = append(out, releasedDate{file, pos, length, r[column["last_commit"]]})
	}
	return out, nil
}
