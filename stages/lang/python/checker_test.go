package python

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// answers is a tool that says one thing after the other.
func answers(outputs ...lang.Output) (lang.Run, *[][]lang.SourceFile) {
	var given [][]lang.SourceFile
	return func(_ context.Context, _ []string, files []lang.SourceFile) (lang.Output, error) {
		given = append(given, files)
		if len(given) > len(outputs) {
			return lang.Output{}, errors.New("asked too often")
		}
		return outputs[len(given)-1], nil
	}, &given
}

func said(id string, line, column, endLine, endColumn int, path, text string) string {
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%s\t%s\n", id, line, column, endLine, endColumn, path, text)
}

var repository = []lang.SourceFile{
	{Path: "other.py", Text: "class Foo: ...\n"},
	{Path: "main.py", Text: "import os\nfrom other import (\n    Foo,\n)\nfrom other import *\nü = Foo.bar; Foo.old\nFoo.a(b).c\nlost\n"},
	{Path: "broken.py", Text: "def (\n"},
}

func TestCheck(t *testing.T) {
	run, given := answers(
		lang.Output{Exit: 2, Stdout: "************* Module main\n" +
			said("E1101", 6, 14, 6, 21, "./main.py", "Class 'Foo' has no 'old' member") +
			said("E0001", 1, 5, 0, 0, "./broken.py", "Parsing failed: 'invalid syntax'")},
		lang.Output{Exit: 2, Stdout: said("E1101", 4, 5, 4, 12, "./main.py", "Class 'Foo' has no 'bar' member; maybe 'baz'?") +
			said("E1101", 4, 14, 4, 21, "./main.py", "Class 'Foo' has no 'old' member") +
			said("E1101", 4, 5, 4, 12, "./main.py", "Class 'Foo' has no 'bar' member; maybe 'baz'?") +
			said("E0602", 6, 0, 6, 4, "./main.py", "Undefined variable 'lost'") +
			said("E1101", 5, 0, 5, 5, "./elsewhere.py", "Class 'Foo' has no 'a' member") +
			said("E1101", 99, 0, 99, 5, "./main.py", "Class 'Foo' has no 'a' member") +
			said("W0611", 1, 0, 1, 5, "./main.py", "Unused import os")},
	)
	uses, skipped, err := check(t.Context(), repository, run)
	if err != nil {
		t.Fatal(err)
	}
	want := []bind.Use{
		{Start: 70, End: 73, Name: "bar", Kind: bind.KindMember, Via: bind.ViaImport},
		{Start: 94, End: 98, Name: "lost", Kind: bind.KindName, Via: bind.ViaImport},
	}
	if got := uses["main.py"]; len(uses) != 1 || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("uses %v", uses)
	}
	if len(skipped) != 1 || !strings.Contains(skipped["broken.py"], "invalid syntax") {
		t.Errorf("skipped %v", skipped)
	}
	for _, f := range (*given)[1] {
		if want := "import os\nclass Foo: pass\npass\n"; f.Path == "main.py" && !strings.HasPrefix(f.Text, want) {
			t.Errorf("main.py is checked as\n%s", f.Text)
		}
		if f.Path == "broken.py" {
			t.Error("a file that cannot be read is checked again")
		}
	}
}

func TestCheckFails(t *testing.T) {
	for _, c := range []struct {
		out  lang.Output
		want string
	}{
		{lang.Output{Exit: 32, Stderr: "usage: pylint\nno such option"}, "no such option"},
		{lang.Output{Exit: 1, Stderr: "Traceback\nMemoryError"}, "MemoryError"},
	} {
		run, _ := answers(c.out)
		if _, _, err := check(t.Context(), repository, run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("exit %d: %v", c.out.Exit, err)
		}
	}
	run, _ := answers()
	if _, _, err := check(t.Context(), repository, run); err == nil {
		t.Error("an error of the tool is lost")
	}
	if uses, _, err := check(t.Context(), nil, run); err != nil || len(uses) != 0 {
		t.Error("no files:", uses, err)
	}
}

func TestStub(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"import other\nother.x\n", "class other: pass\nother.x\n"},
		{"import other.sub, os\n", "class other: pass\nimport os\n"},
		{"import other as o\n", "class o: pass\n"},
		{"from other import a as b, c\n", "class b: pass\nclass c: pass\n"},
		{"if x:\n\tfrom other import (a,\n\t  b)\n\tc\n", "if x:\n\tclass a: pass\n\tclass b: pass\n\tc\n"},
		{"if x: from other import a, b\n", "if x: a = type(\"a\", (), {}); b = type(\"b\", (), {})\n"},
		{"x; import other; y\n", "x; other = type(\"other\", (), {}); y\n"},
		{"import other; y\n", "other = type(\"other\", (), {}); y\n"},
		{"from other import *\n", "pass\n"},
		{"from . import other, gone\n", "class other: pass\nfrom . import gone\n"},
		{"from other import a # why\n", "class a: pass # why\n"},
		{"import os\nfrom os import path\n", "import os\nfrom os import path\n"},
		{"from __future__ import annotations\nimport other\n", "from __future__ import annotations\nclass other: pass\n"},
		{"x # pylint: disable=no-member\n", "x # pylint  disable=no-member\n"},
		{"'pylint: disable=all'\n", "'pylint: disable=all'\n"},
	} {
		bound, tree, linker := repo(t, c.src)
		got := stub(bound, tree, linker)
		if string(got.text) != c.want {
			t.Errorf("%q becomes %q", c.src, got.text)
		}
		for at := range got.text {
			from := got.original(at)
			if from >= 0 && c.src[from] != got.text[at] && !strings.Contains(c.src, "pylint:") {
				t.Errorf("%q: offset %d is said to come from %d", c.src, at, from)
			}
		}
	}
}

