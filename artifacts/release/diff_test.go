package release_test

import (
	"context"
	"encoding/json"
	"testing"

	"benchmill/artifacts/release"
)

func TestDiff(t *testing.T) {
	p := newPlace(t)
	base := p.release(some(), nil)
	rows := some()
	rows[0].Tags = []string{"x"}
	rows[0].Share = 0.75
	rows[2].Spans[1].End = 7
	rows[1].ID = "e"
	changed := p.release(rows, nil)
	moved := some()
	moved[0].Group = "two"
	moved = append(moved, quiz{ID: "0", Group: "one"})
	for name, c := range map[string]struct {
		old, new string
		want     string
	}{
		"same": {base.Path, base.Path,
			`{"old":"quiz@1.0.0","new":"quiz@1.0.0","change":"same","same":3,"added":[],"removed":[],"changed":[],"words":false,"schema":[]}`},
		"rows": {base.Path, changed.Path,
			`{"old":"quiz@1.0.0","new":"quiz@1.1.0","change":"minor","same":0,"added":["e"],"removed":["b"],"changed":[{"key":"a","columns":["share","tags"]},{"key":"c","columns":["spans"]}],"words":false,"schema":[]}`},
		"rows, the other way": {changed.Path, base.Path,
			`{"old":"quiz@1.1.0","new":"quiz@1.0.0","change":"minor","same":0,"added":["b"],"removed":["e"],"changed":[{"key":"a","columns":["share","tags"]},{"key":"c","columns":["spans"]}],"words":false,"schema":[]}`},
		"another config": {base.Path, p.release(moved, nil).Path,
			`{"old":"quiz@1.0.0","new":"quiz@1.2.0","change":"minor","same":2,"added":["0"],"removed":[],"changed":[{"key":"a","columns":["group"]}],"words":false,"schema":[]}`},
		"words": {base.Path, newPlace(t).release(some(), func(m *release.Manifest) { m.Title = "Other" }).Path,
			`{"old":"quiz@1.0.0","new":"quiz@1.0.0","change":"patch","same":3,"added":[],"removed":[],"changed":[],"words":true,"schema":[]}`},
		"account": {base.Path, newPlace(t).release(some(), func(m *release.Manifest) { m.Quarantined = nil }).Path,
			`{"old":"quiz@1.0.0","new":"quiz@1.0.0","change":"patch","same":3,"added":[],"removed":[],"changed":[],"words":false,"schema":[]}`},
	} {
		d, err := release.Diff(context.Background(), c.old, c.new, quizzes)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, _ := json.Marshal(d); string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestDiffSchema(t *testing.T) {
	p := newPlace(t)
	a, _ := p.write(request(manifest(), some()))
	b, _ := p.write(release.Request{Manifest: manifest(), Schema: wides, Rows: rowsOf([]wider{{ID: "a"}})})
	d, err := release.Diff(context.Background(), a.Path, b.Path, wides)
	if err != nil {
		t.Fatal(err)
	}
	if d.Change != release.Major || len(d.Schema) != 2 || d.Schema[0] != "old: quizzes/1" || d.Schema[1] != "new: quizzes/2" || len(d.Added)+len(d.Changed) > 0 {
		t.Errorf("difference %+v", d)
	}
}
