// Package artifacts keeps what the pipeline makes: a content-addressed [Store],
// Parquet in and out, and releases with their manifests.
package artifacts

import (
	"context"
	"errors"
	"io"

	"benchmill/internal/digest"
)

// Store holds immutable objects under the digest of their bytes. It is safe for
// concurrent use, also by several processes.
type Store interface {
	// Create starts a new object. Nothing shows before Commit.
	Create(ctx context.Context) (Writer, error)
	// Open returns an object whose bytes were checked against d. A missing
	// object is [ErrNotFound]; one whose bytes changed is [ErrDamaged], is moved
	// out of the way, and is never served.
	Open(ctx context.Context, d digest.Digest) (Object, error)
	// Stat returns the size of an object in bytes without reading it, or
	// [ErrNotFound]. It says nothing about damage.
	Stat(ctx context.Context, d digest.Digest) (int64, error)
	// Remove deletes an object; a missing one is no error.
	Remove(ctx context.Context, d digest.Digest) error
	// Walk calls yield for every object, in ascending order of digest.
	Walk(ctx context.Context, yield func(d digest.Digest, size int64) error) error
}

// Writer takes the bytes of one object.
type Writer interface {
	io.Writer
	// Commit makes the object durable and visible and returns its digest. An
	// object that is already there is not written twice.
	Commit() (digest.Digest, error)
	// Discard drops what was written. After Commit it does nothing, so that it
	// can stand in a defer.
	Discard() error
}

// Object is an open object.
type Object interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Errors of a store; test with errors.Is.
var (
	ErrNotFound = errors.New("object not found")
	ErrDamaged  = errors.New("object is damaged")
	ErrNewer    = errors.New("store was written by a newer version of benchmill")
	ErrReadOnly = errors.New("store is read-only")
	ErrFull     = errors.New("no space left for the store")
)
