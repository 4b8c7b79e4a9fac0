package linedates_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"benchmill/internal/linedates"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	idA = "0123456789abcdef0123456789abcdef01234567"
	idB = "89abcdef0123456789abcdef0123456789abcdef"
)

var (
	header  = linedates.Header{Mode: linedates.Mainline, Commit: idB}
	commits = []linedates.Commit{
		{ID: idA, Time: time.Date(2011, 2, 3, 4, 5, 6, 0, time.UTC)},
		{ID: idB, Time: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)},
	}
	files = []linedates.File{
		{Path: "a b.c", Kind: linedates.Text, Runs: []linedates.Run{{100, 1}, {1, 0}, {7, 1}}},
		{Path: "empty", Kind: linedates.Text},
		{Path: "huge.c", Kind: linedates.Oversized},
		{Path: "logo\n\"png", Kind: linedates.Binary},
		{Path: "größe", Kind: linedates.Text, Runs: []linedates.Run{{1, 0}}},
		{Path: "text 1 1", Kind: linedates.Binary},
	}
)

func write(w io.Writer, h linedates.Header, commits []linedates.Commit, files []linedates.File) error {
	d, err := linedates.NewWriter(w, h, commits)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := d.Add(f); err != nil {
			return err
		}
	}
	return d.Close()
}

func sorted() []linedates.File {
	return []linedates.File{files[0], files[1], files[4], files[2], files[3], files[5]}
}

