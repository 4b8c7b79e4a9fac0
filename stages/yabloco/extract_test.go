package yabloco

import (
	"errors"
	"strings"
	"testing"

	"benchmill/schemas"
)

func TestExtract(t *testing.T) {
	const body = "{\n    return g(n) + '}' + \"}\\\"\";\n}"
	for _, test := range []struct {
		name, reply, want string
		ok                bool
	}{
		{"a body", body, body, true},
		{"a body in a fence", "Sure:\n```c\n" + body + "\n```\nDone {", body, true},
		{"a function", "static int f(int n)\n" + body, body, true},
		{"a function in a fence", "```\nint f(int n) " + body + "\n```", body, true},
		{"between others", "int g(int n) { return n; }\nint f(int n);\nint f(int n)\n" + body + "\nint h() {}", body, true},
		{"called before", "int main() { return f(1); }\nint f(int n) " + body, body, true},
		{"in prose", "The function f(n) adds. Here is f():\n\nint f(int n)\n" + body + "\nIt's done.", body, true},
		{"another one below a mention", "Use f(n) to add\n\nint g(int n) { no; }\nint f(int n) " + body, body, true},
		{"attributes", "int f(int n) __attribute__((cold)) SLOW " + body, body, true},
		{"in comments and strings", "// f(int n) { no }\nchar *s = \"f(int n) { no }\";\nint f(int n) " + body, body, true},
		{"part of a name", "int ff(int n) { no; }\nint f_(int n) { no; }\nint f(int n) " + body, body, true},
		{"of a class", "int Box<T>::f(int n) const noexcept(true) " + body, body, true},
		{"result behind", "auto f(int n) -> std::vector<int> & " + body, body, true},
		{"a name in brackets", "int (f) (int n) " + body, body, true},
		{"a comment without an end", "n++; /* and", "", false},
		{"raw string", "int f() { return R\"x(})\" }x)x\"; }", "{ return R\"x(})\" }x)x\"; }", true},
		{"comment before a body", "/* { */ // }\n" + body, body, true},
		{"body below prose", "It is this:\n\n" + body + "\n", body, true},
		{"statements", "n++;\nreturn n;\n", "{\nn++;\nreturn n;\n}", true},
		{"a block among statements", "if (n)\n{\n    n++;\n}\nreturn n;", "{\nif (n)\n{\n    n++;\n}\nreturn n;\n}", true},
		{"statements in a fence", "Do:\n```\n  return n;\n```", "{\n  return n;\n}", true},
		{"nothing", " \n\t", "", false},
		{"an empty fence", "x\n```\n```\n", "", false},
		{"cut off", "int f(int n)\n{\n    if (n) {", "{\n    if (n) {", false},
		{"a cut off body", "{ if (n) {", "{ if (n) {", false},
		{"closes more than it opens", "n++; }\nint main() {", "{\nn++; }\nint main() {\n}", false},
		{"thousands are numbers", "int f() { return 1'000'000; }", "{ return 1'000'000; }", true},
	} {
		got, ok := Extract(test.reply, "f", false)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s: %q, %v, want %q, %v", test.name, got, ok, test.want, test.ok)
		}
	}
	for reply, want := range map[string]string{
		"Box::Box(int n) : Base(n), a{1}, b(2) { c(); }":   ": Base(n), a{1}, b(2) { c(); }",
		"Box::Box(int n) : List<int>{n} { if (n) { d; } }": ": List<int>{n} { if (n) { d; } }",
		"Box::Box(int n) { c(); }":                         "{ c(); }",
	} {
		if got, ok := Extract(reply, "Box", true); got != want || !ok {
			t.Errorf("%q, %v, want %q", got, ok, want)
		}
	}
	// The initialisers belong to the signature.
	for reply, want := range map[string]string{
		"Box::Box(int n) : Base<unsigned int>(n), a{1}, b(2)\n{ c(); }":                    "{ c(); }",
		"Box(n): makes one of n things.\n\nint g(int n) { no; }\nBox::Box(int n) { c(); }": "{ c(); }",
		"Box(n): see g(n);\nint g(int n) { no; }\nBox::Box(int n) : a(n) { c(); }":         "{ c(); }",
	} {
		if got, ok := Extract(reply, "Box", false); got != want || !ok {
			t.Errorf("%q, %v, want %q", got, ok, want)
		}
	}
	for reply, name := range map[string]string{
		"T &Box::operator [] (int n) const { return 1; }": "operator[]", "void operator  () () { return 1; }": "operator()",
		"operator  bool() const { return 1; }": "operator bool", "A operator +(A a);\nA operator ++(A a) { return 1; }": "operator++",
	} {
		if got, ok := Extract(reply, name, false); got != "{ return 1; }" || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if got, _ := Extract("bool operator==(A a) { return 1; }", "operator==", false); got != "{ return 1; }" {
		t.Errorf("%q", got)
	}
}

