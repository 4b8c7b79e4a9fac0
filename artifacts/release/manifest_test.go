package release_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/artifacts/release"
)

// TestRoundTrip writes, reads and compares every field.
func TestRoundTrip(t *testing.T) {
	p := newPlace(t)
	m := manifest()
	l, _ := p.write(request(m, some()))
	got, _, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(m)
	if back, _ := json.Marshal(got); string(back) != string(want) {
		t.Errorf("read\n%s\nwritten\n%s", back, want)
	}
}

// TestOldFormats reads a manifest of every format there was, and finds all of it.
func TestOldFormats(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "formats", "*", "manifest.json"))
	if err != nil || len(files) != release.Format {
		t.Fatalf("%d old manifests, %v; want one of each format up to %d", len(files), err, release.Format)
	}
	for _, file := range files {
		m, _, err := release.Read(filepath.Dir(file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if m.Format == release.Format && string(got)+"\n" != string(want) {
			t.Errorf("%s: the format changed without its number:\n%s", file, got)
		}
		if m.Dataset != "quiz" || m.Rows != 3 || len(m.Files) != 2 || len(m.Stages) != 1 || len(m.Sources) != 2 {
			t.Errorf("%s: read %+v", file, m)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "not a manifest",
		"[]":                          "not a manifest",
		"null":                        "no format",
		"{}":                          "no format",
		`{"format": 2, "future": {}}`: "newer version of benchmill (known up to 1)",
		`{"format": 1}`:               "not a manifest",
		`{"format": 1, "dataset": "a/b", "version": "1.0.0"}`:                                        `dataset "a/b"`,
		`{"format": 1, "dataset": "..", "version": "1.0.0"}`:                                         `dataset ".."`,
		`{"format": 1, "dataset": "a", "version": "1.0.0", "files": [{"path": "../b"}]}`:             `file "../b" lies outside the release`,
		`{"format": 1, "dataset": "a", "version": "1.0.0", "files": [{"path": "/etc/passwd"}]}`:      "outside the release",
		`{"format": 1, "dataset": "a", "version": "1.0.0", "files": [{"path": "data/../../other"}]}`: "outside the release",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := release.Read(dir)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want %q and the path", text, err, want)
		}
	}
}

// FuzzRead: whatever the bytes, Read returns an error or a manifest that names
// no file outside its folder and that a second reading leaves as it is.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "formats", "*", "manifest.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no manifests to start from: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":1,"dataset":"a","version":"1","files":[{"path":"x/../../y"}]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "manifest.json")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, _, err := release.Read(dir)
		if err != nil {
			return
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
				t.Fatalf("file %q", file.Path)
			}
		}
		once, err := json.Marshal(m)
		if err != nil {
			return // raw JSON of a foreign file may be no JSON to write
		}
		if err := os.WriteFile(path, once, 0o644); err != nil {
			t.Fatal(err)
		}
		again, _, err := release.Read(dir)
		if err != nil {
			t.Fatalf("reading what was read: %v", err)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(once) {
			t.Fatalf("%s became %s", once, twice)
		}
	})
}
