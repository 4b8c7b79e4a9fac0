package csharp

import (
	"strings"
	"testing"
)

func TestCompiled(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a # b", ""},
		{"#if X\na\n#else\nb\n#endif\nc", "\n \n\nb\n\nc"},
		{"#if !X && (true || Y)\r\na\r\n#elif true\r\nb\r\n#endif\r\n", "\r\na\r\n\r\n \r\n\r\n"},
		{"#define X\n#if X == true\na\n#endif\n#undef X\n#if X // note\nb\n#endif", "\n\na\n\n\n\n \n"},
		{"#if X\n#if true\na\n#else\nb\n#endif\nc\n#elif !X\nd\n#endif", "\n\n \n\n \n\n \n\nd\n"},
		{"  # region x\na\n#endregion", "\na\n"},
		{"x = @\"\n#if X\n\"\"\n\";\n#if X\na", "x = @\"\n#if X\n\"\"\n\";\n\n "},
		{"/*\n#if X\n*/ '\"' \"/*\"\n#if X\na", "/*\n#if X\n*/ '\"' \"/*\"\n\n "},
		{"\"\"\"\n#if X\n\"\"\"\n#if X\na", "\"\"\"\n#if X\n\"\"\"\n\n "},
		{"#endif\n#else\n#elif\n#if\na", "\n\n\n\n "},
	} {
		got := compiled([]byte(c.src))
		if blank := trimmed(string(got)); blank != trimmed(c.want) {
			t.Errorf("%q: %q, want %q", c.src, blank, trimmed(c.want))
		}
	}
}

// trimmed drops the blanks at line ends.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n")
}

func FuzzCompiled(f *testing.F) {
	f.Add("#if X\na\n#else\n\"b\n#endif")
	f.Add("#if " + strings.Repeat("(!", 1000))
	f.Fuzz(func(t *testing.T, src string) {
		out := compiled([]byte(src))
		if out != nil && len(out) != len(src) {
			t.Fatalf("%d bytes of %d", len(out), len(src))
		}
		for i := range out {
			if out[i] != src[i] && out[i] != ' ' || (src[i] == '\n') != (out[i] == '\n') {
				t.Fatalf("byte %d became %q", i, out[i])
			}
		}
	})
}
