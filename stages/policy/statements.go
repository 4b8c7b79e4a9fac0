package policy

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/spdx"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// statements are all that a repository says about licences apart from its source
// files.
type statements struct {
	min    float64
	drops  pipeline.Dropper
	texts  map[string][]licenceText // licence files by folder
	own    map[string]licenceText   // the same by path
	beside map[string]spdx.Expr     // from "<path>.license", by path
	notes  []annotation             // the last that fits counts
	work   int64                    // spent on them, see maxWork
	cache  map[string]combined      // by folder
}

// licenceText is one licence file. expr is zero where it is not a known text.
type licenceText struct {
	path    string
	expr    spdx.Expr
	percent float64
}

// combined is what the licence files of a folder say together.
type combined struct {
	expr    spdx.Expr
	percent float64
	files   []string
}

func newStatements(minPercent float64, drops pipeline.Dropper) *statements {
	return &statements{
		min: minPercent, drops: drops,
		texts: map[string][]licenceText{}, own: map[string]licenceText{},
		beside: map[string]spdx.Expr{}, cache: map[string]combined{},
	}
}

const reuseTexts = "LICENSES" // the folder of licence texts at the top of a repository

// gather takes what an entry says about others.
func (s *statements) gather(e schemas.Entry) {
	if e.Kind != schemas.KindFile && e.Kind != schemas.KindExecutable {
		return
	}
	target, beside := strings.CutSuffix(e.Path, ".license")
	switch {
	case beside:
		s.beside[target], _ = identifiers(headOf(e.Content))
	case e.Path == reuseFile || e.Path == debianFile:
		notes, err := annotations(e)
		if err != nil {
			s.drops.Note("annotations_not_read", 1)
		}
		s.notes = append(s.notes, notes...)
	case above(e.Path) == reuseTexts:
		t := s.text(e)
		if id, err := spdx.Parse(strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path))); err == nil && t.expr.IsZero() {
			t.expr = id // REUSE names the files by identifier
		}
		s.add(reuseTexts, t)
	case licenceName.MatchString(path.Base(e.Path)):
		s.add(above(e.Path), s.text(e))
	case saysLicence.MatchString(path.Base(e.Path)): // and may be anything
		if t := s.text(e); !t.expr.IsZero() {
			s.add(above(e.Path), t)
		}
	}
}

func (s *statements) add(folder string, t licenceText) {
	s.own[t.path] = t
	if !bundled.MatchString(path.Base(t.path)) {
		s.texts[folder] = append(s.texts[folder], t)
	}
}

func (s *statements) malformed(n int64) {
	if n > 0 {
		s.drops.Note("malformed_identifiers", n)
	}
}

// text reads a licence file. Too long ones are not known.
func (s *statements) text(e schemas.Entry) licenceText {
	t := licenceText{path: e.Path}
	if len(e.Content) > maxLicence {
		s.drops.Note("licence_files_too_long", 1)
		return t
	}
	expr, percent := scanned(e.Content)
	t.percent = percent
	if percent >= s.min {
		t.expr = expr
	} else if id, _ := identifiers(headOf(e.Content)); !id.IsZero() {
		t.expr, t.percent = id, 100
	}
	return t
}

// licenceOf is the row of a file.
func (s *statements) licenceOf(e schemas.Entry) schemas.FileLicence {
	row := func(expr spdx.Expr, percent float64, kind, from string) schemas.FileLicence {
		return schemas.FileLicence{Path: e.Path, Licence: expr.String(), Percent: percent, Kind: kind, From: from}
	}
	note := s.annotation(e.Path)
	if note == tooCostly {
		s.drops.Note("annotations_too_costly", 1)
		return row(spdx.Expr{}, 0, "", "") // a guess could be a wrong one
	}
	if note != nil && note.override {
		return row(note.expr, 100, schemas.LicenceAnnotation, note.from)
	}
	if t, ok := s.own[e.Path]; ok {
		return row(t.expr, t.percent, schemas.LicenceText, e.Path)
	}
	if expr := s.beside[e.Path]; !expr.IsZero() {
		return row(expr, 100, schemas.LicenceHeader, e.Path+".license")
	}
	head := headOf(e.Content)
	expr, bad := identifiers(head)
	s.malformed(bad)
	if !expr.IsZero() {
		return row(expr, 100, schemas.LicenceHeader, e.Path)
	}
	if expr, percent := scanned(head); !expr.IsZero() {
		return row(expr, percent, schemas.LicenceHeader, e.Path)
	}
	if note != nil {
		return row(note.expr, 100, schemas.LicenceAnnotation, note.from)
	}
	from := s.inherited(above(e.Path))
	if len(from.files) == 0 {
		return row(spdx.Expr{}, 0, "", "")
	}
	return row(from.expr, from.percent, schemas.LicenceInherited, from.files[0])
}

