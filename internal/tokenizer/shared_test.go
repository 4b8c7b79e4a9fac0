package tokenizer

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"benchmill/internal/tokenizer/mergefile"
)

// sharedFile reads a file of the data folder that lies beside the repository on
// developer machines: vocabularies belong to their makers and are not part of
// it.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("BENCHMILL_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "tokenizers", name))
	if err != nil {
		t.Skipf("SKIPPED: no published vocabulary to test against, set BENCHMILL_SHARED: %v", err)
	}
	return data
}

func sharedTokenizer(t testing.TB, kind Kind, name string) Tokenizer {
	t.Helper()
	tok, err := Load(kind, "", sharedFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// TestVectors compares with ids made by the original libraries.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		kind           Kind
		model, vectors string
	}{
		{KindSentencePiece, "llama2.model", "llama2.vectors"},
		{KindHuggingFace, "starcoder.tokenizer.json", "starcoder.vectors"},
	} {
		t.Run(c.vectors, func(t *testing.T) {
			tok := sharedTokenizer(t, c.kind, c.model)
			texts := strings.Split(string(sharedFile(t, c.vectors+".inp")), "\n__ggml_vocab_test__\n")
			lines := strings.Split(string(sharedFile(t, c.vectors+".out")), "\n")
			if len(texts) != len(lines) || len(texts) < 40 {
				t.Fatalf("%d texts and %d lines of ids", len(texts), len(lines))
			}
			for i, text := range texts {
				var want []int
				for _, id := range strings.Fields(lines[i]) {
					n, err := strconv.Atoi(id)
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, n)
				}
				checkIDs(t, tok, text, want)
			}
		})
	}
}

func checkIDs(t *testing.T, tok Tokenizer, text string, want []int) {
	t.Helper()
	got := tok.Encode(nil, text)
	if len(got) != len(want) {
		t.Errorf("%.80q\n got %v\nwant %v", text, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%.80q\n got %v\nwant %v", text, got, want)
			return
		}
	}
	if n := tok.Count(text); n != len(want) {
		t.Errorf("%.80q counts %d, want %d", text, n, len(want))
	}
}

// embeddedTokens returns the bytes of every embedded token, each once.
func embeddedTokens(t testing.TB) []string {
	t.Helper()
	var once []string
	seen := map[string]bool{}
	for _, token := range embeddedExpansions(t) {
		if !seen[token] {
			seen[token] = true
			once = append(once, token)
		}
	}
	return once
}

// embeddedExpansions returns the bytes of every embedded token, by id.
func embeddedExpansions(t testing.TB) []string {
	t.Helper()
	f, err := mergefile.Read(embeddedFile)
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for b := range 256 {
		tokens = append(tokens, string([]byte{byte(b)}))
	}
	for _, m := range f.Merges {
		tokens = append(tokens, tokens[m.Left]+tokens[m.Right])
	}
	return tokens
}
