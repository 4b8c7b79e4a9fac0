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

// Reader reads one snapshot. It believes nothing: every rule of the format is
// checked, and memory is bounded whatever the bytes say. It does not check that
// contents match their blob ids; a content-addressed store does. It is not safe
// for concurrent use.
type Reader struct {
	tr      *tar.Reader
	header  Header
	order   order
	entries int
	skipped []Skipped
	err     error // what every further Next returns
}

// NewReader reads the header of a snapshot.
func NewReader(r io.Reader) (*Reader, error) {
	sr := &Reader{tr: tar.NewReader(r)}
	hdr, err := sr.tr.Next()
	if err != nil {
		return nil, sr.damaged("no header", err)
	}
	if err := checkMeta(hdr, headerName, header); err != nil {
		return nil, sr.damaged("", err)
	}
	var h headerJSON
	if err := sr.readJSON(hdr, &h); err != nil {
		return nil, sr.damaged(headerName, err)
	}
	if h.Format != Format {
		return nil, fmt.Errorf("%w %d; this build reads %d", ErrFormat, h.Format, Format)
	}
	sr.header = Header{Commit: h.Commit, Tree: h.Tree, AuthorTime: whole(h.AuthorTime), CommitTime: whole(h.CommitTime)}
	if err := sr.header.validate(); err != nil {
		return nil, sr.damaged(headerName, err)
	}
	return sr, nil
}

func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Header says what was snapped.
func (r *Reader) Header() Header { return r.header }

// Next returns the next entry and its content, which is empty where the kind
// has none and is valid until the next call. At the end of a whole snapshot the
// error is io.EOF; any other wraps [ErrDamaged] or comes from the underlying
// reader. Content that is cut short ends in io.ErrUnexpectedEOF.
func (r *Reader) Next() (Entry, io.Reader, error) {
	if r.err != nil {
		return Entry{}, nil, r.err
	}
	e, err := r.next()
	if err != nil {
		r.err = err
		return Entry{}, nil, err
	}
	return e, r.tr, nil
}

// Skipped lists what the tree holds and the snapshot does not. It is known
// after Next returned io.EOF.
func (r *Reader) Skipped() []Skipped { return r.skipped }

func (r *Reader) next() (Entry, error) {
	hdr, err := r.tr.Next()
	if err != nil {
		return Entry{}, r.damaged("no trailer", err)
	}
	if Kind(hdr.PAXRecords[recordKind]) == trailer {
		return Entry{}, r.end(hdr)
	}
	e, err := entry(hdr)
	if err != nil {
		return Entry{}, r.damaged("", err)
	}
	if err := r.order.next(e.Path); err != nil {
		return Entry{}, r.damaged("", err)
	}
	r.entries++
	return e, nil
}

// end reads the trailer and returns io.EOF when everything adds up.
func (r *Reader) end(hdr *tar.Header) error {
	if err := checkMeta(hdr, trailerName, trailer); err != nil {
		return r.damaged("", err)
	}
	var t trailerJSON
	if err := r.readJSON(hdr, &t); err != nil {
		return r.damaged(trailerName, err)
	}
	if t.Entries != r.entries || len(t.Skipped) > MaxSkipped {
		return r.damaged(trailerName, fmt.Errorf("%d entries announced, %d found; %d skipped", t.Entries, r.entries, len(t.Skipped)))
	}
	if _, err := r.tr.Next(); err != io.EOF {
		return r.damaged("after the trailer", errors.Join(err, errors.New("more follows")))
	}
	r.skipped = t.Skipped
	return io.EOF
}

// damaged marks an error of the bytes. The end of the stream is one, wherever
// it is not expected; errors of the underlying reader stay in the chain.
func (r *Reader) damaged(where string, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if where != "" {
		err = fmt.Errorf("%s: %w", where, err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

func (r *Reader) readJSON(hdr *tar.Header, v any) error {
	if hdr.Size > maxJSON {
		return fmt.Errorf("%d bytes of JSON", hdr.Size)
	}
	b, err := io.ReadAll(io.LimitReader(r.tr, hdr.Size))
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// checkMeta checks the header of a snapshot's own file.
func checkMeta(hdr *tar.Header, name string, kind Kind) error {
	if hdr.Typeflag != tar.TypeReg || hdr.Name != name || Kind(hdr.PAXRecords[recordKind]) != kind {
		return fmt.Errorf("%q stands where %s is due", hdr.Name, name)
	}
	return nil
}

// known lists the PAX records an entry may carry; tar gives others a meaning of
// its own (sparse files, owners, times) that the format does not have.
var known = map[string]bool{
	"path": true, "linkpath": true, "size": true,
	recordKind: true, recordBlob: true, recordCommit: true,
	recordOID: true, recordLFSSize: true, recordSize: true, recordRaw: true,
}

// entry reads an entry from its tar header.
func entry(hdr *tar.Header) (Entry, error) {
	for key := range hdr.PAXRecords {
		if !known[key] {
			return Entry{}, fmt.Errorf("%q: a record of another format", hdr.Name)
		}
	}
	e := Entry{
		Path: hdr.Name,
		Kind: Kind(hdr.PAXRecords[recordKind]),
		Blob: hdr.PAXRecords[recordBlob],
		Size: hdr.Size,
	}
	var sizeErr, lfsErr, rawErr error
	typeflag, size := byte(tar.TypeReg), hdr.Size
	switch e.Kind {
	case Link:
		typeflag, size = tar.TypeSymlink, 0
		e.Target, e.Size = hdr.Linkname, int64(len(hdr.Linkname))
	case Submodule:
		size = 0
		e.Target = hdr.PAXRecords[recordCommit]
	case Oversized:
		size = 0
		e.Size, sizeErr = strconv.ParseInt(hdr.PAXRecords[recordSize], 10, 64)
	case LFS:
		e.Pointer.OID = hdr.PAXRecords[recordOID]
		e.Pointer.Size, lfsErr = strconv.ParseInt(hdr.PAXRecords[recordLFSSize], 10, 64)
	}
	if hdr.Typeflag != typeflag || hdr.Size != size || hdr.Linkname != "" && e.Kind != Link {
		return Entry{}, fmt.Errorf("%q: a tar entry of type %q and %d bytes is no %s", hdr.Name, hdr.Typeflag, hdr.Size, e.Kind)
	}
	if raw, ok := hdr.PAXRecords[recordRaw]; ok {
		var b []byte
		b, rawErr = hex.DecodeString(raw)
		e.RawPath = string(b)
	}
	return e, errors.Join(sizeErr, lfsErr, rawErr, e.validate())
}
