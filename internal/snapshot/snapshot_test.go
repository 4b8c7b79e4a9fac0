package snapshot_test

import (
	"archive/tar"
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

	"benchmill/internal/snapshot"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	idA = "0123456789abcdef0123456789abcdef01234567"
	idB = "89abcdef0123456789abcdef0123456789abcdef"
)

var oid = strings.Repeat("5e", 32)

var header = snapshot.Header{
	Commit:     idA,
	Tree:       idB,
	AuthorTime: time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC),
	CommitTime: time.Date(2022, 3, 4, 5, 6, 7, 0, time.UTC),
}

type item struct {
	snapshot.Entry
	content string
}

// sample holds one entry of every kind, in order.
func sample() []item {
	long := strings.Repeat("deep/", 60) + "größe.txt"
	return []item{
		{snapshot.Entry{Path: ".benchmill/skipped", Kind: snapshot.File, Blob: idA, Size: 5}, "mine\n"},
		{snapshot.Entry{Path: "a", Kind: snapshot.Link, Blob: idA, Size: 16, Target: "../../etc/passwd"}, ""},
		{snapshot.Entry{Path: "a-b", Kind: snapshot.File, Blob: idB, Size: 0}, ""},
		{snapshot.Entry{Path: "bin/run", Kind: snapshot.Executable, Blob: idB, Size: 10}, "#!/bin/sh\n"},
		{snapshot.Entry{Path: "caf%E9.txt", RawPath: "caf\xe9.txt", Kind: snapshot.File, Blob: idB, Size: 1}, "x"},
		{snapshot.Entry{Path: long, Kind: snapshot.File, Blob: idA, Size: 3}, "abc"},
		{snapshot.Entry{Path: "huge.bin", Kind: snapshot.Oversized, Blob: idA, Size: 1 << 40}, ""},
		{snapshot.Entry{Path: "line\nbreak", Kind: snapshot.File, Blob: idA, Size: 600}, strings.Repeat("q", 600)},
		{snapshot.Entry{Path: "model.bin", Kind: snapshot.LFS, Blob: idA, Size: 7, Pointer: snapshot.Pointer{OID: oid, Size: 99}}, "pointer"},
		{snapshot.Entry{Path: "vendor/lib", Kind: snapshot.Submodule, Target: idB}, ""},
	}
}

var skips = []snapshot.Skipped{{Path: "x/..", Reason: "name leaves its folder"}, {Path: "x/<b>", Reason: "why not"}}

func write(t testing.TB, w io.Writer, items []item) error {
	t.Helper()
	sw := snapshot.NewWriter(w, header)
	for _, it := range items {
		if err := sw.Add(it.Entry, strings.NewReader(it.content)); err != nil {
			return err
		}
	}
	for _, s := range skips {
		if err := sw.Skip(s.Path, s.Reason); err != nil {
			return err
		}
	}
	return sw.Close()
}

