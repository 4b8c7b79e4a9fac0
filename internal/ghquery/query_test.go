package ghquery

import (
	"strings"
	"testing"
	"time"
)

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"language:Python stars:>=500":        "language:python stars:>=500",
		"  stars:>499\n language:\"python\"": "language:python stars:>=500",
		"topic:b topic:A topic:b":            "topic:a topic:b",
		"-topic:x language:c++ -org:Evil":    "language:c++ -org:evil -topic:x",
		`language:"Jupyter Notebook"`:        `language:"jupyter notebook"`,
		"language:go fork:false":             "language:go",
		"FORK:only archived:FALSE":           "archived:false fork:only",
		"size:5..5":                          "size:5",
		"size:*..9":                          "size:0..9",
		"size:<=9":                           "size:0..9",
		"size:<9":                            "size:0..8",
		"forks:9..*":                         "forks:>=9",
		"stars:>=0 language:go":              "language:go",

		"created:2023-01-01..2024-01-01":                                               "created:2023-01-01..2024-01-01",
		"created:2023-01-01":                                                           "created:2023-01-01",
		"created:2023-01-01T00:00:00Z":                                                 "created:2023-01-01T00:00:00Z",
		"created:2023-01-01T00:00:00Z..2023-01-01T23:59:59Z":                           "created:2023-01-01",
		"created:2023-01-01T00:00:00Z..2023-01-01T00:00:59Z":                           "created:2023-01-01..2023-01-01T00:00:59Z",
		"created:>2023-01-01":                                                          "created:>=2023-01-02",
		"created:<2023-01-01":                                                          "created:<=2022-12-31",
		"created:>2023-01-01T23:59:59Z":                                                "created:>=2023-01-02",
		"created:2023-01-01T07:00:00+07:00..*":                                         "created:>=2023-01-01",
		"pushed:>=2023-01-01":                                                          "pushed:>=2023-01-01",
		"commits-since:2024-01-01 language:go":                                         "commits-since:2024-01-01 language:go",
		"commits-since:2024-01-01T10:00:00+02:00 language:go":                          "commits-since:2024-01-01T08:00:00Z language:go",
		"license:MIT license:apache-2.0":                                               "license:apache-2.0 license:mit",
		"help-wanted-issues:>1 good-first-issues:2 followers:<3 mirror:true is:public": "followers:0..2 good-first-issues:2 help-wanted-issues:>=2 is:public mirror:true",
	} {
		q, err := Parse(text)
		if err != nil || q.String() != want {
			t.Errorf("%s: %q, %v, want %q", text, q, err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "no qualifier that narrows",
		"fork:false":                        "no qualifier that narrows",
		"stars:>=0":                         "no qualifier that narrows",
		"commits-since:2024-01-01":          "no qualifier that narrows",
		"asyncio language:go":               `"asyncio" is no qualifier`,
		`"two words"`:                       `"\"two words\"" is no qualifier`,
		"NOT language:go":                   `"NOT" is no qualifier`,
		"languag:go":                        "languag: unknown qualifier; known are archived, ",
		"sort:stars":                        "sort: unknown qualifier",
		"language:":                         `language: "" is not the name of a language`,
		`language:"go`:                      `language: the quote in "go is not closed`,
		`language:g"o" topic:x`:             "language: a quote in the middle",
		"user:@me":                          `user: "@me" is not a login`,
		"repo:name":                         `repo: "name" is not of the form owner/name`,
		"topic:a,b":                         `topic: "a,b" is not a topic`,
		"stars:":                            `stars: "" is not a number`,
		"stars:many":                        `stars: "many" is not a number`,
		"stars:-5":                          `stars: "-5" is not a number`,
		"stars:+5":                          `stars: "+5" is not a number`,
		"stars:=>5":                         `stars: "=>5" begins with "=>"`,
		"stars:5..3":                        `stars: "5..3" holds nothing`,
		"stars:<0":                          `stars: "<0" holds nothing`,
		"stars:*..*":                        `stars: "*..*" has no bound`,
		"stars:*":                           `stars: "*" is not a number`,
		"stars:..5":                         `stars: "" is not a number`,
		"stars:1000000000001":               "not a number from 0 to",
		"stars:1 stars:2":                   "stars: given twice",
		"-stars:5":                          "-stars: cannot be negated",
		"-fork:true":                        "-fork: cannot be negated",
		"archived:maybe":                    `archived: "maybe" is not true or false`,
		"created:2023":                      `created: "2023" is not a date such as`,
		"created:2023-02-30":                "is not a date",
		"created:2023-01-01T00:00:00.5Z":    "is not a date",
		"created:9999-12-31":                "is not a date",
		"created:2024-01-01..2023-01-01":    "holds nothing",
		"commits-since:>=2024-01-01":        "commits-since:",
		"stars:x size:y":                    "size: \"y\"",
		"topic:" + strings.Repeat("a", 250): "characters with its created and stars ranges; GitHub takes 256",
	} {
		if q, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", text, q, err, want)
		}
	}
}

