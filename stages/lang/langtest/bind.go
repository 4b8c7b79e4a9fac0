package langtest

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// Marks around the names that need another file: those found in both modes, and
// those found in [bind.Extended] only.
const (
	markCompat, endCompat     = "⟦", "⟧"
	markExtended, endExtended = "⟪", "⟫"
)

// Bind checks a language's binding over testdata/bind/*.txtar. Each is a small
// repository whose comment states a rule; in its sources the names that need
// another file stand in ⟦⟧, those that only the extended mode finds in ⟪⟫. The
// flag -update writes the marks anew.
func Bind(t *testing.T, l *lang.Language) {
	eachRule(t, l, "bind", bindCase)
}

func bindCase(t *testing.T, l *lang.Language, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(archive.Comment))) == 0 {
		t.Errorf("%s does not say what it shows", name)
	}
	var files []lang.SourceFile
	config := map[string]string{}
	for _, f := range archive.Files {
		switch text := unmarked(string(f.Data)); {
		case l.Syntax(f.Name) != nil:
			files = append(files, lang.SourceFile{Path: f.Name, Text: text})
		case l.IsConfig(f.Name):
			config[f.Name] = text
		}
	}
	slices.SortFunc(files, func(a, b lang.SourceFile) int { return cmp.Compare(a.Path, b.Path) })
	bound, failed := l.BindAll(files, limits)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	compat, extended := l.Resolver(bound, config, bind.Compat), l.Resolver(bound, config, bind.Extended)
	for i, f := range archive.Files {
		at := slices.IndexFunc(files, func(s lang.SourceFile) bool { return s.Path == f.Name })
		if at < 0 {
			continue
		}
		got := marked(files[at].Text, compat.Uses(f.Name), extended.Uses(f.Name))
		if want := string(f.Data); got != want && !*update {
			t.Errorf("%s: %s differs\n%s", name, f.Name, difference([]byte(want), []byte(got)))
		}
		archive.Files[i].Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func unmarked(text string) string {
	return strings.NewReplacer(markCompat, "", endCompat, "", markExtended, "", endExtended, "").Replace(text)
}

// marked writes marks around uses. Extended must find all that compat finds.
func marked(text string, compat, extended []bind.Use) string {
	found := map[int]bool{}
	for _, u := range compat {
		found[u.Start] = true
	}
	all := slices.Clone(extended)
	for _, u := range compat {
		if !slices.ContainsFunc(extended, func(e bind.Use) bool { return e.Start == u.Start }) {
			u.Name = "?" // not the text at its place, so the case fails
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(a, b bind.Use) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, u := range all {
		open, shut := markExtended, endExtended
		if found[u.Start] {
			open, shut = markCompat, endCompat
		}
		b.WriteString(text[at:u.Start] + open)
		if text[u.Start:u.End] != u.Name {
			fmt.Fprintf(&b, "use of %s, not found in extended mode or misplaced: ", u.Name)
		}
		b.WriteString(text[u.Start:u.End] + shut)
		at = u.End
	}
	return b.String() + text[at:]
}