func TestPlace(t *testing.T) {
	const file = "int a;\nint f(int n)\n{\n    return n;\n}\nint b;\n"
	task := schemas.BodyTask{TaskID: "T", File: "a.c", Name: "f", Signature: "int f(int n)", Start: 7, Body: 20, End: int64(strings.Index(file, "\nint b")), Reference: "{}"}
	for reply, want := range map[string]string{
		"{ return 1; }\n":                  "int a;\nint f(int n)\n{ return 1; }\nint b;\n",
		"```c\nlong f(long n) { x; }\n```": "int a;\nint f(int n)\n{ x; }\nint b;\n",
		"return 2;":                        "int a;\nint f(int n)\n{\nreturn 2;\n}\nint b;\n",
	} {
		if got, err := Place(file, task, reply); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if _, err := Place(file, task, "}"); !errors.Is(err, ErrNoBody) || !strings.HasPrefix(err.Error(), "task T: ") {
		t.Error(err)
	}
	for _, other := range []string{"", file[:30], "long" + file} {
		if _, err := Place(other, task, "{}"); !errors.Is(err, ErrOtherFile) {
			t.Errorf("%q: %v", other, err)
		}
	}
	task.Start = -1
	if _, err := Place(file, task, "{}"); !errors.Is(err, ErrOtherFile) {
		t.Error(err)
	}
}

// A reply full of what might be the function costs no more than its length allows.
func TestExtractHostile(t *testing.T) {
	const n = 100_000
	for _, reply := range []string{
		strings.Repeat("f(", n), strings.Repeat("f(", n) + strings.Repeat(")", n), strings.Repeat("f()", n),
		strings.Repeat("f(){", n), strings.Repeat("{", n), strings.Repeat("\n{\n\n", n), strings.Repeat(`R"(`, n), strings.Repeat("/*", n), strings.Repeat("f:", n),
	} {
		Extract(reply, "f", true)
	}
}

// Whatever a reply holds: a body opens and closes its own braces, and all of the
// file around it stays.
func FuzzExtract(f *testing.F) {
	f.Add("Sure:\n```c\nint f(int n) { return '\\''; }\n```", "f", false)
	f.Add("f(a) : b{1}, c(2) {}", "f", true)
	f.Add("R\"x(}\n\n{\n\"}", "operator()", false)
	f.Fuzz(func(t *testing.T, reply, name string, initialised bool) {
		body, ok := Extract(reply, name, initialised)
		if ok && (!balanced(body) || strings.TrimSpace(body) == "") {
			t.Fatalf("%q", body)
		}
		const before, after = "int a;\nint f()\n", "\nint b;\n"
		task := schemas.BodyTask{Name: name, Signature: "int f()", Start: 7, Body: int64(len(before)), End: int64(len(before)) + 2}
		got, err := Place(before+"{}"+after, task, reply)
		if err == nil && (!strings.HasPrefix(got, before) || !strings.HasSuffix(got, after)) {
			t.Fatalf("%q", got)
		}
	})
}
