package coverage

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// maxLine is how long a line of an lcov report may be: templates have long names.
const maxLine = 4 << 20

// readLcov reads lcov's .info: lines of "KEY:fields", in records that begin with
// SF:file and end with end_of_record. Functions come as FN and FNDA, by name, or
// as FNL and FNA, by number.
func (rep *Report) readLcov(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	var rec *record
	n := 0
	for s.Scan() {
		n++
		key, rest, _ := strings.Cut(strings.TrimSpace(s.Text()), ":")
		var err error
		switch {
		case key == "SF":
			if rec != nil {
				err = fmt.Errorf("SF before the end of the record of %s", rec.file)
			}
			rec = &record{file: rest, starts: map[string]int64{}, numbers: map[string]int64{}}
		case key == "end_of_record":
			if rec == nil {
				err = fmt.Errorf("end of no record")
			} else {
				err = rec.end(rep)
			}
			rec = nil
		case key == "FN" || key == "FNDA" || key == "FNL" || key == "FNA" || key == "DA":
			if rec == nil {
				err = fmt.Errorf("%s before SF", key)
			} else {
				err = rec.add(rep, key, rest)
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	if rec != nil {
		return fmt.Errorf("line %d: the record of %s has no end", n, rec.file)
	}
	return nil
}

// record is what one record says.
type record struct {
	file      string
	starts    map[string]int64 // line by name
	numbers   map[string]int64 // line by number
	functions int              // rows with hits
	lines     []Line
}

// add takes one line. Fields that newer versions append are passed over.
func (r *record) add(rep *Report, key, rest string) error {
	first, rest, found := strings.Cut(rest, ",")
	if !found {
		return fmt.Errorf("%s without a second field", key)
	}
	switch key {
	case "FN": // line[,last line],name
		line, err := lineNumber(first)
		if end, name, ok := strings.Cut(rest, ","); ok {
			if _, err := lineNumber(end); err == nil {
				rest = name
			}
		}
		r.starts[rest] = line
		return err
	case "FNDA": // hits,name
		hits, err := number(first)
		if err != nil {
			return err
		}
		r.functions++
		return rep.function(Function{File: r.file, Name: rest, Line: r.starts[rest]}, hits)
	case "FNL": // number,line[,last line]
		rest, _, _ = strings.Cut(rest, ",")
		line, err := lineNumber(rest)
		r.numbers[first] = line
		return err
	case "FNA": // number,hits,name
		count, name, _ := strings.Cut(rest, ",")
		hits, err := number(count)
		if err != nil {
			return err
		}
		r.functions++
		return rep.function(Function{File: r.file, Name: name, Line: r.numbers[first]}, hits)
	}
	line, err := lineNumber(first) // DA: line,hits[,checksum]
	if err != nil {
		return err
	}
	count, _, _ := strings.Cut(rest, ",")
	hits, err := number(count)
	if err != nil {
		return err
	}
	if len(r.lines) >= maxRows {
		return errTooLong
	}
	r.lines = append(r.lines, Line{r.file, line, rep.count(hits)})
	return nil
}

func (r *record) end(rep *Report) error {
	if r.functions > 0 {
		return nil
	}
	if len(rep.Lines)+len(r.lines) > maxRows {
		return errTooLong
	}
	rep.Lines = append(rep.Lines, r.lines...)
	return nil
}

// number reads a count, which some versions write as a fraction.
func number(s string) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) {
		return 0, fmt.Errorf("%.40q is no count", s)
	}
	return n, nil
}
