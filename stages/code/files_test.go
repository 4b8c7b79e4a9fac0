package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
	languages "benchmill/stages/lang/all"
)

func set(t *testing.T) *lang.Set {
	t.Helper()
	s, err := languages.Languages()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func file(path, text string) schemas.Entry {
	return schemas.Entry{Path: path, Kind: schemas.KindFile, Size: int64(len(text)), Content: []byte(text)}
}

func repository(entry, language string) []schemas.Repository {
	return []schemas.Repository{{Repo: "o/r", Commit: strings.Repeat("1", 40), Entrypoint: entry, Language: language}}
}

func paths(files []schemas.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// Suffixes that are left out count as those of other languages.
func TestFilesWithout(t *testing.T) {
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: code.Files(set(t)), Config: &code.FilesConfig{MaxFileBytes: 100, Without: []string{".js", ".d.ts"}, Compat: "paper"},
		Inputs: map[string]any{
			"repository": repository(".", "typescript"),
			"snapshot":   []schemas.Entry{file("a.ts", ""), file("b.js", ""), file("c.d.ts", ""), file("d.tsx", "")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(stagetest.Rows[schemas.File](r, "files")); !slices.Equal(got, []string{"a.ts", "d.tsx"}) {
		t.Errorf("files %q", got)
	}
}

func TestFiles(t *testing.T) {
	long := strings.Repeat("#", 101)
	snapshot := []schemas.Entry{
		file("src/a.py", "x = 1\n"),
		file("src/deep/b.py", "y = 'ü'\n"),
		file("src/c.txt", "text"),
		file("src/limit.py", long[:100]),
		file("src/long.py", long),
		file("src/broken.py", "\xff\xfe"),
		file("src2/near.py", "z = 1\n"),
		file("top.py", ""),
		{Path: "src/run.py", Kind: schemas.KindExecutable, Size: 3, Content: []byte("a=1")},
		{Path: "src/link.py", Kind: schemas.KindLink, Target: "/etc/passwd"},
		{Path: "src/sub.py", Kind: schemas.KindSubmodule, Target: strings.Repeat("2", 40)},
		{Path: "src/big.py", Kind: schemas.KindLFS, Content: []byte("version https://git-lfs")},
		{Path: "src/huge.py", Kind: schemas.KindOversized, Size: 1 << 40},
		{Path: "src/.git/x.py", Kind: schemas.KindSkipped, Target: "a name of git's own"},
	}
	for _, test := range []struct {
		name, entry, compat string
		files               []string
		reasons             map[string]int
	}{
		{"entry", "src", "paper", []string{"src/a.py", "src/deep/b.py", "src/limit.py", "src/run.py"},
			map[string]int{"outside_entry": 2, "other_suffix": 1, "too_large": 2, "not_utf8": 1, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"entry, written oddly", "./src/", "paper", []string{"src/a.py", "src/deep/b.py", "src/limit.py", "src/run.py"},
			map[string]int{"outside_entry": 2, "other_suffix": 1, "too_large": 2, "not_utf8": 1, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"upstream's prefix", "src", "upstream", []string{"src/a.py", "src/deep/b.py", "src/limit.py", "src/run.py", "src2/near.py"},
			map[string]int{"outside_entry": 1, "other_suffix": 1, "too_large": 2, "not_utf8": 1, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"everything", ".", "paper", []string{"src/a.py", "src/deep/b.py", "src/limit.py", "src/run.py", "src2/near.py", "top.py"},
			map[string]int{"other_suffix": 1, "too_large": 2, "not_utf8": 1, "link": 1, "submodule": 1, "lfs_pointer": 1, "skipped_by_source": 1}},
		{"nothing there", "lib", "paper", nil, map[string]int{"outside_entry": len(snapshot)}},
	} {
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: code.Files(set(t)), Config: &code.FilesConfig{MaxFileBytes: 100, Compat: test.compat},
			Inputs: map[string]any{"repository": repository(test.entry, "python"), "snapshot": snapshot},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := stagetest.Rows[schemas.File](r, "files")
		if !slices.Equal(paths(got), test.files) || !maps.Equal(r.Reasons(), test.reasons) {
			t.Errorf("%s: %q, %v", test.name, paths(got), r.Reasons())
		}
		for _, f := range got {
			if f.Path == "src/deep/b.py" && (f.Text != "y = 'ü'\n" || f.Language != "python") {
				t.Errorf("%+v", f)
			}
		}
	}
}

// Config files are taken from the whole repository; a repository in an unknown
// language is an error that names it.
func TestFilesConfigs(t *testing.T) {
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: code.Files(set(t)),
		Inputs: map[string]any{"repository": repository("src", "typescript"), "snapshot": []schemas.Entry{
			file("tsconfig.json", "{}"), file("src/a.ts", "let a = 1"), file("src/tsconfig.json", "{}"), file("b.ts", ""),
			{Path: "x/tsconfig.json", Kind: schemas.KindLink, Target: "../../etc"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(stagetest.Rows[schemas.File](r, "configs")); !slices.Equal(got, []string{"src/tsconfig.json", "tsconfig.json"}) {
		t.Errorf("configs %q", got)
	}
	if got := r.Reasons(); !maps.Equal(got, map[string]int{"outside_entry": 1, "link": 1}) {
		t.Errorf("%v", got)
	}
	_, err = stagetest.Run(t.Context(), stagetest.Job{Stage: code.Files(set(t)), Inputs: map[string]any{"repository": repository(".", "klingon"), "snapshot": []schemas.Entry{}}})
	if err == nil || !strings.Contains(err.Error(), `o/r: no language "klingon"; known are python`) {
		t.Error(err)
	}
}

func TestFunctions(t *testing.T) {
	a := "import pkg.b\n\ndef one():\n    # why\n    return 1\n"
	b := "def two(x):\n    return x\n\n\ndef three():\n    pass"
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: code.Functions(set(t)),
		Inputs: map[string]any{"repository": repository(".", "python"), "files": []schemas.File{
			{Path: "pkg/__init__.py"}, {Path: "pkg/a.py", Text: a}, {Path: "pkg/b.py", Text: b}, {Path: "pkg/bad.py", Text: "\xff"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	var at, line int64
	place := map[string]schemas.OrderedFile{}
	rows := stagetest.Rows[schemas.OrderedFile](r, "order")
	slices.SortFunc(rows, func(a, b schemas.OrderedFile) int { return int(a.Position - b.Position) })
	for i, o := range rows {
		if o.Position != int64(i) || o.GlobalByte != at || o.GlobalLine != line {
			t.Errorf("%+v, want it at byte %d, line %d", o, at, line)
		}
		at, line = at+o.Bytes, line+o.Lines
		order, place[o.Path] = append(order, o.Path), o
	}
	if want := []string{"pkg/__init__.py", "pkg/b.py", "pkg/a.py"}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	if o := place["pkg/a.py"]; o.Bytes != int64(len(a)) || o.Lines != 6 || o.Functions != 1 || o.CommentBytes != 5 || !slices.Contains(o.Dependencies, "pkg/b.py") {
		t.Errorf("%+v", o)
	}
	if !maps.Equal(r.Reasons(), map[string]int{"not_utf8": 1}) {
		t.Errorf("%v", r.Reasons())
	}
	texts := map[string]string{"pkg/a.py": a, "pkg/b.py": b}
	whole := "" + b + a
	var names []string
	for _, f := range stagetest.Rows[schemas.Function](r, "functions") {
		names = append(names, f.Name)
		text := texts[f.Path][f.StartByte:f.EndByte]
		if !strings.HasPrefix(text, "def "+f.Name) || whole[f.GlobalStartByte:f.GlobalEndByte] != text {
			t.Errorf("%+v is %q", f, text)
		}
		lines := strings.Join(strings.SplitAfter(texts[f.Path], "\n")[f.StartLine:f.EndLine], "")
		if strings.TrimSpace(lines) != strings.TrimSpace(text) || f.GlobalStartLine-f.StartLine != place[f.Path].GlobalLine {
			t.Errorf("%+v has the lines %q", f, lines)
		}
		if f.Name == "one" && f.CommentRatio != 5/float64(len(text)) {
			t.Errorf("%+v", f)
		}
	}
	if !slices.Equal(names, []string{"one", "two", "three"}) {
		t.Errorf("%q", names)
	}
}
