package artifacts_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"

	"benchmill/artifacts"
	"benchmill/artifacts/arrowcheck"
	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// finish writes rows, cut into batches of the given sizes in turn, and returns
// the table.
func finish[T any](t testing.TB, s artifacts.Store, schema *pipeline.Schema, rows []T, sizes ...int) artifacts.TableInfo {
	t.Helper()
	w := artifacts.NewTableWriter(schema)
	for i := 0; len(rows) > 0; i++ {
		n := len(rows)
		if len(sizes) > 0 {
			n = min(n, sizes[i%len(sizes)])
		}
		if err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	info, err := w.Finish(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// readAll returns the rows of a table.
func readAll[T any](t testing.TB, s artifacts.Store, schema *pipeline.Schema, d digest.Digest) []T {
	t.Helper()
	table, err := artifacts.OpenTable(t.Context(), s, schema, d)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var out []T
	err = table.Batches(t.Context(), func(rows any) error {
		batch := rows.([]T)
		if len(batch) == 0 || len(batch) > 1024 {
			t.Errorf("a batch of %d rows", len(batch))
		}
		out = append(out, batch...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != int64(len(out)) {
		t.Fatalf("%d rows of %d", len(out), table.Rows())
	}
	return out
}

func sorted(rows []everyRow) []everyRow {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b everyRow) int {
		return everySchema.Compare(reflect.ValueOf(a), reflect.ValueOf(b))
	})
	return rows
}

func values[T any](rows []T) func(yield func(reflect.Value) bool) {
	return func(yield func(reflect.Value) bool) {
		for i := range rows {
			if !yield(reflect.ValueOf(&rows[i]).Elem()) {
				return
			}
		}
	}
}

func valuesErr[T any](rows []T) func(yield func(reflect.Value, error) bool) {
	return func(yield func(reflect.Value, error) bool) {
		for v := range values(rows) {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// checkTable checks that a table holds exactly rows, by our reader, by Arrow's,
// and by all three ways to its rows digest.
func checkTable[T any](t *testing.T, s artifacts.Store, schema *pipeline.Schema, info artifacts.TableInfo, rows []T) {
	t.Helper()
	file := storetest.Get(t, s, info.Object)
	if info.Rows != int64(len(rows)) || info.Bytes != int64(len(file)) || info.Object != digest.Of(file) {
		t.Fatalf("table is %+v, the file has %d bytes for %d rows", info, len(file), len(rows))
	}
	if want := artifacts.RowsDigest(schema, values(rows)); info.RowsDigest != want {
		t.Fatalf("rows digest %s, want %s", info.RowsDigest, want)
	}
	got := readAll[T](t, s, schema, info.Object)
	for i := range rows {
		if i >= len(got) || !reflect.DeepEqual(got[i], rows[i]) {
			t.Fatalf("row %d came back changed:\n got %+v\nwant %+v", i, got[min(i, len(got)):min(i+1, len(got))], rows[i])
		}
	}
	n, d, err := arrowcheck.RowsDigest(t.Context(), bytes.NewReader(file), int64(len(file)), schema)
	if err != nil || n != info.Rows || d != info.RowsDigest {
		t.Fatalf("arrow reads %d rows with digest %s, %v; want %d, %s", n, d, err, info.Rows, info.RowsDigest)
	}
}

func TestRandomTables(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			rows := randomRows(r, []int{0, 1, 2, 63, 64, 65, 700}[seed%7])
			s := new(storetest.Memory)
			checkTable(t, s, everySchema, finish(t, s, everySchema, rows), sorted(rows))
		})
	}
}

// A text of several megabytes takes a page of its own and comes back whole.
func TestLargeTexts(t *testing.T) {
	type row struct {
		Path string `parquet:"path"`
		Text string `parquet:"text"`
	}
	schema := pipeline.NewSchema[row]("large", 1, "Large texts.", "path")
	const megabyte = 1 << 20
	var rows []row
	for i, size := range []int{5 * megabyte, 0, 3, 5*megabyte + 1, 200_000, 0, 7 * megabyte} {
		rows = append(rows, row{fmt.Sprint(i), strings.Repeat("äbc1", size/5) + strings.Repeat("x", size%5)})
	}
	s := new(storetest.Memory)
	info := finish(t, s, schema, rows)
	checkTable(t, s, schema, info, rows)

	file := openParquet(t, s, info.Object)
	for _, c := range file.Metadata().RowGroups[0].Columns {
		if n := len(c.MetaData.Statistics.MinValue) + len(c.MetaData.Statistics.MaxValue); n > 100 {
			t.Errorf("statistics of column %v take %d bytes", c.MetaData.PathInSchema, n)
		}
	}
}

func openParquet(t *testing.T, s artifacts.Store, d digest.Digest) *parquet.File {
	t.Helper()
	b := storetest.Get(t, s, d)
	file, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The bytes of a table depend on its rows alone: not on their order, on how
// they were cut into batches, on how many goroutines wrote them or on what was
// written before.
func TestSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := randomRows(r, 1500)
	s := new(storetest.Memory)
	want := finish(t, s, everySchema, rows)
	for _, sizes := range [][]int{{1}, {7, 1, 64}, {1024}, {2000}} {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if got := finish(t, s, everySchema, rows, sizes...); got != want {
			t.Errorf("batches of %v: %+v, want %+v", sizes, got, want)
		}
	}

	w := artifacts.NewTableWriter(everySchema)
	var wg sync.WaitGroup
	for batch := range slices.Chunk(rows, 100) {
		wg.Go(func() {
			if err := w.Write(batch); err != nil {
				t.Error(err)
			}
			// Other files at the same time, through the same pools of buffers.
			if _, _, err := artifacts.WriteParquet(io.Discard, everySchema, valuesErr(batch), artifacts.ParquetOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := w.Finish(t.Context(), s); got != want || err != nil {
		t.Errorf("by many goroutines: %+v, %v; want %+v", got, err, want)
	}

	if _, d, err := artifacts.WriteParquet(io.Discard, everySchema, valuesErr(sorted(rows)), artifacts.ParquetOptions{}); d != want.RowsDigest || err != nil {
		t.Errorf("as a stream: %s, %v; want %s", d, err, want.RowsDigest)
	}
}

// A slice that is empty and one that is nil are the same row.
func TestEmptySlices(t *testing.T) {
	empty := everyRow{
		Raw: []byte{}, Names: []string{}, Nested: [][]int32{}, Spans: []spanColumn{}, Holes: []*string{},
		OptList: &[]int64{}, OptRaw: &[]byte{}, Span: spanColumn{Tags: []string{}},
	}
	none := everyRow{OptList: new([]int64), OptRaw: new([]byte)}
	s := new(storetest.Memory)
	info := finish(t, s, everySchema, []everyRow{empty})
	if other := finish(t, s, everySchema, []everyRow{none}); other != info {
		t.Fatalf("empty: %+v\n  nil: %+v", info, other)
	}
	checkTable(t, s, everySchema, info, []everyRow{none})
}

func TestRowGroups(t *testing.T) {
	type row struct {
		N    int64  `parquet:"n"`
		Text string `parquet:"text"`
	}
	schema := pipeline.NewSchema[row]("groups", 1, "Rows of two sizes.", "n")
	big := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	many, large := make([]row, 12_000), make([]row, 70)
	for i := range many {
		many[i] = row{N: int64(i)}
	}
	for i := range large {
		large[i] = row{int64(i), big}
	}
	tests := []struct {
		name   string
		rows   []row
		groups []int64
	}{
		{"by rows", many, []int64{10_000, 2_000}},
		{"by bytes", large, []int64{64, 6}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := new(storetest.Memory)
			info := finish(t, s, schema, test.rows)
			checkTable(t, s, schema, info, test.rows)
			file := openParquet(t, s, info.Object)
			var got []int64
			for _, g := range file.Metadata().RowGroups {
				got = append(got, g.NumRows)
			}
			if !slices.Equal(got, test.groups) {
				t.Fatalf("row groups of %v, want %v", got, test.groups)
			}
			if len(file.ColumnIndexes()) == 0 || len(file.OffsetIndexes()) == 0 {
				t.Fatal("no page index")
			}
		})
	}
}

// Readers skip pages by their bounds, so bounds must hold every value.
func TestBoundsHoldValues(t *testing.T) {
	rows := sorted(randomRows(rand.New(rand.NewPCG(3, 3)), 1200))
	s := new(storetest.Memory)
	file := openParquet(t, s, finish(t, s, everySchema, rows).Object)
	checked := 0
	for _, chunk := range file.RowGroups()[0].ColumnChunks() {
		index, err := chunk.ColumnIndex()
		if err != nil {
			t.Fatal(err)
		}
		pages := chunk.Pages()
		for p := 0; ; p++ {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			vs := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(vs); n != len(vs) {
				t.Fatal(n, err)
			}
			lo, hi := index.MinValue(p), index.MaxValue(p)
			for _, v := range vs {
				if v.IsNull() {
					continue
				}
				checked++
				typ := chunk.Type()
				if typ.Compare(lo, v) > 0 || typ.Compare(v, hi) > 0 {
					t.Fatalf("column %d, page %d: %q is not between %q and %q", chunk.Column(), p, v, lo, hi)
				}
			}
		}
		pages.Close()
	}
	if checked < 10_000 {
		t.Fatalf("only %d values were compared", checked)
	}
}

func TestFooter(t *testing.T) {
	s := new(storetest.Memory)
	file := openParquet(t, s, finish(t, s, everySchema, randomRows(rand.New(rand.NewPCG(5, 5)), 3)).Object)
	if got := file.Metadata().CreatedBy; got != "benchmill (build 1)" {
		t.Errorf("created by %q", got)
	}
	if got, _ := file.Lookup("benchmill.schema"); got != "every/3" {
		t.Errorf("schema %q", got)
	}
	golden(t, "testdata/footer.txt", func() []byte {
		features, _ := file.Lookup("huggingface")
		return fmt.Appendf(nil, "%s\n\n%s\n", file.Schema(), features)
	}())
}

// goldenRow and its rows never change: their digests are those of every table
// ever written.
type goldenRow struct {
	Repo  string       `parquet:"repo"`
	Line  int32        `parquet:"line"`
	Code  string       `parquet:"code"`
	Hash  []byte       `parquet:"hash"`
	Size  int64        `parquet:"size"`
	Score *float64     `parquet:"score"`
	Tests bool         `parquet:"tests"`
	Uses  []spanColumn `parquet:"uses"`
	Notes []*string    `parquet:"notes"`
}

func goldenRows() []goldenRow {
	half, note := 0.5, "häufig"
	rows := []goldenRow{
		{Repo: "a/b", Line: 1, Code: "int main(void) { return 0; }\n", Hash: []byte{0, 255}, Size: 1 << 40, Score: &half, Tests: true,
			Uses: []spanColumn{{1, 2, []string{"x", ""}}, {3, 4, nil}}, Notes: []*string{nil, &note}},
		{Repo: "a/b", Line: 2},
	}
	for i := range 200 {
		rows = append(rows, goldenRow{Repo: "z/generated", Line: int32(i), Code: strings.Repeat(fmt.Sprintf("line %d of code\n", i), i), Size: int64(i)})
	}
	return append(rows, goldenRow{Repo: "ä/ö", Line: -1, Code: "世界", Score: new(float64)})
}

// TestGolden fails when the rows digest or the bytes of tables change. The
// first needs a new version of the domain, the second of ParquetVersion.
func TestGolden(t *testing.T) {
	schema := pipeline.NewSchema[goldenRow]("golden", 1, "Rows that never change.", "repo", "line")
	s := new(storetest.Memory)
	rows := goldenRows()
	info := finish(t, s, schema, rows)
	checkTable(t, s, schema, info, rows)
	first := reflect.ValueOf(rows[0])
	golden(t, "testdata/golden.txt", fmt.Appendf(nil, "parquet version %d\nbytes  %s (%d)\nrows   %s (%d)\nrow 0  %s\nempty  %s\n",
		artifacts.ParquetVersion, info.Object, info.Bytes, info.RowsDigest, info.Rows,
		artifacts.RowDigest(schema, first), artifacts.RowsDigest(schema, values([]goldenRow(nil)))))
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (rewrite with -update, after raising the version it names):\n got:\n%s\nwant:\n%s", path, got, want)
	}
}

// Every difference between two tables shows in their rows digests.
func TestRowsDigestTellsApart(t *testing.T) {
	word, zero := "x", 0.0
	type row = goldenRow
	tables := map[string][]row{
		"none":             nil,
		"one":              {{}},
		"two":              {{}, {}},
		"text":             {{Repo: "x"}},
		"other column":     {{Code: "x"}},
		"bytes":            {{Hash: []byte("x")}},
		"number":           {{Line: 1}},
		"large number":     {{Size: 1}},
		"truth":            {{Tests: true}},
		"null or zero":     {{Score: &zero}},
		"one null":         {{Notes: []*string{nil}}},
		"two nulls":        {{Notes: []*string{nil, nil}}},
		"an empty text":    {{Notes: []*string{new(string)}}},
		"a word":           {{Notes: []*string{&word}}},
		"a struct":         {{Uses: []spanColumn{{}}}},
		"a tag":            {{Uses: []spanColumn{{Tags: []string{""}}}}},
		"tags here":        {{Uses: []spanColumn{{Tags: []string{"a"}}, {}}}},
		"tags there":       {{Uses: []spanColumn{{}, {Tags: []string{"a"}}}}},
		"first then last":  {{Line: 1}, {Line: 2}},
		"last then first":  {{Line: 2}, {Line: 1}},
		"joined":           {{Repo: "ab", Code: ""}},
		"split":            {{Repo: "a", Code: "b"}},
		"split in columns": {{Repo: "", Code: "ab"}},
	}
	schema := pipeline.NewSchema[row]("golden", 1, "", "repo", "line")
	seen, seenRow := map[digest.Digest]string{}, map[digest.Digest]string{}
	for name, rows := range tables {
		d := artifacts.RowsDigest(schema, values(rows))
		if other, ok := seen[d]; ok {
			t.Errorf("%q and %q have the same digest", name, other)
		}
		seen[d] = name
		if len(rows) == 1 {
			d := artifacts.RowDigest(schema, reflect.ValueOf(rows[0]))
			if other, ok := seenRow[d]; ok {
				t.Errorf("the rows of %q and %q have the same digest", name, other)
			}
			seenRow[d] = name
		}
	}
	renamed := pipeline.NewSchema[row]("other", 1, "", "repo", "line")
	if artifacts.RowsDigest(renamed, values([]row{{}})) == artifacts.RowsDigest(schema, values([]row{{}})) {
		t.Error("two schemas have the same digest")
	}
	raised := pipeline.NewSchema[row]("golden", 2, "", "repo", "line")
	if artifacts.RowsDigest(raised, values([]row{{}})) != artifacts.RowsDigest(schema, values([]row{{}})) {
		t.Error("a new version of a schema changed what its rows say")
	}
}

func TestTableWriterRefuses(t *testing.T) {
	type row struct {
		Path string `parquet:"path"`
		Line int64  `parquet:"line"`
		Text string `parquet:"text"`
	}
	schema := pipeline.NewSchema[row]("refused", 1, "", "path", "line")
	alone := pipeline.NewSchema[row]("alone", 1, "A table of one row.")
	tests := []struct {
		name   string
		schema *pipeline.Schema
		rows   any
		says   string
	}{
		{"equal keys", schema, []row{{"b", 7, "x"}, {"a", 1, ""}, {"b", 7, "y"}}, `two rows have the key "b|7"`},
		{"a second row without keys", alone, []row{{Path: "a"}, {Path: "b"}}, `two rows have the key ""`},
		{"text that is no text", schema, []row{{"a", 1, "ok"}, {"a", 2, "caf\xe9"}}, `row "a|2": column "text"`},
		{"rows of another type", schema, []everyRow{{}}, "refused/1: rows are []artifacts_test.row, not []artifacts_test.everyRow"},
		{"no slice", schema, row{}, "not artifacts_test.row"},
		{"nothing", schema, nil, "not <nil>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := new(storetest.Memory)
			w := artifacts.NewTableWriter(test.schema)
			err := w.Write(test.rows)
			if err == nil {
				_, err = w.Finish(t.Context(), s)
			}
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("error %v does not say %q", err, test.says)
			}
			s.Walk(t.Context(), func(d digest.Digest, _ int64) error { t.Errorf("object %s was written", d); return nil })
		})
	}
	w := artifacts.NewTableWriter(alone)
	if err := w.Write([]row{{Path: "only"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context(), new(storetest.Memory)); err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]row{{}}); err == nil {
		t.Error("a finished table took more rows")
	}
	if _, err := w.Finish(t.Context(), new(storetest.Memory)); err == nil {
		t.Error("a table was finished twice")
	}
}

func TestWriteParquetOrder(t *testing.T) {
	type row struct {
		N int64 `parquet:"n"`
	}
	schema := pipeline.NewSchema[row]("order", 1, "", "n")
	rows := []row{{2}, {1}}
	if n, _, err := artifacts.WriteParquet(io.Discard, schema, valuesErr(rows), artifacts.ParquetOptions{}); n != 2 || err != nil {
		t.Errorf("any order: %d, %v", n, err)
	}
	_, _, err := artifacts.WriteParquet(io.Discard, schema, valuesErr(rows), artifacts.ParquetOptions{Sorted: true})
	if err == nil || !strings.Contains(err.Error(), `row "1" comes after "2"`) {
		t.Errorf("sorted: %v", err)
	}
	broken := errors.New("broken source")
	_, _, err = artifacts.WriteParquet(io.Discard, schema, func(yield func(reflect.Value, error) bool) {
		_ = yield(reflect.ValueOf(rows[0]), nil) && yield(reflect.Value{}, broken)
	}, artifacts.ParquetOptions{})
	if !errors.Is(err, broken) {
		t.Errorf("error of the source: %v", err)
	}
}

// The memory of a row may be used again as soon as Write is back.
func TestRowWriterKeepsNothing(t *testing.T) {
	rows := sorted(randomRows(rand.New(rand.NewPCG(9, 9)), 200))
	s := new(storetest.Memory)
	object, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := artifacts.NewRowWriter(object, everySchema, artifacts.ParquetOptions{Sorted: true})
	if err != nil {
		t.Fatal(err)
	}
	scratch := new(everyRow)
	buffer := make([]byte, 16)
	for i := range rows {
		*scratch = rows[i]
		scratch.Raw = buffer[:copy(buffer, rows[i].Raw)]
		if err := w.Write(reflect.ValueOf(scratch).Elem()); err != nil {
			t.Fatal(err)
		}
		clear(buffer)
		*scratch = everyRow{}
	}
	n, rowsDigest, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	d, err := object.Commit()
	if err != nil {
		t.Fatal(err)
	}
	size, err := s.Stat(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, s, everySchema, artifacts.TableInfo{Object: d, Rows: n, RowsDigest: rowsDigest, Bytes: size}, rows)
	if err := w.Write(reflect.ValueOf(rows[0])); err == nil {
		t.Error("a closed file took more rows")
	}
}

func TestFinishStops(t *testing.T) {
	w := artifacts.NewTableWriter(everySchema)
	if err := w.Write(randomRows(rand.New(rand.NewPCG(1, 1)), 10)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := cancelOnCreate{new(storetest.Memory), cancel}
	if _, err := w.Finish(ctx, s); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	s.Walk(t.Context(), func(d digest.Digest, _ int64) error { t.Errorf("object %s was written", d); return nil })
}

type cancelOnCreate struct {
	artifacts.Store
	cancel func()
}

func (s cancelOnCreate) Create(ctx context.Context) (artifacts.Writer, error) {
	w, err := s.Store.Create(ctx)
	s.cancel()
	return w, err
}

func TestOpenTableRefuses(t *testing.T) {
	type row struct {
		Path string `parquet:"path"`
		Line int64  `parquet:"line"`
	}
	type wider struct {
		Path string `parquet:"path"`
		Line *int64 `parquet:"line"`
	}
	type swapped struct {
		Line int64  `parquet:"line"`
		Path string `parquet:"path"`
	}
	schema := pipeline.NewSchema[row]("lines", 2, "", "path", "line")
	s := new(storetest.Memory)
	info := finish(t, s, schema, []row{{"a", 1}})
	foreign := new(bytes.Buffer)
	if err := parquet.Write(foreign, []row{{"a", 1}}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		schema *pipeline.Schema
		object digest.Digest
		says   string
	}{
		{"another version", pipeline.NewSchema[row]("lines", 3, ""), info.Object, "rows of schema lines/2"},
		{"another schema", pipeline.NewSchema[row]("others", 2, ""), info.Object, "rows of schema lines/2"},
		{"another type", pipeline.NewSchema[wider]("lines", 2, ""), info.Object, "columns are not those of the schema"},
		{"another order", pipeline.NewSchema[swapped]("lines", 2, ""), info.Object, "columns are not those of the schema"},
		{"no table of ours", schema, storetest.Put(t, s, foreign.Bytes()), "names no schema"},
		{"no Parquet", schema, storetest.Put(t, s, []byte("just some text here")), "not a Parquet file"},
		{"nothing", schema, storetest.Put(t, s, nil), "too short"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table, err := artifacts.OpenTable(t.Context(), s, test.schema, test.object)
			if err == nil {
				table.Close()
				t.Fatal("it opened")
			}
			if !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), string(test.object)) {
				t.Fatalf("error %v does not say %q and name the object", err, test.says)
			}
		})
	}
	if _, err := artifacts.OpenTable(t.Context(), s, schema, digest.Of([]byte("x"))); !errors.Is(err, artifacts.ErrNotFound) {
		t.Fatalf("a missing table: %v", err)
	}
}

func TestOpenTableFile(t *testing.T) {
	rows := sorted(randomRows(rand.New(rand.NewPCG(2, 2)), 10))
	s := new(storetest.Memory)
	d := finish(t, s, everySchema, rows).Object
	object := &closeCounter{Reader: bytes.NewReader(storetest.Get(t, s, d))}
	table, err := artifacts.OpenTableFile(object, "data/test.parquet", everySchema)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := table.RowsDigest(t.Context()); err != nil || got != artifacts.RowsDigest(everySchema, values(rows)) {
		t.Errorf("rows digest %s, %v", got, err)
	}
	if err := table.Close(); err != nil || object.closed != 1 {
		t.Errorf("closed %d times, %v", object.closed, err)
	}

	bad := &closeCounter{Reader: bytes.NewReader([]byte("not a table at all"))}
	if _, err := artifacts.OpenTableFile(bad, "data/test.parquet", everySchema); err == nil || !strings.Contains(err.Error(), "data/test.parquet") || bad.closed != 1 {
		t.Errorf("a file that is no table: %v, closed %d times", err, bad.closed)
	}
}

type closeCounter struct {
	*bytes.Reader
	closed int
}

func (c *closeCounter) Close() error {
	c.closed++
	return nil
}

func TestBatchesStop(t *testing.T) {
	type row struct {
		N    int64  `parquet:"n"`
		Text string `parquet:"text"`
	}
	schema := pipeline.NewSchema[row]("batches", 1, "", "n")
	rows := make([]row, 3000)
	for i := range rows {
		rows[i] = row{int64(i), strings.Repeat("t", 10_000)}
	}
	s := new(storetest.Memory)
	table, err := artifacts.OpenTable(t.Context(), s, schema, finish(t, s, schema, rows).Object)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()

	stop, calls := errors.New("stop"), 0
	err = table.Batches(t.Context(), func(batch any) error {
		if calls++; calls == 2 {
			return stop
		}
		if n := len(batch.([]row)); n != 839 { // the first number of 10 kB texts to reach 8 MiB
			t.Errorf("a batch of %d rows", n)
		}
		return nil
	})
	if err != stop || calls != 2 {
		t.Errorf("batches ended with %v after %d calls", err, calls)
	}

	ctx, cancel := context.WithCancel(t.Context())
	err = table.Batches(ctx, func(any) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}

	func() {
		defer func() {
			if p := recover(); p != "a mistake in a stage" {
				t.Errorf("recovered %v", p)
			}
		}()
		table.Batches(t.Context(), func(any) error { panic("a mistake in a stage") })
	}()

	n := 0
	for v, err := range artifacts.InputRows(t.Context(), table) {
		if err != nil || v.Field(0).Int() != int64(n) {
			t.Fatalf("row %d is %v, %v", n, v, err)
		}
		if n++; n == 2500 {
			break
		}
	}
	if d, err := table.RowsDigest(t.Context()); err != nil || d != artifacts.RowsDigest(schema, values(rows)) {
		t.Errorf("rows digest %s, %v", d, err)
	}
}

func TestCheckSchema(t *testing.T) {
	type hidden struct {
		Name string `parquet:"name"`
		note string `parquet:"note"`
	}
	type empty struct {
		Name string   `parquet:"name"`
		None struct{} `parquet:"none"`
	}
	type twice struct {
		A string `parquet:"a"`
		B string `parquet:"a"`
	}
	type pointers struct {
		A **string `parquet:"a"`
	}
	tests := []struct {
		schema *pipeline.Schema
		says   string
	}{
		{everySchema, ""},
		{pipeline.NewSchema[hidden]("hidden", 1, ""), "field note is not exported"},
		{pipeline.NewSchema[empty]("empty", 1, ""), `"none": a struct without fields`},
		{pipeline.NewSchema[struct{}]("nothing", 1, ""), "a struct without fields"},
		{pipeline.NewSchema[twice]("twice", 1, ""), `"a" is declared twice`},
		{pipeline.NewSchema[pointers]("pointers", 1, ""), `"a": a pointer to a pointer`},
	}
	for _, test := range tests {
		err := artifacts.CheckSchema(test.schema)
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", test.schema, err, test.says)
		}
	}
}

// A table with changed bytes is refused, or holds the same rows (the change hit
// statistics, which nobody here reads): never other rows, and never a panic.
func TestChangedBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	rows := sorted(randomRows(r, 20))
	s := new(storetest.Memory)
	info := finish(t, s, everySchema, rows)
	file := storetest.Get(t, s, info.Object)
	refused := 0
	for i := range 1500 {
		changed := bytes.Clone(file)
		for range 1 + r.IntN(3) {
			changed[r.IntN(len(changed))] = byte(r.IntN(256))
		}
		table, err := artifacts.OpenTable(t.Context(), s, everySchema, storetest.Put(t, s, changed))
		if err != nil {
			refused++
			continue
		}
		switch d, err := table.RowsDigest(t.Context()); {
		case err != nil:
			refused++
		case d != info.RowsDigest:
			t.Errorf("change %d: the table opens with other rows", i)
		}
		table.Close()
	}
	if refused < 700 {
		t.Errorf("only %d changed files were refused", refused)
	}
}

