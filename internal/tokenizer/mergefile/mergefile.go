// Package mergefile reads and writes the vocabulary of a byte-level BPE
// tokenizer as the list of its merges.
//
// The file is a gzip stream of
//
//	the line "benchmill merges 1"
//	one line of text: where the vocabulary comes from
//	for each merge, in order: its left and right token, both unsigned varints
//
// Tokens 0 to 255 are the bytes; merge i makes token 256+i of two earlier ones.
// Nothing else is stored: the bytes of a token follow from its merge.
package mergefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

const magic = "benchmill merges 1"

// Merge is the pair of tokens that become one.
type Merge struct{ Left, Right int32 }

// File is a vocabulary.
type File struct {
	Origin string // one line: the corpus and the programs it was trained with
	Merges []Merge
}

// Bounds of what Read accepts.
const (
	maxMerges = 1 << 18
	maxOrigin = 4096
)

// Canonical returns the bytes inside the compression, which are the same for
// the same vocabulary whatever compressed them.
func (f File) Canonical() []byte {
	out := []byte(magic + "\n" + f.Origin + "\n")
	for _, m := range f.Merges {
		out = binary.AppendUvarint(out, uint64(m.Left))
		out = binary.AppendUvarint(out, uint64(m.Right))
	}
	return out
}

// Write writes the file. It fails on merges that Read would refuse.
func Write(w io.Writer, f File) error {
	if strings.Contains(f.Origin, "\n") || len(f.Origin) > maxOrigin {
		return errors.New("write merges: the origin is not one line")
	}
	if err := check(f.Merges); err != nil {
		return fmt.Errorf("write merges: %w", err)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(f.Canonical()); err != nil {
		return err
	}
	return z.Close()
}

// Read reads a file and checks that every merge joins two tokens made before it
// and that no pair is there twice.
func Read(data []byte) (File, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return File{}, fmt.Errorf("read merges: %w", err)
	}
	// A merge is at most two varints of three bytes each.
	limit := int64(len(magic) + maxOrigin + 2 + 6*maxMerges)
	r := bufio.NewReader(io.LimitReader(z, limit))
	var f File
	head, err := r.ReadString('\n')
	if err != nil || head != magic+"\n" {
		return File{}, fmt.Errorf("read merges: the first line is not %q", magic)
	}
	if f.Origin, err = r.ReadString('\n'); err != nil || len(f.Origin) > maxOrigin+1 {
		return File{}, errors.New("read merges: no line of origin")
	}
	f.Origin = strings.TrimSuffix(f.Origin, "\n")
	for {
		left, err := binary.ReadUvarint(r)
		if err == io.EOF {
			break
		}
		right, err2 := binary.ReadUvarint(r)
		if err := errors.Join(err, err2); err != nil {
			return File{}, fmt.Errorf("read merges: merge %d: %w", len(f.Merges), err)
		}
		if len(f.Merges) == maxMerges || left >= maxMerges+256 || right >= maxMerges+256 {
			return File{}, fmt.Errorf("read merges: merge %d: more than %d merges", len(f.Merges), maxMerges)
		}
		f.Merges = append(f.Merges, Merge{int32(left), int32(right)})
	}
	if err := check(f.Merges); err != nil {
		return File{}, fmt.Errorf("read merges: %w", err)
	}
	return f, nil
}

func check(merges []Merge) error {
	if len(merges) > maxMerges {
		return fmt.Errorf("more than %d merges", maxMerges)
	}
	seen := make(map[Merge]bool, len(merges))
	for i, m := range merges {
		if made := int32(256 + i); m.Left < 0 || m.Right < 0 || m.Left >= made || m.Right >= made {
			return fmt.Errorf("merge %d joins a token that is not made yet", i)
		}
		if seen[m] {
			return fmt.Errorf("merge %d is there twice", i)
		}
		seen[m] = true
	}
	return nil
}