// inherited combines the licence files of the nearest folder that has any.
func (s *statements) inherited(folder string) combined {
	if c, ok := s.cache[folder]; ok {
		return c
	}
	texts := s.texts[folder]
	if folder == "." && len(texts) == 0 {
		texts = s.texts[reuseTexts]
	}
	var c combined
	switch {
	case len(texts) > 0:
		c = combine(texts)
	case folder != ".":
		c = s.inherited(above(folder))
	}
	s.cache[folder] = c
	return c
}

// above is the folder a path lies in, "." for the top. It is always shorter than
// the path or ".", whatever the path.
func above(p string) string {
	if i := strings.LastIndexByte(p, '/'); i > 0 {
		return p[:i]
	}
	return "."
}

func combine(texts []licenceText) combined {
	var c combined
	var all []spdx.Expr
	choice, lesser := true, false
	for _, t := range texts {
		choice = choice && namesItself(path.Base(t.path))
		lesser = lesser || t.expr.String() == "LGPL-3.0"
	}
	known := true
	for i, t := range texts {
		c.files = append(c.files, t.path)
		if i == 0 || t.percent < c.percent {
			c.percent = t.percent
		}
		known = known && !t.expr.IsZero()
		if lesser && t.expr.String() == "GPL-3.0" {
			continue // the lesser licence consists of additions to this text
		}
		all = append(all, t.expr)
	}
	slices.Sort(c.files)
	switch {
	case choice:
		c.expr = spdx.Or(all...) // one that is not known takes nothing from the others
	case known:
		c.expr = spdx.And(all...)
	}
	return c
}

var (
	licenceName = regexp.MustCompile(`(?i)^(?:(?:un)?licen[cs]es?|copying)(?:[-_][^.]*)?(?:\.(?:txt|md|markdown|rst|adoc|lesser))?$`)
	saysLicence = regexp.MustCompile(`(?i)licen[cs]e|^copying`)
	// bundled are names of files about what others wrote.
	bundled = regexp.MustCompile(`(?i)third|3rd|part(?:y|ies)|vendor|depend|bundle`)
)

// namesItself reports whether a name says which licence the file holds, as
// LICENSE-MIT and MIT-LICENSE.txt do.
func namesItself(base string) bool {
	base = strings.ToLower(base)
	if ext := path.Ext(base); slices.Contains([]string{".txt", ".md", ".rst"}, ext) {
		base = strings.TrimSuffix(base, ext)
	}
	for _, word := range []string{"license", "licence", "copying"} {
		if rest, ok := strings.CutPrefix(base, word); ok {
			return len(rest) > 1 && strings.Contains("-._", rest[:1]) && rest[1:] != "lesser"
		}
	}
	return strings.HasSuffix(base, "-license") || strings.HasSuffix(base, "-licence")
}

// annotation is the last one that fits a path, nil where none does.
func (s *statements) annotation(path string) *annotation {
	for i := len(s.notes) - 1; i >= 0; i-- {
		for _, p := range s.notes[i].paths {
			if !strings.HasPrefix(path, p.head) {
				continue
			}
			if s.work += p.cost * int64(len(path)); s.work > maxWork {
				return tooCostly
			}
			if p.re.MatchString(path) {
				return &s.notes[i]
			}
		}
	}
	return nil
}
