package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git"
)

// history compares the dates of lines with what git blame says of each line of each
// text file of a commit, or of one file in so many, in both modes, and measures the
// time of both ways.
func (y *yablocoOptions) history(ctx context.Context) error {
	repository, err := y.mirror()
	if err != nil {
		return err
	}
	_, commit, _ := strings.Cut(y.repository, "@")
	o := git.Options{Offline: true, Accelerator: y.accelerator}
	start := time.Now()
	doc, err := dates(ctx, datesSource(o, git.MainlinePartialScheme), pipeline.Pin{Scheme: git.MainlinePartialScheme, Locator: repository, Version: commit})
	if err != nil {
		return err
	}
	ours := time.Since(start)
	// All files were dated in one pass. Where only some are compared, git's time is
	// scaled up to all.
	kept, scale := doc.files[:0], float64(len(doc.files))
	for i, f := range doc.files {
		if i%max(1, y.every) == 0 {
			kept = append(kept, f)
		}
	}
	doc.files = kept
	scale /= float64(len(kept))
	fmt.Printf("\ndates of lines of %s\n", y.repository)
	fmt.Printf("%-10s %7s %9s %9s %10s %10s %7s\n", "mode", "files", "lines", "equal", "ours", "git blame", "ratio")
	if err := compareBlame(ctx, repository, commit, linedates.Mainline, doc, ours, scale); err != nil {
		return err
	}
	blame := datesSource(o, git.BlamePartialScheme)
	all := &document{}
	start = time.Now()
	for _, f := range doc.files {
		one, err := dates(ctx, blame, pipeline.Pin{Scheme: git.BlamePartialScheme, Locator: repository, Version: commit + ":" + f.Path})
		if err != nil {
			return err
		}
		if len(one.files) != 1 || one.files[0].Path != f.Path {
			return fmt.Errorf("%s: a document of %d files", f.Path, len(one.files))
		}
		all.add(one)
	}
	return compareBlame(ctx, repository, commit, linedates.Blame, all, time.Since(start), 1)
}

// document is the dates of lines of some files.
type document struct {
	commits []linedates.Commit
	files   []linedates.File
}

func (d *document) add(o *document) {
	for _, f := range o.files {
		for i := range f.Runs {
			f.Runs[i].Commit += len(d.commits)
		}
		d.files = append(d.files, f)
	}
	d.commits = append(d.commits, o.commits...)
}

// datesSource is for mirrors that may be partial: what they lack is not compared.
func datesSource(o git.Options, scheme string) sources.Source {
	all := git.NewDates(o)
	return all[slices.IndexFunc(all, func(s sources.Source) bool { return s.Scheme() == scheme })]
}

func dates(ctx context.Context, source sources.Source, pin pipeline.Pin) (*document, error) {
	var b bytes.Buffer
	if err := source.Fetch(ctx, pin, &b); err != nil {
		return nil, err
	}
	r, err := linedates.NewReader(&b)
	if err != nil {
		return nil, err
	}
	d := &document{commits: r.Commits()}
	for {
		f, err := r.Next()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		d.files = append(d.files, f)
	}
}

// compareBlame prints how many lines have the commit that git blame names. Its time
// counts scale times.
func compareBlame(ctx context.Context, repository, commit, mode string, doc *document, ours time.Duration, scale float64) error {
	var files, lines, equal int
	var theirs time.Duration
	for _, f := range doc.files {
		if f.Kind != linedates.Text {
			continue
		}
		start := time.Now()
		want, err := blamed(ctx, repository, commit, mode, f.Path)
		if err != nil {
			return err
		}
		theirs += time.Since(start)
		if len(want) != f.Lines() {
			return fmt.Errorf("%s: %d lines, %d for git", f.Path, f.Lines(), len(want))
		}
		files++
		lines += len(want)
		n, before := 0, equal
		for _, r := range f.Runs {
			for range r.Lines {
				if want[n] == doc.commits[r.Commit].ID {
					equal++
				}
				n++
			}
		}
		if missed := len(want) - (equal - before); missed > 0 {
			fmt.Printf("  %s: %d of %d lines differ\n", f.Path, missed, len(want))
		}
	}
	theirs = time.Duration(float64(theirs) * scale)
	fmt.Printf("%-10s %7d %9d %9d %9.1fs %9.1fs %6.1fx\n", mode, files, lines, equal, ours.Seconds(), theirs.Seconds(), theirs.Seconds()/ours.Seconds())
	return nil
}

// blamed is the commit of each line for git blame, whatever its configuration.
func blamed(ctx context.Context, repository, commit, mode, path string) ([]string, error) {
	args := []string{"-C", repository, "blame", "--porcelain", "--no-textconv"}
	if mode == linedates.Mainline {
		args = append(args, "--first-parent")
	}
	cmd := exec.CommandContext(ctx, "git", append(args, commit, "--", path)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_NO_REPLACE_OBJECTS=1")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git blame %s: %w", path, err)
	}
	var commits []string
	lines := bufio.NewReader(bytes.NewReader(out))
	for {
		line, err := lines.ReadString('\n')
		if err != nil && line == "" {
			break
		}
		if strings.HasPrefix(line, "\t") { // the line itself
			continue
		}
		parts := strings.Fields(line)
		if len(parts) < 3 || len(parts[0]) != 40 || strings.Trim(parts[0], "0123456789abcdef") != "" {
			continue
		}
		if n, err := strconv.Atoi(parts[2]); err != nil || n != len(commits)+1 {
			return nil, errors.New("git blame: lines out of order")
		}
		commits = append(commits, parts[0])
	}
	return commits, nil
}
