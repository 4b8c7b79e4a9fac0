package git

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/internal/snapshot"
	"benchmill/pipeline"
)

// A repository that lacks a file fails under the plain scheme and lists it as
// skipped under the partial one.
func TestPartial(t *testing.T) {
	r := gitfixture.New(t)
	commit := r.Commit(gitfixture.Text("a.py", "pass\n"), gitfixture.Text("video.mp4", "gone"))
	r.Remove(r.Blob("gone"))
	fetch := func(s *Source) (*bytes.Buffer, error) {
		var b bytes.Buffer
		err := s.Fetch(context.Background(), pipeline.Pin{Scheme: s.Scheme(), Locator: r.Dir(), Version: commit}, &b)
		return &b, err
	}
	if _, err := fetch(New(Options{})); err == nil || !strings.Contains(err.Error(), "video.mp4") {
		t.Fatalf("got %v, want an error that names the missing file", err)
	}
	b, err := fetch(NewPartial(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.NewReader(b)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, _, err = s.Next()
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	if got := s.Skipped(); len(got) != 1 || got[0].Path != "video.mp4" {
		t.Fatalf("skipped %v, want video.mp4", got)
	}
}
