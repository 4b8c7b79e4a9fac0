package tokenizer

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// randomText mixes code, scripts, white space and, with broken, stray bytes.
func randomText(rng *rand.Rand, broken bool) string {
	parts := []string{" ", "  ", "\n", "\t", "the", "return nil", "HTMLParser", "x1", "12345", "==", "();", "'s", "'LL", "é", "e\u0301",
		"中文", "😀", "\u00a0", "½", "ſ", "▁", "<s>", "aaaaaa", "\x00", strings.Repeat(" ", 50), strings.Repeat("ab", 40)}
	if broken {
		parts = append(parts, "\xff", "\xe4\xb8", "\xc3", "\x80\x80", "\xed\xa0\x80", "\xf0\x9f")
	}
	var b strings.Builder
	for range rng.IntN(20) {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}

// TestConformance is what every tokenizer promises.
func TestConformance(t *testing.T) {
	for _, tok := range small(t) {
		t.Run(tok.name, func(t *testing.T) {
			checkIDs(t, tok, "", nil)
			rng := rand.New(rand.NewPCG(5, 6))
			for range 3000 {
				text := randomText(rng, true)
				ids := tok.Encode(nil, text)
				if n := tok.Count(text); n != len(ids) {
					t.Fatalf("%q counts %d and encodes to %d", text, n, len(ids))
				}
				if got := tok.Encode([]int{-1, -2}, text); !slices.Equal(got, append([]int{-1, -2}, ids...)) {
					t.Fatalf("%q is not appended", text)
				}
			}
			for range 3000 {
				text := randomText(rng, false)
				want := text
				if tok.prefix != "" && text != "" {
					want = strings.ReplaceAll(tok.prefix+text, " ", tok.prefix)
				}
				if got := decode(tok, tok.Encode(nil, text)); got != want {
					t.Fatalf("%q comes back as %q", want, got)
				}
			}
		})
	}
}

func decode(tok smallTokenizer, ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(tok.tokens[id])
	}
	return b.String()
}

// TestConcurrent shares one tokenizer, and its caches, between goroutines.
func TestConcurrent(t *testing.T) {
	for _, tok := range small(t) {
		rng := rand.New(rand.NewPCG(7, 8))
		var texts []string
		var want [][]int
		for range 300 {
			texts = append(texts, randomText(rng, true))
			want = append(want, tok.Encode(nil, texts[len(texts)-1]))
		}
		lines := LineCounter(tok)
		var wg sync.WaitGroup
		for start := range 4 {
			wg.Go(func() {
				for i := range texts {
					i = (i + start*50) % len(texts)
					if got := tok.Encode(nil, texts[i]); !slices.Equal(got, want[i]) {
						t.Errorf("%s: %q: got %v, want %v", tok.name, texts[i], got, want[i])
						return
					}
					if got, want := lines.Count(texts[i]), tok.Count(texts[i]+"\n"); got != want {
						t.Errorf("%s: the line %q counts %d, want %d", tok.name, texts[i], got, want)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestIdentity(t *testing.T) {
	ranks := rankFile(embeddedTokens(t))
	reversed := embeddedTokens(t)
	slices.Reverse(reversed)
	seen := map[string]string{}
	for _, c := range []struct {
		name, prefix, encoding string
		kind                   Kind
		data                   []byte
	}{
		{"embedded", "embedded:sha256:", "", KindEmbedded, nil},
		{"cl100k", "tiktoken:cl100k:sha256:", "cl100k_base", KindTiktoken, ranks},
		{"o200k", "tiktoken:o200k:sha256:", "o200k_base", KindTiktoken, ranks},
		{"p50k", "tiktoken:p50k:sha256:", "p50k_base", KindTiktoken, ranks},
		{"other ranks", "tiktoken:cl100k:sha256:", "cl100k_base", KindTiktoken, rankFile(reversed)},
		{"json", "hf-bpe:sha256:", "", KindHuggingFace, hfSpec{}.encode(t)},
		{"sentencepiece", "sentencepiece:sha256:", "", KindSentencePiece, llamaLike(smallPieces("a")).encode()},
	} {
		one, err := Load(c.kind, c.encoding, c.data)
		if err != nil {
			t.Fatal(err)
		}
		two, err := Load(c.kind, c.encoding, slices.Clone(c.data))
		if err != nil {
			t.Fatal(err)
		}
		id := one.Identity()
		if !strings.HasPrefix(id, c.prefix) || len(id) != len(c.prefix)+64 || two.Identity() != id {
			t.Errorf("%s: identities %q and %q", c.name, id, two.Identity())
		}
		if other, ok := seen[id[len(id)-64:]]; ok {
			t.Errorf("%s and %s have the same digest", c.name, other)
		}
		seen[id[len(id)-64:]] = c.name
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		kind           Kind
		encoding, want string
		vocabulary     bool
	}{
		{"wordpiece", "", `unknown tokenizer kind "wordpiece" (one of embedded, huggingface, sentencepiece, tiktoken)`, false},
		{KindEmbedded, "cl100k_base", "takes no encoding", false},
		{KindSentencePiece, "cl100k_base", "takes no encoding", false},
		{KindTiktoken, "", `has no encoding "" (one of cl100k_base, o200k_base, p50k_base, r50k_base)`, false},
		{KindTiktoken, "cl100k_base", "tiktoken vocabulary: no tokens", true},
		{KindHuggingFace, "", "huggingface vocabulary: ", true},
		{KindSentencePiece, "", "sentencepiece vocabulary: ", true},
	} {
		_, err := Load(c.kind, c.encoding, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrVocabulary) != c.vocabulary {
			t.Errorf("%s %s: got %v, want %q", c.kind, c.encoding, err, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	var names []Kind
	for _, k := range Kinds() {
		names = append(names, k.Kind)
		if k.Doc == "" || k.Kind != KindEmbedded && k.File == "" {
			t.Errorf("%s is not described", k.Kind)
		}
	}
	if !slices.IsSorted(names) || len(names) != 4 {
		t.Errorf("kinds %v", names)
	}
}

func TestReplaceInvalid(t *testing.T) {
	const r = "\ufffd"
	for _, c := range []struct{ text, parts, bytes string }{
		{"plain é 😀", "plain é 😀", "plain é 😀"},
		{"a\xff", "a" + r, "a" + r},
		// The example of table 3-8 of the Unicode standard.
		{"a\xf1\x80\x80\xe1\x80\xc2b\x80c\x80\xbfd", "a" + r + r + r + "b" + r + "c" + r + r + "d",
			"a" + r + r + r + r + r + r + "b" + r + "c" + r + r + "d"},
		{"\xc0\x80", r + r, r + r},                         // overlong
		{"\xe0\x80\x80", r + r + r, r + r + r},             // overlong
		{"\xed\xa0\x80", r + r + r, r + r + r},             // a surrogate
		{"\xf4\x90\x80\x80", r + r + r + r, r + r + r + r}, // above U+10FFFF
		{"\xf0\x9f\x98", r, r + r + r},
		{"\xef\xbf\xbd\xe2", r + r, r + r},
	} {
		if got := replaceParts(c.text); got != c.parts {
			t.Errorf("parts of %q: got %q, want %q", c.text, got, c.parts)
		}
		if got := replaceBytes(c.text); got != c.bytes {
			t.Errorf("bytes of %q: got %q, want %q", c.text, got, c.bytes)
		}
		if !utf8.ValidString(replaceParts(c.text)) {
			t.Errorf("%q is still broken", c.text)
		}
	}
}