// What is sent says every bound to the second and nothing of ours.
func TestSlice(t *testing.T) {
	q, err := Parse("language:go pushed:>=2023-01-01 commits-since:2024-01-01 created:2023-01-01 stars:>=5")
	if err != nil {
		t.Fatal(err)
	}
	const base = "language:go pushed:>=2023-01-01T00:00:00Z "
	if got, want := q.Slice(q.Created, q.Stars), base+"created:2023-01-01T00:00:00Z..2023-01-01T23:59:59Z stars:>=5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	low, high, ok := q.Created.Halves(q.Created.From + day/2 - 1)
	if !ok || q.Slice(low, Range{5, 5}) != base+"created:2023-01-01T00:00:00Z..2023-01-01T11:59:59Z stars:5" ||
		q.Slice(high, Range{0, Highest}) != base+"created:2023-01-01T12:00:00Z..2023-01-01T23:59:59Z" {
		t.Errorf("%s | %s", q.Slice(low, Range{5, 5}), q.Slice(high, Range{0, Highest}))
	}
	if !q.CommitsSince.Equal(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)) || !q.Has("pushed") || q.Has("is") {
		t.Errorf("%+v", q)
	}
}

func TestHalves(t *testing.T) {
	for _, at := range []int64{-1, 7, 8} {
		if _, _, ok := (Range{0, 7}).Halves(at); ok {
			t.Errorf("halves at %d", at)
		}
	}
	for at := range int64(7) {
		low, high, ok := (Range{0, 7}).Halves(at)
		if !ok || low.From != 0 || low.To != at || high.From != at+1 || high.To != 7 {
			t.Errorf("at %d: %v %v", at, low, high)
		}
	}
}

// A value can never become a second qualifier.
func TestComposeInjection(t *testing.T) {
	for _, value := range []string{`python topic:x`, `python" topic:"x`, "python\ntopic:x", `"python"`, "python\x00"} {
		if q, err := Compose(Term{Key: "language", Value: value}); err == nil {
			t.Errorf("%q gives %q", value, q)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`language:"jupyter notebook" stars:>=500 created:2023-01-01..2024-01-01T10:00:00+02:00 -topic:x`,
		"pushed:<2023-01-01 size:*..5 fork:only commits-since:2024-01-01", `a:"`, "-:", "stars:<=>1", "created:*..1970-01-01",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		canonical := q.String()
		again, err := Parse(canonical)
		if err != nil || again.String() != canonical {
			t.Fatalf("%q is %q, which is %q, %v", text, canonical, again, err)
		}
		if again.Slice(again.Created, again.Stars) != q.Slice(q.Created, q.Stars) || !again.CommitsSince.Equal(q.CommitsSince) {
			t.Fatalf("%q and %q send different things", text, canonical)
		}
		if q.Created.From > q.Created.To || q.Stars.From > q.Stars.To {
			t.Fatalf("%q: %v %v", text, q.Created, q.Stars)
		}
	})
}
