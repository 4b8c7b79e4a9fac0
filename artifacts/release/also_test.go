package release_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// lines writes each quiz to a file of its group, and its tags to another.
func lines(version int) *pipeline.Adapter {
	return pipeline.NewAdapter("lines", version, "One line a quiz.", quizzes, func(q quiz, to func(string, []byte) error) error {
		if err := to(q.Group+"/quizzes.txt", fmt.Appendf(nil, "%s %d v%d\n", q.ID, q.Size, version)); err != nil {
			return err
		}
		for _, tag := range q.Tags {
			if err := to("tags.txt", []byte(tag+"\n")); err != nil {
				return err
			}
		}
		return nil
	})
}

func alsoRequest(rows []quiz, adapters ...*pipeline.Adapter) release.Request {
	r := request(manifest(), rows)
	r.Also = adapters
	return r
}

func TestAlso(t *testing.T) {
	p := newPlace(t)
	l, fresh := p.write(alsoRequest(some(), lines(1)))
	if !fresh {
		t.Fatal("not written")
	}
	want := map[string]string{
		"also/lines/one/quizzes.txt": "a 1 v1\nc 3 v1\n", "also/lines/two/quizzes.txt": "b 2 v1\n", "also/lines/tags.txt": "x\ny\n",
	}
	m, _, err := release.Read(l.Path)
	if err != nil || len(m.Also) != len(want) {
		t.Fatalf("%+v, %v", m, err)
	}
	for i, f := range m.Also {
		data := p.read(p.file(l, f.Path))
		if string(data) != want[f.Path] || f.Bytes != int64(len(data)) || f.Digest != digest.Of(data) || f.Adapter != "lines/1" || i > 0 && m.Also[i-1].Path >= f.Path {
			t.Errorf("%+v: %q", f, data)
		}
	}
	if problems, err := release.Verify(context.Background(), l.Path, quizzes); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	if card := p.read(p.file(l, "README.md")); !bytes.Contains(card, []byte("| also/lines/tags.txt | lines/1 | 4 |\n")) {
		t.Errorf("%s", card)
	}
	// Written again, it is the same release; by another adapter, the same rows
	// told otherwise.
	if again, fresh := p.write(alsoRequest(some(), lines(1))); fresh || again.Version != "1.0.0" {
		t.Errorf("%+v", again)
	}
	if other, _ := p.write(alsoRequest(some(), lines(2))); other.Version != "1.0.1" || other.RowsDigest != l.RowsDigest {
		t.Errorf("%+v", other)
	}
	if none, _ := p.write(request(manifest(), some())); none.Version != "1.0.2" || release.Intact(l.Path) != true {
		t.Errorf("%+v", none)
	}
	d, err := release.Diff(context.Background(), l.Path, p.root+"/quiz/1.0.2", quizzes)
	if err != nil || d.Change != release.Patch || d.Same != 3 {
		t.Errorf("%+v, %v", d, err)
	}
}

