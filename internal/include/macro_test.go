package include

import (
	"bytes"
	"testing"
)

func TestComment(t *testing.T) {
	for body, want := range map[string]string{
		"":                              "",
		"1":                             "",
		"1 // one":                      "// one",
		"// all of it":                  "// all of it",
		"a / b // half":                 "// half",
		"a/// three":                    "/// three",
		`"http://x"`:                    "",
		`"http://x" // y`:               "// y",
		`"\"//" '"' // z`:               "// z",
		`'\'' /"//"`:                    "",
		"do { \\\n a; // b \\\n c; }":   "// b \\\n c; }",
		"it's // unknown":               "",
		`R"(" // )"`:                    "",
		`R"(a")" // nothing is certain`: "",
	} {
		got := ""
		if at := Comment([]byte(body)); at >= 0 {
			got = body[at:]
		}
		if got != want {
			t.Errorf("%q ends in the comment %q, want %q", body, got, want)
		}
	}
}

func FuzzComment(f *testing.F) {
	f.Add([]byte(`x "//" // y`))
	f.Fuzz(func(t *testing.T, body []byte) {
		at := Comment(body)
		if at >= 0 && !bytes.HasPrefix(body[at:], []byte("//")) {
			t.Errorf("%q has no comment at %d", body, at)
		}
		if bytes.IndexByte(body, '"') < 0 && bytes.IndexByte(body, '\'') < 0 && at != bytes.Index(body, []byte("//")) {
			t.Errorf("%q has no quotes, yet its comment is at %d", body, at)
		}
	})
}
