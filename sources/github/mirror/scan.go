package mirror

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// scan reads entries up to the first that is not whole, and returns where that
// is. With verify every byte is checked, without it only that headers are legible.
func scan(file io.Reader, kind string, verify bool) (entries []stored, end int64, err error) {
	r := bufio.NewReaderSize(file, 64<<10)
	line, err := readLine(r, 256)
	if err != nil {
		return nil, 0, ignoreTorn(err)
	}
	var version int
	var of string
	if _, err := fmt.Sscanf(line, "benchmill mirror %d %s", &version, &of); err == nil && version > format {
		return nil, 0, fmt.Errorf("format %d is newer than this program, which knows up to %d", version, format)
	}
	if line+"\n" != firstLine(kind) {
		return nil, 0, nil
	}
	for end = int64(len(line)) + 1; ; {
		s, size, err := scanEntry(r, verify)
		if err != nil {
			return entries, end, ignoreTorn(err)
		}
		end += size
		s.at = end - s.Size
		entries = append(entries, s)
	}
}

// scanEntry reads one entry and returns its size with everything.
func scanEntry(r *bufio.Reader, verify bool) (s stored, size int64, err error) {
	line, err := readLine(r, sumLength+1+maxHeader)
	if err != nil {
		return s, 0, err
	}
	sum, header, ok := strings.Cut(line, " ")
	if !ok || len(sum) != sumLength || json.Unmarshal([]byte(header), &s.entry) != nil || s.Size < 0 || s.Size > maxBody {
		return s, 0, errTorn
	}
	size = int64(len(line)) + 1 + s.Size
	if !verify {
		_, err := r.Discard(int(s.Size))
		return s, size, err
	}
	h := sha256.New()
	io.WriteString(h, header+"\n")
	if _, err := io.CopyN(h, r, s.Size); err != nil {
		return s, 0, err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return s, 0, errTorn
	}
	return s, size, nil
}

var errTorn = errors.New("damaged")

// ignoreTorn is nil for what only says that a log ends here.
func ignoreTorn(err error) error {
	if errors.Is(err, errTorn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// readLine reads a line of at most limit bytes, without its end.
func readLine(r *bufio.Reader, limit int) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return "", errTorn
		case err == nil:
			return string(line[:len(line)-1]), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}
