package mirror

import (
	"fmt"
	"testing"
	"time"

	"benchmill/sources/github/githubtest"
)

// named is a world with one repository o/n and so many issues, the first of them
// created at a moment.
func named(first time.Time, issues int) *githubtest.World {
	w := githubtest.NewWorld()
	r := &githubtest.Repository{Owner: "o", Name: "n", Created: first}
	for i := range issues {
		at := first.Add(time.Duration(i) * time.Hour)
		issue := &githubtest.Issue{Title: fmt.Sprintf("%s %d", first.Format(time.DateOnly), i), Author: w.User("ada"), Created: at}
		issue.Comments = []*githubtest.Comment{{Body: "yes", Author: w.User("bob"), Created: at}}
		r.Issues = append(r.Issues, issue)
	}
	w.AddRepository(r)
	return w
}

// A name that was given to another repository: nothing of the former one is left in
// what is collected under it.
func TestNameGivenAway(t *testing.T) {
	old := newHub(t, named(time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), 7), 3)
	old.mustCollect(t, old.mirror, old.later(time.Hour))
	young := newHub(t, named(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), 2), 3)
	asOf := young.later(24 * time.Hour)
	used := young.mirror
	used.Dir = old.mirror.Dir
	got := young.mustCollect(t, used, asOf)
	if want := young.mustCollect(t, young.fresh(t, 3), asOf); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
