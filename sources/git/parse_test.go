package git

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/internal/snapshot"
)

const someID = "0123456789abcdef0123456789abcdef01234567"

func TestParseCommit(t *testing.T) {
	tests := []struct {
		name, in           string
		written, committed string
		err                string
	}{
		{
			name:    "plain",
			in:      "tree " + someID + "\nparent " + someID + "\nauthor A <a@b> 1600000000 +0200\ncommitter C <c@d> 1700000000 -0730\n\ntree of words\n",
			written: "2020-09-13T12:26:40Z", committed: "2023-11-14T22:13:20Z",
		},
		{
			name:    "first of each counts",
			in:      "tree " + someID + "\ntree " + strings.Repeat("f", 40) + "\nauthor A <> 1 +0000\nauthor A <> 2 +0000\ngpgsig x\n author B <> 9 +0000\ncommitter C <> 3 +0000\n\n",
			written: "1970-01-01T00:00:01Z", committed: "1970-01-01T00:00:03Z",
		},
		{
			name:    "no times",
			in:      "tree " + someID + "\nauthor nobody\n\n",
			written: "1970-01-01T00:00:00Z", committed: "1970-01-01T00:00:00Z",
		},
		{
			name:    "times beyond all calendars",
			in:      "tree " + someID + "\nauthor A <> 99999999999999999999 +0000\ncommitter A <> -5 +0000\n\n",
			written: "9999-12-31T23:59:59Z", committed: "1970-01-01T00:00:00Z",
		},
		{
			name:    "mail with brackets",
			in:      "tree " + someID + "\nauthor A <<a>b> 7 +0000\ncommitter A <a@b> 8\n",
			written: "1970-01-01T00:00:07Z", committed: "1970-01-01T00:00:08Z",
		},
		{name: "no tree", in: "author A <> 1 +0000\n\ntree " + someID, err: "no tree"},
		{name: "bad tree", in: "tree xyz\n\n", err: "not an id"},
		{name: "empty", err: "no tree"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := parseCommit([]byte(test.in))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			const layout = "2006-01-02T15:04:05Z"
			if c.tree.String() != someID || c.written.Format(layout) != test.written || c.committed.Format(layout) != test.committed {
				t.Errorf("%s, %v, %v", c.tree, c.written, c.committed)
			}
		})
	}
}

func rawTree(entries ...string) []byte {
	var b bytes.Buffer
	for _, e := range entries {
		b.WriteString(e + "\x00")
		id := plumbing.NewHash(someID)
		b.Write(id[:])
	}
	return b.Bytes()
}

func TestParseTreeOrder(t *testing.T) {
	got, err := parseTree(rawTree("40000 a", "100644 b", "100644 a.txt", "100644 a", "100644 a%FF", "100644 a\xff", "120000 a0", "0160000 a-"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range got {
		names = append(names, fmt.Sprintf("%o %q", e.mode, e.name))
	}
	want := `100644 "a", 100644 "a%FF", 100644 "a\xff", 160000 "a-", 100644 "a.txt", 40000 "a", 120000 "a0", 100644 "b"`
	if s := strings.Join(names, ", "); s != want {
		t.Errorf("order %s\nwant  %s", s, want)
	}
}

func TestParseTreeRefuses(t *testing.T) {
	whole := rawTree("100644 a")
	for name, in := range map[string][]byte{
		"cut id":   whole[:len(whole)-1],
		"no id":    []byte("100644 a\x00"),
		"no name":  []byte("100644"),
		"no space": rawTree("100644"),
		"bad mode": rawTree("10x644 a"),
		"trailing": append(bytes.Clone(whole), '1'),
	} {
		if _, err := parseTree(in); err == nil || !strings.Contains(err.Error(), "malformed tree") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// FuzzTree parses any bytes. The order of the entries must be the one a
// snapshot takes, once names that stand twice are left out.
func FuzzTree(f *testing.F) {
	f.Add(rawTree("40000 a", "100644 a.txt", "100644 a", "100755 \xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := parseTree(b)
		if err != nil {
			return
		}
		w := snapshot.NewWriter(&bytes.Buffer{}, snapshot.Header{Commit: someID, Tree: someID})
		seen := map[string]bool{}
		for _, e := range entries {
			if snapshot.CheckName(e.name) != nil || seen[e.shown] || len(e.shown) > snapshot.MaxPath-2 {
				continue
			}
			seen[e.shown] = true
			path := e.shown
			if e.isFolder() {
				path += "/x"
			}
			if err := w.Add(snapshot.Entry{Path: path, Kind: snapshot.Oversized, Blob: someID}, nil); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzCommit parses any bytes; what it accepts must make a header.
func FuzzCommit(f *testing.F) {
	f.Add([]byte("tree " + someID + "\nauthor A <a@b> 1600000000 +0200\ncommitter C <c@d> 1700000000 -0730\n\nwords\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseCommit(b)
		if err != nil {
			return
		}
		h := snapshot.Header{Commit: someID, Tree: c.tree.String(), AuthorTime: c.written, CommitTime: c.committed}
		if err := snapshot.NewWriter(&bytes.Buffer{}, h).Close(); err != nil {
			t.Fatal(err)
		}
	})
}

const lfsOID = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"

func TestParsePointer(t *testing.T) {
	const version = "version https://git-lfs.github.com/spec/v1\n"
	good := version + "oid sha256:" + lfsOID + "\nsize 12345\n"
	if p, ok := parsePointer([]byte(good)); !ok || p != (snapshot.Pointer{OID: lfsOID, Size: 12345}) {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := parsePointer([]byte(version + "ext-0-foo sha256:" + lfsOID + "\noid sha256:" + lfsOID + "\nsize 0")); !ok {
		t.Error("a pointer with an extension is none")
	}
	for name, in := range map[string]string{
		"empty":           "",
		"another version": "version https://example.com/spec/v1\noid sha256:" + lfsOID + "\nsize 1\n",
		"not at the top":  "\n" + good,
		"no size":         version + "oid sha256:" + lfsOID + "\n",
		"negative size":   version + "oid sha256:" + lfsOID + "\nsize -1\n",
		"no oid":          version + "size 1\n",
		"short oid":       version + "oid sha256:4d7a\nsize 1\n",
		"upper-case oid":  version + "oid sha256:" + strings.ToUpper(lfsOID) + "\nsize 1\n",
		"too long":        good + strings.Repeat("#", maxPointer),
	} {
		if _, ok := parsePointer([]byte(in)); ok {
			t.Errorf("%s: taken for a pointer", name)
		}
	}
}

// FuzzPointer parses any bytes; what it accepts must be an entry.
func FuzzPointer(f *testing.F) {
	f.Add([]byte("version https://git-lfs.github.com/spec/v1\noid sha256:" + lfsOID + "\nsize 12345\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := parsePointer(b)
		if !ok {
			return
		}
		w := snapshot.NewWriter(&bytes.Buffer{}, snapshot.Header{Commit: someID, Tree: someID})
		e := snapshot.Entry{Path: "f", Kind: snapshot.LFS, Blob: someID, Size: int64(len(b)), Pointer: p}
		if err := w.Add(e, bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
	})
}
