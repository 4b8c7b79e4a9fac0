package tokenizer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// use encodes a little with whatever a broken file loaded as.
func use(t *testing.T, tok Tokenizer) {
	for _, text := range []string{"", " a", "the  12 é\n<s>▁", "\xff\xf0\x9f", strings.Repeat("ab", 100)} {
		if n, ids := tok.Count(text), tok.Encode(nil, text); n != len(ids) {
			t.Fatalf("%q counts %d and encodes to %v", text, n, ids)
		}
	}
}

func FuzzTiktoken(f *testing.F) {
	var bytes []string
	for b := range 256 {
		bytes = append(bytes, string([]byte{byte(b)}))
	}
	f.Add(rankFile(append(bytes, "ab", "th", "the")))
	f.Add([]byte("YQ== 0\n\nYg== 4294967296"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if tok, err := Load(KindTiktoken, "cl100k_base", data); err == nil {
			use(t, tok)
		}
	})
}

func FuzzHuggingFace(f *testing.F) {
	// A few bytes are vocabulary enough, and leave the fuzzer more to change.
	few := map[string]int{"a": 0, "b": 1, "ab": 2}
	f.Add(hfSpec{vocab: few, merges: []string{"a b"}, added: `[{"id":3,"content":"<s>","lstrip":true}]`}.encode(f))
	f.Add(hfSpec{vocab: few, normalizer: `{"type":"NFC"}`, preTokenizer: `{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"a|\\s+"},"behavior":"Isolated"},{"type":"ByteLevel","add_prefix_space":true}]}`}.encode(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if tok, err := Load(KindHuggingFace, "", data); err == nil {
			use(t, tok)
		}
	})
}

func FuzzSentencePiece(f *testing.F) {
	m := llamaLike(append(smallPieces("▁", "a", "b", "ab", "▁a"), spPiece{"<s>x", 0, spUserDefined}))
	f.Add(m.encode())
	m.byteFallback, m.normalizer = false, nil
	f.Add(m.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if tok, err := Load(KindSentencePiece, "", data); err == nil {
			use(t, tok)
		}
	})
}

func FuzzOniguruma(f *testing.F) {
	f.Add(`\s+(?:[^\d]|\p{L}{2,3}?)`)
	f.Fuzz(func(t *testing.T, pattern string) {
		re, err := compileOniguruma(pattern)
		if err == nil && re.MatchString("") {
			t.Fatalf("%q matches the empty text", pattern)
		}
	})
}

// FuzzEncode holds every kind to its promises on any text: counting is encoding,
// valid text comes back, and cutting changes nothing for SentencePiece.
func FuzzEncode(f *testing.F) {
	f.Add("def f(x):\n    return x  # ▁ é\n", uint8(0))
	f.Add("\xff the the\t\r\n  ", uint8(6))
	toks := small(f)
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		tok := toks[int(which)%len(toks)]
		ids := tok.Encode(nil, text)
		if n := tok.Count(text); n != len(ids) {
			t.Fatalf("%s: %q counts %d and encodes to %v", tok.name, text, n, ids)
		}
		if !utf8.ValidString(text) {
			return
		}
		want := text
		if sp, ok := tok.Tokenizer.(*sentencePiece); ok && text != "" {
			want = strings.ReplaceAll(tok.prefix+text, " ", tok.prefix)
			var s scratch
			sp.mergePart(&s, " "+strings.ReplaceAll(text, spMark, " "))
			if len(s.ids) != len(ids) {
				t.Fatalf("%q is %v cut and %v whole", text, ids, s.ids)
			}
			for i := range ids {
				if ids[i] != int(s.ids[i]) {
					t.Fatalf("%q is %v cut and %v whole", text, ids, s.ids)
				}
			}
		}
		if got := decode(tok, ids); got != want {
			t.Fatalf("%s: %q comes back as %q", tok.name, want, got)
		}
	})
}
