package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestHuggingFaceEqualsEmbedded encodes with one vocabulary in two formats.
func TestHuggingFaceEqualsEmbedded(t *testing.T) {
	tok, err := Load(KindHuggingFace, "", embeddedAsJSON(t))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		text := randomText(rng, true)
		checkIDs(t, tok, text, Embedded().Encode(nil, text))
	}
}

// vocabWith has the bytes and then the tokens from 256 on.
func vocabWith(tokens ...string) map[string]int {
	vocab := byteVocab()
	for i, token := range tokens {
		vocab[chars(token)] = 256 + i
	}
	return vocab
}

func TestHuggingFace(t *testing.T) {
	const byteLevelRest = `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}`
	sequence := func(first string) string {
		return `{"type":"Sequence","pretokenizers":[` + first + `,` + byteLevelRest + `]}`
	}
	token := func(id, content, flags string) string {
		return `[{"id":` + id + `,"content":"` + content + `","special":true` + flags + `}]`
	}
	pairs := []any{[]string{"a", "b"}, []string{"ab", "c"}, []string{chars(" "), "a"}}
	abc := hfSpec{vocab: vocabWith("ab", "abc", " a"), merges: pairs}
	lines := abc
	lines.merges = []string{"#version: 0.2", "a b", "ab c", chars(" ") + " a"}
	prefix := abc
	prefix.preTokenizer = `{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true}`
	later := abc
	later.merges = []any{[]string{"b", "c"}, []string{"a", "b"}}
	later.vocab = vocabWith("bc", "ab", "abc")
	ignore := later
	ignore.model = `"type":"BPE","ignore_merges":true,`
	digits := hfSpec{vocab: vocabWith("12", "1a"), merges: []string{"1 2", "1 a"}, preTokenizer: sequence(`{"type":"Digits","individual_digits":true}`)}
	runs := digits
	runs.preTokenizer = sequence(`{"type":"Digits","individual_digits":false}`)
	remove := hfSpec{preTokenizer: sequence(`{"type":"Split","pattern":{"String":" "},"behavior":"Removed","invert":false}`)}
	only := hfSpec{preTokenizer: sequence(`{"type":"Split","pattern":{"Regex":"\\d+"},"behavior":"Removed","invert":true}`)}
	isolated := hfSpec{vocab: vocabWith("ab"), merges: []string{"a b"}, preTokenizer: sequence(`{"type":"Split","pattern":{"Regex":"b."},"behavior":"Isolated"}`)}
	nfc := hfSpec{normalizer: `{"type":"Sequence","normalizers":[{"type":"NFC"}]}`}
	special := abc
	special.added = token("900", "abc", "")
	word := abc
	word.added = token("900", "ab", `,"single_word":true`)
	strip := abc
	strip.added = token("900", "|", `,"lstrip":true,"rstrip":true`)
	normalized := nfc
	normalized.added = `[{"id":900,"content":"e\u0301","normalized":true},{"id":901,"content":"o\u0308","normalized":false}]`
	longest := abc
	longest.added = `[{"id":900,"content":"ab"},{"id":901,"content":"abcd"},{"id":902,"content":""}]`
	incomplete := hfSpec{vocab: vocabWith("ab"), merges: []string{"a b"}}
	delete(incomplete.vocab, "x")

	cases := []struct {
		name string
		spec hfSpec
		text string
		want []int
	}{
		{"pairs", abc, "abc ab a", []int{257, ' ', 256, 258}},
		{"lines", lines, "abc ab a", []int{257, ' ', 256, 258}},
		{"prefix space", prefix, "ad c", []int{258, 'd', ' ', 'c'}},
		{"prefix space present", prefix, " ad", []int{258, 'd'}},
		{"order of merges", later, "abc", []int{'a', 256}},
		{"ignore merges", ignore, "abc", []int{258}},
		{"digits", digits, "121a", []int{'1', '2', '1', 'a'}},
		{"digit runs", runs, "121a", []int{256, '1', 'a'}},
		{"removed", remove, "a b  c", []int{'a', 'b', 'c'}},
		{"removed inverse", only, "a12b3", []int{'1', '2', '3'}},
		{"isolated", isolated, "abab", []int{'a', 'b', 'a', 'b'}},
		{"nfc", nfc, "e\u0301", []int{0xc3, 0xa9}},
		{"no normalizer", hfSpec{}, "e\u0301", []int{'e', 0xcc, 0x81}},
		{"added", special, "xabcab", []int{'x', 900, 256}},
		{"single word", word, "ab xab abx ab", []int{900, ' ', 'x', 256, ' ', 256, 'x', ' ', 900}},
		{"strip", strip, "a  |  | a", []int{'a', 900, 900, 'a'}},
		{"normalized", normalized, "é o\u0308ö", []int{900, ' ', 901, 0xc3, 0xb6}},
		{"longest added", longest, "abcdabc", []int{901, 900, 'c'}},
		{"dropped byte", incomplete, "axb", []int{256}},
		{"malformed", hfSpec{}, "\xf0\x9f", []int{0xef, 0xbf, 0xbd}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tok, err := Load(KindHuggingFace, "", c.spec.encode(t))
			if err != nil {
				t.Fatal(err)
			}
			checkIDs(t, tok, c.text, c.want)
			checkIDs(t, tok, c.text, c.want) // from the cache
		})
	}
}

