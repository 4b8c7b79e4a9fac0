package linedates

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Reader reads one document. It believes nothing: every rule of the format is checked,
// and memory grows with what was read, whatever the bytes announce. It is not safe for
// concurrent use.
type Reader struct {
	r       *bufio.Reader
	line    int // of the document, 1-based
	header  Header
	commits []Commit
	files   int
	last    string
	err     error // what every further Next returns
}

// NewReader reads the head of a document, its commits included.
func NewReader(r io.Reader) (*Reader, error) {
	d := &Reader{r: bufio.NewReaderSize(r, maxLine)}
	if err := d.head(); err != nil {
		if errors.Is(err, ErrFormat) {
			return nil, err
		}
		return nil, d.damaged(err)
	}
	return d, nil
}

// Header says what the document is about.
func (d *Reader) Header() Header { return d.header }

// Commits are those the runs of all files refer to.
func (d *Reader) Commits() []Commit { return d.commits }

// Next returns the next file. At the end of a whole document the error is io.EOF; any
// other wraps [ErrDamaged] or comes from the underlying reader.
func (d *Reader) Next() (File, error) {
	if d.err != nil {
		return File{}, d.err
	}
	f, err := d.file()
	if err != nil {
		if err != io.EOF {
			err = d.damaged(err)
		}
		d.err = err
		return File{}, err
	}
	return f, nil
}

func (d *Reader) head() error {
	parts, err := d.next(4)
	if err != nil {
		return err
	}
	if parts[0] != magic {
		return errors.New("it begins with other words")
	}
	if parts[1] != strconv.Itoa(Format) {
		return fmt.Errorf("%w %q; this build reads %d", ErrFormat, parts[1], Format)
	}
	d.header = Header{Mode: parts[2], Commit: parts[3]}
	if err := d.header.validate(); err != nil {
		return err
	}
	if parts, err = d.next(2); err != nil {
		return err
	}
	n, err := number(parts[1])
	if err != nil || parts[0] != "commits" {
		return errors.New("the number of commits is due")
	}
	for i := range n {
		if parts, err = d.next(2); err != nil {
			return err
		}
		at, err := time.Parse(timeLayout, parts[1])
		if err != nil || at.Format(timeLayout) != parts[1] {
			return fmt.Errorf("%q is no time", parts[1])
		}
		c := Commit{parts[0], at}
		var last Commit
		if i > 0 {
			last = d.commits[i-1]
		}
		if err := c.after(last, i > 0); err != nil {
			return err
		}
		d.commits = append(d.commits, c)
	}
	return nil
}

func (d *Reader) file() (File, error) {
	kind, rest, err := d.cut()
	if err != nil {
		return File{}, err
	}
	f := File{Kind: Kind(kind)}
	lines, runs := 0, 0
	switch {
	case kind == "end":
		return f, d.end(rest)
	case f.Kind == Text:
		first, tail, _ := strings.Cut(rest, " ")
		second, quoted, _ := strings.Cut(tail, " ")
		var errLines, errRuns error
		lines, errLines = number(first)
		runs, errRuns = number(second)
		if err := errors.Join(errLines, errRuns); err != nil {
			return f, err
		}
		rest = quoted
	}
	if f.Path, err = strconv.Unquote(rest); err != nil || strconv.Quote(f.Path) != rest {
		return f, errors.New("no quoted path")
	}
	for range runs {
		parts, err := d.next(2)
		if err != nil {
			return f, err
		}
		n, err := number(parts[0])
		if err != nil {
			return f, err
		}
		commit, err := number(parts[1])
		if err != nil {
			return f, err
		}
		f.Runs = append(f.Runs, Run{n, commit})
	}
	if err := f.after(d.last, d.files > 0, len(d.commits)); err != nil {
		return f, err
	}
	if f.Lines() != lines {
		return f, fmt.Errorf("%q: %d lines announced, %d found", f.Path, lines, f.Lines())
	}
	d.last = f.Path
	d.files++
	return f, nil
}

// end checks the last line and returns io.EOF when everything adds up.
func (d *Reader) end(count string) error {
	if n, err := number(count); err != nil || n != d.files {
		return fmt.Errorf("%q files announced, %d found", count, d.files)
	}
	if _, err := d.r.ReadByte(); err != io.EOF {
		return errors.Join(err, errors.New("more follows after the end"))
	}
	return io.EOF
}

// next reads a line of n parts.
func (d *Reader) next(n int) ([]string, error) {
	first, rest, err := d.cut()
	if err != nil {
		return nil, err
	}
	parts := append([]string{first}, strings.Split(rest, " ")...)
	if len(parts) != n {
		return nil, fmt.Errorf("%d parts where %d are due", len(parts), n)
	}
	return parts, nil
}

// cut reads a line and parts its first word from the rest.
func (d *Reader) cut() (first, rest string, err error) {
	d.line++
	b, err := d.r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return "", "", fmt.Errorf("a line of more than %d bytes", maxLine)
	case err == io.EOF: // at the end of a line too: only "end" may come last
		return "", "", io.ErrUnexpectedEOF
	case err != nil:
		return "", "", err
	}
	first, rest, _ = strings.Cut(string(b[:len(b)-1]), " ")
	return first, rest, nil
}

// damaged marks an error of the bytes; errors of the underlying reader stay in the
// chain.
func (d *Reader) damaged(err error) error {
	return fmt.Errorf("%w: line %d: %w", ErrDamaged, d.line, err)
}

// number reads a number as the format writes it.
func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxCount || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return n, nil
}
