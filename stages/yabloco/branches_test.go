package yabloco

import (
	"strings"
	"testing"
)

func TestElseBranches(t *testing.T) {
	for _, test := range []struct {
		name, text, kept string
		any              bool
	}{
		{"none", "a\n#define X\nb", "a\n#define X\nb", false},
		{"if", "a\n#if X\nb\n#endif\nc\n", "a\nc\n", true},
		{"else", "a\n#ifdef X\nb\n#else\nc\n#endif\nd", "a\nc\nd", true},
		{"elif goes", "#ifndef X\na\n#elif Y\nb\n#else\nc\n#endif\n", "c\n", true},
		{"nested in else", "#if X\na\n#else\nb\n# if Y\nc\n# else\nd\n# endif\ne\n#endif\n", "b\nd\ne\n", true},
		{"nested in if", "#if X\n#if Y\na\n#else\nb\n#endif\nc\n#else\nd\n#endif", "d\n", true},
		{"continued", "#if X || \\\n    Y\na\n#else\nb\n#endif\n", "b\n", true},
		{"continued at the end", "#if X\na\n#endif \\\n junk\nb\n", "b\n", true},
		{"no end", "a\n#if X\nb\n", "a\n", true},
		{"no beginning", "a\n#else\nb\n#endif\nc\n", "a\nb\nc\n", true},
		{"like one", "#iffy\n#elsewhere\na", "#iffy\n#elsewhere\na", false},
		{"carriage returns", "#if X\r\na\r\n#else\r\nb\r\n#endif\r\n", "b\r\n", true},
	} {
		if kept, any := elseBranches(test.text); kept != test.kept || any != test.any {
			t.Errorf("%s: %q, %v, want %q, %v", test.name, kept, any, test.kept, test.any)
		}
	}
}

func TestBodyLines(t *testing.T) {
	for text, want := range map[string]int64{
		"{}": 0, "{\n}": 0, "{ return 1; }": 1, "{\n    a;\n\n    b;\n}": 2, "{ a;\n b; }": 2, "    pass\n    return 1\n": 2, "": 0,
		": a(1)\n{\n b;\n}": 1, "}{": 1,
	} {
		if got := bodyLines(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// What is kept is lines of the text in their order, and nothing of a text without
// directives is lost.
func FuzzElseBranches(f *testing.F) {
	f.Add("a\n#if X\nb\n#else\nc\n#endif\nd")
	f.Add("#else\n#endif\n#elif\n# if \\\n#if")
	f.Fuzz(func(t *testing.T, text string) {
		kept, any := elseBranches(text)
		if !any && kept != text {
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
		if again, _ := elseBranches(kept); again != kept {
			t.Fatalf("%q became %q", kept, again)
		}
	})
}