func FuzzOpenTable(f *testing.F) {
	s := new(storetest.Memory)
	for _, n := range []int{0, 1, 20} {
		rows := randomRows(rand.New(rand.NewPCG(uint64(n), 1)), n)
		f.Add(storetest.Get(f, s, finish(f, s, everySchema, rows).Object))
	}
	f.Add([]byte("PAR1\x00\x00\x00\x00PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := new(storetest.Memory)
		table, err := artifacts.OpenTable(t.Context(), s, everySchema, storetest.Put(t, s, data))
		if err != nil {
			return
		}
		defer table.Close()
		n := int64(0)
		err = table.Batches(t.Context(), func(rows any) error {
			n += int64(len(rows.([]everyRow)))
			return nil
		})
		if err == nil && n != table.Rows() {
			t.Fatalf("%d rows of %d without an error", n, table.Rows())
		}
	})
}

func BenchmarkTable(b *testing.B) {
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 2000)
	s := new(storetest.Memory)
	info := finish(b, s, everySchema, rows)
	b.Run("write", func(b *testing.B) {
		b.SetBytes(info.Bytes)
		for b.Loop() {
			finish(b, new(storetest.Memory), everySchema, rows)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(info.Bytes)
		for b.Loop() {
			readAll[everyRow](b, s, everySchema, info.Object)
		}
	})
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			artifacts.RowsDigest(everySchema, values(rows))
		}
	})
}
