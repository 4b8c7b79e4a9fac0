package mirror

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"benchmill/internal/atomicfile"
	"benchmill/pipeline"
)

// format is the version of the logs. Newer ones are refused.
const format = 1

const (
	maxHeader = 1 << 20   // bytes of an entry's header
	maxBody   = 256 << 20 // bytes of a body, packed or not
	sumLength = 2 * sha256.Size
)

// log is one append-only file of entries, see the package comment. It is used by
// one goroutine, under the repository's lock.
type log struct {
	path    string
	kind    string
	file    *os.File
	end     int64 // where the next entry begins; 0 where the first line is missing as well
	entries []stored
	written bool // since it was opened

	unpacker gzip.Reader
	unpacked bytes.Buffer
}

// stored is an entry and where its packed body lies.
type stored struct {
	entry
	at int64
}

// openLog opens the log of a kind, made where it is missing, and goes through its
// entries. A damaged end is cut off.
func openLog(dir, kind string, say *slog.Logger) (*log, error) {
	l := &log{path: filepath.Join(dir, kind+".log"), kind: kind}
	var err error
	if l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, diskError(err)
	}
	if l.entries, l.end, err = scan(l.file, kind, true); err != nil {
		err = fmt.Errorf("%s: %w", l.path, err)
	} else {
		err = l.cut(say)
	}
	if err != nil {
		l.file.Close()
		return nil, diskError(err)
	}
	return l, nil
}

// cut removes what follows the last whole entry.
func (l *log) cut(say *slog.Logger) error {
	info, err := l.file.Stat()
	if err != nil || info.Size() == l.end {
		return err
	}
	say.Warn("the end of a log is damaged and will be asked for again", "log", l.path, "bytes", info.Size()-l.end)
	return l.file.Truncate(l.end)
}

// Close flushes the log to the disk. Until then a power cut, but no kill, can lose
// entries: those are asked for again.
func (l *log) Close() error {
	var err error
	if l.written {
		err = l.file.Sync()
	}
	return diskError(errors.Join(err, l.file.Close()))
}

func firstLine(kind string) string { return fmt.Sprintf("benchmill mirror %d %s\n", format, kind) }

// append adds an entry and its body, whole or not at all.
func (l *log) append(e entry, body []byte) error {
	frame, err := pack(&e, body)
	if err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	if l.end == 0 {
		frame = append([]byte(firstLine(l.kind)), frame...)
	}
	l.written = true
	if _, err := l.file.WriteAt(frame, l.end); err != nil {
		return diskError(fmt.Errorf("%s: %w", l.path, err)) // what was written is cut off when the log is opened next
	}
	l.end += int64(len(frame))
	l.entries = append(l.entries, stored{e, l.end - e.Size})
	return nil
}

// pack is an entry as it lies in the log. It sets e.Size.
func pack(e *entry, body []byte) ([]byte, error) {
	packed, err := compress(body)
	if err != nil {
		return nil, err
	}
	e.Size = int64(len(packed))
	header, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	if len(header) > maxHeader || len(packed) > maxBody || len(body) > maxBody {
		return nil, errors.New("an answer is too large to be stored")
	}
	rest := append(append(header, '\n'), packed...)
	sum := sha256.Sum256(rest)
	return append(append(hex.AppendEncode(nil, sum[:]), ' '), rest...), nil
}

// packers are kept because each has close to a megabyte of tables.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return z
}}

func compress(body []byte) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	var packed bytes.Buffer
	z.Reset(&packed)
	if _, err := z.Write(body); err != nil {
		return nil, err
	}
	err := z.Close()
	return packed.Bytes(), err
}

// body is the answer of an entry, good until the next call.
func (l *log) body(s stored) ([]byte, error) {
	packed := bufio.NewReader(io.NewSectionReader(l.file, s.at, s.Size))
	l.unpacked.Reset()
	err := l.unpacker.Reset(packed)
	if err == nil {
		_, err = l.unpacked.ReadFrom(io.LimitReader(&l.unpacker, maxBody+1))
	}
	if err == nil && l.unpacked.Len() > maxBody {
		err = errors.New("an answer is too large")
	}
	if err != nil {
		return nil, fmt.Errorf("%s, byte %d: %w", l.path, s.at, err)
	}
	return l.unpacked.Bytes(), nil
}

// diskError marks as fatal what every other repository would meet as well.
func diskError(err error) error {
	err = atomicfile.Explain(err)
	for _, why := range []error{atomicfile.ErrFull, atomicfile.ErrQuota, atomicfile.ErrReadOnly, atomicfile.ErrPermission} {
		if errors.Is(err, why) {
			return pipeline.Mark(err, pipeline.Fatal)
		}
	}
	return err
}