// repo is a file beside other.py and other/sub.py.
func repo(t testing.TB, src string) (*bind.File, *treesitter.Tree, bind.Linker) {
	t.Helper()
	l := Language()
	bound, failed := l.BindAll([]lang.SourceFile{{Path: "main.py", Text: src}, {Path: "other.py", Text: ""}, {Path: "other/sub.py", Text: ""}}, treesitter.DefaultLimits)
	if len(failed) > 0 {
		t.Skip(failed)
	}
	tree, err := l.ParseWhole("main.py", []byte(src), treesitter.DefaultLimits)
	if err != nil {
		t.Skip(err)
	}
	return bound[0], tree, link(bound, nil)
}

// TestPlaces maps places that pylint gets wrong: inside f-strings, after a byte
// order mark, with other line ends.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		src  string
		m    message
		want int
	}{
		{"a = ü.b\n", message{name: "b", line: 1, column: 4, endLine: 1, endColumn: 8}, 7},
		{"\xef\xbb\xbfa.b\n", message{name: "b", line: 1, column: 0, endLine: 1, endColumn: 3}, 5},
		{"x\r\na.b\r\n", message{name: "b", line: 2, column: 0, endLine: 2, endColumn: 3}, 5},
		{"x\ra.b\r", message{name: "b", line: 2, column: 0, endLine: 2, endColumn: 3}, 4},
		{"x = f\"\"\"\n {a.b}\"\"\"\n", message{name: "b", line: 1, column: 1, endLine: 1, endColumn: 4}, 13},
		{"(a\n .b)\n", message{name: "b", line: 1, column: 1, endLine: 2, endColumn: 3}, 5},
		{"a.b\n", message{name: "c", line: 1, column: 0, endLine: 1, endColumn: 3}, -1},
		{"a.b\n", message{name: "b", line: 1, column: 0, endLine: -1, endColumn: -1}, -1},
		{"a.b\n", message{name: "long", line: 1, column: 0, endLine: 1, endColumn: 0}, -1},
	} {
		tree, err := Language().ParseWhole("a.py", []byte(c.src), treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		s := &stubbed{}
		s.copy(tree.Source, 0, len(tree.Source))
		c.m.id = "E1101"
		if u, ok := c.m.use(s, tree); ok != (c.want >= 0) || ok && u.Start != c.want {
			t.Errorf("%q %+v: %d %v, want %d", c.src, c.m, u.Start, ok, c.want)
		}
	}
}

// FuzzMessages feeds the parser of pylint's output anything, and asks for places.
func FuzzMessages(f *testing.F) {
	f.Add("E1101\t1\t0\t1\t3\t./main.py\tClass 'Foo' has no 'b' member\n", "a.b\n")
	f.Add("E0602\t1\t0\t1\t1\tmain.py\tUndefined variable 'a'\n", "a.b\n")
	f.Add("E1101\t99999999999999\t-1\t\t3\t\t has no '' member\n", "")
	f.Fuzz(func(t *testing.T, out, src string) {
		tree, err := Language().ParseWhole("main.py", []byte(src), treesitter.DefaultLimits)
		if err != nil {
			return
		}
		s := &stubbed{}
		s.copy(tree.Source, 0, len(tree.Source))
		for _, m := range parseMessages(out) {
			if m.name == "" {
				continue
			}
			if u, ok := m.use(s, tree); ok && src[u.Start:u.End] != m.name {
				t.Errorf("%q is said to be %q", m.name, src[u.Start:u.End])
			}
		}
	})
}

// FuzzStub puts stand-ins in any file; what is copied maps back.
func FuzzStub(f *testing.F) {
	for _, src := range []string{"import other\n", "if x: from other import (a, b)\n", "from other import *; x\n", "\tfrom . import other as a\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		bound, tree, linker := repo(t, src)
		s := stub(bound, tree, linker)
		for at := range s.text {
			if from := s.original(at); from >= 0 && src[from] != s.text[at] && s.text[at] != ' ' {
				t.Fatalf("offset %d is said to come from %d", at, from)
			}
		}
	})
}
