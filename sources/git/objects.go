package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// objectFolder is one folder of objects: loose ones, read here because go-git
// does not bound them, and packs.
type objectFolder struct {
	path  string
	packs *filesystem.ObjectStorage
}

// tooLarge is the answer to reading an object beyond the limit. Its size is the
// store's word: the content was not read.
type tooLarge struct{ size int64 }

func (e *tooLarge) Error() string { return fmt.Sprintf("object of %d bytes", e.size) }

var errMissing = errors.New("missing from the repository")

// read returns the content of an object of one type, checked against its id. It
// is valid until the next read. An object of more than limit bytes is not read:
// the error is a *tooLarge.
func (r *repository) read(id plumbing.Hash, kind plumbing.ObjectType, limit int64) ([]byte, error) {
	content, found, err := r.readAny(id, limit)
	if found != plumbing.InvalidObject && found != kind {
		return nil, fmt.Errorf("%s is a %s, not a %s", id, found, kind)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind, id, err)
	}
	return content, nil
}

// readAny reads an object of any type. The type is known where an object was
// found, even if the content is not to be had.
func (r *repository) readAny(id plumbing.Hash, limit int64) ([]byte, plumbing.ObjectType, error) {
	for _, f := range r.folders {
		kind, size, body, err := f.find(id)
		if errors.Is(err, errMissing) {
			continue
		}
		if err != nil {
			return nil, plumbing.InvalidObject, err
		}
		content, err := r.take(id, kind, size, body, limit)
		return content, kind, err
	}
	return nil, plumbing.InvalidObject, errMissing
}

// take reads and checks an object. It closes body.
func (r *repository) take(id plumbing.Hash, kind plumbing.ObjectType, size int64, body io.ReadCloser, limit int64) ([]byte, error) {
	defer body.Close()
	if size > limit {
		return nil, &tooLarge{size}
	}
	// The size is as foreign as the content: memory grows with what is there.
	buf := bytes.NewBuffer(r.buf[:0])
	n, err := io.Copy(buf, io.LimitReader(body, size+1))
	r.buf = buf.Bytes()
	if err != nil {
		return nil, err
	}
	// The hasher detects known attacks on SHA-1 and then gives another sum.
	h := plumbing.NewHasher(kind, size)
	h.Write(r.buf)
	if n != size || h.Sum() != id {
		return nil, errors.New("the stored content has another id: the repository is damaged")
	}
	return r.buf, nil
}

// find locates an object. The caller closes body.
func (f *objectFolder) find(id plumbing.Hash) (kind plumbing.ObjectType, size int64, body io.ReadCloser, err error) {
	kind, size, body, err = f.loose(id)
	if !errors.Is(err, os.ErrNotExist) {
		return kind, size, body, err
	}
	o, err := f.packs.EncodedObject(plumbing.AnyObject, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = errMissing
	}
	if err != nil {
		return 0, 0, nil, err
	}
	body, err = lazyReader(o)
	return o.Type(), o.Size(), body, err
}

// lazyReader opens an object when it is first read: of many only the size is
// asked for.
func lazyReader(o plumbing.EncodedObject) (io.ReadCloser, error) {
	if m, ok := o.(*plumbing.MemoryObject); ok {
		return m.Reader()
	}
	return &lazy{open: o.Reader}, nil
}

type lazy struct {
	open func() (io.ReadCloser, error)
	rc   io.ReadCloser
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.rc == nil {
		rc, err := l.open()
		if err != nil {
			return 0, err
		}
		l.rc = rc
	}
	return l.rc.Read(p)
}

func (l *lazy) Close() error {
	if l.rc == nil {
		return nil
	}
	return l.rc.Close()
}

const maxLooseHeader = 32 // bytes of "commit 1234" and the NUL after it

func (f *objectFolder) loose(id plumbing.Hash) (plumbing.ObjectType, int64, io.ReadCloser, error) {
	hex := id.String()
	file, err := os.Open(filepath.Join(f.path, hex[:2], hex[2:]))
	if err != nil {
		return 0, 0, nil, err
	}
	z, err := zlib.NewReader(file)
	if err != nil {
		file.Close()
		return 0, 0, nil, err
	}
	r := bufio.NewReader(z)
	kind, size, err := looseHeader(r)
	if err != nil {
		file.Close()
		return 0, 0, nil, err
	}
	return kind, size, struct {
		io.Reader
		io.Closer
	}{r, file}, nil
}

func looseHeader(r *bufio.Reader) (plumbing.ObjectType, int64, error) {
	head, err := r.Peek(maxLooseHeader)
	if err != nil && err != io.EOF {
		return 0, 0, err
	}
	end := bytes.IndexByte(head, 0)
	if end < 0 {
		return 0, 0, errors.New("malformed object header")
	}
	name, digits, _ := bytes.Cut(head[:end], []byte{' '})
	kind, kindErr := plumbing.ParseObjectType(string(name))
	size, sizeErr := strconv.ParseInt(string(digits), 10, 64)
	if kindErr != nil || sizeErr != nil || size < 0 {
		return 0, 0, errors.New("malformed object header")
	}
	_, err = r.Discard(end + 1)
	return kind, size, err
}
