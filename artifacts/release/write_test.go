package release_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/internal/digest"
)

func TestWrite(t *testing.T) {
	p := newPlace(t)
	l, fresh := p.write(request(manifest(), some()))
	if !fresh || l.Dataset != "quiz" || l.Version != "1.0.0" || l.Rows != 3 || l.Path != filepath.Join(p.root, "quiz", "1.0.0") {
		t.Errorf("written: %+v, fresh %v", l, fresh)
	}
	want := []string{"README.md", "data/one/test-00000-of-00001.parquet", "data/two/test-00000-of-00001.parquet", "manifest.json"}
	if got := tree(t, l.Path); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	m, sum, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	if sum != l.ManifestDigest || sum != digest.Of(p.read(p.file(l, "manifest.json"))) || m.RowsDigest != l.RowsDigest {
		t.Errorf("digests %s and %s, listed %+v", sum, m.RowsDigest, l)
	}
	for i, want := range []release.File{{Config: "one", Rows: 2}, {Config: "two", Rows: 1}} {
		f := m.Files[i]
		data := p.read(p.file(l, f.Path))
		if f.Config != want.Config || f.Rows != want.Rows || f.Split != "test" || f.Bytes != int64(len(data)) || f.Digest != digest.Of(data) {
			t.Errorf("file %+v, want %+v of %d bytes", f, want, len(data))
		}
	}
	if left := tree(t, p.temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

// TestSameContent: neither the order of rows of other configs nor a new recipe
// makes a release.
func TestSameContent(t *testing.T) {
	p := newPlace(t)
	first, _ := p.write(request(manifest(), some()))
	m := manifest()
	m.Recipe = digest.Of([]byte("another way"))
	rows := some()
	again, fresh := p.write(request(m, []quiz{rows[1], rows[0], rows[2]}))
	if fresh || *again != *first {
		t.Errorf("written again: %+v, fresh %v", again, fresh)
	}
}

// TestDamagedIsReplaced: a release whose files are gone is made again in place.
func TestDamagedIsReplaced(t *testing.T) {
	for _, name := range []string{"README.md", "data/one/test-00000-of-00001.parquet"} {
		p := newPlace(t)
		l, _ := p.write(request(manifest(), some()))
		before := p.read(p.file(l, name))
		if err := os.Remove(p.file(l, name)); err != nil {
			t.Fatal(err)
		}
		if release.Intact(l.Path) {
			t.Errorf("intact without %s", name)
		}
		again, fresh := p.write(request(manifest(), some()))
		if !fresh || again.Path != l.Path || !bytes.Equal(p.read(p.file(l, name)), before) {
			t.Errorf("%s: %+v, fresh %v", name, again, fresh)
		}
		if left := tree(t, p.temp); len(left) > 0 {
			t.Errorf("left in the temporary folder: %v", left)
		}
	}
}

// TestNothingHalfDone fails or stops a release on the way: nothing shows under
// its name and nothing stays behind.
func TestNothingHalfDone(t *testing.T) {
	broken := errors.New("broken")
	stopped, stop := context.WithCancel(context.Background())
	twice := append(some(), some()[0])
	for name, c := range map[string]struct {
		ctx     context.Context
		request func(r *release.Request)
		want    string
	}{
		"rows fail": {context.Background(), func(r *release.Request) {
			r.Rows = func(_ context.Context, yield func(any) error) error {
				if err := yield(some()); err != nil {
					return err
				}
				return broken
			}
		}, "broken"},
		"stopped": {stopped, func(r *release.Request) {
			r.Rows = func(_ context.Context, yield func(any) error) error { stop(); return yield(some()) }
		}, "canceled"},
		"two rows of one key": {context.Background(), func(r *release.Request) { r.Rows = rowsOf(twice) }, "two rows have the key a"},
		"config is no name": {context.Background(), func(r *release.Request) {
			r.Rows = rowsOf([]quiz{{ID: "a", Group: "../../etc"}})
		}, `"../../etc" cannot name a config`},
		"no such column": {context.Background(), func(r *release.Request) { r.ConfigsBy = "colour" }, `no column "colour"`},
	} {
		p := newPlace(t)
		r := request(manifest(), some())
		c.request(&r)
		_, _, err := release.Write(c.ctx, p.root, p.temp, r)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if left := slices.Concat(tree(t, p.root), tree(t, p.temp)); len(left) > 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

// TestSameEverywhere: the same release has the same bytes in any folder, which
// no machine's path and no time but the lock's can survive.
func TestSameEverywhere(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	a, _ := p.write(request(manifest(), some()))
	b, _ := q.write(request(manifest(), some()))
	for _, name := range tree(t, a.Path) {
		if !bytes.Equal(p.read(p.file(a, name)), q.read(q.file(b, name))) {
			t.Errorf("%s differs", name)
		}
	}
	times := regexp.MustCompile(`\d{4}-\d\d-\d\d(T[0-9:.]+Z?)?`)
	for _, name := range []string{"manifest.json", "README.md"} {
		text := string(p.read(p.file(a, name)))
		if strings.Contains(text, p.root) || strings.Contains(text, os.TempDir()) {
			t.Errorf("%s names a folder of this machine", name)
		}
		if got := times.FindAllString(text, -1); !slices.Equal(got, []string{"2024-06-23T00:00:00Z"}) {
			t.Errorf("%s holds the times %v", name, got)
		}
	}
}

func TestNoRows(t *testing.T) {
	p := newPlace(t)
	l, _ := p.write(request(manifest(), nil))
	if l.Rows != 0 {
		t.Errorf("%d rows", l.Rows)
	}
	if problems, err := release.Verify(context.Background(), l.Path, quizzes); err != nil || len(problems) > 0 {
		t.Errorf("problems %v, %v", problems, err)
	}
	if _, fresh := p.write(request(manifest(), nil)); fresh {
		t.Error("an empty release was written twice")
	}
}

// TestAtOnce has several processes make releases of one dataset at the same
// time: equal ones become one, different ones become versions, and whatever was
// returned stays as it was.
func TestAtOnce(t *testing.T) {
	p := newPlace(t)
	const each = 4
	var ready sync.WaitGroup
	ready.Add(2 * each)
	made := make([]*release.Listed, 2*each)
	var done sync.WaitGroup
	for i := range made {
		done.Go(func() {
			rows := some()[:2+i%2]
			r := request(manifest(), nil)
			r.Rows = func(_ context.Context, yield func(any) error) error {
				ready.Done()
				ready.Wait() // all of them, before any can be published
				return yield(rows)
			}
			l, _, err := p.try(r)
			if err != nil {
				t.Error(err)
				return
			}
			if made[i] = l; l.Rows != int64(len(rows)) {
				t.Errorf("%d rows became a release of %d", len(rows), l.Rows)
			}
		})
	}
	done.Wait()
	for _, l := range made {
		if t.Failed() {
			return
		}
		if _, sum, err := release.Read(l.Path); err != nil || sum != l.ManifestDigest {
			t.Errorf("%s is not what was returned: %v", l.Version, err)
		}
	}
	all, err := release.List(p.root, "")
	if err != nil || len(all) < 2 || len(all) > 2*each {
		t.Errorf("%d releases, %v", len(all), err)
	}
}
