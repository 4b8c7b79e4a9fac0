package arrowcheck_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"benchmill/artifacts"
	"benchmill/artifacts/arrowcheck"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

type row struct {
	Path  string   `parquet:"path"`
	Line  int64    `parquet:"line"`
	Note  *string  `parquet:"note"`
	Names []string `parquet:"names"`
	Spans []span   `parquet:"spans"`
}

type span struct {
	From int32 `parquet:"from"`
	To   int32 `parquet:"to"`
}

var schema = pipeline.NewSchema[row]("rows", 1, "Rows of a test.", "path")

func rows() []row {
	note := "ünîcode"
	return []row{
		{Path: "a", Line: 1, Note: &note, Names: []string{"x", ""}, Spans: []span{{1, 2}, {3, 4}}},
		{Path: "b", Line: -1},
		{Path: "c", Names: []string{"y"}},
	}
}

func write[T any](t *testing.T, s *pipeline.Schema, rows []T) ([]byte, digest.Digest) {
	t.Helper()
	var b bytes.Buffer
	_, d, err := artifacts.WriteParquet(&b, s, func(yield func(reflect.Value, error) bool) {
		for _, r := range rows {
			if !yield(reflect.ValueOf(r), nil) {
				return
			}
		}
	}, artifacts.ParquetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), d
}

func check(t *testing.T, file []byte, s *pipeline.Schema) (int64, digest.Digest, error) {
	return arrowcheck.RowsDigest(t.Context(), bytes.NewReader(file), int64(len(file)), s)
}

func TestAgrees(t *testing.T) {
	for n := range 4 {
		file, want := write(t, schema, rows()[:n])
		if got, d, err := check(t, file, schema); got != int64(n) || d != want || err != nil {
			t.Errorf("%d rows: %d, %s, %v; want %s", n, got, d, err, want)
		}
	}
}

// A file with other rows than its digest says is found out.
func TestFindsOtherRows(t *testing.T) {
	_, want := write(t, schema, rows())
	changes := map[string]func(r []row) []row{
		"a text":           func(r []row) []row { r[0].Path = "A"; return r },
		"a number":         func(r []row) []row { r[1].Line = 0; return r },
		"a null":           func(r []row) []row { r[0].Note = nil; return r },
		"a null to empty":  func(r []row) []row { r[1].Note = new(string); return r },
		"an element":       func(r []row) []row { r[0].Names[1] = "z"; return r },
		"a shorter list":   func(r []row) []row { r[0].Spans = r[0].Spans[:1]; return r },
		"a nested value":   func(r []row) []row { r[0].Spans[1].To = 5; return r },
		"order":            func(r []row) []row { slices.Reverse(r); return r },
		"a row less":       func(r []row) []row { return r[:2] },
		"a row twice":      func(r []row) []row { return append(r, r[2]) },
		"element to other": func(r []row) []row { r[1].Names, r[2].Names = r[2].Names, nil; return r },
	}
	for name, change := range changes {
		file, _ := write(t, schema, change(rows()))
		if _, d, err := check(t, file, schema); d == want || err != nil {
			t.Errorf("%s: %s, %v", name, d, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	type renamed struct {
		Path string `parquet:"file"`
	}
	type one struct {
		Path string `parquet:"path"`
	}
	type maybe struct {
		Path *string `parquet:"path"`
	}
	type number struct {
		Path int64 `parquet:"path"`
	}
	type nested struct {
		Path []string `parquet:"path"`
	}
	want := pipeline.NewSchema[one]("one", 1, "")
	tests := []struct {
		name string
		file []byte
		says string
	}{
		{"another name", foreign(t, renamed{}), `column 0 is "file", not "path"`},
		{"more columns", foreign(t, row{}), "5 columns, not 1"},
		{"optional", foreign(t, maybe{}), "can be null"},
		{"another type", foreign(t, number{}), "does not hold a string"},
		{"no Parquet", []byte("PAR1 but no more than that PAR1"), "check table one/1"},
	}
	for _, test := range tests {
		if _, _, err := check(t, test.file, want); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v does not say %q", test.name, err, test.says)
		}
	}
	list := pipeline.NewSchema[nested]("nested", 1, "")
	if _, _, err := check(t, foreign(t, one{"x"}), list); err == nil || !strings.Contains(err.Error(), "does not hold a []string") {
		t.Errorf("text for a list: %v", err)
	}
}

// foreign is a file of one row as another program might write it.
func foreign[T any](t *testing.T, r T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, []T{r}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
