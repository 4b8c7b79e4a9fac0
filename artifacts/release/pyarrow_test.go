package release_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/artifacts/release"
)

// python is one that has pyarrow: that of internal/testdeps/install.sh, or the
// one on the path.
func python(t *testing.T) string {
	t.Helper()
	deps := os.Getenv("BENCHMILL_DEPS")
	if deps == "" {
		deps = filepath.Join("..", "..", ".benchmill", "deps")
	}
	for _, name := range []string{filepath.Join(deps, "bin", "python"), "python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import pyarrow.parquet").Run() == nil {
			return path
		}
	}
	const missing = `no python with pyarrow: releases are not read by anybody else's reader; "make deps" installs it`
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

const readWithPyarrow = `
import json, sys
import pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
meta = pq.read_schema(sys.argv[1]).metadata
json.dump({"rows": table.num_rows, "columns": table.column_names, "types": [str(f.type) for f in table.schema],
	"data": table.to_pylist(), "features": list(json.loads(meta[b"huggingface"])["info"]["features"])}, sys.stdout)
`

// TestPyarrow has a release read by the reader that its users have.
func TestPyarrow(t *testing.T) {
	python := python(t)
	p := newPlace(t)
	rows := some()
	rows[0].ID = "\u00e4\x00 \U0001f600 \"quoted\"\r\n"
	for i := range 3000 {
		rows = append(rows, quiz{ID: fmt.Sprintf("n%05d", i), Group: "one", Tags: []string{strings.Repeat("long ", i%50)}})
	}
	l, _ := p.write(request(manifest(), rows))
	m, _, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		out, err := exec.Command(python, "-c", readWithPyarrow, p.file(l, f.Path)).Output()
		if err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		var got struct {
			Rows                     int64
			Columns, Types, Features []string
			Data                     []struct {
				ID, Group string
				Size      int64
				Share     float64
				Tags      []string
				Spans     []span
			}
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if got.Rows != f.Rows || !slices.Equal(got.Columns, quizzes.Columns()) || !slices.Equal(got.Features, quizzes.Columns()) {
			t.Errorf("%s: %d rows of %v (features %v), want %d of %v", f.Path, got.Rows, got.Columns, got.Features, f.Rows, quizzes.Columns())
		}
		if want := []string{"string", "string", "int64", "double"}; !slices.Equal(got.Types[:4], want) {
			t.Errorf("%s: types %v, want %v", f.Path, got.Types, want)
		}
		i := 0
		err = release.EachRow(context.Background(), l.Path, &release.Manifest{Files: []release.File{f}}, quizzes, func(row reflect.Value) error {
			want, read := row.Interface().(quiz), got.Data[i]
			i++
			if read.ID != want.ID || read.Size != want.Size || read.Share != want.Share || !slices.Equal(read.Tags, want.Tags) || !slices.Equal(read.Spans, want.Spans) {
				return fmt.Errorf("row %d is %+v, want %+v", i-1, read, want)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
}
