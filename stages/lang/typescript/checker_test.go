package typescript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// A tool answers with canned outputs and keeps what it was asked.
type tool struct {
	outputs []lang.Output
	asked   [][]lang.SourceFile
}

func (f *tool) run(_ context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
	if want := []string{"--project", configPath, "--pretty", "false"}; !slices.Equal(args, want) {
		return lang.Output{}, fmt.Errorf("arguments %q, want %q", args, want)
	}
	f.asked = append(f.asked, files)
	if len(f.outputs) < len(f.asked) {
		return lang.Output{}, errors.New("asked too often")
	}
	return f.outputs[len(f.asked)-1], nil
}

func checkWith(t *testing.T, f *tool, files ...lang.SourceFile) (map[string][]bind.Use, map[string]string, error) {
	t.Helper()
	return Language().Checker.Check(t.Context(), files, f.run)
}

var pair = []lang.SourceFile{
	{Path: "src/b.ts", Text: "export class Foo { x = 1 }\n"},
	{Path: "src/a.ts", Text: "import lib from 'lib';\nimport { Foo, type Bar as Baz } from './b';\nnew Foo().x;\n"},
	{Path: "tsconfig.json", Text: "{}"},
}

// TestStandIns: every other byte stays in its place, files without imports of the
// project have no copies, and the files as they are come first.
func TestStandIns(t *testing.T) {
	f := &tool{outputs: []lang.Output{{}}}
	if _, _, err := checkWith(t, f, pair...); err != nil {
		t.Fatal(err)
	}
	blank := "import lib from 'lib';\n" + strings.Repeat(" ", 43) + "\nnew Foo().x;\n\nexport {};\n"
	want := []lang.SourceFile{pair[1], pair[0],
		{Path: "src/a.bare1.ts", Text: blank},
		{Path: "src/a.bare2.ts", Text: blank + "declare class Baz {}\ndeclare class Foo {}\n"},
	}
	got := f.asked[0]
	if !slices.Equal(got[:len(got)-1], want) {
		t.Errorf("files %q\nwant %q", got[:len(got)-1], want)
	}
	var config struct{ Files []string }
	if last := got[len(got)-1]; last.Path != configPath || json.Unmarshal([]byte(last.Text), &config) != nil ||
		!slices.Equal(config.Files, []string{"src/a.ts", "src/b.ts", "src/a.bare1.ts", "src/a.bare2.ts"}) {
		t.Errorf("config %q", got[len(got)-1])
	}
}

// TestMarkIsUnused: no copy takes the place of a file.
func TestMarkIsUnused(t *testing.T) {
	f := &tool{outputs: []lang.Output{{}}}
	if _, _, err := checkWith(t, f, append(slices.Clone(pair), lang.SourceFile{Path: "src/a.bare1.ts", Text: "export {}"})...); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range f.asked[0] {
		if seen[file.Path] {
			t.Errorf("%s twice", file.Path)
		}
		seen[file.Path] = true
	}
}

// TestMessages: only what counts, of the copy it counts in, that the file as it is
// does not have, once; places are bytes.
func TestMessages(t *testing.T) {
	source := lang.SourceFile{Path: "a (1).ts", Text: "\ufeffimport { Foo } from './b';\r\n\t'😀é'; Foo;\u2028Foo.one; Foo['two'];\r\nFoo.three"}
	f := &tool{outputs: []lang.Output{{Exit: 2, Stdout: strings.Join([]string{
		"a (1).bare1.ts(2,9): error TS2304: Cannot find name 'Foo'.",
		"a (1).bare1.ts(2,9): error TS2304: Cannot find name 'Foo'.",
		"  Did you mean this?",
		"a (1).bare1.ts(2,9): error TS2503: Cannot find namespace 'Foo'.",
		"a (1).bare1.ts(3,5): error TS2339: not here.",
		"a (1).bare2.ts(3,5): error TS2339: Property 'one' does not exist on type 'typeof Foo'.",
		"a (1).bare2.ts(3,14): error TS2551: Property 'two' does not exist. Did you mean?\r",
		"a (1).bare2.ts(4,5): error TS2339: Property 'three' does not exist on type 'typeof Foo'.",
		"a (1).ts(4,5): error TS2339: Property 'three' does not exist on type 'typeof Foo'.",
		"a (1).bare2.ts(99,1): error TS2339: beyond the end.",
		"a (1).bare2.ts(4,99): error TS2339: beyond the end.",
		"other.ts(1,1): error TS2304: of nobody.",
		"error TS5023: without a file.",
		"a (1).bare2.ts(3,1): error TS2339: cut o",
	}, "\n")}}}
	uses, skipped, err := checkWith(t, f, source, pair[0], lang.SourceFile{Path: "b.ts", Text: "export class Foo {}"})
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	var got []string
	for _, u := range uses[source.Path] {
		if source.Text[u.Start:u.End] != u.Name {
			t.Errorf("%q at %d is %q", u.Name, u.Start, source.Text[u.Start:u.End])
		}
		got = append(got, u.Name+" "+u.Kind)
	}
	if want := []string{"Foo name", "one member", "two member"}; !slices.Equal(got, want) || len(uses) != 1 {
		t.Errorf("uses %q, want %q", got, want)
	}
}

