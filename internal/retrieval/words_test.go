package retrieval

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"def foo_bar(x, y=1.5):":                "def foo_bar x y 1 5",
		"don't":                                 "do n t",
		"DON'T panic":                           "DO N T panic",
		"Don'T":                                 "Don T", // cases are mixed
		"don't/x":                               "don t x",
		"don't\nx":                              "don t x", // a line break is no blank
		"don't x":                               "do n t x",
		"(don't) don't: don't, don't; don't--":  "do n t do n t do n t do n t do n t",
		"don't,5":                               "don t 5",
		"don't. Do":                             "do n t Do",
		"don't.x":                               "don t x",
		"don't's 'don't'":                       "do n t s do n t",
		"don't \"":                              "do n t",
		"cannot CANNOT cannots _cannot can_not": "can not CAN NOT cannots _cannot can_not",
		"gimme gonna gotta lemme":               "gim me gon na got ta lem me",
		"wanna wanna=wanna\nwanna":              "wan na wanna wan na wan na",
		"more'n d'ye it's we'll":                "more n d ye it s we ll",
		"'tis 'Twas x'tis ('tis)":               "t is T was x tis t is",
		"n't":                                   "n t",
		"naïve日本 ²½ e\u0301x":                   "naïve日本 ²½ e x",
		"it’s don’t":                            "it s don t", // only the ASCII apostrophe
	} {
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

var fragments = []string{
	"don't", "won't", "N'T", "DON'T", "n't", "'t", "'s", "'S", "'ll", "cannot", "Cannot", "gimme", "gonna", "wanna", "lemme",
	" 'tis ", " 'Twas ", "tis", "'", "''", "\"", "`", "(", ")", "[", "]", "{", "}", "<", ">", ".", "..", ",", ":", ";", "?", "!", "-", "--",
	"*", "/", "=", "+", "#", "@", "&", "\\", " ", " ", " ", "  ", "\n", "\n", "\t", "x", "5", "_", "é", "日本", "²", "e\u0301", "’", "“", "”", "…", "self.value", "return 1.5",
}

func randomText(r *rand.Rand, pieces int) string {
	var b strings.Builder
	for range pieces {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

func TestWordsAgainstScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	bad := 0
	for range 10_000 {
		text := randomText(r, 1+r.IntN(8))
		if got, want := Words(text), scan(text); !slices.Equal(got, want) {
			if bad++; bad < 20 {
				t.Errorf("Words(%q) = %q, a scan gives %q", text, got, want)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d differ", bad)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("don't wanna, 'tis\xff cannot.")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, w := range Words(text) {
			i := strings.Index(text[at:], w)
			if w == "" || i < 0 {
				t.Fatalf("%q is not in %q after %d", w, text, at)
			}
			at += i + len(w)
		}
	})
}