// TestHuggingFaceRefuses checks that what is not understood is named.
func TestHuggingFaceRefuses(t *testing.T) {
	few := byteVocab()
	delete(few, "x")
	for name, c := range map[string]struct {
		spec hfSpec
		want string
	}{
		"normalizer":       {hfSpec{normalizer: `{"type":"NFKC"}`}, `normalizer.type: "NFKC" is not supported`},
		"inner":            {hfSpec{normalizer: `{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]}`}, `normalizer.normalizers[1].type: "Lowercase"`},
		"option":           {hfSpec{normalizer: `{"type":"NFC","level":2}`}, `normalizer: json: unknown field "level"`},
		"no pre":           {hfSpec{preTokenizer: "null"}, "pre_tokenizer: only byte-level"},
		"whitespace":       {hfSpec{preTokenizer: `{"type":"Whitespace"}`}, `pre_tokenizer.type: "Whitespace" is not supported`},
		"metaspace":        {hfSpec{preTokenizer: `{"type":"Metaspace","replacement":"_"}`}, `pre_tokenizer.type: "Metaspace"`},
		"untyped":          {hfSpec{preTokenizer: `{}`}, "pre_tokenizer: has no type"},
		"not an object":    {hfSpec{preTokenizer: `3`}, "pre_tokenizer: json"},
		"after":            {hfSpec{preTokenizer: `{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false},{"type":"Digits","individual_digits":true}]}`}, "pre_tokenizer.pretokenizers[1]: not supported after ByteLevel"},
		"prefix missing":   {hfSpec{preTokenizer: `{"type":"ByteLevel"}`}, "pre_tokenizer.add_prefix_space: missing"},
		"digits missing":   {hfSpec{preTokenizer: `{"type":"Digits"}`}, "pre_tokenizer.individual_digits: missing"},
		"behavior":         {hfSpec{preTokenizer: `{"type":"Split","pattern":{"String":"a"},"behavior":"MergedWithNext"}`}, `pre_tokenizer.behavior: "MergedWithNext"`},
		"pattern":          {hfSpec{preTokenizer: `{"type":"Split","pattern":{},"behavior":"Isolated"}`}, "pre_tokenizer.pattern: want one of"},
		"look-ahead":       {hfSpec{preTokenizer: `{"type":"Split","pattern":{"Regex":"a(?=b)"},"behavior":"Isolated"}`}, "pre_tokenizer.pattern.Regex: \"a(?=b)\": look-around"},
		"deep":             {hfSpec{preTokenizer: strings.Repeat(`{"type":"Sequence","pretokenizers":[`, 20) + strings.Repeat(`]}`, 20)}, "nested too deeply"},
		"model":            {hfSpec{model: `"type":"WordPiece",`}, `model.type: "WordPiece" is not supported`},
		"model option":     {hfSpec{model: `"type":"BPE","window":3,`}, `model: json: unknown field "window"`},
		"dropout":          {hfSpec{model: `"type":"BPE","dropout":0.1,`}, "model.dropout: 0.1"},
		"subword prefix":   {hfSpec{model: `"type":"BPE","continuing_subword_prefix":"##",`}, "model.continuing_subword_prefix"},
		"suffix":           {hfSpec{model: `"type":"BPE","end_of_word_suffix":"</w>",`}, "model.end_of_word_suffix"},
		"negative id":      {hfSpec{vocab: map[string]int{"a": -1}}, "model.vocab: the id -1"},
		"no bytes":         {hfSpec{vocab: map[string]int{"word": 1}}, "model.vocab: has no token for any byte"},
		"unknown token":    {hfSpec{vocab: few, model: `"type":"BPE","unk_token":"<unk>",`}, "model.unk_token: not supported when bytes have no token"},
		"byte fallback":    {hfSpec{vocab: few, model: `"type":"BPE","byte_fallback":true,`}, "model.byte_fallback: not supported when bytes have no token"},
		"merge left":       {hfSpec{merges: []string{"a b"}}, "model.merges[0]: \"a\", \"b\" and what they make are not all in model.vocab"},
		"merge of three":   {hfSpec{merges: [][]string{{"a", "b", "c"}}}, "a merge of 3 tokens"},
		"merge line":       {hfSpec{merges: []string{"ab"}}, "a merge that is not two tokens"},
		"merge number":     {hfSpec{merges: []int{1}}, "model: json"},
		"added id":         {hfSpec{added: `[{"id":-4,"content":"x"}]`}, "added_tokens[0].id"},
		"added not tokens": {hfSpec{added: `{}`}, "huggingface vocabulary: json"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Load(KindHuggingFace, "", c.spec.encode(t)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Load(KindHuggingFace, "", []byte(`{"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false}}`)); err == nil || !strings.Contains(err.Error(), "model: missing") {
		t.Errorf("without a model: %v", err)
	}
}

func TestCompileOniguruma(t *testing.T) {
	for _, c := range []struct {
		pattern, text, first string
	}{
		{`\s+`, "a\u00a0\v b", "\u00a0\v "},
		{`[^\s]+`, "\u3000ab c", "ab"},
		{`\S`, "\u0085é", "é"},
		{`\d{2,3}`, "1٣٣٣٣", "1٣٣"},
		{`\D`, "1x", "x"},
		{`[\D]`, "1x", "x"},
		{`(?:ab|a)c?`, "xabc", "abc"},
		{`a|ab`, "ab", "a"},
		{`[\u4e00-\u9fff]+`, "ab中文", "中文"},
		{`\s?\p{L}+`, "1 ab", " ab"},
		{`\P{L}`, "a1", "1"},
		{`[\-\]]\.`, "-]. ", "]."},
		{`a.+?b`, "axxbb", "axxb"},
	} {
		re, err := compileOniguruma(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := re.FindString(c.text); got != c.first {
			t.Errorf("%s in %q: got %q, want %q", c.pattern, c.text, got, c.first)
		}
	}
	for pattern, want := range map[string]string{
		`a(?!b)`: "look-around", `(?<=a)b`: "look-around", `(?i)a`: "options", `(?>a)`: "look-around",
		`^a`: "anchors", `a$`: "anchors", `\ba`: `\b is not`, `\w+`: `\w is not`, `\Aa`: `\A is not`, `(a)\1`: `\1 is not`,
		`a++`: "possessive", `a{2}+`: "repetition of a repetition", `a{,2}`: "brace", `a{`: "brace", `a**`: "invalid nested",
		`[[:alpha:]]`: "set in a set", `[a&&b]`: "intersection", `[]a]`: "empty set", `[a`: "no end", `[^\S]`: `\S in a set`,
		`\pL`: "braces", `\p{Nonsense}`: "invalid character class", `\u12`: "four digits", `\uzzzz`: "invalid escape", `\`: "backslash",
		`a*`: "matches the empty text", `(`: "missing", `\` + "é": "is not supported",
	} {
		if _, err := compileOniguruma(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", pattern, err, want)
		}
	}
}
