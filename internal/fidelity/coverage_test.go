package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchmill/schemas"
)

func TestReadHits(t *testing.T) {
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	got, err := readHits(write("x,fname,file,doc,pos,test_cov_hits\n0,f,redo/src/a.c,\"two,\nlines\",12,3.0\n1,g,redo/src/b.c,,7,\n2,h,redo/c.c,,8,0.0\n"))
	want := []releasedHits{{"src/a.c", "f", 12, true}, {"src/b.c", "g", 7, false}, {"c.c", "h", 8, false}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{"": "is empty", "fname,file,pos\n": "no column test_cov_hits", "fname,file,pos,test_cov_hits\nf,a/b,x,1\n": "row 1: ", "fname,file,pos,test_cov_hits\nf,a/b,1,x\n": "row 1: "} {
		if _, err := readHits(write(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCompareHits(t *testing.T) {
	def := func(path string, line int64) schemas.Definition {
		return schemas.Definition{Path: path, Line: line, Start: line * 100}
	}
	hit := func(path string, line, hits int64) schemas.FunctionHit {
		return schemas.FunctionHit{Path: path, Start: line * 100, Hits: hits}
	}
	table := compareHits([]releasedHits{
		{"src/a.c", "both", 1, true}, {"src/a.c", "ours", 2, false}, {"src/a.c", "theirs", 3, true}, {"src/a.c", "theirs", 4, true},
		{"src/b.c", "neither", 1, false}, {"src/b.c", "missing", 2, true}, {"deps/c.c", "elsewhere", 1, true},
	}, []schemas.Definition{def("src/a.c", 1), def("src/a.c", 2), def("src/a.c", 3), def("src/a.c", 4), def("src/b.c", 1), def("src/b.c", 3)},
		[]schemas.FunctionHit{hit("src/a.c", 1, 5), hit("src/a.c", 2, 1), hit("src/a.c", 3, 0), hit("src/b.c", 2, 1)}, "src/")
	if table.both != 1 || table.ours != 1 || table.theirs != 2 || table.neither != 1 || table.missing != 1 || len(table.files) != 2 {
		t.Errorf("%+v", table)
	}
	var b strings.Builder
	table.print(&b, "o/n")
	for _, want := range []string{"o/n", "agreement 40.0%", "33.3%", "  src/a.c", "only theirs: src/a.c theirs"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "  src/b.c") {
		t.Error("a file without differences is listed")
	}
}
