package yabloco

import (
	"strings"
	"testing"

	"benchmill/schemas"
)

func TestElseBranches(t *testing.T) {
	const x, y = "#ifdef X\na;\n#else\nb;\n#endif\n", "#ifndef X\nc;\n#endif\n"
	for _, test := range []struct {
		name, text, kept, branches string
		sound                      bool
	}{
		{"none", "a\n#define X\nb", "a\n#define X\nb", "", true},
		{"no else", "a\n#if X\nb\n#endif\nc\n", "a\n#if X\nb\n#endif\nc\n", "written", true},
		{"else", "a\n#ifdef X\nb\n#else\nc\n#endif\nd", "a\nc\nd", "else", true},
		{"elif goes", "#ifndef X\na\n#elif Y\nb\n#else\nc\n#endif\n", "c\n", "else", true},
		{"elif stays", "#ifndef X\na\n#elif Y\nb\n#endif\n", "#ifndef X\na\n#elif Y\nb\n#endif\n", "written", true},
		{"nested in else", "#if X\na\n#else\nb\n# if Y\nc\n# else\nd\n# endif\ne\n#endif\n", "b\nd\ne\n", "else", true},
		{"nested in if", "#if X\n#if Y\na\n#else\nb\n#endif\n#if Z\nc\n#endif\n#else\nd\n#endif", "d\n", "else", true},
		{"nested in what stays", "#if X\n" + "#if Y\na\n#else\nb\n#endif\n" + "#endif\n", "#if X\nb\n#endif\n", "else", true},
		{"stays in else", "#if X\na\n#else\n#if Y\nb\n#endif\n#endif\n", "#if Y\nb\n#endif\n", "else", true},
		{"continued", "#if X || \\\n    Y\na\n#else\nb\n#endif\n", "b\n", "else", true},
		{"continued, stays", "#if X || \\\n    Y\na\n#endif\n", "#if X || \\\n    Y\na\n#endif\n", "written", true},
		{"continued at the end", "#if X\na\n#else\n#endif \\\n junk\nb\n", "b\n", "else", true},
		{"like one", "#iffy\n#elsewhere\na", "#iffy\n#elsewhere\na", "", true},
		{"carriage returns", "#if X\r\na\r\n#else\r\nb\r\n#endif\r\n", "b\r\n", "else", true},

		{"no end", "a\n#if X\nb\n#else\nc\n", "a\n#if X\nb\n#else\nc\n", "", true},
		{"no beginning", "a\n#else\nb\n#endif\nc\n", "a\n#else\nb\n#endif\nc\n", "", true},
		{"a comment", "    # if it is so\n    return 1\n", "    # if it is so\n    return 1\n", "", true},

		{"asked again", x + y, "b;\n" + y, "else", false},
		{"asked before", y + x, y + "b;\n", "else", false},
		{"asked again where it goes", "#ifdef X\n" + y + "#else\nb;\n#endif\n", "b;\n", "else", true},
		{"one way twice", x + "#if defined( X ) // yes\nd\n#else\n#endif\n", "b;\n", "else", true},
		{"both ways", x + "#if !defined X /* no */\nd\n#else\n#endif\n", "b;\n", "else", false},
		{"both ways of a value", "#if X\na\n#else\n#endif\n#if ! X\nb\n#else\n#endif\n", "", "else", false},
		{"both ways, in lines that go", "#ifdef Z\n" + x + "#ifndef X\n#else\n#endif\n#else\nb\n#endif\n", "b\n", "else", true},
		{"defined and a value", "#ifndef X\na\n#else\n#endif\n#if X\nb\n#else\n#endif\n", "", "else", true},
		{"not the first of two", x + "#if !defined(X) && defined(Y)\nb\n#else\n#endif\n", "b;\n", "else", true},
		{"elif both ways", "#ifdef X\na\n#elif !defined(X)\nb\n#else\nc\n#endif\n", "c\n", "else", false},
		{"always", "#if 1\na\n#else\nb\n#endif\n", "b\n", "else", false},
		{"never", "#if 0\na\n#else\nb\n#endif\n", "b\n", "else", true},
		{"error", "#if X\na\n#else\n#error \"no X\"\n#endif\n", "#error \"no X\"\n", "else", false},
		{"error that goes", "#if X\n#error \"X\"\n#else\nb\n#endif\n", "b\n", "else", true},
		{"error that may be", "#if X\n#error \"X\"\n#endif\n" + "#if Y\na\n#else\nb\n#endif\n", "#if X\n#error \"X\"\n#endif\nb\n", "else", true},
		{"an open block", "{\n#ifdef X\nif (a) {\n#else\nif (b) {\n#endif\nb;\n#ifdef Y\n}\n#else\n#endif\n}", "{\nif (b) {\nb;\n}", "else", false},
	} {
		if kept, branches, sound := elseBranches(test.text, false); kept != test.kept || branches != test.branches || sound != test.sound {
			t.Errorf("%s: %q, %s, %v, want %q, %s, %v", test.name, kept, branches, sound, test.kept, test.branches, test.sound)
		}
	}
}

func TestBodyLines(t *testing.T) {
	for text, want := range map[string]int64{
		"{}": 0, "{\n}": 0, "{ return 1; }": 1, "{\n\n    a;\n\n \n    b;\n\n}": 2, "{ a;\n b; }": 2,
		"    pass\n    return 1\n": 2, "": 0, ": a(1)\n{\n b;\n}": 1, "}{": 1,
	} {
		if got := bodyLines(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// What is kept is lines of the text in their order, and nothing is lost of a text
// without #else.
func FuzzElseBranches(f *testing.F) {
	f.Add("a\n#if X\nb\n#else\nc\n#endif\nd")
	f.Add("#else\n#endif\n#elif\n# if \\\n#if")
	f.Add("#ifdef X\na\n#elif !defined(X)\n#error b\n#else\nc\n#endif\n")
	f.Fuzz(func(t *testing.T, text string) {
		kept, branches, _ := elseBranches(text, false)
		if branches != "else" && kept != text {
			t.Fatalf("%q came from %q", kept, text)
		}
		rest := strings.SplitAfter(text, "\n")
		for _, line := range strings.SplitAfter(kept, "\n") {
			for len(rest) > 0 && rest[0] != line {
				rest = rest[1:]
			}
			if len(rest) == 0 && line != "" {
				t.Fatalf("%q is no line of %q", line, text)
			}
		}
		if again, _, _ := elseBranches(kept, false); again != kept {
			t.Fatalf("%q became %q", kept, again)
		}
	})
}

// With all, an #if without #else goes where another one has an #else, and stays where
// none has.
func TestElseBranchesAll(t *testing.T) {
	const lone = "a\n#if X\nb\n#endif\n"
	if kept, _, _ := elseBranches("{"+lone+"}", true); kept != "{"+lone+"}" {
		t.Errorf("%q", kept)
	}
	const both = "#ifdef Y\nc\n#else\nd\n#endif\n"
	if kept, branches, _ := elseBranches(lone+both, true); kept != "a\nd\n" || branches != schemas.BranchesElse {
		t.Errorf("%q, %s", kept, branches)
	}
	if kept, _, _ := elseBranches(lone+both, false); kept != lone+"d\n" {
		t.Errorf("%q", kept)
	}
}
