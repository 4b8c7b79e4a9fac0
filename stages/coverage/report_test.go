package coverage

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/schemas"
)

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{"lcov", "SF:a\nSF:b\n", "r: line 2: SF before the end of the record of a"},
		{"lcov", "end_of_record\n", "r: line 1: end of no record"},
		{"lcov", "SF:a\nDA:1\n", "r: line 2: DA without a second field"},
		{"lcov", "SF:a\nDA:x,1\n", `r: line 2: "x" is no number of a line`},
		{"lcov", "SF:a\nDA:1,NaN\n", `r: line 2: "NaN" is no count`},
		{"lcov", "SF:a\nDA:1,1", "r: line 2: the record of a has no end"},
		{"lcov", "SF:a\n" + strings.Repeat("x", maxLine+1), "r: line 2: bufio.Scanner: token too long"},
		{"gcov", "", "r: byte 0: unexpected EOF"},
		{"gcov", "[]", `r: byte 1: "[" where "{" should be`},
		{"gcov", "{}", "r: byte 2: an object without files: no report of gcov"},
		{"gcov", `{"files":[{"file":"a","functions":[{"start_line":-1}]}]}`, "r: byte 54: a: a function in line -1"},
		{"gcov", `{"files":[`, "r: byte 10: unexpected EOF"},
		{"gcov", `{"files":[]}x`, "r: byte 12: invalid character 'x' looking for beginning of value"},
		{"gcov", `{"files":[]}]`, "r: byte 12: no object"},
		{"gcov", `{"files":[{"file":1}]}`, "json: cannot unmarshal number"},
		{"llvm-cov", `{}`, "r: byte 2: an object without data: no report of llvm-cov"},
		{"llvm-cov", `{"data":[]}{}`, "r: byte 12: more after the report"},
		{"llvm-cov", `{"data":[{"functions":[{"name":"f","regions":[]}]}]}`, "f: a function without a region"},
		{"llvm-cov", `{"data":[{"functions":[{"name":"f","filenames":["a"],"regions":[[1,1,1,1,1,1]]}]}]}`, "f: a function in line 1 of file 1 of 1"},
		{"llvm-cov", `{"data":[{"files":[{"filename":"a","segments":[["x"]]}]}]}`, "a: a segment of another form"},
		{"xml", "", `r: no format "xml"`},
		{"lcov", "\x1f\x8bxx", "r: "},
	} {
		_, err := Read("r", test.format, strings.NewReader(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "r: ") {
			t.Errorf("%s %.60q: %v, want %s", test.format, test.text, err, test.want)
		}
	}
}

// What unpacks to more than a report may have is an error, and so are too many rows.
func TestBounds(t *testing.T) {
	if _, err := io.ReadAll(&bounded{strings.NewReader("12345"), 4}); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
	if data, err := io.ReadAll(io.LimitReader(&bounded{strings.NewReader("12345"), 6}, 6)); err != nil || string(data) != "12345" {
		t.Errorf("%q %v", data, err)
	}
	rep := &Report{}
	for n, want := range map[float64]int64{-1: 0, 0: 0, 3.9: 3, 1e300: math.MaxInt64, math.Inf(1): math.MaxInt64, math.Inf(-1): 0} {
		if got := rep.count(n); got != want {
			t.Errorf("%v: %d", n, got)
		}
	}
	if add(math.MaxInt64, 1) != math.MaxInt64 || add(2, 3) != 5 {
		t.Error("sums")
	}
}

// FuzzRead gives reports of every format any bytes, and matches what comes out.
func FuzzRead(f *testing.F) {
	for i, name := range []string{"lcov_paths", "gcov_instances", "llvm_functions", "lcov_mangled", "llvm_segments"} {
		ar, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, report := range readArchive(f, ar).reports {
			f.Add(uint8(i%3), []byte(report))
			f.Add(uint8(i%3), []byte(packed(f, report)))
		}
	}
	ar, err := txtar.ParseFile("testdata/gcov_instances.txtar")
	if err != nil {
		f.Fatal(err)
	}
	a := readArchive(f, ar)
	texts := map[string][]byte{}
	repo := &repository{files: map[string]*fileIndex{}}
	for _, e := range a.entries {
		texts[e.Path] = e.Content
		repo.paths = append(repo.paths, e.Path)
	}
	for i := range a.defs {
		if path := a.defs[i].Path; repo.files[path] == nil {
			repo.files[path] = newFileIndex(inFile(a, path), texts[path])
		}
	}
	formats := []string{"lcov", "gcov", "llvm-cov"}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		r, err := Read("r", formats[int(kind)%3], strings.NewReader(string(data)))
		if err != nil {
			return
		}
		for _, upstream := range []bool{false, true} {
			rows, notes := repo.hits([]*Report{r, r}, "x", upstream)
			for i, row := range rows {
				if row.Hits < 0 || i > 0 && rows[i-1].Path == row.Path && rows[i-1].Start >= row.Start {
					t.Errorf("%+v", rows)
				}
			}
			for name, n := range notes {
				if n <= 0 {
					t.Errorf("%s %d", name, n)
				}
			}
		}
	})
}

// inFile are the definitions of one file.
func inFile(a *archive, path string) []schemas.Definition {
	var out []schemas.Definition
	for _, d := range a.defs {
		if d.Path == path {
			out = append(out, d)
		}
	}
	return out
}
