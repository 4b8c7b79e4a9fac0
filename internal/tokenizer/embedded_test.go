package tokenizer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// TestEmbeddedIdentity fails when the vocabulary or its rules change: every
// dataset built with it changes too, which is a thing to decide and to announce.
func TestEmbeddedIdentity(t *testing.T) {
	const want = "embedded:sha256:c71b55ac2d35239c8d6bac9f0a324bb94f0adc2b6b661b4acd42f15fa9be572c"
	if got := Embedded().Identity(); got != want {
		t.Errorf("the embedded tokenizer is now\n%s, was\n%s", got, want)
	}
}

// TestUnicodeVersion fails when a new Go release changes which characters are
// letters: then rulesByteLevel and the package comment must say so.
func TestUnicodeVersion(t *testing.T) {
	for name, version := range map[string]string{"unicode": unicode.Version, "norm": norm.Version} {
		if !strings.HasSuffix(rulesByteLevel, "unicode "+version) {
			t.Errorf("package %s is of Unicode %s, identities say %q", name, version, rulesByteLevel)
		}
	}
}

func TestEmbeddedSize(t *testing.T) {
	if len(embeddedFile) > 64<<10 {
		t.Errorf("the embedded vocabulary takes %d bytes", len(embeddedFile))
	}
	if n := len(embeddedExpansions(t)); n != 256+8000 {
		t.Errorf("%d tokens", n)
	}
}

// TestEmbeddedCompression holds the vocabulary to its purpose: source code, also
// of languages it was not trained on.
func TestEmbeddedCompression(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "source", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source to encode: %v", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if ratio := float64(len(text)) / float64(Embedded().Count(string(text))); ratio < 3 {
			t.Errorf("%s: %.2f bytes a token, want at least 3", f, ratio)
		}
	}
}

func TestEmbeddedPieces(t *testing.T) {
	tokens := embeddedExpansions(t)
	for _, want := range []string{
		"def| get|(self|):\n",
		"if| err| !=| nil| {\n",
		"return| x",
		"100|200|300",
		"100|0|,|256",
		"\n|       | self",
	} {
		var got []string
		for _, id := range Embedded().Encode(nil, strings.ReplaceAll(want, "|", "")) {
			got = append(got, tokens[id])
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("got %q, want %q", s, want)
		}
	}
}
