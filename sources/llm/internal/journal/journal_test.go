package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchmill/internal/digest"
)

func keys(n int) []digest.Digest {
	var out []digest.Digest
	for i := range n {
		out = append(out, digest.Of([]byte{byte(i)}))
	}
	return out
}

func entry(marker string, n int) *Entry {
	return &Entry{Marker: marker, Provider: "p", Host: "h", Model: "m", Created: time.Date(2020, 1, 1, 0, 0, 0, 1, time.UTC), Keys: keys(n)}
}

func load(t *testing.T, j Journal) []*Entry {
	t.Helper()
	out, err := j.Load()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestJournal(t *testing.T) {
	j := Journal{filepath.Join(t.TempDir(), "below", "journal")}
	if got := load(t, j); len(got) != 0 {
		t.Errorf("an empty journal holds %v", got)
	}
	a, b := entry("a", 3), entry("b", 1)
	must(t, j.Save(b))
	must(t, j.Save(a))
	must(t, j.Take(a, a.Keys[1]))
	must(t, j.Take(a, a.Keys[1]))
	a.Batch = "batch-1"
	must(t, j.Save(a))
	got := load(t, j)
	if len(got) != 2 || got[0].Marker != "a" || got[0].Batch != "batch-1" || !got[0].Created.Equal(a.Created) || len(got[0].Keys) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []bool{false, true, false} {
		if got[0].Taken(a.Keys[i]) != want {
			t.Errorf("key %d: taken %t", i, !want)
		}
	}
	// The last answer takes the entry with it, also in another program.
	must(t, j.Take(got[0], a.Keys[0]))
	must(t, j.Take(got[0], a.Keys[2]))
	must(t, j.Take(b, b.Keys[0]))
	if files, _ := os.ReadDir(j.Dir); len(files) != 0 {
		t.Errorf("left are %v", files)
	}
}

func TestNothingIsKeptWithoutFolder(t *testing.T) {
	var j Journal
	e := entry("a", 2)
	must(t, j.Save(e))
	must(t, j.Take(e, e.Keys[0]))
	must(t, j.Remove(e))
	if got := load(t, j); got != nil || !e.Taken(e.Keys[0]) || e.Done() || j.Path(e) != "" {
		t.Errorf("%v, %+v", got, e)
	}
}

// What a power cut leaves of the list of taken answers is read as far as it goes.
func TestTakenIsTorn(t *testing.T) {
	j := Journal{t.TempDir()}
	e := entry("a", 3)
	must(t, j.Save(e))
	must(t, os.WriteFile(filepath.Join(j.Dir, "a.taken"), []byte(string(e.Keys[0])+"\n\x00\x00\nsha256:00\n"+string(e.Keys[1])[:40]), 0o644))
	if got := load(t, j)[0]; !got.Taken(e.Keys[0]) || got.Taken(e.Keys[1]) || got.Done() {
		t.Errorf("%+v", got)
	}
}

func TestDamaged(t *testing.T) {
	j := Journal{t.TempDir()}
	e := entry("a", 2)
	must(t, j.Save(e))
	path := j.Path(e)
	whole, err := os.ReadFile(path)
	must(t, err)
	for _, bad := range []string{"", "null", "{}", "[]", string(whole[:len(whole)/2]),
		strings.Replace(string(whole), `"format": 1`, `"format": 2`, 1),
		strings.Replace(string(whole), `"marker": "a"`, `"marker": "b"`, 1),
		strings.Replace(string(whole), `"marker": "a"`, `"marker": "../a"`, 1),
		strings.Replace(string(whole), string(e.Keys[1]), string(e.Keys[0]), 1),
		strings.Replace(string(whole), string(e.Keys[1]), "sha256:x", 1),
	} {
		must(t, os.WriteFile(path, []byte(bad), 0o644))
		if got, err := j.Load(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
	// Leftovers of a write that was cut are no entries.
	must(t, os.Remove(path))
	must(t, os.WriteFile(filepath.Join(j.Dir, ".tmp-x.json"), nil, 0o644))
	if got := load(t, j); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// FuzzEntry: what is accepted has a name that stays in the folder, and keys.
func FuzzEntry(f *testing.F) {
	f.Add("a", []byte(`{"format":1,"marker":"a","created":"2020-01-01T00:00:00Z","keys":["`+string(keys(1)[0])+`"]}`))
	f.Add("..", []byte(`{"format":1,"marker":"..","created":"2020-01-01T00:00:00Z","keys":[]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		e, err := parse(name, data)
		if err != nil {
			return
		}
		j := Journal{"folder"}
		if filepath.Dir(j.Path(e)) != "folder" || len(e.Keys) == 0 || e.Done() || e.Marker != name {
			t.Errorf("%+v at %s", e, j.Path(e))
		}
	})
}