func sampleBytes(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(t, &b, sample()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(r io.Reader) (snapshot.Header, []item, []snapshot.Skipped, error) {
	sr, err := snapshot.NewReader(r)
	if err != nil {
		return snapshot.Header{}, nil, nil, err
	}
	var items []item
	for {
		e, content, err := sr.Next()
		if err == io.EOF {
			return sr.Header(), items, sr.Skipped(), nil
		}
		if err != nil {
			return sr.Header(), items, nil, err
		}
		b, err := io.ReadAll(content)
		if err != nil {
			return sr.Header(), items, nil, err
		}
		items = append(items, item{e, string(b)})
	}
}

func TestRoundTrip(t *testing.T) {
	h, items, skipped, err := readAll(iotest.OneByteReader(bytes.NewReader(sampleBytes(t))))
	if err != nil {
		t.Fatal(err)
	}
	if h != header {
		t.Errorf("header %+v, want %+v", h, header)
	}
	if want := sample(); !reflect.DeepEqual(items, want) {
		t.Errorf("entries\n%+v\nwant\n%+v", items, want)
	}
	if !reflect.DeepEqual(skipped, skips) {
		t.Errorf("skipped %+v, want %+v", skipped, skips)
	}
}

func TestEmptyTree(t *testing.T) {
	var b bytes.Buffer
	if err := snapshot.NewWriter(&b, header).Close(); err != nil {
		t.Fatal(err)
	}
	if _, items, skipped, err := readAll(&b); err != nil || len(items) != 0 || len(skipped) != 0 {
		t.Errorf("got %v, %v, %v", items, skipped, err)
	}
}

// TestGolden pins the bytes of format 1: they are in ledgers, and a toolchain
// whose archive/tar writes others would fetch everything anew.
func TestGolden(t *testing.T) {
	golden := filepath.Join("testdata", "format1.tar")
	got := sampleBytes(t)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the bytes of format 1 changed; that takes a new format version")
	}
	if _, items, _, err := readAll(bytes.NewReader(want)); err != nil || !reflect.DeepEqual(items, sample()) {
		t.Errorf("format 1 does not read back: %v", err)
	}
}

func TestWriterRefuses(t *testing.T) {
	file := func(path string) item {
		return item{Entry: snapshot.Entry{Path: path, Kind: snapshot.File, Blob: idA}}
	}
	with := func(change func(*item)) []item {
		it := file("f")
		change(&it)
		return []item{it}
	}
	tests := []struct {
		name  string
		items []item
		want  string
	}{
		{"parent", []item{file("a/../b")}, "leaves its folder"},
		{"windows parent", []item{file(`a\..\b`)}, "leaves its folder"},
		{"absolute", []item{file("/etc/passwd")}, "empty name"},
		{"empty", []item{file("")}, "empty name"},
		{"git folder", []item{file("sub/.GIT/config")}, "stands for .git"},
		{"not UTF-8", []item{file("caf\xe9")}, "not UTF-8"},
		{"repeated", []item{file("a"), file("a")}, "does not come after"},
		{"descending", []item{file("b"), file("a")}, "does not come after"},
		{"through a file", []item{file("a"), file("a-b"), file("a/c")}, `runs through the file "a"`},
		{"too long", []item{file(strings.Repeat("x/", 1<<15) + "y")}, "path of 65537 bytes"},
		{"no blob", with(func(it *item) { it.Blob = "" }), "blob"},
		{"upper-case blob", with(func(it *item) { it.Blob = strings.ToUpper(idA) }), "blob"},
		{"bad kind", with(func(it *item) { it.Kind = "snapshot" }), "no kind"},
		{"short content", with(func(it *item) { it.Size = 3; it.content = "ab" }), "content of 2 bytes"},
		{"long content", with(func(it *item) { it.Size = 1; it.content = "ab" }), "write too long"},
		{"link size", with(func(it *item) { it.Kind, it.Target = snapshot.Link, "x" }), "target has 1 bytes"},
		{"empty link", with(func(it *item) { it.Kind = snapshot.Link }), "empty link target"},
		{"target of a file", with(func(it *item) { it.Target = "x" }), "only links"},
		{"submodule with a blob", with(func(it *item) { it.Kind, it.Target = snapshot.Submodule, idA }), "submodule"},
		{"pointer of a file", with(func(it *item) { it.Pointer.Size = 1 }), "only git lfs"},
		{"lfs without an oid", with(func(it *item) { it.Kind = snapshot.LFS }), "git lfs pointer"},
		{"raw path of another", with(func(it *item) { it.RawPath = "f\xe9" }), "is not how"},
		{"raw path without need", with(func(it *item) { it.RawPath = "f" }), "is not how"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := write(t, io.Discard, test.items)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	t.Run("header", func(t *testing.T) {
		if err := snapshot.NewWriter(io.Discard, snapshot.Header{Commit: "abc"}).Close(); err == nil {
			t.Error("a header without ids was written")
		}
	})
}

func TestSkipIsBounded(t *testing.T) {
	var b bytes.Buffer
	w := snapshot.NewWriter(&b, header)
	if err := w.Skip("caf\xe9/"+strings.Repeat("ü", 600), "long"); err != nil {
		t.Fatal(err)
	}
	for range snapshot.MaxSkipped - 1 {
		if err := w.Skip("p", "r"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Skip("p", "r"); !errors.Is(err, snapshot.ErrTooManySkipped) {
		t.Errorf("error %v, want ErrTooManySkipped", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, skipped, err := readAll(&b)
	if err != nil || len(skipped) != snapshot.MaxSkipped {
		t.Fatalf("%d skipped, %v", len(skipped), err)
	}
	if p := skipped[0].Path; !strings.HasPrefix(p, "caf%E9/ü") || !strings.HasSuffix(p, "ü...") || len(p) > 515 {
		t.Errorf("path %q", p)
	}
}

// TestTruncated cuts a snapshot short: nothing but the padding after the last
// byte of the trailer may be missing.
func TestTruncated(t *testing.T) {
	whole := sampleBytes(t)
	end := bytes.LastIndexByte(whole, '}') + 2
	cuts := []int{end - 1, end - 2, end - 123, end - 512, end - 1536, end - 1537}
	for n := 0; n < end; n += 61 {
		cuts = append(cuts, n)
	}
	for _, n := range cuts {
		_, _, _, err := readAll(bytes.NewReader(whole[:n]))
		if err == nil {
			t.Fatalf("the first %d of %d bytes read as a whole snapshot", n, len(whole))
		}
		if !errors.Is(err, snapshot.ErrDamaged) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("the first %d bytes: error %v", n, err)
		}
	}
}

// raw writes a tar stream that no Writer would.
func raw(t *testing.T, headers ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := snapshot.NewWriter(&b, header).Close(); err != nil {
		t.Fatal(err)
	}
	own := tar.NewReader(bytes.NewReader(b.Bytes()))
	var out bytes.Buffer
	tw := tar.NewWriter(&out)
	put := func(h *tar.Header, content []byte) {
		t.Helper()
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		h, err := own.Next()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(own)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			for _, h := range headers {
				put(h, make([]byte, h.Size))
			}
			content = bytes.Replace(content, []byte(`"entries":0`), []byte(`"entries":1`), 1)
		}
		put(h, content)
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReaderRefuses(t *testing.T) {
	entry := func(change func(*tar.Header)) *tar.Header {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: "f", Mode: 0o644, Format: tar.FormatPAX,
			PAXRecords: map[string]string{"BENCHMILL.kind": "file", "BENCHMILL.blob": idA},
		}
		change(h)
		return h
	}
	if _, items, _, err := readAll(bytes.NewReader(raw(t, entry(func(*tar.Header) {})))); err != nil || len(items) != 1 {
		t.Fatalf("the plain entry does not read: %v", err)
	}
	tests := map[string]func(*tar.Header){
		"escape":          func(h *tar.Header) { h.Name = "../f" },
		"absolute":        func(h *tar.Header) { h.Name = "/f" },
		"folder":          func(h *tar.Header) { h.Typeflag, h.Name = tar.TypeDir, "d/" },
		"hard link":       func(h *tar.Header) { h.Typeflag, h.Linkname = tar.TypeLink, "/etc/passwd" },
		"device":          func(h *tar.Header) { h.Typeflag = tar.TypeChar },
		"link as file":    func(h *tar.Header) { h.Typeflag, h.Linkname = tar.TypeSymlink, "x" },
		"file as link":    func(h *tar.Header) { h.PAXRecords["BENCHMILL.kind"] = "link" },
		"no kind":         func(h *tar.Header) { delete(h.PAXRecords, "BENCHMILL.kind") },
		"second header":   func(h *tar.Header) { h.PAXRecords["BENCHMILL.kind"] = "snapshot" },
		"false trailer":   func(h *tar.Header) { h.PAXRecords["BENCHMILL.kind"] = "skipped" },
		"foreign record":  func(h *tar.Header) { h.PAXRecords["SCHILY.xattr.user.x"] = "y" },
		"full submodule":  func(h *tar.Header) { h.PAXRecords["BENCHMILL.kind"] = "submodule"; h.Size = 3 },
		"size not number": func(h *tar.Header) { h.PAXRecords["BENCHMILL.kind"] = "oversized" },
		"bad raw path":    func(h *tar.Header) { h.PAXRecords["BENCHMILL.rawpath"] = "zz" },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			if _, _, _, err := readAll(bytes.NewReader(raw(t, entry(change)))); !errors.Is(err, snapshot.ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
		})
	}
	t.Run("miscounted", func(t *testing.T) {
		if _, _, _, err := readAll(bytes.NewReader(raw(t))); !errors.Is(err, snapshot.ErrDamaged) {
			t.Errorf("error %v, want ErrDamaged", err)
		}
	})
	t.Run("format", func(t *testing.T) {
		b := bytes.Replace(sampleBytes(t), []byte(`"format":1`), []byte(`"format":2`), 1)
		if _, _, _, err := readAll(bytes.NewReader(b)); !errors.Is(err, snapshot.ErrFormat) {
			t.Errorf("error %v, want ErrFormat", err)
		}
	})
	t.Run("source fails", func(t *testing.T) {
		broken := errors.New("disk on fire")
		_, _, _, err := readAll(io.MultiReader(bytes.NewReader(sampleBytes(t)[:2048]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("error %v, want the reader's own", err)
		}
	})
}

func TestCheckName(t *testing.T) {
	good := []string{"a", ".gitignore", ".github", "git", "git~2", "...", "a..b", `system-\x2d.slice`, "a b", "caf\xe9", ".gitx"}
	bad := []string{"", ".", "..", "a/b", "a\x00", ".git", ".GIT", ".Git", ".git ", ".git.", ".git...", ".git::$INDEX_ALLOCATION",
		"git~1", "GIT~1", ".g\u200cit", "\ufeff.git", `..\x`, `x\.git\hooks`, ".. "}
	for _, name := range good {
		if err := snapshot.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range bad {
		if snapshot.CheckName(name) == nil {
			t.Errorf("%q passes", name)
		}
	}
}

func TestEscapeName(t *testing.T) {
	for in, want := range map[string]string{
		"plain %41 größe": "plain %41 größe",
		"caf\xe9":         "caf%E9",
		"\xff%\n":         "%FF%25%0A",
	} {
		if got := snapshot.EscapeName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzReader reads any bytes. What reads as a whole snapshot must write and
// read again as the same.
func FuzzReader(f *testing.F) {
	b := sampleBytes(f)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, items, skipped, err := readAll(bytes.NewReader(b))
		if err != nil {
			return
		}
		var again bytes.Buffer
		w := snapshot.NewWriter(&again, h)
		for _, it := range items {
			if err := w.Add(it.Entry, strings.NewReader(it.content)); err != nil {
				t.Fatalf("read but not written: %v", err)
			}
		}
		for _, s := range skipped {
			if err := w.Skip(s.Path, s.Reason); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		h2, items2, _, err := readAll(&again)
		if err != nil || h2 != h || !reflect.DeepEqual(items2, items) {
			t.Fatalf("second reading differs: %v", err)
		}
	})
}
