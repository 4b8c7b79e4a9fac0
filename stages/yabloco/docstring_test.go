package yabloco

import (
	"strings"
	"testing"
)

func TestDocstring(t *testing.T) {
	for _, test := range []struct {
		name, comment string
		column        int
		want          string
	}{
		{"none", "", 1, ""},
		{"one line", "/* Says it. */", 1, "Says it. "},
		{"no blanks", "/*Says it.*/", 1, "Says it."},
		{"two lines", "/* Says it,\n * and more. */", 1, "Says it,\nand more. "},
		{"stars and indentation below", "/* A list:\n *   one\n *\n * two */", 1, "A list:\n  one\n\ntwo "},
		{"text from the second line on", "/*\n * Says it,\n *   and more.\n */", 1, "\n Says it,\n   and more.\n "},
		{"no stars", "/* Says it\n   and more. */", 1, "Says it\nand more. "},
		{"two stars a line", "/*\n** state\n*/", 1, "\n* state"},
		{"documentation", "/** Says it.\n *  @return x */", 1, "Says it.\n@return x "},
		{"documentation, indented", "/** Says it.\n     *  @return x */", 5, "Says it.\n@return x "},
		{"ruler", "/*******/", 1, "****"},
		{"ruler with text", "/*----\n * Text\n *---*/", 1, "----\n Text\n---"},
		{"carriage returns", "/* a\r\n * b */\r\n", 1, "a\nb "},
		{"behind", "/*!< a */", 1, "a "},
		{"of lines", "// a\n//  b\n//\n// c", 1, "a\n b\n\nc"},
		{"of lines, documentation", "/// a\n///b\n//! c", 1, "a\nb\nc"},
		{"of lines, indented", "// a\n  //   b", 3, "a\n  b"},
		{"several", "/* a */\n/* b */", 1, "a \nb "},
		{"several kinds", "/* a */\n\n// b", 1, "a \nb"},
		{"hashes", "# a\n#  b", 1, "a\n b"},
		{"empty", "/**/", 1, ""},
		{"no end", "/* a\n * b", 1, "a\nb"},
		{"mark alone", "/*", 1, ""},
		{"slashes in text", "/* see http://x // y */", 1, "see http://x // y "},
		{"no comment", "int x;", 1, ""},
	} {
		if got := Docstring(test.comment, test.column); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A docstring is what is left when bytes of the comment are taken out, and has no
// more lines.
func FuzzDocstring(f *testing.F) {
	f.Add("/* a\n * b */\n// c", 1)
	f.Add("/**\r\n\t** x **/ y /*", 9)
	f.Add("///<\n//!<\n#", -3)
	f.Fuzz(func(t *testing.T, comment string, column int) {
		got := Docstring(comment, column)
		rest := comment
		for _, c := range []byte(got) {
			if c == '\n' {
				continue
			}
			at := strings.IndexByte(rest, c)
			if at < 0 {
				t.Fatalf("%q has %q, which is not of %q", got, c, comment)
			}
			rest = rest[at+1:]
		}
		if strings.Count(got, "\n") > strings.Count(comment, "\n")+strings.Count(comment, "/*") || strings.HasSuffix(got, "\n") {
			t.Fatalf("%q of %q", got, comment)
		}
	})
}
