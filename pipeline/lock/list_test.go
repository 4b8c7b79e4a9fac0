package lock

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"

	"benchmill/pipeline"
)

var search = pipeline.Ref{Scheme: "github-search", Locator: "https://api", Name: "language:python stars:>=10"}

// A list comes back byte for byte, and its version is its digest.
func TestList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.lock")
	l := &Lock{}
	version, err := l.SetList(search, []byte(`{"repo":"o/b", "stars": 12, "archived":false, "topics":["x","1e3","null",""]}
{"repo":"o/a\u0085\u2028<&>","none":null,"at":"2024-06-23T00:00:00Z"}
`), "2024-06-23")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if !strings.Contains(string(data), `      - {"archived": false, "repo": "o/b", "stars": 12, "topics": ["x", "1e3", "null", ""]}`+"\n") {
		t.Errorf("not a line a repository:\n%s", data)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	lists := got.Lists()
	if len(lists) != 1 || lists[0].Version != version || !bytes.Equal(lists[0].Body(), l.Lists()[0].Body()) {
		t.Errorf("%s\n%s", lists[0].Body(), l.Lists()[0].Body())
	}
	if pin, err := got.Pin(search, "2024-06-23"); err != nil || pin != lists[0].Pin() {
		t.Errorf("%v, %v", pin, err)
	}
	if _, err := got.Pin(search, "2024-06-24"); err == nil || !strings.Contains(err.Error(), "as of 2024-06-23, the pipeline as of 2024-06-24") {
		t.Errorf("a list of another moment: %v", err)
	}
	if next := (&Lock{}); !next.Keep(got, search, "2024-06-23") || next.Keep(got, search, "2024-06-24") {
		t.Error("keeping a list depends on its moment")
	}
	edited := bytes.Replace(data, []byte("12"), []byte("13"), 1)
	if _, err := Parse(edited); err == nil || !strings.Contains(err.Error(), "another digest") {
		t.Errorf("an edited list: %v", err)
	}
}

func TestListAnyText(t *testing.T) {
	if err := quick.Check(func(keys []string, text string, n int64) bool {
		m := map[string]any{"text": text, "n": n, "keys": keys}
		line, err := json.Marshal(m)
		if err != nil {
			return false
		}
		l := &Lock{}
		if _, err := l.SetList(search, append(line, '\n'), ""); err != nil {
			return false
		}
		data, err := l.encode()
		if err != nil {
			return false
		}
		_, err = Parse(data)
		return err == nil
	}, &quick.Config{MaxCount: 200}); err != nil {
		t.Error(err)
	}
}

func TestListErrors(t *testing.T) {
	for _, text := range []string{"{", "{} {}\n", "{}\n\n"} {
		if _, err := (&Lock{}).SetList(search, []byte(text), ""); err == nil || !strings.Contains(err.Error(), "of the list") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A number that would not come back as it is must not make a lock nobody can read.
func TestListNumbers(t *testing.T) {
	for number, whole := range map[string]bool{
		"0": true, "-7": true, "9223372036854775807": true, "-9223372036854775808": true,
		"-0": false, "1.0": false, "1e3": false, "9223372036854775808": false,
	} {
		l := &Lock{}
		if _, err := l.SetList(search, []byte(`{"n":`+number+"}\n"), ""); err != nil {
			t.Fatal(err)
		}
		data, err := l.encode()
		if (err == nil) != whole || err != nil && !strings.Contains(err.Error(), number+": lists hold whole numbers only") {
			t.Errorf("%s: %v", number, err)
		}
		if _, parsed := Parse(data); err == nil && parsed != nil {
			t.Errorf("%s: %v", number, parsed)
		}
	}
}
