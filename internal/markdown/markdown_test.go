package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// shown writes each region as its kind's letter, so that cases can be read.
func shown(text string) string {
	return Blank(text, func(k Kind) byte { return "CQ!"[k] })
}

func TestRegions(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"plain\ntext":                   "plain\ntext",
		"a `b` c":                       "a CCC c",
		"a ``b ` c`` d":                 "a CCCCCCCCC d",
		"a `b c":                        "a `b c",
		"a `b\nc` d":                    "a CCCCC d",
		"a `b\n\nc` d":                  "a `b\n\nc` d",
		"a \\`b` c":                     "a \\`b` c",
		"`a` and `b":                    "CCC and `b",
		"x\n```\na\n```\ny":             "x\nCCCCCCCCCCy",
		"x\n```go\na\n":                 "x\nCCCCCCCC",
		"~~~\n```\n~~~\nx":              "CCCCCCCCCCCCx",
		"```\na\n``\n````\nx":           "CCCCCCCCCCCCCCx",
		"``` a ` b\nx":                  "``` a ` b\nx",
		"    code\nx":                   "CCCCCCCCCx",
		"x\n    still prose":            "x\n    still prose",
		"x\n\n    code":                 "x\n\nCCCCCCCC",
		"x\n\n\tcode":                   "x\n\nCCCCC",
		"- a\n\n    of the item":        "- a\n\n    of the item",
		"- a\n\nb\n\n    code":          "- a\n\nb\n\nCCCCCCCC",
		"1. a\n   ```\n   b\n   ```\nc": "1. a\nCCCCCCCCCCCCCCCCCCCc",
		"> q\nlazy\n\nx":                "QQQQQQQQQ\nx",
		"> q\n# head":                   "QQQQ# head",
		"> q\n- item":                   "QQQQ- item",
		"> q\n***\nx":                   "QQQQ***\nx",
		">\nx":                          "QQx",
		"> ```\nx":                      "QQQQQQx",
		"a > b":                         "a > b",
		"a <!-- b --> c":                "a !!!!!!!!!! c",
		"a <!-- b\n\n> c --> d":         "a !!!!!!!!!!!!!!! d",
		"a <!-- b\n```\nc":              "a !!!!!!!!!!!!",
		"`<!--` a `-->`":                "CCCCCC a CCCCC",
		"a <code>b</code> c":            "a CCCCCCCCCCCCCC c",
		"a <pre>\n\nb</pre> c":          "a CCCCCCCCCCCCCC c",
		"a <code>b":                     "a <code>b",
		"a <coder>b</code>":             "a <coder>b</code>",
		"a\r\n```\r\nb\r\n```\r\nc":     "a\r\nCCCCCCCCCCCCCc",
		"a\\":                           "a\\",
	} {
		if got := shown(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestKeep(t *testing.T) {
	got := Blank("`a` <!-- b -->", func(k Kind) byte {
		if k == Code {
			return Keep
		}
		return '.'
	})
	if got != "`a` .........." {
		t.Errorf("%q", got)
	}
}

// A megabyte of anything is read in a moment: whatever grew with the square of the
// length would run into the time limit of the test.
func TestLinear(t *testing.T) {
	distinct := ""
	for n := 1; len(distinct) < 1<<20; n++ {
		distinct += strings.Repeat("`", n) + " "
	}
	for _, unit := range []string{"`", "` ", "`` ` ", "<!--", "<code>", "<pre ", "> a\n", "```\n", "\\", "- ", "    a\n", "\n", "a\n", distinct} {
		Regions(strings.Repeat(unit, 1+(1<<20)/len(unit)))
	}
}

func FuzzRegions(f *testing.F) {
	for _, s := range []string{"a `b` <!-- c -->\n> d\n\n    e", "```\n`", "- a\n  > b\n", "<pre>\\`</pre>`` ` ``"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, r := range Regions(text) {
			if r.Start < at || r.End <= r.Start || r.End > len(text) {
				t.Fatalf("%+v after %d of %d", r, at, len(text))
			}
			at = r.End
			if utf8.ValidString(text) && !utf8.ValidString(text[r.Start:r.End]) {
				t.Errorf("%+v cuts a character of %q", r, text)
			}
		}
	})
}
