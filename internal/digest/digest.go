// Package digest is the one place where bytes become identities.
//
// Every digest in benchmill is made by an [Encoder]: a domain string in front,
// then values that each carry a type tag and a length, so that no two different
// sequences of values share an encoding. The hash is SHA-256.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"strings"
)

// Digest is "sha256:" followed by 64 lower-case hexadecimal digits.
// The zero value means "no digest".
type Digest string

const prefix = "sha256:"

// Hex returns the hexadecimal digits without the algorithm.
func (d Digest) Hex() string { return strings.TrimPrefix(string(d), prefix) }

// Short returns the first 12 hexadecimal digits, for people.
func (d Digest) Short() string {
	h := d.Hex()
	if len(h) > 12 {
		return h[:12]
	}
	return h
}

// Parse checks the form of s.
func Parse(s string) (Digest, error) {
	h, ok := strings.CutPrefix(s, prefix)
	if !ok || len(h) != 2*sha256.Size || strings.ToLower(h) != h {
		return "", fmt.Errorf("%q is not a digest of the form sha256:<64 hexadecimal digits>", s)
	}
	if _, err := hex.DecodeString(h); err != nil {
		return "", fmt.Errorf("%q is not a digest: %w", s, err)
	}
	return Digest(s), nil
}

// Of is the digest of raw bytes, without a domain: what sha256sum prints.
func Of(b []byte) Digest {
	s := sha256.Sum256(b)
	return fromSum(s[:])
}

// OfReader is [Of] over a stream, with the number of bytes read.
func OfReader(r io.Reader) (Digest, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, r)
	if err != nil {
		return "", n, err
	}
	return fromSum(h.Sum(nil)), n, nil
}

func fromSum(sum []byte) Digest { return Digest(prefix + hex.EncodeToString(sum)) }

// ErrMismatch reports bytes that are not what their digest says.
var ErrMismatch = errors.New("content does not match its digest")

// Hasher computes [Of] over what is written to it.
type Hasher struct{ h hash.Hash }

// NewHasher returns an empty Hasher.
func NewHasher() *Hasher { return &Hasher{sha256.New()} }

func (h *Hasher) Write(p []byte) (int, error) { return h.h.Write(p) }

// Digest is the digest of everything written so far.
func (h *Hasher) Digest() Digest { return fromSum(h.h.Sum(nil)) }

// Type tags of the encoding. Their values are part of every key: append only.
const (
	tagDomain byte = iota + 1
	tagString
	tagInt
	tagBool
	tagFloat
	tagList
	tagStruct
	tagField
	tagNull
	tagRow
)

// Encoder builds the digest of a sequence of typed values.
// It is not safe for concurrent use.
type Encoder struct {
	h   hash.Hash
	buf []byte
}

// New starts an encoding in a domain. The domain names what is hashed and the
// version of how ("benchmill/key/1"); it comes first in the hash.
func New(domain string) *Encoder {
	e := &Encoder{h: sha256.New(), buf: make([]byte, 0, 8192)}
	e.text(tagDomain, domain)
	return e
}

func (e *Encoder) flush() {
	e.h.Write(e.buf)
	e.buf = e.buf[:0]
}

func (e *Encoder) head(tag byte, n uint64) {
	if len(e.buf) > 4096 {
		e.flush()
	}
	e.buf = append(e.buf, tag)
	e.buf = binary.BigEndian.AppendUint64(e.buf, n)
}

func (e *Encoder) text(tag byte, s string) {
	e.head(tag, uint64(len(s)))
	if len(s) > 4096 {
		e.flush()
		io.WriteString(e.h, s)
		return
	}
	e.buf = append(e.buf, s...)
}

// String adds a string; bytes are hashed as they are, without a claim of UTF-8.
func (e *Encoder) String(s string) { e.text(tagString, s) }

// Int adds an integer.
func (e *Encoder) Int(n int64) { e.head(tagInt, uint64(n)) }

// Bool adds a truth value.
func (e *Encoder) Bool(b bool) {
	var n uint64
	if b {
		n = 1
	}
	e.head(tagBool, n)
}

// Float adds a number by its bits; every NaN is the same NaN and -0 is 0.
func (e *Encoder) Float(f float64) {
	switch {
	case f != f:
		f = math.NaN()
	case f == 0:
		f = 0
	}
	e.head(tagFloat, math.Float64bits(f))
}

// List announces n values that follow.
func (e *Encoder) List(n int) { e.head(tagList, uint64(n)) }

// Struct announces n fields that follow, each a [Encoder.Field] and a value.
func (e *Encoder) Struct(n int) { e.head(tagStruct, uint64(n)) }

// Field names the value that follows.
func (e *Encoder) Field(name string) { e.text(tagField, name) }

// Null adds an absent value.
func (e *Encoder) Null() { e.head(tagNull, 0) }

// Row marks the start of a table row of n columns.
func (e *Encoder) Row(n int) { e.head(tagRow, uint64(n)) }

// Digest adds another digest.
func (e *Encoder) Digest(d Digest) { e.String(string(d)) }

// Sum is the digest of everything added so far.
func (e *Encoder) Sum() Digest {
	e.flush()
	return fromSum(e.h.Sum(nil))
}
