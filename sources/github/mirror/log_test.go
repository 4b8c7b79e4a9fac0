package mirror

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// logs are the files of the only repository in a mirror.
func logs(t testing.TB, m *Mirror) []string {
	t.Helper()
	dir, err := m.folder(repo)
	if err != nil {
		t.Fatal(err)
	}
	out, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(out) != 3 {
		t.Fatalf("logs %q, %v", out, err)
	}
	return out
}

// Cut off or changed anywhere, a log gives the same table after a refresh.
func TestDamage(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(7)
	f.items[3].files = 5
	m := mirrorOf(t, f)
	want := issuesText(t, m, f.now) + detailsText(t, m, f.now)
	for _, name := range logs(t, m) {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, damage := range map[string]func(at int) []byte{
			"cut off": func(at int) []byte { return whole[:at] },
			"changed": func(at int) []byte {
				out := bytes.Clone(whole)
				out[at] ^= 0x40
				return out
			},
			"zeroed": func(at int) []byte { return append(bytes.Clone(whole[:at]), make([]byte, len(whole)-at)...) },
			"longer": func(at int) []byte { return append(bytes.Clone(whole), whole[:at]...) },
		} {
			for at := 0; at < len(whole); at += 1 + len(whole)/16 {
				if what == "changed" && at < len(firstLine("issues")) && whole[at] == '1' {
					continue // a newer format
				}
				if err := os.WriteFile(name, damage(at), 0o644); err != nil {
					t.Fatal(err)
				}
				same(t, fmt.Sprintf("%s %s at %d", filepath.Base(name), what, at), issuesText(t, m, f.now)+detailsText(t, m, f.now), want)
			}
		}
	}
}

func TestNewerFormat(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	m := mirrorOf(t, f)
	issuesText(t, m, f.now)
	detailsText(t, m, f.now)
	for _, name := range logs(t, m) {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		newer := bytes.Replace(whole, []byte("mirror 1"), []byte("mirror 2"), 1)
		if err := os.WriteFile(name, newer, 0o644); err != nil {
			t.Fatal(err)
		}
		err = m.Details(t.Context(), repo, f.now, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "format 2 is newer") {
			t.Errorf("%v", err)
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, newer) {
			t.Errorf("%s was changed", name)
		}
		if err := os.WriteFile(name, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	m := mirrorOf(t, f)
	for _, c := range []struct{ got, want int64 }{
		{m.Estimate(repo, f.now, &Counts{300, 101}), 6 + 18},
		{m.Estimate(repo, f.now, nil), 11 + 41},
		{m.Estimate(repo, f.now, &Counts{1, 0}), 2},
		{m.Estimate(repo, f.now, &Counts{}), 2},
		{m.EstimateDetails(repo, &Counts{41, 1}), 3 + 1},
		{m.EstimateDetails(repo, &Counts{}), 0},
		{m.EstimateDetails(repo, nil), 25 + 25},
		{m.Estimate("no name", f.now, &Counts{1, 0}), 2},
	} {
		if c.got != c.want {
			t.Errorf("with nothing on disk: %d, want %d", c.got, c.want)
		}
	}
	f.before = func(i int) error {
		if i == 2 {
			return errKilled
		}
		return nil
	}
	m.Issues(t.Context(), repo, f.now, &bytes.Buffer{})
	has := &Counts{300, 100}
	if got := m.Estimate(repo, f.now, has); got != 4+17 {
		t.Errorf("after one page: %d", got)
	}
	f.before = nil
	issuesText(t, m, f.now)
	detailsText(t, m, f.now)
	if got := m.Estimate(repo, f.now, has); got != 0 {
		t.Errorf("of what is there: %d", got)
	}
	later := f.now.Add(time.Hour)
	if got := m.Estimate(repo, later, has); got != 2 {
		t.Errorf("of a refresh: %d", got)
	}
	for _, c := range []struct {
		has  *Counts
		want int64
	}{{nil, 1}, {&Counts{2, 2}, 1}, {&Counts{40, 20}, 3}} {
		if got := m.EstimateDetails(repo, c.has); got != c.want {
			t.Errorf("of details that are there, of %+v: %d, want %d", c.has, got, c.want)
		}
	}
	m.Full = true
	if got := m.Estimate(repo, later, has); got != 5+17 {
		t.Errorf("of a full collection: %d", got)
	}
	if got := m.EstimateDetails(repo, has); got != 15+5 {
		t.Errorf("of all details again: %d", got)
	}
}

// Whatever lies in a log, a beginning of it is used and can be appended to.
func FuzzLog(f *testing.F) {
	l := &log{kind: kindIssues, path: filepath.Join(f.TempDir(), "x")}
	var err error
	if l.file, err = os.Create(l.path); err != nil {
		f.Fatal(err)
	}
	for _, e := range []entry{
		{Kind: entryPage, First: true, Full: true, Next: "x"}, {Kind: entryPage, Done: true}, {Kind: entrySame}, {Kind: entryListing, Issue: 1, First: true},
		{Kind: entryBatch, Asked: []asked{{Number: 1, More: map[string]string{"files": "x"}}}}, {Kind: entryMore, Issue: 1, List: "files"},
	} {
		if err := l.append(e, []byte(`[]`)); err != nil {
			f.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(l.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-9])
	f.Add([]byte("benchmill mirror 1 issues\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, end, err := scan(bytes.NewReader(data), kindIssues, true)
		if end > int64(len(data)) || err != nil && len(entries) > 0 {
			t.Fatalf("%d of %d bytes, %v", end, len(data), err)
		}
		again, sameEnd, _ := scan(bytes.NewReader(data[:end]), kindIssues, true)
		if len(again) != len(entries) || sameEnd != end {
			t.Fatalf("a beginning of a log is not the same log: %d, %d entries", len(entries), len(again))
		}
		loose, _, _ := scan(bytes.NewReader(data), kindIssues, false)
		if len(loose) < len(entries) {
			t.Fatal("without checks less is found")
		}
		newPages(&log{entries: loose}, repo, kindComments).listings()
		newDetails(&log{entries: loose})
	})
}

func TestAppendAfterFailure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	say := slog.New(slog.DiscardHandler)
	for want := range 3 {
		l, err := openLog(dir, kindIssues, say)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := l.file.Stat(); err != nil || info.Size() != l.end {
			t.Errorf("%d bytes, %v; %d are whole entries", info.Size(), err, l.end)
		}
		if len(l.entries) != want {
			t.Errorf("%d entries, want %d", len(l.entries), want)
		}
		if err := l.append(entry{Kind: entryPage}, bytes.Repeat([]byte("x"), 100)); err != nil {
			t.Fatal(err)
		}
		if body, err := l.body(l.entries[want]); err != nil || len(body) != 100 {
			t.Errorf("%d bytes, %v", len(body), err)
		}
		l.file.WriteAt([]byte("half an entry"), l.end)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
