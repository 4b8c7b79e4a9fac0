package pytext

import (
	"slices"
	"testing"
)

func TestSplitLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		"a":                            {"a"},
		"a\n":                          {"a"},
		"\n":                           {""},
		"a\r\nb\rc\n\nd":               {"a", "b", "c", "", "d"},
		"a\n\rb":                       {"a", "", "b"},
		"a\vb\fc\x1cd\x1de\x1ef":       {"a", "b", "c", "d", "e", "f"},
		"a\x1fb":                       {"a\x1fb"},
		"a\u0085b\u2028c\u2029d\u00a0": {"a", "b", "c", "d\u00a0"},
	} {
		if got := SplitLines(text); !slices.Equal(got, want) {
			t.Errorf("SplitLines(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestStrip(t *testing.T) {
	for text, want := range map[string]string{
		" \t\x1c\x1fa b\u00a0\u2003\u3000\n": "a b",
		"\ufeffa\u200b":                      "\ufeffa\u200b", // neither is white space
		"\x1d \x1e":                          "",
	} {
		if got := Strip(text); got != want {
			t.Errorf("Strip(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWord(t *testing.T) {
	for _, r := range "aZ_09é日ñ²½Ⅷ٣" {
		if !IsWord(r) {
			t.Errorf("%q is a word character", r)
		}
	}
	for _, r := range "-.$'\u0301\u200d€ \n" {
		if IsWord(r) {
			t.Errorf("%q is no word character", r)
		}
	}
}

func TestLines(t *testing.T) {
	if got := NotBlank("a\n \n\x1c\n\n b\r\n"); !slices.Equal(got, []string{"a", " b\r"}) {
		t.Errorf("%q", got)
	}
	if got := Newlines("a\r\nb\rc\n\r\n"); got != "a\nb\nc\n\n" {
		t.Errorf("%q", got)
	}
}

func FuzzSplitLines(f *testing.F) {
	f.Add("a\r\n\xffb\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		total := 0
		for _, line := range SplitLines(s) {
			total += len(line)
			if slices.ContainsFunc([]rune(line), endsLine) {
				t.Fatalf("%q holds a line end", line)
			}
		}
		if total > len(s) {
			t.Fatalf("%d bytes out of %d", total, len(s))
		}
	})
}