// TestSyntaxErrors: they keep the compiler from looking at types, so the files
// are set aside and the others are asked about again; but not where they come
// with other messages.
func TestSyntaxErrors(t *testing.T) {
	broken := lang.SourceFile{Path: "src/c.ts", Text: "import { Foo } from './b'; Foo("}
	f := &tool{outputs: []lang.Output{
		{Exit: 2, Stdout: "src/c.ts(1,32): error TS1005: ')' expected.\nsrc/c.bare1.ts(1,32): error TS1005: ')' expected.\n"},
		{Exit: 2, Stdout: "src/a.bare1.ts(3,5): error TS2304: Cannot find name 'Foo'.\nsrc/a.ts(1,1): error TS1192: no default export.\n"},
	}}
	uses, skipped, err := checkWith(t, f, append(slices.Clone(pair), broken)...)
	if err != nil || len(uses["src/a.ts"]) != 1 {
		t.Fatal(uses, err)
	}
	if len(skipped) != 1 || skipped["src/c.ts"] != "TS1005: ')' expected." {
		t.Errorf("skipped %q", skipped)
	}
	for _, file := range f.asked[1] {
		if strings.Contains(file.Path, "src/c") {
			t.Errorf("%s is asked about again", file.Path)
		}
	}
}

func TestCheckerFails(t *testing.T) {
	for name, test := range map[string]struct {
		files   []lang.SourceFile
		outputs []lang.Output
		want    string // of the error, "" for none
	}{
		"no files":      {nil, nil, ""},
		"crash":         {pair, []lang.Output{{Exit: 134, Stderr: "out of memory"}}, "out of memory"},
		"bad config":    {pair, []lang.Output{{Exit: 1, Stdout: "error TS5023: Unknown option.\n"}}, "Unknown option"},
		"run fails":     {pair, nil, "asked too often"},
		"nothing wrong": {pair, []lang.Output{{}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			uses, _, err := checkWith(t, &tool{outputs: test.outputs}, test.files...)
			if test.want == "" && (err != nil || len(uses) > 0) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, %v, want error %q", uses, err, test.want)
			}
		})
	}
}

func TestNotUTF8(t *testing.T) {
	f := &tool{outputs: []lang.Output{{}}}
	_, skipped, err := checkWith(t, f, append(slices.Clone(pair), lang.SourceFile{Path: "d.ts", Text: "\xff"})...)
	if err != nil || skipped["d.ts"] != lang.ReasonNotUTF8 {
		t.Errorf("%q, %v", skipped, err)
	}
}

// FuzzMessages: whatever a tool says, names lie where they are said to.
func FuzzMessages(f *testing.F) {
	f.Add("a.ts(1,2): error TS2304: Cannot find name 'x'.\n", "ab cd")
	f.Add("a(1,1): error TS1: (2,2).ts(3,4): error TS2339: 'y'\r\n", "\ufeff\u2028'😀\r\n")
	f.Add("a.ts(999999999,999999999): error TS999999999: \n", "")
	f.Fuzz(func(t *testing.T, output, text string) {
		for _, m := range messages(output) {
			start, name := identifierAt(text, m.line, m.column)
			if start < 0 || start+len(name) > len(text) || text[start:start+len(name)] != name {
				t.Errorf("%+v gives %q at %d", m, name, start)
			}
		}
	})
}
