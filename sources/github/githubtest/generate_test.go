package githubtest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// dump is everything a world says through REST.
func dump(t *testing.T, w *World) []byte {
	t.Helper()
	s := New(w, Options{})
	var out bytes.Buffer
	for _, r := range w.Repositories() {
		for _, path := range []string{"", "/issues?state=all&per_page=100", "/issues/comments?per_page=100", "/pulls?state=all&per_page=100", "/commits"} {
			req, _ := http.NewRequest(http.MethodGet, "https://api.github.com/repos/"+r.FullName()+path, nil)
			res, err := s.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(&out, res.Body)
		}
	}
	return out.Bytes()
}

func TestGenerate(t *testing.T) {
	w := Generate(7, 3, 80)
	text := dump(t, w)
	if !bytes.Equal(text, dump(t, Generate(7, 3, 80))) {
		t.Error("the same arguments make another world")
	}
	if bytes.Equal(text, dump(t, Generate(8, 3, 80))) {
		t.Error("another seed makes the same world")
	}
	// A world with one repository more has the same others: names are drawn per repository.
	if more := Generate(7, 4, 80).Repositories()[2]; more.FullName() != w.Repositories()[2].FullName() {
		t.Error("one repository more changes the others")
	}
	count := map[string]int{}
	seconds := map[time.Time]int{}
	for _, r := range w.Repositories() {
		if len(r.Issues) != 80 {
			t.Errorf("%d issues", len(r.Issues))
		}
		for _, i := range r.Issues {
			seconds[i.Updated]++
			add := func(what string, is bool) {
				if is {
					count[what]++
				}
			}
			add("issue", i.Pull == nil)
			add("pull", i.Pull != nil)
			add("merged", i.Pull != nil && !i.Pull.Merged.IsZero())
			add("closing", i.Pull != nil && len(i.Pull.Closes) > 0)
			add("nobody", i.Author == nil)
			add("ghost", i.Author != nil && i.Author.Deleted)
			add("bot", i.Author != nil && i.Author.Type == "Bot")
			add("empty", i.Body == "")
			add("labelled", len(i.Labels) > 0)
			add("closed", i.state() == "closed")
			add("unicode", strings.ContainsFunc(i.Body, func(r rune) bool { return r > 127 }))
			add("late", i.Updated.After(GeneratedUntil))
			add("unordered", i.Updated.Before(i.Created) || !i.Closed.IsZero() && i.Closed.Before(i.Created))
			count["comments"] += len(i.Comments)
			for _, e := range i.Events {
				add("closed by commit", e.Kind == EventClosed && e.Commit != "")
				add("closed by pull", e.Kind == EventClosed && e.From != nil)
				add("not planned", e.Reason == "not_planned")
				add("reopened", e.Kind == EventReopened)
				add("referenced", e.Kind == EventReferenced)
			}
		}
	}
	same := 0
	for _, n := range seconds {
		same = max(same, n)
	}
	if same < 2 || count["late"]+count["unordered"] > 0 || count["comments"] < 900 || count["comments"] > 1500 {
		t.Errorf("%d in one second; %v", same, count)
	}
	for _, what := range []string{
		"issue", "pull", "merged", "closing", "nobody", "ghost", "bot", "empty", "labelled", "closed", "unicode", "closed by commit", "closed by pull", "not planned", "reopened", "referenced",
	} {
		if count[what] == 0 {
			t.Errorf("nothing is %q", what)
		}
	}
}

// BenchmarkCollection serves what a collection of 50 x 400 issues asks for, without
// a client: the cost of the fake itself.
func BenchmarkCollection(b *testing.B) {
	w := Generate(1, 50, 400)
	s := New(w, Options{})
	through := s.Transport()
	for b.Loop() {
		for _, r := range w.Repositories() {
			for _, kind := range []string{"/issues?state=all&", "/issues/comments?"} {
				address := "https://api.github.com/repos/" + r.FullName() + kind + "sort=updated&direction=desc&per_page=100"
				for address != "" {
					req, _ := http.NewRequest(http.MethodGet, address, nil)
					res, err := through.RoundTrip(req)
					if err != nil || res.StatusCode != 200 {
						b.Fatal(res, err)
					}
					address = next(res)
				}
			}
		}
	}
	b.ReportMetric(float64(s.Counts().Requests)/float64(b.N), "requests/op")
}
