package release_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"benchmill/artifacts/release"
)

const one, two = "data/one/test-00000-of-00001.parquet", "data/two/test-00000-of-00001.parquet"

func TestVerify(t *testing.T) {
	edit := func(old, new string) func(place, *release.Listed) {
		return func(p place, l *release.Listed) {
			text := p.read(p.file(l, "manifest.json"))
			if !bytes.Contains(text, []byte(old)) {
				p.t.Fatalf("no %q in the manifest", old)
			}
			p.put(p.file(l, "manifest.json"), bytes.Replace(text, []byte(old), []byte(new), 1))
		}
	}
	for name, c := range map[string]struct {
		damage func(p place, l *release.Listed)
		want   []string // "file: words", one for each problem
	}{
		"whole": {func(place, *release.Listed) {}, nil},
		"a byte flipped": {func(p place, l *release.Listed) {
			data := p.read(p.file(l, one))
			data[len(data)/2] ^= 1
			p.put(p.file(l, one), data)
		}, []string{one + ": bytes with digest"}},
		"cut short": {func(p place, l *release.Listed) { p.put(p.file(l, two), p.read(p.file(l, two))[:40]) },
			[]string{two + ": 40 bytes with digest"}},
		"a file missing": {func(p place, l *release.Listed) { os.Remove(p.file(l, one)) }, []string{one + ": missing"}},
		"all data missing": {func(p place, l *release.Listed) { os.RemoveAll(p.file(l, "data")) },
			[]string{one + ": missing", two + ": missing"}},
		"no card":         {func(p place, l *release.Listed) { os.Remove(p.file(l, "README.md")) }, []string{"README.md: missing"}},
		"a file too many": {func(p place, l *release.Listed) { p.put(p.file(l, "data/one/more.parquet"), nil) }, []string{"data/one/more.parquet: the manifest does not know"}},
		"files exchanged": {func(p place, l *release.Listed) {
			a, b := p.read(p.file(l, one)), p.read(p.file(l, two))
			p.put(p.file(l, one), b)
			p.put(p.file(l, two), a)
		}, []string{one + ": bytes with digest", two + ": bytes with digest"}},
		"rows of the release": {edit(`"rows": 3,
  "rows_digest"`, `"rows": 4,
  "rows_digest"`), []string{"manifest.json: it says 4 rows, the files have 3"}},
		"a file too few": {func(p place, l *release.Listed) {
			m, _, _ := release.Read(l.Path)
			edit(fmt.Sprintf("%q", m.Files[1].Path), `"data/two/other.parquet"`)(p, l)
		}, []string{"data/two/other.parquet: missing", two + ": the manifest does not know"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			l, _ := p.write(request(manifest(), some()))
			c.damage(p, l)
			problems, err := release.Verify(context.Background(), l.Path, quizzes)
			if err != nil {
				t.Fatal(err)
			}
			if len(problems) != len(c.want) {
				t.Fatalf("problems %q, want %q", problems, c.want)
			}
			for i, got := range problems {
				file, words, _ := strings.Cut(c.want[i], ": ")
				if got.File != file || !strings.Contains(got.Problem, words) {
					t.Errorf("problem %q, want %q", got, c.want[i])
				}
			}
		})
	}
}

// TestVerifyRows changes what the manifest says of rows; the bytes still match.
func TestVerifyRows(t *testing.T) {
	p := newPlace(t)
	l, _ := p.write(request(manifest(), some()))
	m, _, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	text := p.read(p.file(l, "manifest.json"))
	a, b := []byte(m.Files[0].RowsDigest), []byte(m.Files[1].RowsDigest)
	p.put(p.file(l, "manifest.json"), bytes.Replace(text, a, b, 1))
	problems, err := release.Verify(context.Background(), l.Path, quizzes)
	if err != nil || len(problems) != 2 || problems[0].File != one || problems[1].File != "manifest.json" {
		t.Errorf("problems %q, %v", problems, err)
	}
}

func TestVerifyStops(t *testing.T) {
	p := newPlace(t)
	l, _ := p.write(request(manifest(), some()))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if problems, err := release.Verify(ctx, l.Path, quizzes); err == nil {
		t.Errorf("a stopped check found %v and no error", problems)
	}
}
