package java

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/stages/lang"
)

func TestFindings(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"12.java:10:5: compiler.err.cant.resolve.location: kindname.variable, name, , , (compiler.misc.location: kindname.class, p.A, null)", "12:10:5 kindname.variable name"},
		{"0.java:1:1: compiler.err.cant.resolve.location.args: kindname.method, call, , int,java.lang.String, (x)", "0:1:1 kindname.method call"},
		{"3.java:2:9: compiler.err.cant.resolve.args: kindname.method, own, , ", "3:2:9 kindname.method own"},
		{"3.java:2:9: compiler.err.invalid.mref: kindname.method, (compiler.misc.cant.resolve.location.args: kindname.method, ref, , T, (y))", "3:2:9 kindname.method ref"},
		{"3.java:2:9: compiler.err.invalid.mref: kindname.method, (compiler.misc.non-static.cant.be.ref: kindname.method, ref())", "3:2:9  "},
		{"4.java:7:1: compiler.err.expected: ';'", "4:7:1  "},
		{"4.java:7:1: compiler.warn.something: a", ""},
		{"needed4.java:7:1: compiler.err.cant.resolve: kindname.variable, a, , ", ""},
		{"Foo.java:7:1: compiler.err.cant.resolve: kindname.variable, a, , ", ""},
		{"- compiler.note.deprecated.filename: 4.java, null", ""},
		{"4.java:7: error: cannot find symbol", ""},
		{"4.java:x:1: compiler.err.cant.resolve: kindname.variable, a, , ", ""},
		{"4.java:-1:1: compiler.err.cant.resolve: kindname.variable, a, , ", ""},
		{"4.java:7:1: compiler.err.cant.resolve", "4:7:1  "},
		{"4.java:7:1: compiler.err.cant.resolve: kindname.vari", "4:7:1 kindname.vari "}, // cut off
		{"12 errors", ""},
		{"", ""},
	} {
		got := ""
		for _, f := range findings(c.line + "\n") {
			got += fmt.Sprintf("%d:%d:%d %s %s", f.file, f.line, f.column, f.kind, f.name)
		}
		if got != c.want {
			t.Errorf("%s\n%q, want %q", c.line, got, c.want)
		}
	}
}

func FuzzFindings(f *testing.F) {
	f.Add("12.java:10:5: compiler.err.cant.resolve.location: kindname.variable, name, , , (x)", 3, 4)
	f.Add("3.java:2:9: compiler.err.invalid.mref: kindname.method, (compiler.misc.cant.resolve.location.args: kindname.method, ref, , T, (y))", 1, 9)
	f.Add("", 2, 12)
	s := sources([]lang.SourceFile{{Path: "A.java", Text: "class A {\n\tB 𝒳 = b.<C>d().e;\r\tX x = B::f;\r\n\tint é = a . b; }"}}, map[string]string{})[0]
	f.Fuzz(func(t *testing.T, output string, line, column int) {
		for _, f := range findings(output) {
			if f.file < 0 || f.line < 0 || f.column < 0 || f.code == "" {
				t.Errorf("%q: %+v", output, f)
			}
			s.use(f)
		}
		for _, name := range []string{"d", "e", "f", "b", "𝒳", "é", "a"} {
			u, ok := s.use(finding{place: place{0, line, column}, kind: "kindname.method", name: name})
			if ok && s.Text[u.Start:u.End] != name {
				t.Errorf("line %d, column %d: %+v is not %s", line, column, u, name)
			}
		}
	})
}

// TestPlaces marks where javac says that something is missing and looks for the
// name it means.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"class A { int x = b^.name(); }", "name", "member"},
		{"class A { int x = b^ . /* c */ name(); }", "name", "member"},
		{"class A { int x = b\n  ^.name(); }", "name", "member"},
		{"class A { int x = b^.<Type, Other<T>>name(); }", "name", "member"},
		{"class A { int x = ^name(); }", "name", "inherited"},
		{"import static b.C.name; class A { int x = ^name; }", "name", "name"},
		{"import static b.C.*; class A { int x = ^name; }", "name", "name"},
		{"import b.C.*; class A { int x = ^name.more; }", "name", "inherited"},
		{"class A { F x = ^b::name; }", "name", "member"},
		{"class A { F x = ^b.c(d)::name; }", "name", "member"},
		{"class A { void m() { switch (a) { case ^name: } } }", "name", "member"},
		{"class A {\n\t\tint x = b^.name; }", "name", "member"},
		{"class A {\n  \tint x = b^.name; }", "name", "member"},
		{"class A {\r\n\tint é = b^.name; }", "name", "member"},
		{"class A {\r  String s = \"𝒳\" + b^.name; }", "name", "member"},
		{"class A { @B(^\"text\") int x; }", "value", ""},
		{"class A { int x = b^.other; }", "name", ""},
	} {
		at := strings.Index(c.text, "^")
		text := c.text[:at] + c.text[at+1:]
		s := sources([]lang.SourceFile{{Path: "A.java", Text: text}}, map[string]string{})[0]
		line, column := 1, 1
		for i, r := range text[:at] {
			switch {
			case r == '\r' && text[i+1] == '\n':
			case r == '\n' || r == '\r':
				line, column = line+1, 1
			case r == '\t':
				column += 8 - (column-1)%8
			case r > 0xFFFF:
				column += 2
			default:
				column++
			}
		}
		u, ok := s.use(finding{place: place{0, line, column}, kind: "kindname.method", name: c.name})
		if got := u.Kind; ok != (c.want != "") || ok && (got != c.want || text[u.Start:u.End] != c.name) {
			t.Errorf("%s: %+v %v, want kind %q", c.text, u, ok, c.want)
		}
	}
}

