package crossfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/crossfile"
)

// parseUses reads "path:start name kind via", one use a word group.
func parseUses(detector string, lines ...string) []schemas.CrossFileUse {
	var out []schemas.CrossFileUse
	for _, line := range lines {
		u := schemas.CrossFileUse{Detector: detector}
		at := ""
		fmt.Sscan(line, &at, &u.Name, &u.Kind, &u.Via)
		path, start, _ := strings.Cut(at, ":")
		fmt.Sscan(start, &u.Start)
		u.Path, u.End = path, u.Start+int64(len(u.Name))
		out = append(out, u)
	}
	return out
}

func files(paths ...string) []schemas.CheckedFile {
	var out []schemas.CheckedFile
	for _, p := range paths {
		path, reason, _ := strings.Cut(p, "=")
		out = append(out, schemas.CheckedFile{Path: path, Reason: reason})
	}
	return out
}

func TestAgreement(t *testing.T) {
	for _, test := range []struct {
		name              string
		native, reference []string
		read, checked     []string
		want              []string // kind: files both/ours/tool P R F1
		note              int64    // repositories without a file in common
	}{
		{
			name:   "all agree",
			native: []string{"a:1 x member import", "a:5 y name"}, reference: []string{"a:1 x member", "a:5 y name"},
			read: []string{"a"}, checked: []string{"a"},
			want: []string{"all: 1 2/0/0 1.000 1.000 1.000", "member: 1 1/0/0 1.000 1.000 1.000", "name: 1 1/0/0 1.000 1.000 1.000", "via import: 1 1/0/0 1.000 0.000 0.000"},
		},
		{
			name:   "differences",
			native: []string{"a:1 x member import", "a:2 o member import", "a:3 p member base"}, reference: []string{"a:1 x member", "a:3 q member", "a:9 z name"},
			read: []string{"a", "b"}, checked: []string{"a", "b"},
			want: []string{"all: 2 1/2/2 0.333 0.333 0.333", "member: 2 1/2/1 0.333 0.500 0.400", "name: 2 0/0/1 1.000 0.000 0.000", "via base: 2 0/1/0 0.000 0.000 0.000", "via import: 2 1/1/0 0.500 0.000 0.000"},
		},
		{
			name:   "files that one could not read",
			native: []string{"a:1 x member", "b:1 y member", "c:1 z member"}, reference: []string{"a:1 x member", "b:2 q member", "c:3 q member", "d:4 q member"},
			read: []string{"a", "c", "b=syntax", "e"}, checked: []string{"a", "b", "c=skipped", "d"},
			want: []string{"all: 1 1/0/0 1.000 1.000 1.000", "member: 1 1/0/0 1.000 1.000 1.000"},
		},
		{
			name: "nothing", read: []string{"a"}, checked: []string{"a"},
			want: []string{"all: 1 0/0/0 1.000 1.000 1.000"},
		},
		{
			name: "all wrong", native: []string{"a:1 x member"}, read: []string{"a"}, checked: []string{"a"},
			want: []string{"all: 1 0/1/0 0.000 1.000 0.000", "member: 1 0/1/0 0.000 1.000 0.000"},
		},
		{name: "no file in common", native: []string{"a:1 x member"}, reference: []string{"b:1 x member"}, read: []string{"a"}, checked: []string{"a=syntax", "b"}, note: 1},
		{name: "no tool was asked", native: []string{"a:1 x member"}, read: []string{"a"}},
	} {
		r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: crossfile.Agreement(toy()), Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/n", Commit: "c", Language: "toy"}},
			"native":     parseUses("native", test.native...), "reference": parseUses("lint 1.2", test.reference...),
			"read": files(test.read...), "checked": files(test.checked...),
		}})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if n := r.Notes["no_file_read_by_both"]; n != test.note {
			t.Errorf("%s: %d noted", test.name, n)
		}
		var got []string
		for _, a := range stagetest.Rows[schemas.CrossFileAgreement](r, "agreement") {
			if a.Repo != "o/n" || a.Commit != "c" || a.Language != "toy" || !strings.HasPrefix(a.Reference, "lint") || len(test.reference) > 0 && a.Reference != "lint 1.2" {
				t.Errorf("%s: %+v", test.name, a)
			}
			got = append(got, fmt.Sprintf("%s: %d %d/%d/%d %.3f %.3f %.3f", a.Kind, a.Files, a.Both, a.OnlyOurs, a.OnlyTool, a.Precision, a.Recall, a.F1))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

func TestCompare(t *testing.T) {
	native := parseUses("native", "a:1 x member import", "b:2 y member base")
	reference := parseUses("lint 1", "a:1 x name", "b:2 z name")
	c := crossfile.Compare(native, files("a", "b"), reference, files("a", "b"))
	if !slices.Equal(c.Both, native[:1]) || !slices.Equal(c.OnlyNative, native[1:]) || !slices.Equal(c.OnlyReference, reference[1:]) {
		t.Errorf("%+v", c)
	}
}
