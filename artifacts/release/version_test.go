package release_test

import (
	"strings"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/internal/digest"
)

func TestNext(t *testing.T) {
	for _, c := range []struct {
		old    string
		change release.Change
		want   string
	}{
		{"", release.Same, "1.0.0"},
		{"", release.Major, "1.0.0"},
		{"nonsense", release.Minor, "1.0.0"},
		{"1.2.3", release.Same, "1.2.3"},
		{"1.2.3", release.Patch, "1.2.4"},
		{"1.2.3", release.Minor, "1.3.0"},
		{"1.2.3", release.Major, "2.0.0"},
		{"1.9.9", release.Patch, "1.9.10"},
	} {
		if got := release.Next(c.old, c.change); got != c.want {
			t.Errorf("Next(%q, %s) = %s, want %s", c.old, c.change, got, c.want)
		}
	}
}

// TestCompare changes one thing at a time. Every field of a manifest is either
// here or among those that say only how a release was made.
func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *release.Manifest)
		want   release.Change
	}{
		"nothing":        {func(m *release.Manifest) {}, release.Same},
		"recipe":         {func(m *release.Manifest) { m.Recipe = digest.Of(nil) }, release.Same},
		"version":        {func(m *release.Manifest) { m.Version = "9.9.9" }, release.Same},
		"build":          {func(m *release.Manifest) { m.Pipeline.Build = digest.Of(nil) }, release.Same},
		"title":          {func(m *release.Manifest) { m.Title += "!" }, release.Patch},
		"description":    {func(m *release.Manifest) { m.Description += "!" }, release.Patch},
		"licence":        {func(m *release.Manifest) { m.Licence = "apache-2.0" }, release.Patch},
		"tags":           {func(m *release.Manifest) { m.Tags = append(m.Tags, "new") }, release.Patch},
		"pipeline":       {func(m *release.Manifest) { m.Pipeline.Name = "other" }, release.Patch},
		"as of":          {func(m *release.Manifest) { m.Pipeline.AsOf = "" }, release.Patch},
		"split":          {func(m *release.Manifest) { m.Split = "train" }, release.Patch},
		"drops":          {func(m *release.Manifest) { m.Stages[0].Drops[0].Rows++ }, release.Patch},
		"quarantined":    {func(m *release.Manifest) { m.Quarantined = nil }, release.Patch},
		"sources":        {func(m *release.Manifest) { m.Sources[0].Licence = "" }, release.Patch},
		"models":         {func(m *release.Manifest) { m.Models[0].Requests++ }, release.Patch},
		"tokenizers":     {func(m *release.Manifest) { m.Tokenizers = nil }, release.Patch},
		"rows":           {func(m *release.Manifest) { m.RowsDigest = digest.Of([]byte("r")) }, release.Minor},
		"rows and title": {func(m *release.Manifest) { m.RowsDigest = digest.Of([]byte("r")); m.Title = "" }, release.Minor},
		"schema version": {func(m *release.Manifest) { m.Schema.Version++ }, release.Major},
		"schema, rows":   {func(m *release.Manifest) { m.Schema.Key = nil; m.RowsDigest = digest.Of([]byte("r")) }, release.Major},
	} {
		a, b := manifest(), manifest()
		a.Schema.Key = []string{"id"}
		b.Schema.Key = []string{"id"}
		c.change(b)
		if got := release.Compare(a, b); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if back := release.Compare(b, a); back != c.want {
			t.Errorf("%s the other way: %s, want %s", name, back, c.want)
		}
	}
}

// TestVersions writes one release after the other and looks at what is newest.
func TestVersions(t *testing.T) {
	p := newPlace(t)
	words := func(title string) func(*release.Manifest) {
		return func(m *release.Manifest) { m.Title = title }
	}
	more := append(some(), quiz{ID: "d", Group: "one"})
	for _, step := range []struct {
		rows   []quiz
		change func(*release.Manifest)
		want   string
	}{
		{some(), nil, "1.0.0"},
		{some(), words("Other"), "1.0.1"},
		{more, words("Other"), "1.1.0"},
		{some(), words("Other"), "1.2.0"}, // back to older rows is a change, too
		{some(), func(m *release.Manifest) { m.Title, m.Partial = "Other", "only some" }, "1.2.0-partial." + manifest().Recipe.Short()},
		{more, func(m *release.Manifest) { m.Title, m.Partial = "Other", "only some" }, "1.3.0-partial." + manifest().Recipe.Short()},
		{more, words("Other"), "1.3.0"}, // the partial releases did not count
	} {
		if got := p.release(step.rows, step.change); got.Version != step.want {
			t.Fatalf("version %s, want %s", got.Version, step.want)
		}
	}
	m := manifest()
	l, _ := p.write(release.Request{Manifest: m, Schema: wides, Rows: rowsOf([]wider{{ID: "a"}})})
	if l.Version != "2.0.0" {
		t.Fatalf("a wider schema made version %s", l.Version)
	}
	all, err := release.List(p.root, "quiz")
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, l := range all {
		versions = append(versions, l.Version)
	}
	short := manifest().Recipe.Short()
	want := "1.0.0 1.0.1 1.1.0 1.2.0-partial." + short + " 1.2.0 1.3.0-partial." + short + " 1.3.0 2.0.0"
	if got := strings.Join(versions, " "); got != want {
		t.Errorf("listed %s\nwant   %s", got, want)
	}
}

func TestFind(t *testing.T) {
	p := newPlace(t)
	if _, err := release.Find(p.root, "quiz"); err == nil || !strings.Contains(err.Error(), "none yet") {
		t.Errorf("before the first release: %v", err)
	}
	partial := p.release(some()[:1], func(m *release.Manifest) { m.Partial = "a part" })
	if l, err := release.Find(p.root, "quiz"); err != nil || l.Version != partial.Version {
		t.Errorf("only a partial one: %+v, %v", l, err)
	}
	first := p.release(some(), nil)
	second := p.release(some()[:2], nil)
	p.release(some()[:1], func(m *release.Manifest) { m.Partial = "a part"; m.Recipe = digest.Of(nil) })
	p.release(some(), func(m *release.Manifest) { m.Dataset = "zebra" })
	for name, want := range map[string]*release.Listed{
		"quiz":                    second, // whole before partial
		"quiz@1.0.0":              first,
		"quiz@1.1.0":              second,
		"quiz@" + partial.Version: partial,
		first.Path:                first,
	} {
		if l, err := release.Find(p.root, name); err != nil || *l != *want {
			t.Errorf("Find(%s) = %+v, %v; want %+v", name, l, err, want)
		}
	}
	for _, name := range []string{"quiz@7.0.0", "qui", "", "@", "quiz@1.0.0@", "../quiz"} {
		_, err := release.Find(p.root, name)
		if err == nil || !strings.Contains(err.Error(), "quiz@1.0.0") || !strings.Contains(err.Error(), "zebra@1.0.0") {
			t.Errorf("Find(%q) should list what there is: %v", name, err)
		}
	}
	// A path whose manifest cannot be read says that, not that nothing is there.
	p.put(p.file(first, "manifest.json"), []byte("{"))
	if _, err := release.Find(p.root, first.Path); err == nil || !strings.Contains(err.Error(), "not a manifest") {
		t.Errorf("damaged manifest: %v", err)
	}
}