// asked are the files of one start of javac.
type asked map[string]string

// fake answers for javac: of files apart from each other, and of all together.
func fake(alone, whole func(asked) lang.Output) lang.Run {
	return func(_ context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
		a := asked{}
		for _, f := range files {
			a[f.Path] = f.Text
		}
		if args[len(args)-1] != "@arguments" || a["arguments"] == "" {
			return lang.Output{}, errors.New("no list of files")
		}
		if _, ok := a["w0_/module-info.java"]; ok {
			return whole(a), nil
		}
		return alone(a), nil
	}
}

func says(lines ...string) func(asked) lang.Output {
	return func(asked) lang.Output {
		return lang.Output{Exit: 1, Stderr: strings.Join(lines, "\n") + "\n"}
	}
}

var project = []lang.SourceFile{
	{Path: "a/Main.java", Text: "package a;\nimport b.Foo;\nclass Main { Foo foo; void m() { foo.one(); foo.two(); } }\n"},
	{Path: "b/Foo.java", Text: "package b;\npublic class Foo<T, U> { public void one() { } public static class In { private class Own { } } }\n"},
	{Path: "pom.xml", Text: "<x/>"},
	{Path: "b/package-info.java", Text: "package b;"},
}

func TestCheck(t *testing.T) {
	var saw asked
	one := "0.java:3:37: compiler.err.cant.resolve.location.args: kindname.method, one, , , (x)"
	two := "0.java:3:48: compiler.err.cant.resolve.location.args: kindname.method, two, , , (x)"
	uses, skipped, err := check(t.Context(), project, fake(
		func(a asked) lang.Output { saw = a; return says(two, one, one, "noise")(a) },
		says(two, "0.java:3:37: compiler.err.unreported: x")))
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	if got := fmt.Sprint(uses); got != "map[a/Main.java:[{62 65 one member  { 0 false}}] b/Foo.java:[]]" {
		t.Errorf("uses %s: only what is new counts, once", got)
	}
	if got := saw["m0_/b/Foo.java"]; got != "package b; public class Foo<T0, T1> { public static class In { } }\n" {
		t.Errorf("stand-in %q", got)
	}
	if saw["m0_/0.java"] != project[0].Text || saw["m1_/1.java"] != project[1].Text || len(saw) != 6 {
		t.Errorf("asked about %v", saw)
	}
}

func TestCheckSkips(t *testing.T) {
	broken := func(a asked) lang.Output { // whatever has Main in it
		for name := range a {
			if strings.HasSuffix(name, "/0.java") {
				return lang.Output{Exit: 4, Stderr: "An exception has occurred\nat somewhere"}
			}
		}
		return lang.Output{}
	}
	uses, skipped, err := check(t.Context(), project, fake(broken, says()))
	if err != nil || len(uses) != 1 || skipped["a/Main.java"] != "javac breaks down (exit code 4): An exception has occurred" {
		t.Errorf("a file that javac breaks down over: %v %v %v", uses, skipped, err)
	}
	uses, skipped, err = check(t.Context(), project, fake(says(), says("1.java:1:1: compiler.err.illegal.start.of.expr")))
	if err != nil || len(uses) != 1 || skipped["b/Foo.java"] != "javac does not read it: compiler.err.illegal.start.of.expr" {
		t.Errorf("a file that javac cannot parse: %v %v %v", uses, skipped, err)
	}
	_, skipped, err = check(t.Context(), []lang.SourceFile{{Path: "A.java", Text: "class \xff"}}, fake(says(), says()))
	if err != nil || skipped["A.java"] == "" {
		t.Errorf("a file that is no text: %v %v", skipped, err)
	}
	stopped := errors.New("out of time")
	_, _, err = check(t.Context(), project, func(context.Context, []string, []lang.SourceFile) (lang.Output, error) { return lang.Output{}, stopped })
	if !errors.Is(err, stopped) {
		t.Errorf("a run that fails: %v", err)
	}
}

// TestLayout puts programs that declare the same types into modules of their own.
func TestLayout(t *testing.T) {
	var files []lang.SourceFile
	for _, dir := range []string{"one", "two", "three"} {
		files = append(files,
			lang.SourceFile{Path: dir + "/Helper.java", Text: "class Helper { }"},
			lang.SourceFile{Path: dir + "/Main.java", Text: "class Main { Helper h; core.Shared s; }"})
	}
	files = append(files, lang.SourceFile{Path: "core/Shared.java", Text: "package core; public class Shared { }"})
	var got []string
	for _, f := range together(sources(files, map[string]string{})) {
		got = append(got, f.Path)
	}
	want := "w0_/module-info.java w0_/0.java w0_/1.java w0_/6.java w1_/module-info.java w1_/2.java w1_/3.java w1_/needed6.java w2_/module-info.java w2_/4.java w2_/5.java w2_/needed6.java"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, " "), want)
	}
	if !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(a[:2], b[:2]) }) {
		t.Error("modules are mixed")
	}
}
