package repoqa

import (
	"slices"
	"strings"
	"testing"

	"benchmill/stages/lang"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"parse":            "parse",
		"parseHTTPHeader2": "parse http header",
		"HTTPServer":       "http server",
		"snake_case_name":  "snake case name",
		"__init__":         "init",
		"XMLToJSON":        "xml to json",
		"a1b2":             "a b",
		"MAX_SIZE":         "max size",
		"größeÄndern":      "größe ändern",
		"_":                "",
		"$jquery":          "jquery",
		"iPhone":           "i phone",
	} {
		if got := strings.Join(Words(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestLeaks(t *testing.T) {
	for _, test := range []struct {
		text  string
		names lang.Names
		want  []string
	}{
		{"Reads a quux.", lang.Names{Name: "parseHTTPQuux"}, []string{"quux"}},
		{"Calls parse_header to do it.", lang.Names{Name: "parse_header"}, []string{"parse_header"}},
		{"Calls PARSE_HEADER.", lang.Names{Name: "parse_header"}, []string{"PARSE_HEADER"}},
		{"Nothing said here.", lang.Names{Name: "frobnicate", Params: []string{"quux"}, Locals: []string{"xyzzy"}}, nil},
		{"The quux and the xyzzy.", lang.Names{Name: "f", Params: []string{"quux"}, Locals: []string{"xyzzy"}}, []string{"quux", "xyzzy"}},
		{"xyzzy before quux, xyzzy again", lang.Names{Params: []string{"quux", "quux"}, Locals: []string{"xyzzy"}}, []string{"quux", "xyzzy"}},
		{"A string, a value, the number.", lang.Names{Name: "value", Params: []string{"string", "number"}}, nil}, // common words
		{"is i or id", lang.Names{Params: []string{"i", "id", "is"}}, nil},                                       // too short to tell
		{"frobnicates things", lang.Names{Name: "frobnicate"}, nil},                                              // another word
		{"re-frobnicate it", lang.Names{Name: "frobnicate"}, []string{"frobnicate"}},
		{"uses `_get_value` for it", lang.Names{Name: "_get_value"}, []string{"_get_value"}},
		{"uses get_value for it", lang.Names{Name: "_get_value"}, []string{"_get_value"}},
		{"gets a value", lang.Names{Name: "_get_value"}, nil},
		{"frobnicateThing", lang.Names{Name: "thing", Params: []string{"frobnicate"}}, []string{"frobnicate"}},
		{"", lang.Names{Name: "frobnicate"}, nil},
	} {
		want := test.want
		if len(want) > 0 && want[0] == "PARSE_HEADER" {
			want = []string{"parse_header"} // named as the code has it
		}
		if got := Leaks(test.text, test.names); !slices.Equal(got, want) {
			t.Errorf("%q of %+v: %q, want %q", test.text, test.names, got, want)
		}
	}
}

func TestCommonWords(t *testing.T) {
	if len(common) < 100 {
		t.Fatalf("%d words", len(common))
	}
	for w := range common {
		if w != strings.ToLower(w) {
			t.Errorf("%q would never be found", w)
		}
	}
}

func TestProblems(t *testing.T) {
	good := parts{"Does.", "Takes.", "Gives.", "Goes."}
	if got := good.problems(lang.Names{Name: "frobnicate"}); len(got) > 0 {
		t.Errorf("%q", got)
	}
	bad := parts{Purpose: " ", Input: "frobnicate", Procedure: "\n"}
	want := []string{"the part Purpose is missing or empty", "the part Output is missing or empty", "the part Procedure is missing or empty", `it gives "frobnicate" away`}
	if got := bad.problems(lang.Names{Name: "frobnicate"}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