func sample(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, header, commits, sorted()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(r io.Reader) (h linedates.Header, c []linedates.Commit, files []linedates.File, err error) {
	d, err := linedates.NewReader(r)
	if err != nil {
		return h, nil, nil, err
	}
	for {
		f, err := d.Next()
		if err == io.EOF {
			return d.Header(), d.Commits(), files, nil
		}
		if err != nil {
			return h, nil, nil, err
		}
		files = append(files, f)
	}
}

func TestRoundTrip(t *testing.T) {
	h, c, got, err := readAll(iotest.OneByteReader(bytes.NewReader(sample(t))))
	if err != nil {
		t.Fatal(err)
	}
	if h != header || !reflect.DeepEqual(c, commits) || !reflect.DeepEqual(got, sorted()) {
		t.Errorf("%+v\n%+v\n%+v", h, c, got)
	}
	if n := got[0].Lines(); n != 108 {
		t.Errorf("%d lines, want 108", n)
	}
}

// TestGolden pins the bytes of format 1: they are in ledgers.
func TestGolden(t *testing.T) {
	golden := filepath.Join("testdata", "format1.txt")
	if *update {
		if err := os.WriteFile(golden, sample(t), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, sample(t)) {
		t.Error("the bytes of format 1 changed; that takes a new format version")
	}
}

func TestWriterRefuses(t *testing.T) {
	one := func(f linedates.File) []linedates.File { return []linedates.File{f} }
	for name, test := range map[string]struct {
		header  linedates.Header
		commits []linedates.Commit
		files   []linedates.File
		want    string
	}{
		"mode":              {linedates.Header{Mode: "log", Commit: idA}, nil, nil, "no mode"},
		"commit":            {linedates.Header{Mode: linedates.Blame, Commit: "abc"}, nil, nil, "no commit id"},
		"order of commits":  {header, []linedates.Commit{commits[1], commits[0]}, nil, "does not come after"},
		"half a second":     {header, []linedates.Commit{{idA, time.Unix(0, 5e8)}}, nil, "no time"},
		"the year 10000":    {header, []linedates.Commit{{idA, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}, nil, "no time"},
		"order of files":    {header, commits, []linedates.File{files[1], files[0]}, "does not come after"},
		"path":              {header, commits, one(linedates.File{Path: "../x", Kind: linedates.Text}), "leaves its folder"},
		"kind":              {header, commits, one(linedates.File{Path: "x", Kind: "end"}), "no kind"},
		"lines of a binary": {header, commits, one(linedates.File{Path: "x", Kind: linedates.Binary, Runs: files[0].Runs}), "only a text"},
		"no lines":          {header, commits, one(linedates.File{Path: "x", Kind: linedates.Text, Runs: []linedates.Run{{0, 0}}}), "a run of 0"},
		"too many lines":    {header, commits, one(linedates.File{Path: "x", Kind: linedates.Text, Runs: []linedates.Run{{1 << 30, 0}, {1, 1}}}), "a run of 1 lines"},
		"unknown commit":    {header, commits, one(linedates.File{Path: "x", Kind: linedates.Text, Runs: []linedates.Run{{1, 2}}}), "commit 2 of 2"},
		"runs of one":       {header, commits, one(linedates.File{Path: "x", Kind: linedates.Text, Runs: []linedates.Run{{1, 1}, {1, 1}}}), "side by side"},
	} {
		if err := write(io.Discard, test.header, test.commits, test.files); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

// TestDamaged changes one thing at a time.
func TestDamaged(t *testing.T) {
	whole := string(sample(t))
	for n := range len(whole) {
		if _, _, _, err := readAll(strings.NewReader(whole[:n])); !errors.Is(err, linedates.ErrDamaged) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(whole), err)
		}
	}
	for _, change := range [][2]string{
		{"mainline " + idB, "mainline  " + idB}, {"mainline", "Mainline"}, {idB + "\nc", idB[1:] + "\nc"},
		{"commits 2", "commits 3"}, {"commits 2", "commits 02"}, {"commits 2", "commits -2"}, {"commits 2", "commits 99999999999999999999"},
		{"05:06Z", "05:06+00:00"}, {"04:05:06", "24:05:06"}, {"05:06Z", "05:06.5Z"}, {idA, strings.ToUpper(idA)},
		{"text 108 3", "text 107 3"}, {"text 108 3", "text 108 2"}, {"text 108 3", "text 108"}, {"100 1\n", "0100 1\n"}, {"100 1\n", "100 2\n"}, {"100 1\n", "100 1 \n"},
		{`"a b.c"`, `"a b.c`}, {`"a b.c"`, `"a\x20b.c"`}, {`"a b.c"`, "`a b.c`"}, {`"a b.c"`, `"/a"`}, {`"a b.c"`, `"z"`}, {`"empty"`, `"a b.c"`},
		{"binary ", "link "}, {"end 6", "end 5"}, {"end 6\n", "end 6\n\n"}, {"end 6", "end 6 6"}, {"\n", "\r\n"},
	} {
		text := strings.Replace(whole, change[0], change[1], 1)
		if text == whole {
			t.Fatalf("nothing to change in %q", change[0])
		}
		if _, _, _, err := readAll(strings.NewReader(text)); !errors.Is(err, linedates.ErrDamaged) {
			t.Errorf("%q for %q: %v", change[1], change[0], err)
		}
	}
	if _, _, _, err := readAll(strings.NewReader(strings.Replace(whole, "dates 1", "dates 2", 1))); !errors.Is(err, linedates.ErrFormat) {
		t.Errorf("another format: %v", err)
	}
	if _, _, _, err := readAll(io.MultiReader(strings.NewReader(whole[:200]), iotest.ErrReader(iotest.ErrTimeout))); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("the reader's error is lost: %v", err)
	}
}

// FuzzReader: what is read as a whole document is written back as it was.
func FuzzReader(f *testing.F) {
	f.Add(sample(f))
	f.Add([]byte("benchmill-line-dates 1 blame " + idA + "\ncommits 0\nend 0\n"))
	f.Add([]byte("benchmill-line-dates 1 blame " + idA + "\ncommits 1\n" + idA + " 2024-01-02T03:04:05Z\ntext 3 1 \"a\\\"\\n\"\n3 0\nend 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, c, files, err := readAll(bytes.NewReader(data))
		if err != nil {
			if !errors.Is(err, linedates.ErrDamaged) && !errors.Is(err, linedates.ErrFormat) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		var b bytes.Buffer
		if err := write(&b, h, c, files); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), data) {
			t.Fatalf("%q is written as %q", data, b.Bytes())
		}
	})
}
