package policy

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const (
	mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`
	isc   = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.\n"
	gpl3  = "# This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.\n"
	words = "All rights reserved. Nobody may use this.\n"
)

var tagged = "SPDX-License" + "-Identifier: "

func file(path, text string) schemas.Entry {
	return schemas.Entry{Path: path, Kind: schemas.KindFile, Size: int64(len(text)), Content: []byte(text)}
}

// licencesOf runs the stage and writes each row as "path: licence kind from".
func licencesOf(t *testing.T, repo schemas.Repository, snapshot ...schemas.Entry) ([]string, schemas.RepositoryLicence, *stagetest.Result) {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Licences(), Inputs: map[string]any{"repository": []schemas.Repository{repo}, "snapshot": snapshot},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range stagetest.Rows[schemas.FileLicence](r, "licences") {
		out = append(out, fmt.Sprintf("%s: %s, %s, %s", l.Path, l.Licence, l.Kind, l.From))
		if l.Percent < 0 || l.Percent > 100 || (l.Licence != "") != (l.Percent > 0) && l.Kind != schemas.LicenceText && l.Kind != schemas.LicenceInherited {
			t.Errorf("%+v", l)
		}
	}
	return out, stagetest.Rows[schemas.RepositoryLicence](r, "repository_licence")[0], r
}

func TestLicences(t *testing.T) {
	for name, test := range map[string]struct {
		snapshot []schemas.Entry
		want     []string
		repo     string
	}{
		"headers, texts and what is inherited": {
			[]schemas.Entry{
				file("COPYING", isc), file("a.go", "// "+tagged+"MIT OR Apache-2.0\npackage a\n"), file("b.py", gpl3), file("c.py", "x = 1\n"),
				file("sub/LICENSE.md", mit), file("sub/deep/d.py", ""), file("sub/e.c", "/* "+mit+" */\nint x;\n"), file("z/f.py", ""),
			},
			[]string{
				"COPYING: ISC, licence file, COPYING",
				"a.go: Apache-2.0 OR MIT, file header, a.go",
				"b.py: GPL-3.0-or-later, file header, b.py",
				"c.py: ISC, inherited, COPYING",
				"sub/LICENSE.md: MIT, licence file, sub/LICENSE.md",
				"sub/deep/d.py: MIT, inherited, sub/LICENSE.md",
				"sub/e.c: MIT, file header, sub/e.c",
				"z/f.py: ISC, inherited, COPYING",
			}, "ISC",
		},
		"nothing said": {[]schemas.Entry{file("a.py", "x")}, []string{"a.py: , , "}, ""},
		"a text that is not known lets nothing through": {
			[]schemas.Entry{file("LICENSE", mit), file("sub/LICENSE", words), file("sub/a.py", "")},
			[]string{"LICENSE: MIT, licence file, LICENSE", "sub/LICENSE: , licence file, sub/LICENSE", "sub/a.py: , inherited, sub/LICENSE"}, "MIT",
		},
		"too little of it is known": {
			[]schemas.Entry{file("LICENSE", mit+strings.Repeat("more words ", 100)), file("a.py", "")},
			[]string{"LICENSE: , licence file, LICENSE", "a.py: , inherited, LICENSE"}, "",
		},
		"a choice of licences": {
			[]schemas.Entry{file("LICENSE-ISC", isc), file("LICENSE-MIT.txt", mit), file("a.rs", "")},
			[]string{"LICENSE-ISC: ISC, licence file, LICENSE-ISC", "LICENSE-MIT.txt: MIT, licence file, LICENSE-MIT.txt", "a.rs: ISC OR MIT, inherited, LICENSE-ISC"}, "ISC OR MIT",
		},
		"licences that hold together": {
			[]schemas.Entry{file("COPYING", isc), file("LICENSE", mit), file("a.py", "")},
			[]string{"COPYING: ISC, licence file, COPYING", "LICENSE: MIT, licence file, LICENSE", "a.py: ISC AND MIT, inherited, COPYING"}, "ISC AND MIT",
		},
		"what others wrote": {
			[]schemas.Entry{file("LICENSE", mit), file("LICENSE-3rdparty.txt", words), file("a.py", "")},
			[]string{"LICENSE: MIT, licence file, LICENSE", "LICENSE-3rdparty.txt: , licence file, LICENSE-3rdparty.txt", "a.py: MIT, inherited, LICENSE"}, "MIT",
		},
		"called like a licence": {
			[]schemas.Entry{file("LICENSE", mit), file("check-license.md", words), file("license.go", "package x\n"), file("MIT-LICENSE", mit)},
			[]string{
				"LICENSE: MIT, licence file, LICENSE", "MIT-LICENSE: MIT, licence file, MIT-LICENSE",
				"check-license.md: MIT, inherited, LICENSE", "license.go: MIT, inherited, LICENSE",
			}, "MIT",
		},
		"a licence file with a tag": {
			[]schemas.Entry{file("COPYING", "This is provided under:\n\n\t"+tagged+"GPL-2.0 WITH Linux-syscall-note\n\nand that is all we have to say.")},
			[]string{"COPYING: GPL-2.0 WITH Linux-syscall-note, licence file, COPYING"}, "GPL-2.0 WITH Linux-syscall-note",
		},
		"tags": {
			[]schemas.Entry{
				file("a.html", "<!-- "+tagged+"MIT -->"), file("b.c", "/* "+tagged+"(MIT OR ISC) */ int x;"),
				file("c.py", "# "+tagged+"MIT\r\n# "+tagged+"ISC\r\n"), file("d.go", "var x = \""+tagged+"MIT\"\n"),
				file("e.md", "Write `"+tagged+"MIT` there."), file("f.py", "# "+tagged+"see LICENSE\n"),
				file("g.bat", "REM "+tagged+"MIT"), file("h.py", strings.Repeat("#\n", maxHead/2)+"# "+tagged+"MIT"),
				file("i.bin", "\x00\n"+tagged+"MIT"), file("j.png", "\x89\x00"), file("j.png.license", tagged+"CC0-1.0\n"),
			},
			[]string{
				"a.html: MIT, file header, a.html", "b.c: ISC OR MIT, file header, b.c", "c.py: ISC AND MIT, file header, c.py",
				"d.go: , , ", "e.md: , , ", "f.py: , , ", "g.bat: MIT, file header, g.bat", "h.py: , , ", "i.bin: , , ",
				"j.png: CC0-1.0, file header, j.png.license", "j.png.license: CC0-1.0, file header, j.png.license",
			}, "",
		},
		"REUSE.toml": {
			[]schemas.Entry{
				file("LICENSES/MIT.txt", mit), file("LICENSES/LicenseRef-own.txt", words),
				file("REUSE.toml", `version = 1
[[annotations]]
path = "*.py"
SPDX-License-Identifier = "ISC"
[[annotations]]
path = ["data/**", "own.py"]
precedence = "override"
SPDX-License-Identifier = ["MIT", "CC0-1.0"]
[[annotations]]
path = "**"
SPDX-FileCopyrightText = "somebody"
`),
				file("a.py", "# "+tagged+"Zlib\n"), file("b.py", ""), file("data/x/y.py", "# "+tagged+"Zlib\n"), file("own.py", ""), file("sub/c.py", ""),
			},
			[]string{
				"LICENSES/LicenseRef-own.txt: LicenseRef-own, licence file, LICENSES/LicenseRef-own.txt",
				"LICENSES/MIT.txt: MIT, licence file, LICENSES/MIT.txt",
				"REUSE.toml: LicenseRef-own AND MIT, inherited, LICENSES/LicenseRef-own.txt",
				"a.py: Zlib, file header, a.py",
				"b.py: ISC, annotation, REUSE.toml",
				"data/x/y.py: CC0-1.0 AND MIT, annotation, REUSE.toml",
				"own.py: CC0-1.0 AND MIT, annotation, REUSE.toml",
				"sub/c.py: LicenseRef-own AND MIT, inherited, LICENSES/LicenseRef-own.txt",
			}, "LicenseRef-own AND MIT",
		},
		".reuse/dep5": {
			[]schemas.Entry{
				file(".reuse/dep5", "Format: https://x\n\nFiles: *\nCopyright: a\nLicense: MIT\n\nFiles: docs/* img/?.png\n  a\\*b\nCopyright: b\nLicense: CC-BY-4.0\n The text.\n"),
				file("a*b", ""), file("acb", ""), file("docs/deep/x.md", ""), file("img/1.png", "\x00"), file("img/12.png", "\x00"),
			},
			[]string{
				".reuse/dep5: MIT, annotation, .reuse/dep5", "a*b: CC-BY-4.0, annotation, .reuse/dep5", "acb: MIT, annotation, .reuse/dep5",
				"docs/deep/x.md: CC-BY-4.0, annotation, .reuse/dep5", "img/1.png: CC-BY-4.0, annotation, .reuse/dep5", "img/12.png: MIT, annotation, .reuse/dep5",
			}, "",
		},
	} {
		got, repo, _ := licencesOf(t, schemas.Repository{Repo: "o/r"}, test.snapshot...)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		if repo.Licence != test.repo {
			t.Errorf("%s: the repository has %q, not %q", name, repo.Licence, test.repo)
		}
	}
}

// Entries that are no files are dropped by name; what cannot be read is noted.
func TestLicencesOdd(t *testing.T) {
	got, _, r := licencesOf(t, schemas.Repository{},
		file(".reuse/dep5", "Files: *\nLicense: GPL 2 or so\n"),
		file("LICENSE", strings.Repeat(mit, 1+maxLicence/len(mit))),
		file("REUSE.toml", "[[annotations]\n"),
		file("a.py", "# "+tagged+"MIT AND\n"),
		schemas.Entry{Path: "big", Kind: schemas.KindOversized, Size: 1 << 40},
		schemas.Entry{Path: "lfs", Kind: schemas.KindLFS, Content: []byte("version https://git-lfs")},
		schemas.Entry{Path: "link", Kind: schemas.KindLink, Target: "/etc"},
		schemas.Entry{Path: "sub", Kind: schemas.KindSubmodule},
		schemas.Entry{Path: "x/.git", Kind: schemas.KindSkipped},
	)
	if len(got) != 6 || !slices.Contains(got, "lfs: , inherited, LICENSE") {
		t.Errorf("%q", got)
	}
	if want := map[string]int{"link": 1, "submodule": 1, "skipped_by_source": 1}; !maps.Equal(r.Reasons(), want) {
		t.Errorf("%v", r.Reasons())
	}
	if want := map[string]int64{"malformed_identifiers": 1, "annotations_not_read": 2, "licence_files_too_long": 1}; !maps.Equal(r.Notes, want) {
		t.Errorf("%v", r.Notes)
	}
	// More patterns than there is time for.
	_, _, r = licencesOf(t, schemas.Repository{}, file(".reuse/dep5", "Files: "+strings.Repeat("a ", maxPatterns+1)+"\nLicense: MIT\n"))
	if r.Notes["annotations_not_read"] != 1 {
		t.Errorf("%v", r.Notes)
	}
}

// Texts of the GNU licences, where the machine has them.
func TestLesser(t *testing.T) {
	var texts [2]string
	for i, name := range []string{"GPL-3", "LGPL-3"} {
		data, err := os.ReadFile("/usr/share/common-licenses/" + name)
		if err != nil {
			t.Skipf("no texts of GNU licences here: %v", err)
		}
		texts[i] = string(data)
	}
	_, repo, _ := licencesOf(t, schemas.Repository{Licence: "LGPL-3.0-or-later"}, file("COPYING", texts[0]), file("COPYING.LESSER", texts[1]))
	if repo.Licence != "LGPL-3.0" || repo.Conflict {
		t.Errorf("%+v", repo)
	}
}

func TestRepositoryLicence(t *testing.T) {
	for _, test := range []struct {
		declared, said string
		conflict       bool
	}{
		{"", "", false}, {"NOASSERTION", "", false}, {"other", "", false}, {"MIT", "MIT", false}, {"mit", "mit", false},
		{"Apache-2.0", "Apache-2.0", true}, {"MIT OR ISC", "ISC OR MIT", true}, {"not an expression", "", false},
	} {
		repo := schemas.Repository{Repo: "o/r", Commit: "c", Language: "go", Licence: test.declared}
		_, got, _ := licencesOf(t, repo, file("LICENSE", mit))
		if got.Repo != "o/r" || got.Commit != "c" || got.Language != "go" || got.Licence != "MIT" || got.Declared != test.said || got.Conflict != test.conflict ||
			!slices.Equal(got.Files, []string{"LICENSE"}) || got.Percent < 99 {
			t.Errorf("%q: %+v", test.declared, got)
		}
	}
}

func TestAllow(t *testing.T) {
	files := []schemas.File{{Path: "a"}, {Path: "b"}, {Path: "c"}, {Path: "d"}, {Path: "e"}}
	rows := []schemas.FileLicence{{Path: "a", Licence: "MIT"}, {Path: "b", Licence: "GPL-3.0-only OR MIT"}, {Path: "c", Licence: "GPL-3.0-only AND MIT"}, {Path: "d"}}
	for _, test := range []struct {
		unknown, declared string
		want              []string
		reasons           map[string]int
	}{
		{"drop", "MIT", []string{"a", "b"}, map[string]int{"licence_not_accepted": 1, "licence_unknown": 2}},
		{"keep", "", []string{"a", "b", "d", "e"}, map[string]int{"licence_not_accepted": 1}},
		{"declared", "MIT", []string{"a", "b", "d", "e"}, map[string]int{"licence_not_accepted": 1}},
		{"declared", "GPL-3.0", []string{"a", "b"}, map[string]int{"licence_not_accepted": 3}},
		{"declared", "NOASSERTION", []string{"a", "b"}, map[string]int{"licence_not_accepted": 1, "licence_unknown": 2}},
	} {
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: Allow(), Config: &AllowConfig{Allow: []string{"MIT", "Apache-2.0"}, Unknown: test.unknown},
			Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/r", Licence: test.declared}}, "files": files, "licences": rows},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range stagetest.Rows[schemas.File](r, "files") {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, test.want) || !maps.Equal(r.Reasons(), test.reasons) {
			t.Errorf("%s, %s: %q, %v", test.unknown, test.declared, got, r.Reasons())
		}
	}
	for _, bad := range [][]string{nil, {"MIT OR ISC"}, {"MIT, ISC"}} {
		if err := (&AllowConfig{Allow: bad}).Validate(); err == nil {
			t.Errorf("%q is accepted as a list", bad)
		}
	}
	if err := pipeline.Validate([]*pipeline.Stage{Licences(), Allow(), OptOut(), Scrub()}); err != nil {
		t.Error(err)
	}
}

func FuzzStatements(f *testing.F) {
	scanned(nil) // building the scanner takes longer than one input may
	f.Add("# "+tagged+"MIT */\n", "Files: a*b\\\nLicense: MIT\n\n", "[[annotations]]\npath=['a/**']\nSPDX-License-Identifier='MIT'\n", "a/b")
	f.Add(mit, "", "", "//b")
	f.Fuzz(func(t *testing.T, text, dep5, toml, p string) {
		s := newStatements(75, &stagetest.Result{Notes: map[string]int64{}})
		for _, e := range []schemas.Entry{file(debianFile, dep5), file(reuseFile, toml), file("LICENSE", text), file(p+".license", text)} {
			s.gather(e)
		}
		if l := s.licenceOf(file(p, text)); (l.Kind == "") != (l.From == "") || l.Percent < 0 || l.Percent > 100 {
			t.Errorf("%+v", l)
		}
	})
}

// Patterns that take long cost a bounded time, and what is left without an answer
// is not known.
func TestCostlyAnnotations(t *testing.T) {
	notes, err := annotations(file("REUSE.toml", "version = 1\n[[annotations]]\npath = [\"src/"+strings.Repeat("*a", 400)+"\", \"docs/**\"]\nSPDX-License-Identifier = \"MIT\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := newStatements(75, nil)
	s.notes = notes
	if a := s.annotation("docs/a.md"); a != &notes[0] || s.work > 1000 {
		t.Errorf("%v for %d", a, s.work) // what cannot fit is not tried
	}
	path := "src/" + strings.Repeat("a", 900) + "b"
	if a := s.annotation(path); a != nil || s.work < 400*900 {
		t.Errorf("%v for %d", a, s.work)
	}
	s.work = maxWork
	if a := s.annotation(path); a != tooCostly {
		t.Errorf("%v", a)
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: &pipeline.Stage{
		Name: "policy.costly", Version: 1, Doc: "Licences after all was spent.", In: Licences().In, Out: Licences().Out[:1],
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			s.drops = p.Drops
			return pipeline.Emit(p, "licences", s.licenceOf(file(path, tagged+"MIT\n")))
		},
	}, Inputs: map[string]any{"repository": []schemas.Repository{{}}, "snapshot": []schemas.Entry{}}})
	if err != nil {
		t.Fatal(err)
	}
	if rows := stagetest.Rows[schemas.FileLicence](r, "licences"); len(rows) != 1 || rows[0].Licence != "" || r.Notes["annotations_too_costly"] != 1 {
		t.Errorf("%+v, %v", rows, r.Notes)
	}
}

// Other texts make other rows. Where this fails after an update of licensecheck,
// put the new name here: keys change by themselves.
func TestKnownTexts(t *testing.T) {
	if got := Licences().Identify(nil); !slices.Equal(got, []string{"licensecheck#0d36caf83bb5"}) {
		t.Errorf("%q", got)
	}
}
