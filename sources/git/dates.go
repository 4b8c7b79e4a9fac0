package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git/lineage"
)

// Schemes of the dates of lines.
const (
	// MainlineScheme pins name a commit. Their bytes are the dates of every line of
	// every file of it: which commit of first-parent history brought the line.
	MainlineScheme = "git-mainline"
	// BlameScheme pins name one file, by a commit, a colon and the file's path as
	// snapshots write it. Their bytes are the dates of its lines: which commit wrote
	// the line. A path that no file has gives a document without files.
	BlameScheme = "git-blame"
	// MainlinePartialScheme and BlamePartialScheme are for repositories that may lack
	// files, as [PartialScheme] is: a file of which some version is missing is named as
	// such and has no dates, and one that is missing is no origin of a renamed one.
	MainlinePartialScheme = "git-mainline-partial"
	BlamePartialScheme    = "git-blame-partial"
)

// Dates finds when lines were made. The format is documented in package
// [benchmill/internal/linedates], what is found in [lineage].
//
// The bytes of a pin depend on history alone. The git program, where there is one,
// fetches and reads objects; which lines come from where is found here, so that no
// version or configuration of git has a say in it. Without the program, or where it
// fails, go-git reads, and the answer is the same.
//
// All of history is needed: a shallow clone is an error, and so, but for the partial
// schemes, is a partial one, where it lacks what is asked for.
type Dates struct {
	*Source
	blame     bool // else the mainline
	partial   bool
	histories histories
	fetching  locks // by mirror
}

var _ sources.Source = (*Dates)(nil)

// NewMainline returns a source of [MainlineScheme].
func NewMainline(o Options) *Dates { return newDates(o, MainlineScheme) }

// NewBlame returns a source of [BlameScheme]. It keeps the histories it used last, so
// that files of one commit are best asked for one after the other.
func NewBlame(o Options) *Dates { return newDates(o, BlameScheme) }

// NewDates returns a source for each scheme of dates, the partial ones included.
func NewDates(o Options) []sources.Source {
	var out []sources.Source
	for _, scheme := range []string{MainlineScheme, MainlinePartialScheme, BlameScheme, BlamePartialScheme} {
		out = append(out, newDates(o, scheme))
	}
	return out
}

func newDates(o Options, scheme string) *Dates {
	return &Dates{
		Source: newSource(o, scheme),
		blame:  scheme == BlameScheme || scheme == BlamePartialScheme, partial: scheme == MainlinePartialScheme || scheme == BlamePartialScheme,
	}
}

// Resolve is [Source.Resolve]. For blame the name ends in a colon and a path,
// and so does the version.
func (d *Dates) Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	name, path := ref.Name, ""
	if d.blame {
		if name, path, _ = strings.Cut(ref.Name, ":"); path == "" {
			loc, _ := d.find(ref.Locator) // good for errors even with one
			return pipeline.Pin{}, fail(ctx, loc, fmt.Sprintf("resolve %q", ref.Name), nil, errNoPath)
		}
		path = ":" + path
	}
	pin, err := d.Source.Resolve(ctx, pipeline.Ref{Scheme: ref.Scheme, Locator: ref.Locator, Name: name})
	if err == nil {
		pin.Version += path
	}
	return pin, err
}

// Fetch writes the dates of lines. After an error what was written is of no use.
func (d *Dates) Fetch(ctx context.Context, pin pipeline.Pin, w io.Writer) error {
	doing := "dates of lines at " + pin.Version
	loc, err := d.locate(pin.Scheme, pin.Locator)
	if err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	version, path := pin.Version, ""
	if d.blame {
		if version, path, _ = strings.Cut(pin.Version, ":"); path == "" {
			return fail(ctx, loc, doing, nil, errNoPath)
		}
	}
	id, err := commitID(version)
	if err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	if err := ctx.Err(); err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	repo, done, err := d.whole(ctx, loc, id)
	if err != nil {
		return err // it says what was done, and has its class
	}
	defer done()
	return fail(ctx, loc, doing, nil, d.write(ctx, dating{dates: d, path: repo, id: id}, path, w))
}

// write finds and writes; once more with go-git where that fails with the git program,
// for whatever reason: go-git's word is the last.
func (d *Dates) write(ctx context.Context, job dating, path string, w io.Writer) error {
	job.program = d.program
	files, h, err := job.find(ctx, path)
	if err != nil && job.program != "" && ctx.Err() == nil {
		job.program = ""
		files, h, err = job.find(ctx, path)
	}
	if err != nil {
		return err
	}
	mode := linedates.Mainline
	if d.blame {
		mode = linedates.Blame
	}
	return writeDates(marking{w}, linedates.Header{Mode: mode, Commit: job.id.String()}, files, h)
}

// writeDates writes a document. Only commits that made a line are in it.
func writeDates(w io.Writer, head linedates.Header, files []linedates.File, h *lineage.History) error {
	commits, files := number(files, h)
	out, err := linedates.NewWriter(w, head, commits)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := out.Add(f); err != nil {
			return err
		}
	}
	return out.Close()
}

var errNoPath = errors.New("after the commit, a colon and a path are missing")

// incomplete explains what a missing object means for a history.
func incomplete(err error) error {
	if errors.Is(err, errMissing) {
		return fmt.Errorf("the repository lacks a part of its history, as shallow and partial clones do: %w", err)
	}
	return err
}

// parseLineage reads a commit for its history.
func parseLineage(b []byte) (lineage.Commit, error) {
	c, err := parseCommit(b)
	return lineage.Commit{Tree: c.tree, Parents: c.parents, Time: c.committed.Unix()}, err
}

// reader opens a repository for its history.
func (j dating) reader(ctx context.Context) (objectReader, error) {
	r, err := open(j.path)
	if err != nil {
		return nil, err
	}
	if j.program == "" {
		return libraryReader{r, j.dates.o.Limits}, nil
	}
	p, err := newProgramReader(ctx, j.program, j.dates.o.TempDir, r, j.dates.o.Limits)
	r.close()
	if err != nil {
		return nil, err
	}
	return p, nil
}
