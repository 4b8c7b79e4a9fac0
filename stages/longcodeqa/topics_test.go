package longcodeqa

import (
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func TestTopics(t *testing.T) {
	m := &model{script: map[string][]any{"topics owner/name": {
		`{"reason":"It stores rows.","topics":["databases","cooking"]}`, `{"reason":"It stores rows.","topics":["databases","networking"]}`,
	}}}
	files := []schemas.File{
		{Path: "Readme.rst", Text: "Stores Rows.\n" + strings.Repeat("ü", 100)}, {Path: "docs/README.md", Text: "Docs."}, {Path: "src/a.py", Text: "code"}, {Path: "src/b.py"},
	}
	r, err := run(t, Topics(), &TopicsConfig{Model: "m", ReadmeChars: 20, Settings: settings}, m, map[string]any{"files": files})
	if err != nil {
		t.Fatal(err)
	}
	want := schemas.RepositoryTopics{Repo: "owner/name", Topics: []string{"databases", "networking"}, Reason: "It stores rows.", Origin: "model", Provider: "p", Model: "exact-m"}
	rows := stagetest.Rows[schemas.RepositoryTopics](r, "topics")
	if len(rows) != 1 || rows[0].Template == "" {
		t.Fatalf("%+v", rows)
	}
	rows[0].Template = ""
	if !reflect.DeepEqual(rows[0], want) {
		t.Errorf("%+v", rows[0])
	}
	requests := m.asked["topics owner/name"]
	contains(t, requests[0].Messages[0].Text,
		[]string{"- databases\n", "\n\nReadme.rst\ndocs/\nsrc/\n\nReadme.rst:\n\nStores Rows.\n" + strings.Repeat("ü", 7)}, []string{strings.Repeat("ü", 8), "Docs.", "code"})
	contains(t, requests[1].Messages[2].Text, []string{`"cooking" is not in the list of topics`}, nil)
}

func TestTopicsDropped(t *testing.T) {
	for answer, want := range map[string]string{
		`{"reason":"","topics":[]}`: "unfit",
		`{"reason":"","topics":["security","networking","databases","multimedia"]}`: "unfit",
		`{"reason":"","topics":["security","security"]}`:                            "unfit",
		`nothing`: "malformed",
	} {
		m := &model{script: map[string][]any{"topics owner/name": {answer, answer}}}
		r, err := run(t, Topics(), &TopicsConfig{Model: "m", ReadmeChars: 20, Settings: settings}, m, map[string]any{"files": []schemas.File{}})
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(r.Reasons(), map[string]int{want: 1}) {
			t.Errorf("%s: %v", answer, r.Reasons())
		}
		contains(t, m.asked["topics owner/name"][0].Messages[0].Text, []string{"(there is none)"}, nil)
	}
	m := &model{script: map[string][]any{"topics owner/name": {errors.New("no route")}}}
	if _, err := run(t, Topics(), &TopicsConfig{Model: "m", ReadmeChars: 20, Settings: settings}, m, map[string]any{"files": []schemas.File{}}); err == nil || !strings.Contains(err.Error(), "topics owner/name: no route") {
		t.Error(err)
	}
}
