package find

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

const commitID = "0123456789abcdef0123456789abcdef01234567"

// Every field of an answer reaches its place.
func TestDetails(t *testing.T) {
	const answer = `{
		"databaseId": 7, "nameWithOwner": "new/name", "url": "https://host/new/name", "isFork": true, "isArchived": true, "hasIssuesEnabled": true,
		"issues": {"totalCount": 11}, "pullRequests": {"totalCount": 12}, "licenseInfo": {"spdxId": "MIT"},
		"repositoryTopics": {"nodes": [{"topic": {"name": "web"}}, {"topic": {"name": "async"}}]},
		"primaryLanguage": {"name": "Python"},
		"languages": {"totalSize": 100, "edges": [{"size": 60, "node": {"name": "HTML"}}, {"size": 40, "node": {"name": "Python"}}]},
		"defaultBranchRef": {"name": "trunk", "target": {"last": {"nodes": [{"oid": "` + commitID + `"}]}, "recent": {"totalCount": 13}}},
		"ci0": null, "ci1": {"__typename": "Blob"}, "tests0": {"__typename": "Blob"}, "tests4": {"__typename": "Tree"}
	}`
	found := item{
		ID: 7, Name: "old/name", Description: "words", Stars: 5, Size: 6,
		Created: "2020-01-01T02:00:00+02:00", Pushed: "2021-01-01T00:00:00Z",
	}
	want := collection.Repository{
		Repo: "new/name", ID: 7, URL: "https://host/new/name", Commit: commitID, Branch: "trunk", Language: "Python", Licence: "MIT",
		Topics: []string{"async", "web"}, Description: "words", Stars: 5, SizeKB: 6, CreatedAt: "2020-01-01T00:00:00Z", PushedAt: "2021-01-01T00:00:00Z",
		Fork: true, Archived: true, HasIssues: true, ClosedIssues: 11, Pulls: 12, CommitsSince: 13, LanguageBytes: 40, SourceBytes: 100,
		HasCI: true, HasTests: true,
	}
	for _, test := range []struct {
		old, new string
		change   func(*collection.Repository)
	}{
		{"", "", func(*collection.Repository) {}},
		{`"tests4": {"__typename": "Tree"}`, `"tests4": null`, func(r *collection.Repository) { r.HasTests = false }}, // tests is a file
		{`"ci1": {"__typename": "Blob"}`, `"ci1": null`, func(r *collection.Repository) { r.HasCI = false }},
		{`"MIT"`, `"NOASSERTION"`, func(r *collection.Repository) { r.Licence = "" }},
		{`{"spdxId": "MIT"}`, `null`, func(r *collection.Repository) { r.Licence = "" }},
		{`"primaryLanguage": {"name": "Python"}`, `"primaryLanguage": null`, func(r *collection.Repository) { r.Language, r.LanguageBytes = "", 0 }},
		{`[{"oid": "` + commitID + `"}]`, `[]`, func(r *collection.Repository) { r.Commit = "" }}, // all commits are later
		{`"defaultBranchRef"`, `"defaultBranchRef": null, "x"`, func(r *collection.Repository) { r.Branch, r.Commit, r.CommitsSince = "", "", 0 }},
	} {
		want := want
		test.change(&want)
		var d details
		if err := json.Unmarshal([]byte(strings.Replace(answer, test.old, test.new, 1)), &d); err != nil {
			t.Fatal(err)
		}
		if got, err := d.repository(found); err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", test.new, got, err, want)
		}
	}
	if _, err := (&details{Name: "../x/y"}).repository(found); err == nil {
		t.Error("a name that is none")
	}
}

