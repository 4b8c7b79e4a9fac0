package csharp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/langtest"
)

func TestMessages(t *testing.T) {
	got := messages("f0.cs(12,6): error CS1061: Type `A.Stub' does not contain a definition for `Foo' and more\n" +
		"f1.cs(1,74): (Location of the symbol related to previous error)\n" +
		"f0.cs(3,1): warning CS0219: a warning\n" +
		"error CS0006: Metadata file `System.Xml.dll' could not be found\r\n" +
		"Compilation failed: 2 error(s), 0 warnings\n" +
		"f0.cs(9,9): error CS0103: The name `cut")
	want := []message{
		{path: "f0.cs", line: 12, column: 6, code: 1061, text: "Type `A.Stub' does not contain a definition for `Foo' and more"},
		{code: 6, text: "Metadata file `System.Xml.dll' could not be found"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if name := got[0].subject(2) + got[0].subject(3); name != "Foo" {
		t.Errorf("it is about %q", name)
	}
}

func TestOffset(t *testing.T) {
	text := mark + "a.Foo();\r\n\té😀.Foo(x.Foo);\n"
	for _, c := range []struct{ line, column, at int }{
		{1, 3, strings.Index(text, "Foo")},
		{2, 6, strings.Index(text, "Foo(x")}, // a tab, a letter, one of two units, a dot
		{1, 1000, -1}, {9, 1, -1}, {0, 0, -1},
	} {
		if got := offset(text, lineStarts(text), c.line, c.column); got != c.at {
			t.Errorf("%d,%d is at %d, want %d", c.line, c.column, got, c.at)
		}
	}
	if at := nameAt("[Foo (FooBar = 1, Bar = 2)]\nBar", 0, "Bar"); at != 18 {
		t.Errorf("the name is at %d", at)
	}
	if at := nameAt("a\nBar", 0, "Bar"); at != -1 {
		t.Errorf("a name of the next line is at %d", at)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add("f0.cs(1,2): error CS0103: The name `x' does not exist\n", "x = 1;")
	f.Add("f0.cs(99999999999,1): error CS1: \n", mark)
	f.Fuzz(func(t *testing.T, output, text string) {
		lines := lineStarts(text)
		for _, m := range messages(output) {
			if at := nameAt(text, offset(text, lines, m.line, m.column), m.subject(1)); at >= 0 && !strings.HasPrefix(text[at:], m.subject(1)) {
				t.Errorf("%q is not at %d of %q", m.subject(1), at, text)
			}
		}
	})
}

func TestStandIns(t *testing.T) {
	l := Language()
	tree, err := l.ParseWhole("a.cs", []byte(`using X;
namespace N {
	using Y;
	[Serializable] public abstract class A<in T> : B where T : C { void F() { } enum E { One } delegate Z D(Z z); class Inner<U, V> { } }
	internal partial struct S { }
	class OopsException : Base { }
	interface I : J { int P { get; } }
}`), treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{tree: tree, types: outline(tree)}
	want := "using X;\nnamespace N {\nusing Y;\npublic class A<T> {\npublic enum E {\n}\npublic delegate Z D(Z z);\npublic class Inner<U, V> {\n}\n}\n" +
		"partial struct S {\n}\npublic class OopsException : System.Exception {\n}\n}\n"
	if got := s.standIn(map[string]bool{"N.I": true}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.bare = true
	if got := s.standIn(map[string]bool{}); strings.Contains(got, "using") || !strings.Contains(got, "delegate void D();") {
		t.Errorf("bare: %s", got)
	}
}

var checked = []lang.SourceFile{
	{Path: "P.csproj", Text: "<Project/>"},
	{Path: "a.cs", Text: "class A : Base {\n\tpublic override void F() { new B().Pay(); Up(); }\n}\n"},
	{Path: "b.cs", Text: "public class B { public void Pay() { } }\npublic class Base { public virtual void F() { } public void Up() { } }\n"},
	{Path: "new.cs", Text: "class New { required int X; }\n"},
}

// TestCheck plays mcs: it stops at the newer file first, then at the override.
func TestCheck(t *testing.T) {
	runs := 0
	run := func(_ context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
		runs++
		var out strings.Builder
		stop := false
		name := func(part string) string {
			for _, f := range files {
				if strings.Contains(f.Text, part) {
					return f.Path
				}
			}
			return ""
		}
		if strings.Contains(strings.Join(args, " "), "-r:System.Web.dll") {
			return lang.Output{Stderr: "error CS0006: Metadata file `System.Web.dll' could not be found\n"}, nil
		}
		if n := name("required"); n != "" {
			fmt.Fprintf(&out, "%s(1,13): error CS1585: Member modifier `required' must precede\n", n)
			stop = true
		}
		whole := name("virtual") != ""
		if n := name("override"); n != "" && !whole && !stop {
			fmt.Fprintf(&out, "%s(2,23): error CS0115: `A.F()' is marked as an override but no suitable method found to override\n", n)
			stop = true
		}
		if n := name("Pay();"); n != "" && !whole && !stop {
			fmt.Fprintf(&out, "%s(2,37): error CS1061: Type `B' does not contain a definition for `Pay' and no extension\n", n)
			fmt.Fprintf(&out, "%s(2,44): error CS0103: The name `Up' does not exist in the current context\n", n)
		}
		if !stop {
			fmt.Fprintf(&out, "%s(1,1): error CS0103: The name `%s' does not exist in the current context\n", name(probe), probe)
		}
		return lang.Output{Exit: 1, Stderr: out.String()}, nil
	}
	uses, skipped, err := Language().Checker.Check(t.Context(), checked, run)
	if err != nil {
		t.Fatal(err)
	}
	expectProject(t, named(t, uses["a.cs"], checked[1].Text), skipped)
	if len(uses["b.cs"]) != 0 || runs < 5 {
		t.Errorf("%v after %d runs", uses, runs)
	}
	failing := func(context.Context, []string, []lang.SourceFile) (lang.Output, error) {
		return lang.Output{}, errors.New("out of memory")
	}
	if _, _, err := Language().Checker.Check(t.Context(), checked, failing); err == nil {
		t.Error("a run that failed is no error")
	}
	silent := func(context.Context, []string, []lang.SourceFile) (lang.Output, error) { return lang.Output{}, nil }
	if _, skipped, _ := Language().Checker.Check(t.Context(), checked, silent); len(skipped) != 3 {
		t.Errorf("of a tool that says nothing: %v", skipped)
	}
}

// named are the names of uses, as the file has them at their places.
func named(t *testing.T, uses []bind.Use, text string) (out []string) {
	t.Helper()
	for _, u := range uses {
		if text[u.Start:u.End] != u.Name {
			t.Errorf("%q stands where %q should", text[u.Start:u.End], u.Name)
		}
		out = append(out, u.Name)
	}
	return out
}

func expectProject(t *testing.T, got []string, skipped map[string]string) {
	t.Helper()
	if !slices.Equal(got, []string{"Pay", "Up"}) {
		t.Errorf("uses of a.cs: %q", got)
	}
	if len(skipped) != 1 || !strings.Contains(skipped["new.cs"], "CS1") {
		t.Errorf("skipped: %v", skipped)
	}
}

// TestLive asks the real compiler.
func TestLive(t *testing.T) {
	uses, skipped, err := Language().Checker.Check(t.Context(), checked, langtest.Tool(t, "mcs"))
	if err != nil {
		t.Fatal(err)
	}
	expectProject(t, named(t, uses["a.cs"], checked[1].Text), skipped)
}
