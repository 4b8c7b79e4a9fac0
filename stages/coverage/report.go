package coverage

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Report is what a report of coverage says, as it says it. A function may have
// many rows: one for each object file, instance and clone.
type Report struct {
	Functions []Function
	Lines     []Line // of files without functions, or of all files
	// Negative counts numbers below 0, which are read as 0: threads lost counts.
	Negative int64
}

// Function is one row of a report about a function.
type Function struct {
	File string // as the report names it, after the folder of the compiler where it is relative to that
	Name string // as the report has it
	Line int64  // 1-based, where it begins; 0: not known
	Hits int64  // times it was entered
}

// Line is one row of a report about a line.
type Line struct {
	File string
	Line int64 // 1-based
	Hits int64
}

// maxBytes is how long a report may be, unpacked. maxRows is how many rows it may
// have. Real ones are far below.
const (
	maxBytes = 4 << 30
	maxRows  = 50_000_000
)

var errTooLong = errors.New("the report is too long")

// Read reads a report in one of the formats of recipes, packed with gzip or not.
// Errors name the report and the line or byte in it.
func Read(name, format string, r io.Reader) (*Report, error) {
	in, err := unpack(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rep := &Report{}
	switch format {
	case "lcov":
		err = rep.readLcov(in)
	case "gcov":
		err = rep.readGcov(in)
	case "llvm-cov":
		err = rep.readLLVM(in)
	default:
		err = fmt.Errorf("no format %q", format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rep, nil
}

// unpack returns the bytes of a report, up to a bound.
func unpack(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	in := io.Reader(b)
	if head, _ := b.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		in = z
	}
	return &bounded{in, maxBytes}, nil
}

// bounded is a reader that fails where there is more than it may hand on.
type bounded struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// function adds a row. hits may be any number.
func (rep *Report) function(f Function, hits float64) error {
	if len(rep.Functions) >= maxRows {
		return errTooLong
	}
	f.Hits = rep.count(hits)
	rep.Functions = append(rep.Functions, f)
	return nil
}

func (rep *Report) line(file string, line int64, hits float64) error {
	if len(rep.Lines) >= maxRows {
		return errTooLong
	}
	rep.Lines = append(rep.Lines, Line{file, line, rep.count(hits)})
	return nil
}

// count makes a count of a number. Beyond 2^53 it is not exact, nor need it be.
func (rep *Report) count(n float64) int64 {
	switch {
	case n < 0:
		rep.Negative++
		return 0
	case n >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(n)
}

// add sums up counts, up to the largest there is.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// lineNumber reads the number of a line.
func lineNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%.40q is no number of a line", s)
	}
	return n, nil
}
