package githubtest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// found are the names, ascending, of what a search finds, and the count it gives.
func found(t *testing.T, s *Server, kind, q string) (names []string, total int) {
	t.Helper()
	res, body := get(t, s, "/search/"+kind+"?per_page=100&q="+url.QueryEscape(q))
	if res.StatusCode != 200 {
		t.Fatalf("%s: %d %s", q, res.StatusCode, body)
	}
	var out struct {
		Total int `json:"total_count"`
		Items []struct {
			Name  string
			Title string
		}
	}
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	for _, i := range out.Items {
		names = append(names, i.Name+i.Title)
	}
	slices.Sort(names)
	return names, out.Total
}

func TestSearchRepositories(t *testing.T) {
	w := NewWorld()
	w.AddRepository(&Repository{Owner: "x", Name: "a", Language: "Go", Stars: 5, Size: 10, Licence: "MIT", Created: day, Pushed: day, Topics: []string{"cli"}})
	w.AddRepository(&Repository{Owner: "x", Name: "b", Language: "C++", Stars: 6, Size: 20, Licence: "Apache-2.0", Created: day.Add(24 * time.Hour), Archived: true})
	w.AddRepository(&Repository{Owner: "y", Name: "c", Language: "Go", Stars: 7, Size: 30, Licence: "NOASSERTION", Created: day.Add(36 * time.Hour), Fork: true})
	w.AddRepository(&Repository{Owner: "y", Name: "d", Language: "Jupyter Notebook", Stars: 8, Size: 40, Created: day.Add(48 * time.Hour), Description: "Two words", NoIssues: true})
	w.AddRepository(&Repository{Owner: "z", Name: "e", Language: "Go", Stars: 9, Deleted: true, Created: day})
	w.AddRepository(&Repository{Owner: "z", Name: "f", Language: "Go", Stars: 9, Blocked: day, Created: day})
	s := serve(t, w, Options{})
	for q, want := range map[string]string{
		"language:go": "a", "language:go fork:true": "a c", "language:GO language:c++": "a b", `language:"jupyter notebook"`: "d", "language:go fork:only": "c",
		"fork:false stars:>=0": "a b d", "-language:go stars:>0": "b d", "stars:6..7 fork:true": "b c", "stars:>6": "d", "stars:<=5": "a", "stars:*..5": "a", "stars:8..*": "d",
		"stars:<6": "a", "stars:6": "b", "size:>=20 size:<40": "b", "license:mit": "a", "license:mit license:apache-2.0": "a b",
		"license:other fork:true": "c", "archived:true": "b", "archived:false stars:>0": "a d", "topic:cli": "a", "topics:0": "b d", "user:x": "a b", "user:x repo:y/d": "a b d", "org:y": "d",
		"created:2022-05-01": "a", "created:2022-05-02 fork:true": "b c", "created:>2022-05-01": "b d", "created:<2022-05-02": "a", "created:<=2022-05-02": "a b",
		"created:2022-05-01..2022-05-02": "a b", "created:2022-05-02T00:00:00Z..2022-05-02T11:59:59Z fork:true": "b", "created:2022-05-02T12:00:00Z fork:true": "c",
		"created:2022-05-02T14:00:00+02:00 fork:true": "c", "created:>=2022-05-03T00:00:00Z": "d", "pushed:<=2022-05-01": "a", "two words": "d", "words in:description": "d", `"two words"`: "d",
		"stars:>100": "", "is:public stars:>7": "d", "is:private": "", "mirror:false stars:5": "a", "template:true": "", "x/": "a b",
	} {
		if names, total := found(t, s, "repositories", q); strings.Join(names, " ") != want || total != len(names) {
			t.Errorf("%s: %v of %d, want %s", q, names, total, want)
		}
	}
	for _, q := range []string{"", "  ", "stars:many", "stars:>>5", "stars:1..x", "created:2022-13-01", "license", "fork:perhaps", "langauge:go", `user:"x`, "archived:maybe", strings.Repeat("x", 257)} {
		res, body := get(t, s, "/search/repositories?q="+url.QueryEscape(q))
		if want := map[bool]int{true: 200, false: 422}[q == "license"]; res.StatusCode != want {
			t.Errorf("%q: %d, want %d: %s", q, res.StatusCode, want, body)
		}
	}
}

func TestSearchBounds(t *testing.T) {
	w := NewWorld()
	for k := range 1234 {
		w.AddRepository(&Repository{Owner: "o", Name: fmt.Sprintf("r%04d", k), Stars: int64(k % 7), Created: day})
	}
	s := serve(t, w, Options{})
	seen := map[int64]bool{}
	stars := []int64{}
	address := s.URL + "/search/repositories?q=stars:%3E=0&sort=stars&per_page=100"
	for address != "" {
		res, body := get(t, s, address)
		var out struct {
			Total int `json:"total_count"`
			Items []struct {
				ID    int64
				Stars int64 `json:"stargazers_count"`
			}
		}
		if err := json.Unmarshal(body, &out); err != nil || out.Total != 1234 {
			t.Fatalf("%v, %d found", err, out.Total)
		}
		for _, i := range out.Items {
			seen[i.ID] = true
			stars = append(stars, i.Stars)
		}
		address = next(res)
	}
	if len(seen) != 1000 || !slices.IsSortedFunc(stars, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("%d found, sorted by stars: %v", len(seen), stars[:10])
	}
	for path, want := range map[string]int{"&page=11&per_page=100": 422, "&page=34&per_page=30": 200, "&page=35&per_page=30": 422} {
		if res, _ := get(t, s, "/search/repositories?q=stars:%3E=0"+path); res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
}

func TestSearchIssues(t *testing.T) {
	w, r := small(3)
	w.AddIssue(r, &Issue{Title: "p", Created: day, Pull: &Pull{}, Labels: []string{"bug"}, Closed: day})
	w.Close(r.Issue(2), day.AddDate(0, 1, 0), nil)
	s := serve(t, w, Options{})
	for q, want := range map[string]string{
		"repo:o/n is:issue is:closed": "issue 2", "repo:o/n is:pr": "p", "is:open author:ada created:>2022-05-02": "issue 3", "label:bug": "p", "repo:o/x is:issue": "",
		"type:issue state:open comments:1": "issue 1,issue 3", "closed:2022-06-01": "issue 2",
	} {
		if names, _ := found(t, s, "issues", q); strings.Join(names, ",") != want {
			t.Errorf("%s: %v, want %s", q, names, want)
		}
	}
}

// FuzzSearch: no query panics, and a term that is understood is understood again
// when it is written in quotes.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{`language:"a b" -fork:true stars:1..*`, "created:>=2020-01-01", `"`, "a:b:c", "-", "--x", "stars:..", "size:<=-5"} {
		f.Add(q)
	}
	r := &Repository{Owner: "o", Name: "n", Created: day}
	f.Fuzz(func(t *testing.T, q string) {
		terms, err := parseSearch(q)
		if err != nil {
			return
		}
		for _, one := range terms {
			if one.key == "" || strings.ContainsAny(one.key, "\" \t\n:-") {
				continue
			}
			text := one.key + `:"` + one.value + `"`
			again, err := parseSearch(text)
			if err != nil || len(again) != 1 || again[0].key != one.key || again[0].value != one.value {
				t.Fatalf("%q of %q is read again as %v, %v", text, q, again, err)
			}
			parseSpan(one.value, moments)
			parseSpan(one.value, wholeNumber)
		}
		if test, err := predicate(q, repositoryQualifier, func(r *Repository) string { return r.Name }); err == nil {
			test(r)
		}
	})
}