func FuzzDetails(f *testing.F) {
	f.Add([]byte(`{"databaseId": 7, "nameWithOwner": "o/n", "languages": {"edges": [null]}, "ci0": {"__typename": 5}, "tests0": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var d details
		if json.Unmarshal(data, &d) == nil {
			if r, err := d.repository(item{ID: 7}); err == nil && !fullName.MatchString(r.Repo) {
				t.Errorf("%+v", r)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"total_count":1,"incomplete_results":false,"items":[{"id":1,"node_id":"R","full_name":"o/n","created_at":"2020-01-01T00:00:00Z"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := decode(data)
		if err != nil {
			return
		}
		for _, i := range p.items {
			if _, err := i.created(); err != nil || i.ID <= 0 || p.total < 0 {
				t.Errorf("%+v", i)
			}
		}
	})
}

// The two queries differ in what they ask of the history, and say the times.
func TestFindVariables(t *testing.T) {
	for query, since := range map[string]any{"language:go": nil, "language:go commits-since:2024-01-01": "2024-01-01T00:00:00Z"} {
		spy := &spy{fake: &fake{t: t, repos: []repo{{id: 1, created: dayStart}}}}
		if _, err := (&Finder{API: spy}).Find(t.Context(), query, asOf.Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if spy.variables["until"] != "2024-06-23T00:00:00Z" || spy.variables["since"] != since || strings.Contains(spy.text, "since") != (since != nil) {
			t.Errorf("%s: %v\n%s", query, spy.variables, spy.text)
		}
		if !slices.Contains(Queries(), spy.text) {
			t.Error("a query that Queries does not list")
		}
	}
}

// Queries too heavy are asked in halves, and batches grow again.
func TestEnrichTooHeavy(t *testing.T) {
	f := &fake{t: t, repos: dense(60)}
	heavy := &api.QueryError{Errors: []api.QueryFault{{Type: "RESOURCE_LIMITS_EXCEEDED"}}}
	f.beforeQuery = func(ids []string, _ any) (bool, error) {
		if len(ids) > 6 {
			return true, heavy
		}
		return false, nil
	}
	f.find("language:python")
	if !slices.Equal(f.batches[:8], []int{20, 10, 5, 6, 7, 4, 5, 6}) {
		t.Errorf("batches %v", f.batches)
	}
	f.beforeQuery = func([]string, any) (bool, error) { return true, heavy }
	_, err := f.finder().Find(t.Context(), "language:python", asOf)
	if err == nil || !strings.Contains(err.Error(), "details of o/r000001") || !errors.Is(err, heavy) {
		t.Error(err)
	}
}

// What is gone is left out; whatever else is wrong with an answer is an error.
func TestEnrichFaults(t *testing.T) {
	gone := func(path ...string) api.QueryFault { return api.QueryFault{Type: "NOT_FOUND", Path: path} }
	const one, two = `{"databaseId": 1, "nameWithOwner": "o/one"}`, `{"databaseId": 2, "nameWithOwner": "o/two"}`
	for name, test := range map[string]struct {
		nodes  string
		faults []api.QueryFault
		want   string // names, or an error
	}{
		"whole":               {one + "," + two, nil, "o/one o/two"},
		"one gone":            {"null," + two, []api.QueryFault{gone("nodes", "0")}, "o/two"},
		"all gone":            {"null,null", []api.QueryFault{gone("nodes", "0"), gone("nodes", "1")}, ""},
		"silence":             {"null," + two, nil, "does not answer about every repository"},
		"gone, yet there":     {one + "," + two, []api.QueryFault{gone("nodes", "0")}, "does not answer about every repository"},
		"something else gone": {one + "," + two, []api.QueryFault{gone("nodes", "0", "languages")}, "NOT_FOUND"},
		"forbidden":           {"null," + two, []api.QueryFault{{Type: "FORBIDDEN", Path: []string{"nodes", "0"}, Message: "Resource protected"}}, "Resource protected"},
		"too few":             {one, nil, "answers about 1 repositories, asked about 2"},
		"another":             {two + "," + one, nil, "answers about repository 2, asked about 1"},
		"bad name":            {one + `,{"databaseId": 2, "nameWithOwner": "two"}`, nil, `details of o/r000002: "two" is no name`},
	} {
		f := &fake{t: t, repos: []repo{{id: 1, created: dayStart}, {id: 2, created: dayStart}}}
		f.beforeQuery = func(_ []string, out any) (bool, error) {
			if err := json.Unmarshal([]byte(`{"nodes":[`+test.nodes+`]}`), out); err != nil {
				t.Fatal(err)
			}
			if test.faults != nil {
				return true, &api.QueryError{Errors: test.faults}
			}
			return true, nil
		}
		got, err := f.finder().Find(t.Context(), "language:python", asOf)
		var names []string
		for _, r := range got {
			names = append(names, r.Repo)
		}
		if err == nil && strings.Join(names, " ") != test.want || err != nil && !strings.Contains(err.Error(), test.want) || err != nil && test.want == "" {
			t.Errorf("%s: %v, %v", name, names, err)
		}
	}
	// A name that two repositories had one after the other.
	f := &fake{t: t, repos: []repo{{id: 1, created: dayStart}, {id: 2, created: dayStart}}}
	f.beforeQuery = func(_ []string, out any) (bool, error) {
		return true, json.Unmarshal([]byte(`{"nodes":[`+one+`,`+strings.Replace(two, "two", "one", 1)+`]}`), out)
	}
	if got, err := f.finder().Find(t.Context(), "language:python", asOf); err != nil || len(got) != 1 || got[0].ID != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	// The class of a client's error is kept.
	f.beforeQuery = func([]string, any) (bool, error) { return true, pipeline.Mark(errors.New("no token"), pipeline.Fatal) }
	if _, err := f.finder().Find(t.Context(), "language:python", asOf); pipeline.ClassOf(err) != pipeline.Fatal {
		t.Error(err)
	}
}
