package repos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// stream answers every fetch with the same bytes.
type stream struct {
	data []byte
	pin  pipeline.Pin
}

func (s *stream) Fetch(_ context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	s.pin = pin
	return io.NopCloser(bytes.NewReader(s.data)), nil
}

func (s *stream) Complete(context.Context, pipeline.ModelName, string, pipeline.Request) (r pipeline.Reply, err error) {
	return r, errors.New("no model here")
}

func snap(t *testing.T) []byte {
	t.Helper()
	id := func(n int) string { return fmt.Sprintf("%040x", n) }
	var b bytes.Buffer
	w := snapshot.NewWriter(&b, snapshot.Header{Commit: id(1), Tree: id(2)})
	for _, e := range []struct {
		snapshot.Entry
		content string
	}{
		{snapshot.Entry{Path: "a.py", Kind: snapshot.File, Blob: id(3), Size: 5}, "a = 1"},
		{snapshot.Entry{Path: "big", Kind: snapshot.Oversized, Blob: id(4), Size: 1 << 30}, ""},
		{snapshot.Entry{Path: "link", Kind: snapshot.Link, Blob: id(5), Size: 11, Target: "/etc/passwd"}, ""},
		{snapshot.Entry{Path: "long", Kind: snapshot.File, Blob: id(6), Size: 11}, "0123456789x"},
		{snapshot.Entry{Path: "run", Kind: snapshot.Executable, Blob: id(7), Size: 10}, "0123456789"},
		{snapshot.Entry{Path: "sub", Kind: snapshot.Submodule, Target: id(8)}, ""},
	} {
		if err := w.Add(e.Entry, strings.NewReader(e.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Skip("x/.git", "a name of git"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func take(t *testing.T, s *stream) (*stagetest.Result, error) {
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: Snapshot(), Config: &SnapshotConfig{MaxFileBytes: 10}, Effects: s,
		Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/r", URL: "https://host/o/r", Commit: commit, Language: "python"}}},
	})
}

func TestSnapshot(t *testing.T) {
	s := &stream{data: snap(t)}
	r, err := take(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := (pipeline.Pin{Scheme: "git", Locator: "https://host/o/r", Version: commit}); s.pin != want {
		t.Errorf("fetched %s", s.pin)
	}
	var got []string
	for _, e := range stagetest.Rows[schemas.Entry](r, "snapshot") {
		got = append(got, fmt.Sprintf("%s %s %d %q %q", e.Path, e.Kind, e.Size, e.Target, e.Content))
	}
	want := []string{
		`a.py file 5 "" "a = 1"`,
		`big oversized 1073741824 "" ""`,
		`link link 11 "/etc/passwd" ""`,
		`long oversized 11 "" ""`,
		`run executable 10 "" "0123456789"`,
		`sub submodule 0 "` + fmt.Sprintf("%040x", 8) + `" ""`,
		`x/.git skipped 0 "a name of git" ""`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A stream that was cut anywhere is an error that names the repository.
func TestSnapshotCut(t *testing.T) {
	whole := snap(t)
	last := bytes.Index(whole, []byte(".benchmill/skipped"))
	for n := 0; n < last; n += 400 {
		if _, err := take(t, &stream{data: whole[:n]}); err == nil || !strings.Contains(err.Error(), "snapshot of o/r") {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}
