package crosscodeeval

import (
	"fmt"
	"strings"
	"testing"

	"benchmill/schemas"
	"benchmill/stages/lang/bind"
)

// Byte order marks, line ends of all kinds, and names at the very start and end of
// a file: marks as in the cases.
func TestEdges(t *testing.T) {
	for path, texts := range map[string][]string{
		"a.py": {
			"‹«find»›", "‹x ‹= ‹«find»›", "\ufeff‹«find»(1)›\n", "\ufeff‹api‹.‹«find»(1)›\r\n", "a = 1\r\n‹x ‹= ‹(‹«find»,\r\n  2)›\r\n",
			"‹a ‹= ‹1\r‹x ‹= ‹a‹.‹«find»(2)\rb = 2›\r", "‹é日‹.‹«größe»()›  # é\n",
		},
		"A.java": {"\ufeff‹«Api».find();›", "\ufeff‹Api‹.‹«find»();›"},
		"a.ts":   {"\ufeff‹api‹.‹«find»();›"},
		"A.cs":   {"\ufeff‹Api‹.‹«Find»();›\r\n"},
		"a.go":   {"\ufeffpackage a\nvar ‹x ‹= ‹b‹.‹«C»›"},
		"a.rs":   {"\ufefffn f() { ‹«b»();› }"},
		"a.c":    {"\ufeffint f() { ‹«b»();› }"},
		"a.cpp":  {"\ufeffint f() { ‹a‹->‹«b»();› }"},
	} {
		for _, want := range texts {
			got, reason := mark(t, languageOf(allLanguages(t), path), path, want, "paper")
			if got != want {
				t.Errorf("%s: %q (%s), want %q", path, got, reason, want)
			}
		}
	}
}

// Detectors say each place once; should one not, the place has one example.
func TestSamePlace(t *testing.T) {
	text := "class A { int x = a.bc; }"
	one := use("A.java", text, strings.Index(text, "bc"), "bc")
	two, three := one, one
	two.End--
	three.Name = "b"
	for _, compat := range []string{"paper", upstream} {
		r := run(t, examplesJob(t, "java", ExamplesConfig{Compat: compat}, []schemas.CrossFileUse{two, three, one}, schemas.File{Path: "A.java", Text: text}))
		if len(exampleRows(r)) != 1 || r.Reasons()[reasonSamePlace] != 2 {
			t.Errorf("%s: %+v, %v", compat, exampleRows(r), r.Reasons())
		}
	}
}

// A line of a megabyte that is all names costs no more than many lines, and by
// default does not become a megabyte of prompt for each of them.
func TestManyOnALine(t *testing.T) {
	var text strings.Builder
	var uses []schemas.CrossFileUse
	text.WriteString("x = [")
	for i := range 2000 {
		text.WriteString("api.")
		name := fmt.Sprintf("name%d", i)
		uses = append(uses, schemas.CrossFileUse{Path: "a.py", Start: int64(text.Len()), End: int64(text.Len() + len(name)), Name: name, Kind: bind.KindMember})
		text.WriteString(name + ", ")
	}
	text.WriteString("]\n")
	job := examplesJob(t, "python", ExamplesConfig{}, uses, schemas.File{Path: "a.py", Text: text.String()})
	if got := len(exampleRows(run(t, job))); got != len(uses) {
		t.Errorf("%d examples of %d uses", got, len(uses))
	}
	job.Config = nil // the defaults
	if r := run(t, job); len(exampleRows(r)) != 100 || r.Reasons()[reasonNotDrawn] != len(uses)-100 {
		t.Errorf("by default %d examples, %v", len(exampleRows(r)), r.Reasons())
	}
}
