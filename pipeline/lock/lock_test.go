package lock

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.lock")
	l := &Lock{AsOf: "2024-06-23T00:00:00Z"}
	l.Set(pipeline.Ref{Scheme: "git", Locator: "https://b", Name: "main"}, strings.Repeat("1", 40))
	l.Set(pipeline.Ref{Scheme: "git", Locator: "https://a", Name: "v1"}, "123e45")
	l.Set(pipeline.Ref{Scheme: "git", Locator: "https://a", Name: ""}, "0x10")
	l.SetTokenizer("z", digest.Of([]byte("z")))
	l.SetTokenizer("a", digest.Of([]byte("a")))
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	const want = head + `format: 1
as_of: "2024-06-23T00:00:00Z"
pins:
  - scheme: git
    locator: https://a
    name: ""
    version: "0x10"
  - scheme: git
    locator: https://a
    name: v1
    version: "123e45"
  - scheme: git
    locator: https://b
    name: main
    version: "1111111111111111111111111111111111111111"
tokenizers:
  - name: a
    digest: sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb
  - name: z
    digest: sha256:594e519ae499312b29433b7dd8a97ff068defcba9755b6d5d00e84c524d67b06
`
	data, err := os.ReadFile(path)
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s", err, data)
	}
	got, err := Read(path)
	if err != nil || !reflect.DeepEqual(got, l) {
		t.Errorf("%+v, %v", got, err)
	}
	if at := got.AsOfTime(); at.Unix() != 1719100800 {
		t.Errorf("as of %s", at)
	}
}

// Whatever names and versions are, they come back.
func TestRoundTripAnyText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.lock")
	if err := quick.Check(func(scheme, locator, name, version string) bool {
		l := &Lock{}
		ref := pipeline.Ref{Scheme: scheme, Locator: locator, Name: name}
		l.Set(ref, version)
		if err := l.Write(path); err != nil {
			return false
		}
		got, err := Read(path)
		if err != nil {
			return false
		}
		pin, err := got.Pin(ref, "")
		return err == nil && pin == pipeline.Pin{Scheme: scheme, Locator: locator, Version: version}
	}, &quick.Config{MaxCount: 60}); err != nil {
		t.Error(err)
	}
}

func TestSet(t *testing.T) {
	l := &Lock{}
	ref := pipeline.Ref{Scheme: "git", Locator: "https://a", Name: "main"}
	if _, err := l.Pin(ref, ""); err == nil || !strings.Contains(err.Error(), "git https://a@main is not in the lock") {
		t.Error(err)
	}
	l.Set(ref, "1")
	l.Set(ref, "2")
	l.SetTokenizer("t", "x")
	l.SetTokenizer("t", "y")
	if pin, err := l.Pin(ref, ""); err != nil || pin.Version != "2" || len(l.Pins) != 1 {
		t.Errorf("%+v, %v", pin, err)
	}
	if l.Tokenizer("t") != "y" || len(l.Tokenizers) != 1 || l.Tokenizer("u") != "" {
		t.Errorf("%+v", l.Tokenizers)
	}
	for _, other := range []pipeline.Ref{{Scheme: "hg", Locator: ref.Locator, Name: ref.Name}, {Scheme: "git", Locator: "https://b", Name: "main"}, {Scheme: "git", Locator: "https://a", Name: "dev"}} {
		if _, err := l.Pin(other, ""); err == nil {
			t.Errorf("%s is pinned", other)
		}
	}
}

func TestReadMissing(t *testing.T) {
	l, err := Read(filepath.Join(t.TempDir(), "none.lock"))
	if err != nil || len(l.Pins) > 0 || l.Format != Format {
		t.Errorf("%+v, %v", l, err)
	}
	if got := Path("dir/pipeline.yaml"); got != "dir/pipeline.lock" {
		t.Error(got)
	}
}

func TestParseErrors(t *testing.T) {
	pin := "  - {scheme: git, locator: x, name: main, version: \"%\"}\n"
	for name, test := range map[string]struct{ text, says string }{
		"empty":              {"", ""},
		"no format":          {"pins: []\n", "format 0"},
		"newer format":       {"format: 2\n", "newer version"},
		"unknown key":        {"format: 1\npin: []\n", "line 2: field pin not found"},
		"unknown key of pin": {"format: 1\npins:\n  - {scheme: git, ref: x}\n", "line 3: field ref not found"},
		"as of":              {"format: 1\nas_of: yesterday\n", "as_of"},
		"digest":             {"format: 1\ntokenizers:\n  - {name: t, digest: abc}\n", "tokenizer t"},
		"not yaml":           {"format: [", ""},
		"list":               {"- 1\n", ""},
		"pinned twice":       {"format: 1\npins:\n" + strings.Replace(pin, "%", "1", 1) + strings.Replace(pin, "%", "2", 1), "git x@main is pinned twice"},
		"tokenizer twice":    {"format: 1\ntokenizers:\n" + strings.Repeat("  - {name: t, digest: "+string(digest.Of(nil))+"}\n", 2), "tokenizer t is pinned twice"},
		"two documents":      {"format: 1\n---\nformat: 1\n", "more than one"},
	} {
		if l, err := Parse([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	path := filepath.Join(t.TempDir(), "p.lock")
	if err := os.WriteFile(path, []byte("format: 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("%v does not name the file", err)
	}
}

// FuzzParse: what is accepted can be written and read again, and is the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte("format: 1\nas_of: \"2024-06-23T00:00:00Z\"\npins:\n  - {scheme: git, locator: x, name: main, version: y}\n"))
	f.Add([]byte("format: 1\ntokenizers:\n  - {name: t, digest: " + string(digest.Of(nil)) + "}\n"))
	f.Add([]byte("format: 1\npins: [&a {scheme: \"\\xff\"}, *a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse(data)
		if err != nil {
			return
		}
		written, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("%v of what came from %q", err, data)
		}
		if len(l.Pins) != len(again.Pins) || len(l.Tokenizers) != len(again.Tokenizers) || l.AsOf != again.AsOf {
			t.Fatalf("%+v, then %+v", l, again)
		}
		for i := range l.Pins {
			if !reflect.DeepEqual(l.Pins[i], again.Pins[i]) {
				t.Errorf("%+v, then %+v", l.Pins[i], again.Pins[i])
			}
		}
	})
}
