package crosscodeeval

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/internal/treesitter"
	"benchmill/schemas"
	"benchmill/stages/lang"
	languages "benchmill/stages/lang/all"
	"benchmill/stages/lang/bind"
)

var update = flag.Bool("update", false, "write the marks of testdata/*.txtar")

// TestCases holds each rule to archives that show it: in each file one name is in
// «», ‹ stands where a cursor may, › where the reference from one ends. A line
// "compat: upstream" in the comment asks for that. A file whose name cannot be asked
// for has no marks, and a line in the section "reasons". An archive called like a
// language is in that language; files of others in the first one with their suffix.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	set := allLanguages(t)
	seen := map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			got := &txtar.Archive{Comment: archive.Comment}
			reasons := ""
			compat := "paper"
			if strings.Contains(string(archive.Comment), "\ncompat: upstream\n") {
				compat = upstream
			}
			for _, f := range archive.Files {
				if f.Name == "reasons" {
					continue
				}
				l := set.Get(name)
				if l == nil {
					l = languageOf(set, f.Name)
				}
				if l == nil {
					t.Fatalf("%s: of no language", f.Name)
				}
				seen[l.Name] = true
				marked, reason := mark(t, l, f.Name, string(f.Data), compat)
				got.Files = append(got.Files, txtar.File{Name: f.Name, Data: []byte(marked)})
				if reason != "" {
					reasons += fmt.Sprintf("%s: %s\n", f.Name, reason)
				}
			}
			if reasons != "" {
				got.Files = append(got.Files, txtar.File{Name: "reasons", Data: []byte(reasons)})
			}
			want, have := string(txtar.Format(archive)), string(txtar.Format(got))
			if want == have {
				return
			}
			if !*update {
				t.Errorf("marks differ; got\n%s", have)
			} else if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, l := range set.Languages {
		if !seen[l.Name] {
			t.Errorf("no case in %s", l.Title)
		}
	}
}

// mark takes the marks of places from a source and puts them where they belong.
func mark(t *testing.T, l *lang.Language, path, source, compat string) (marked, reason string) {
	t.Helper()
	source = strings.NewReplacer("‹", "", "›", "").Replace(source)
	before, rest, ok := strings.Cut(source, "«")
	name, after, closed := strings.Cut(rest, "»")
	if !ok || !closed {
		t.Fatalf("%s: no «name»", path)
	}
	text := before + name + after
	u := use(path, text, len(before), name)
	s, err := NewSource(l, path, text, compat, treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	cuts, reason := s.Cuts(u)
	marks := map[int]string{len(before): "«"}
	marks[len(before)+len(name)] += "»"
	ended := map[int]bool{}
	for _, c := range cuts {
		if !ended[c.End] {
			marks[c.End] += "›"
		}
		ended[c.End] = true
	}
	for _, c := range cuts {
		marks[c.Cursor] = "‹" + marks[c.Cursor]
	}
	var out strings.Builder
	at := 0
	for _, place := range slices.Sorted(keys(marks)) {
		out.WriteString(text[at:place] + marks[place])
		at = place
	}
	return out.String() + text[at:], reason
}

func keys[V any](m map[int]V) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// use is a use of the name at a place of a text; what follows a dot is a member.
func use(path, text string, start int, name string) schemas.CrossFileUse {
	u := schemas.CrossFileUse{
		Path: path, Start: int64(start), End: int64(start + len(name)), Name: name, Kind: "name", Detector: "test",
		Line: int64(strings.Count(text[:start], "\n")), Column: int64(start - strings.LastIndexByte(text[:start], '\n') - 1),
	}
	if strings.HasSuffix(text[:start], ".") {
		u.Kind = bind.KindMember
	}
	return u
}

func languageOf(set *lang.Set, path string) *lang.Language {
	for _, l := range set.Languages {
		if l.Syntax(path) != nil {
			return l
		}
	}
	return nil
}

var shared = sync.OnceValues(languages.Languages)

// allLanguages are those of the registry, which must not be changed.
func allLanguages(t testing.TB) *lang.Set {
	t.Helper()
	set, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Whatever a detector says of whatever file, a cut holds the name within the file.
func FuzzCuts(f *testing.F) {
	f.Add("x = a.b(1)\n", 6, 1, false)
	f.Add("if (a.b()) { c; }", 6, 1, true)
	f.Add("f\"{a.b!r}\"\r\n# a.b", 5, 1, false)
	f.Fuzz(func(t *testing.T, text string, start, length int, brackets bool) {
		path := map[bool]string{true: "A.java", false: "a.py"}[brackets]
		for _, compat := range []string{"paper", upstream} {
			s, err := NewSource(languageOf(allLanguages(t), path), path, text, compat, treesitter.DefaultLimits)
			if err != nil {
				return
			}
			u := schemas.CrossFileUse{Path: path, Start: int64(start), End: int64(start) + int64(length), Kind: bind.KindMember}
			cuts, reason := s.Cuts(u)
			if (len(cuts) == 0) != (reason != "") {
				t.Errorf("%d cuts, reason %q", len(cuts), reason)
			}
			for _, c := range cuts {
				if c.Cursor < 0 || c.Cursor > start || c.End < start+length || c.End > len(text) || strings.Contains(text[c.Cursor:start], "\n") {
					t.Errorf("%q: %+v for the name at %d", text, c, start)
				}
			}
		}
	})
}
