package review

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Columns that every sheet has: the first, and the last three.
const (
	ColumnID       = "id"
	ColumnVerdict  = "verdict"
	ColumnReviewer = "reviewer"
	ColumnNote     = "note"
)

var last = []string{ColumnVerdict, ColumnReviewer, ColumnNote}

// Verdict is a person's word on a row.
type Verdict string

const (
	None   Verdict = "" // nobody has looked
	Accept Verdict = "accept"
	Reject Verdict = "reject"
)

// Sheet is a table for reviewers: the column id, columns to judge by, and the
// columns verdict, reviewer and note, which reviewers fill in.
type Sheet struct {
	Columns []string
	Rows    [][]string // as many cells each as there are columns

	lines []int // where a row that was read begins
}

// NewSheet is a sheet without rows that shows the given columns.
func NewSheet(shown ...string) *Sheet {
	return &Sheet{Columns: slices.Concat([]string{ColumnID}, shown, last)}
}

// Add adds a row nobody has judged; shown are its cells between id and verdict.
func (s *Sheet) Add(id string, shown ...string) {
	s.Rows = append(s.Rows, slices.Concat([]string{id}, shown, make([]string, len(last))))
}

// Write writes the sheet as CSV: the same sheet, the same bytes. A cell that a
// spreadsheet could take for a formula gets an apostrophe in front, as does one
// that begins with an apostrophe; [Read] takes it off. Line breaks become "\n",
// what is no UTF-8 becomes U+FFFD. It fails on a sheet that Read would refuse.
func (s *Sheet) Write() ([]byte, error) {
	if err := checkColumns(s.Columns); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for i, row := range append([][]string{s.Columns}, s.Rows...) {
		if len(row) != len(s.Columns) {
			return nil, fmt.Errorf("row %d of a sheet has %d cells, not %d", i, len(row), len(s.Columns))
		}
		for j, cell := range row {
			if j > 0 {
				b.WriteByte(',')
			}
			writeCell(&b, cell)
		}
		b.WriteByte('\n')
	}
	// Whoever gave two rows one id learns of it here and not from a reviewer.
	if _, err := Read("sheet", b.Bytes()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeCell and the page's script write the same bytes; a test compares them.
func writeCell(b *bytes.Buffer, cell string) {
	cell = lineEnd.ReplaceAllString(strings.ToValidUTF8(cell, "\uFFFD"), "\n")
	if defused(cell) {
		cell = "'" + cell
	}
	if strings.IndexFunc(cell, special) < 0 {
		b.WriteString(cell)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(cell, `"`, `""`))
	b.WriteByte('"')
}

var lineEnd = regexp.MustCompile(`\r+\n`)

// special are the characters that have a cell put into quotes: all but those
// that no program makes anything of.
func special(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:#", r)
	return !plain
}

// defused reports whether a cell gets an apostrophe in front.
func defused(cell string) bool {
	return cell != "" && strings.ContainsRune("=+-@\t\r\n'", rune(cell[0]))
}

// most is how many mistakes of a sheet are told at a time.
const most = 20

// Read reads a sheet; name stands in errors, which are joined: all mistakes are
// told, each as name:line. What spreadsheets do to a file is undone: a byte order
// mark, line ends, semicolons or tabs for commas, empty lines, verdicts in
// capitals or with spaces around them. One reviewer may judge a row once; several
// reviewers may judge the same row, each on a line of their own.
func Read(name string, data []byte) (*Sheet, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if at := invalidUTF8(data); at >= 0 {
		return nil, fmt.Errorf("%s:%d: not UTF-8; save the sheet as CSV in UTF-8", name, 1+bytes.Count(data[:at], []byte("\n")))
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.Comma = separator(string(data))
	s := &Sheet{}
	var errs []error
	judged := map[[2]string]int{}
	for len(errs) < most {
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			return nil, fmt.Errorf("%s:%d: %w", name, broken.Line, broken.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(format, args...)))
		}
		for i, cell := range cells {
			if strings.HasPrefix(cell, "'") && defused(cell[1:]) {
				cells[i] = cell[1:]
			}
		}
		switch {
		case s.Columns == nil:
			if err := checkColumns(cells); err != nil {
				fail("%v", err)
				return nil, errs[0]
			}
			s.Columns = cells
			continue
		case !slices.ContainsFunc(cells, func(c string) bool { return c != "" }):
			continue
		case len(cells) != len(s.Columns):
			fail("%d cells where the heading has %d", len(cells), len(s.Columns))
			continue
		}
		verdict := &cells[len(cells)-3]
		*verdict = strings.ToLower(strings.TrimSpace(*verdict))
		reviewer := strings.TrimSpace(cells[len(cells)-2])
		cells[len(cells)-2] = reviewer
		switch v := Verdict(*verdict); {
		case cells[0] == "":
			fail("no id")
		case v != None && v != Accept && v != Reject:
			fail("verdict %q of %s; a verdict is %s, %s or empty", v, cells[0], Accept, Reject)
		case judged[[2]string{cells[0], reviewer}] > 0:
			fail("%s stands on line %d already%s", cells[0], judged[[2]string{cells[0], reviewer}], of(reviewer))
		}
		judged[[2]string{cells[0], reviewer}] = line
		s.Rows, s.lines = append(s.Rows, cells), append(s.lines, line)
	}
	if s.Columns == nil && errs == nil {
		return nil, fmt.Errorf("%s:1: empty; a sheet begins with a heading", name)
	}
	return s, errors.Join(errs...)
}

func of(reviewer string) string {
	if reviewer == "" {
		return ", without a reviewer to tell them apart"
	}
	return ", judged by " + reviewer
}

func checkColumns(columns []string) error {
	n := len(columns)
	if n < 4 || columns[0] != ColumnID || !slices.Equal(columns[n-3:], last) {
		return fmt.Errorf("the heading of a sheet begins with %s and ends with %s", ColumnID, strings.Join(last, ", "))
	}
	for i, c := range columns {
		if c == "" || slices.Contains(columns[:i], c) {
			return fmt.Errorf("column %d of the heading is %q: empty or not the first of that name", i+1, c)
		}
	}
	return nil
}

// separator guesses it from the heading, whose first cell is known.
func separator(data string) rune {
	rest := strings.TrimPrefix(data, `"`)
	if rest, ok := strings.CutPrefix(rest, ColumnID); ok {
		rest = strings.TrimPrefix(rest, `"`)
		if rest != "" && (rest[0] == ';' || rest[0] == '\t') {
			return rune(rest[0])
		}
	}
	return ','
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
