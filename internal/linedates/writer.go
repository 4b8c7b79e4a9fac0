package linedates

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Writer writes one document. It is not safe for concurrent use. After an error the
// stream is of no use.
type Writer struct {
	w       *bufio.Writer
	commits int
	files   int
	last    string
	line    []byte
}

// NewWriter starts a document with its commits, which ascend by id.
func NewWriter(w io.Writer, h Header, commits []Commit) (*Writer, error) {
	if err := h.validate(); err != nil {
		return nil, err
	}
	if len(commits) > maxCount {
		return nil, fmt.Errorf("%d commits", len(commits))
	}
	out := &Writer{w: bufio.NewWriter(w), commits: len(commits)}
	fmt.Fprintf(out.w, "%s %d %s %s\ncommits %d\n", magic, Format, h.Mode, h.Commit, len(commits))
	var last Commit
	for i, c := range commits {
		if err := c.after(last, i > 0); err != nil {
			return nil, err
		}
		fmt.Fprintf(out.w, "%s %s\n", c.ID, c.Time.UTC().Format(timeLayout))
		last = c
	}
	return out, nil
}

// Add writes the next file. Paths ascend in byte order.
func (w *Writer) Add(f File) error {
	if err := f.after(w.last, w.files > 0, w.commits); err != nil {
		return err
	}
	w.last = f.Path
	w.files++
	b := append(w.line[:0], f.Kind...)
	if f.Kind == Text {
		b = strconv.AppendInt(append(b, ' '), int64(f.Lines()), 10)
		b = strconv.AppendInt(append(b, ' '), int64(len(f.Runs)), 10)
	}
	b = append(strconv.AppendQuote(append(b, ' '), f.Path), '\n')
	for _, r := range f.Runs {
		b = strconv.AppendInt(b, int64(r.Lines), 10)
		b = strconv.AppendInt(append(b, ' '), int64(r.Commit), 10)
		b = append(b, '\n')
	}
	w.line = b
	_, err := w.w.Write(b)
	return err
}

// Close writes the end. It does not close the underlying writer. A document that was
// not closed is damaged.
func (w *Writer) Close() error {
	fmt.Fprintf(w.w, "end %d\n", w.files)
	return w.w.Flush() // and with it any error before
}
