package mirror

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"benchmill/internal/collection"
)

const someIssue = `{"number":7,"title":"t","body":"a\r\nb\u0000\ud800` + "\xff" + `","state":"closed","state_reason":"completed","locked":true,
	"user":{"login":"ann","type":"Bot"},"author_association":"OWNER","labels":[{"name":"z"},null,{"name":"a"},{"name":"a"},{}],
	"comments":3,"pull_request":{"url":"x"},"created_at":"2020-01-01T01:00:00+01:00","updated_at":"2020-01-02T00:00:00Z","closed_at":"2020-01-02T00:00:00Z",
	"new_field":{"x":[1]}}`

func TestParseIssues(t *testing.T) {
	got, err := parseIssues([]byte("[" + someIssue + "]"))
	if err != nil {
		t.Fatal(err)
	}
	want := collection.Issue{
		Number: 7, Title: "t", Body: "a\r\nb\uFFFD\uFFFD\uFFFD", Author: "ann", AuthorType: "Bot", Association: "OWNER", State: "closed",
		StateReason: "completed", Labels: []string{"a", "z"}, Pull: true, Locked: true, Comments: 3,
		CreatedAt: "2020-01-01T00:00:00Z", UpdatedAt: "2020-01-02T00:00:00Z", ClosedAt: "2020-01-02T00:00:00Z",
	}
	if toJSON(got[0]) != toJSON(want) {
		t.Errorf("%s\nwant\n%s", toJSON(got[0]), toJSON(want))
	}
	minimal := `[{"number":1,"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z","user":{"login":"ghost","type":"User"},"body":null,"title":null}]`
	if got, err := parseIssues([]byte(minimal)); err != nil || got[0].Author != "" || got[0].State != "open" {
		t.Errorf("%+v, %v", got, err)
	}
	long := strings.Repeat("x", 5<<20)
	if got, err := parseIssues([]byte(strings.Replace(minimal, `"body":null`, `"body":"`+long+`"`, 1))); err != nil || got[0].Body != long {
		t.Errorf("a long body: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	const dates = `"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z"`
	issue := func(b []byte) error { _, err := parseIssues(b); return err }
	comment := func(b []byte) error { _, err := parseComments(b); return err }
	for _, c := range []struct {
		parse func([]byte) error
		body  string
		want  string
	}{
		{issue, `[{"number":1,` + dates + `},{` + dates + `}]`, "item 2: no number"},
		{issue, `[{"number":-1,` + dates + `}]`, "item 1: no number"},
		{issue, `[{"number":1,"updated_at":"2020-01-01T00:00:00Z"}]`, "item 1: no created_at"},
		{issue, `[{"number":1,"created_at":"2020-01-01T00:00:00Z","updated_at":null}]`, "item 1: no updated_at"},
		{issue, `[null]`, "item 1: null"},
		{issue, `{"message":"x"}`, "not the list"},
		{issue, `[{"number":"1"}]`, "not the list"},
		{issue, `[{"number":1,"created_at":"yesterday"}]`, "not the list"},
		{issue, ``, "not the list"},
		{comment, `[{"issue_url":"x/1",` + dates + `}]`, "item 1: no id"},
		{comment, `[{"id":1,` + dates + `}]`, "item 1: no issue_url"},
		{comment, `[{"id":1,"issue_url":"https://x/issues/one",` + dates + `}]`, "item 1: no issue_url"},
		{comment, `[{"id":1,"issue_url":"x/1"}]`, "item 1: no created_at"},
	} {
		if err := c.parse([]byte(c.body)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}

// A page that is wrong is named, and not stored.
func TestWrongPage(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	for _, item := range []*fakeItem{f.items[6], f.items[0]} {
		number := item.number
		item.number = 0
		m := mirrorOf(t, f)
		err := m.Issues(t.Context(), repo, f.now, &strings.Builder{})
		want := "page 1 of its issues"
		if number == 1 {
			want = "page 3 of its issues"
		}
		if err == nil || !strings.Contains(err.Error(), "repository o/n: "+want) || !strings.Contains(err.Error(), ": no number") {
			t.Errorf("%v", err)
		}
		item.number = number
		same(t, "after a wrong page", issuesText(t, m, f.now), freshIssues(t, f, f.now))
	}
}

func checkTexts(t *testing.T, texts ...string) {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
			t.Errorf("%q is no clean text", s)
		}
	}
}

func FuzzIssues(f *testing.F) {
	f.Add([]byte("[" + someIssue + "]"))
	f.Fuzz(func(t *testing.T, body []byte) {
		issues, err := parseIssues(body)
		if err != nil {
			return
		}
		for _, i := range issues {
			checkTexts(t, append([]string{i.Title, i.Body, i.Author, i.AuthorType, i.Association, i.StateReason}, i.Labels...)...)
			if i.Number < 1 || i.CreatedAt == "" || i.UpdatedAt == "" || !slices.IsSorted(i.Labels) {
				t.Errorf("%+v", i)
			}
		}
	})
}

func FuzzComments(f *testing.F) {
	f.Add([]byte(`[{"id":1,"issue_url":"https://x/issues/7","body":"b","user":null,"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z"}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		comments, err := parseComments(body)
		if err != nil {
			return
		}
		for _, c := range comments {
			checkTexts(t, c.Body, c.Author, c.AuthorType, c.Association)
			if c.Number < 1 || c.ID < 1 || c.CreatedAt == "" {
				t.Errorf("%+v", c)
			}
		}
	})
}

func FuzzDetails(f *testing.F) {
	fake := newFake(nil)
	fake.world(4)
	for _, i := range fake.items[2:] {
		i.files, i.references = 5, 5
		f.Add([]byte(toJSON(map[string]any{"repository": map[string]any{"nameWithOwner": "o/n", "n0": fake.details(i, 0), "subject": fake.details(i, 3)}})))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := parseAnswer(body)
		if err != nil {
			return
		}
		for _, kind := range []*subjectKind{&pullKind, &issueKind} {
			f := &found{}
			if kind == &pullKind {
				f.pull = &collection.Pull{}
			}
			more, err := a.check(kind, "n0", 4)
			if err != nil {
				continue
			}
			if err := a.read("n0", f); err != nil {
				t.Fatalf("checked, but not readable: %v", err)
			}
			for name := range more {
				if _, err := a.checkMore(kind.list(name)); err == nil {
					if err := a.read("subject", f); err != nil {
						t.Fatalf("checked, but not readable: %v", err)
					}
				}
			}
			if f.pull != nil {
				f.finish(more)
				checkTexts(t, f.pull.Title, f.pull.Body, f.pull.Author)
			}
		}
	})
}