// A frame makes one JSON object of each file, whatever batches rows come in.
func TestAlsoFramed(t *testing.T) {
	p := newPlace(t)
	objects := pipeline.NewAdapter("objects", 1, "A member a quiz.", quizzes, func(q quiz, to func(string, []byte) error) error {
		return to(q.Group+".json", fmt.Appendf(nil, "%q: %d", q.ID, q.Size))
	}).Framed(pipeline.Frame{Head: "{", Separator: ",\n", Tail: "}\n"})
	r := alsoRequest(nil, objects)
	r.Rows = func(_ context.Context, yield func(any) error) error {
		for _, q := range some() {
			if err := yield([]quiz{q}); err != nil {
				return err
			}
		}
		return nil
	}
	l, _ := p.write(r)
	m, _, err := release.Read(l.Path)
	want := map[string]string{"also/objects/one.json": "{\"a\": 1,\n\"c\": 3}\n", "also/objects/two.json": "{\"b\": 2}\n"}
	if err != nil || len(m.Also) != len(want) {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, f := range m.Also {
		data := p.read(p.file(l, f.Path))
		if string(data) != want[f.Path] || f.Bytes != int64(len(data)) || f.Digest != digest.Of(data) {
			t.Errorf("%+v: %q, want %q", f, data, want[f.Path])
		}
	}
}

// Promise 1, for what adapters write: the same bytes, whatever batches rows come
// in.
func TestPromise1Also(t *testing.T) {
	a, b := newPlace(t), newPlace(t)
	r := alsoRequest(nil, lines(1))
	r.Rows = func(_ context.Context, yield func(any) error) error {
		for _, q := range some() {
			if err := yield([]quiz{q}); err != nil {
				return err
			}
		}
		return nil
	}
	x, _ := a.write(alsoRequest(some(), lines(1)))
	y, _ := b.write(r)
	if x.ManifestDigest != y.ManifestDigest {
		t.Errorf("%s and %s", x.ManifestDigest, y.ManifestDigest)
	}
}

func TestVerifyAlso(t *testing.T) {
	const file = "also/lines/one/quizzes.txt"
	for name, c := range map[string]struct {
		damage func(p place, l *release.Listed)
		want   string
		intact bool
	}{
		"changed":         {func(p place, l *release.Listed) { p.put(p.file(l, file), []byte("a 1 v1\nc 4 v1\n")) }, file + ": 14 bytes with digest", true},
		"cut short":       {func(p place, l *release.Listed) { p.put(p.file(l, file), []byte("a 1 v1\n")) }, file + ": 7 bytes with digest", false},
		"missing":         {func(p place, l *release.Listed) { os.Remove(p.file(l, file)) }, file + ": missing", false},
		"a file too many": {func(p place, l *release.Listed) { p.put(p.file(l, "also/lines/more.txt"), nil) }, "also/lines/more.txt: the manifest does not know", true},
	} {
		p := newPlace(t)
		l, _ := p.write(alsoRequest(some(), lines(1)))
		c.damage(p, l)
		problems, err := release.Verify(context.Background(), l.Path, quizzes)
		if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].File+": "+problems[0].Problem, c.want) || release.Intact(l.Path) != c.intact {
			t.Errorf("%s: %v, %v, want %q; intact: %v", name, problems, err, c.want, release.Intact(l.Path))
		}
		// A release that is not intact is made again.
		if _, fresh := p.write(alsoRequest(some(), lines(1))); fresh == c.intact {
			t.Errorf("%s: written again: %v", name, fresh)
		}
	}
	p := newPlace(t)
	l, _ := p.write(alsoRequest(some(), lines(1)))
	p.put(p.file(l, "manifest.json"), bytes.Replace(p.read(p.file(l, "manifest.json")), []byte(file), []byte("../../outside.txt"), 1))
	if _, err := release.Verify(context.Background(), l.Path, quizzes); !errors.Is(err, release.ErrNotManifest) {
		t.Errorf("a path out of the release: %v", err)
	}
}

// Promise 3, for what adapters write: a failure leaves nothing.
func TestPromise3Also(t *testing.T) {
	broken := errors.New("broken")
	failing := func(write func(q quiz, to func(string, []byte) error) error) *pipeline.Adapter {
		return pipeline.NewAdapter("bad", 1, "Fails.", quizzes, write)
	}
	to := func(path string) *pipeline.Adapter {
		return failing(func(_ quiz, to func(string, []byte) error) error { return to(path, []byte("x")) })
	}
	n := 0
	for name, adapter := range map[string]*pipeline.Adapter{
		"row c: broken": failing(func(q quiz, to func(string, []byte) error) error {
			if q.ID == "c" {
				return broken
			}
			return to("x", []byte(q.ID))
		}),
		`row a: "../x" cannot be`: to("../x"), `"/x" cannot be`: to("/x"), `"a//x" cannot be`: to("a//x"), `".x" cannot be`: to(".x"),
		`"" cannot be`: to(""), `"a b" cannot be`: to("a b"), `"a\\x" cannot be`: to(`a\x`),
		"more than 512 files": failing(func(_ quiz, to func(string, []byte) error) error {
			for range 600 {
				n++
				if err := to(fmt.Sprint("f", n), nil); err != nil {
					return err
				}
			}
			return nil
		}),
		"not a directory": failing(func(_ quiz, to func(string, []byte) error) error {
			return errors.Join(to("x", nil), to("x/y", nil))
		}),
	} {
		p := newPlace(t)
		_, _, err := p.try(alsoRequest(some(), lines(1), adapter))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "adapter bad: ") {
			t.Errorf("%s: %v", name, err)
		}
		for _, dir := range []string{p.root, p.temp} {
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%s: %s is left in %s", name, left[0].Name(), dir)
			}
		}
	}
}
