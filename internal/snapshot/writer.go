package snapshot

import (
	"archive/tar"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// PAX record keys of the format.
const (
	recordKind    = "BENCHMILL.kind"
	recordBlob    = "BENCHMILL.blob"
	recordCommit  = "BENCHMILL.commit"
	recordOID     = "BENCHMILL.lfs.oid"
	recordLFSSize = "BENCHMILL.lfs.size"
	recordSize    = "BENCHMILL.size"
	recordRaw     = "BENCHMILL.rawpath"
)

type headerJSON struct {
	Format     int       `json:"format"`
	Commit     string    `json:"commit"`
	Tree       string    `json:"tree"`
	AuthorTime time.Time `json:"author_time"`
	CommitTime time.Time `json:"commit_time"`
}

type trailerJSON struct {
	Entries int       `json:"entries"`
	Skipped []Skipped `json:"skipped"`
}

// Writer writes one snapshot. It is not safe for concurrent use. After an error
// the stream is of no use.
type Writer struct {
	tw      *tar.Writer
	header  Header
	started bool
	order   order
	trailer trailerJSON
}

// NewWriter starts a snapshot. Nothing is written before the first Add or Close.
func NewWriter(w io.Writer, h Header) *Writer {
	return &Writer{tw: tar.NewWriter(w), header: h, trailer: trailerJSON{Skipped: []Skipped{}}}
}

// Add writes the next entry. Paths must ascend in byte order. content must hold
// exactly e.Size bytes where the kind has content, and is not read otherwise.
func (w *Writer) Add(e Entry, content io.Reader) error {
	if err := w.start(); err != nil {
		return err
	}
	if err := e.validate(); err != nil {
		return err
	}
	if err := w.order.next(e.Path); err != nil {
		return err
	}
	h := &tar.Header{
		Typeflag:   tar.TypeReg,
		Name:       e.Path,
		Mode:       0o644,
		Format:     tar.FormatPAX,
		PAXRecords: records(e),
	}
	switch {
	case e.Kind == Link:
		h.Typeflag, h.Linkname = tar.TypeSymlink, e.Target
	case e.Kind == Executable:
		h.Mode = 0o755
	}
	if e.Kind.HasContent() {
		h.Size = e.Size
	}
	if err := w.tw.WriteHeader(h); err != nil {
		return fmt.Errorf("%q: %w", e.Path, err)
	}
	w.trailer.Entries++
	if !e.Kind.HasContent() {
		return nil
	}
	n, err := io.Copy(w.tw, content)
	if err != nil {
		return fmt.Errorf("%q: %w", e.Path, err)
	}
	if n != e.Size {
		return fmt.Errorf("%q: content of %d bytes, %d announced", e.Path, n, e.Size)
	}
	return nil
}

func records(e Entry) map[string]string {
	r := map[string]string{recordKind: string(e.Kind)}
	switch e.Kind {
	case Submodule:
		r[recordCommit] = e.Target
	case LFS:
		r[recordOID] = e.Pointer.OID
		r[recordLFSSize] = strconv.FormatInt(e.Pointer.Size, 10)
	case Oversized:
		r[recordSize] = strconv.FormatInt(e.Size, 10)
	}
	if e.Blob != "" {
		r[recordBlob] = e.Blob
	}
	if e.RawPath != "" {
		r[recordRaw] = hex.EncodeToString([]byte(e.RawPath))
	}
	return r
}

// ErrTooManySkipped is the error of the [MaxSkipped]+1st Skip.
var ErrTooManySkipped = errors.New("too many entries cannot be represented")

// maxSkippedPath bounds the text of one skipped path in bytes.
const maxSkippedPath = 512

// Skip records that something of the tree is left out. A path beyond 512 bytes
// is recorded by its beginning and "...".
func (w *Writer) Skip(path, reason string) error {
	if len(w.trailer.Skipped) == MaxSkipped {
		return ErrTooManySkipped
	}
	path = EscapePath(path)
	if len(path) > maxSkippedPath {
		path = cut(path, maxSkippedPath) + "..."
	}
	w.trailer.Skipped = append(w.trailer.Skipped, Skipped{Path: path, Reason: reason})
	return nil
}

// cut returns at most n bytes of valid UTF-8 text without splitting a rune.
func cut(s string, n int) string {
	last := 0
	for i := range s {
		if i > n {
			break
		}
		last = i
	}
	return s[:last]
}

// Close writes the trailer. It does not close the underlying writer. A snapshot
// that was not closed is damaged.
func (w *Writer) Close() error {
	if err := w.start(); err != nil {
		return err
	}
	if err := w.writeJSON(trailerName, trailer, w.trailer); err != nil {
		return err
	}
	return w.tw.Close()
}

func (w *Writer) start() error {
	if w.started {
		return nil
	}
	w.started = true
	if err := w.header.validate(); err != nil {
		return err
	}
	return w.writeJSON(headerName, header, headerJSON{
		Format:     Format,
		Commit:     w.header.Commit,
		Tree:       w.header.Tree,
		AuthorTime: w.header.AuthorTime.UTC().Truncate(time.Second),
		CommitTime: w.header.CommitTime.UTC().Truncate(time.Second),
	})
}

func (w *Writer) writeJSON(name string, kind Kind, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b = append(b, '\n')
	err = w.tw.WriteHeader(&tar.Header{
		Typeflag:   tar.TypeReg,
		Name:       name,
		Mode:       0o644,
		Size:       int64(len(b)),
		Format:     tar.FormatPAX,
		PAXRecords: map[string]string{recordKind: string(kind)},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = w.tw.Write(b)
	return err
}
