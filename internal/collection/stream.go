package collection

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Writer writes a collection. A missing Close leaves it cut off, which readers
// notice.
type Writer struct {
	w       *bufio.Writer
	e       *json.Encoder
	records int64
	err     error
}

// NewWriter writes the header. Format is filled in.
func NewWriter(w io.Writer, h Header) *Writer {
	out := &Writer{w: bufio.NewWriter(w)}
	out.e = json.NewEncoder(out.w)
	out.e.SetEscapeHTML(false)
	h.Format = Format
	out.err = out.e.Encode(h)
	return out
}

// Write adds a record. The caller keeps the order.
func (w *Writer) Write(r Record) error {
	if w.err == nil {
		w.records++
		w.err = w.e.Encode(r)
	}
	return w.err
}

// Close writes the end; it does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = w.e.Encode(struct {
			End End `json:"end"`
		}{End{w.records}})
	}
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.err
}

// maxLine bounds one record. A text in GitHub's API has at most 65,536
// characters; the rest is room for lists.
const maxLine = 64 << 20

// Reader reads a collection.
type Reader struct {
	Header Header
	lines  *bufio.Scanner
	line   int
	read   int64
	done   bool
}

// NewReader reads the header and refuses another kind.
func NewReader(r io.Reader, kind string) (*Reader, error) {
	out := &Reader{lines: bufio.NewScanner(r)}
	out.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	data, err := out.next()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &out.Header); err != nil {
		return nil, out.fail(err)
	}
	switch h := out.Header; {
	case h.Format < 1 || h.Format > Format:
		return nil, out.fail(fmt.Errorf("format %d is not known (up to %d)", h.Format, Format))
	case h.Kind != kind:
		return nil, out.fail(fmt.Errorf("a collection of %q, not of %q", h.Kind, kind))
	}
	return out, nil
}

// Next is the next record; io.EOF after the last. A collection that was cut off
// is io.ErrUnexpectedEOF.
func (r *Reader) Next() (Record, error) {
	if r.done {
		return Record{}, io.EOF
	}
	data, err := r.next()
	if err != nil {
		return Record{}, err
	}
	var line struct {
		Record
		End *End `json:"end"`
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return Record{}, r.fail(err)
	}
	if n := line.Record.fields(); n > 1 || (n == 1) != (line.End == nil) {
		return Record{}, r.fail(fmt.Errorf("%d records on one line", n))
	}
	if line.End == nil {
		r.read++
		return line.Record, nil
	}
	r.done = true
	if line.End.Records != r.read {
		return Record{}, r.fail(fmt.Errorf("%d records, and the end says %d", r.read, line.End.Records))
	}
	if r.lines.Scan() {
		return Record{}, r.fail(errors.New("something after the end"))
	}
	if err := r.lines.Err(); err != nil { // too long a line, or what a store found at its end
		return Record{}, r.fail(err)
	}
	return Record{}, io.EOF
}

func (r *Reader) next() ([]byte, error) {
	r.line++
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return nil, r.fail(err)
		}
		return nil, r.fail(io.ErrUnexpectedEOF)
	}
	return r.lines.Bytes(), nil
}

func (r *Reader) fail(err error) error {
	return fmt.Errorf("line %d of the collection: %w", r.line, err)
}
