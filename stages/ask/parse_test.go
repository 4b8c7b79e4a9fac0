package ask

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseTolerates(t *testing.T) {
	want := answer{"it is", "yes", []string{"red"}}
	for _, reply := range []string{
		good, " \n" + good + "\n\n", "\uFEFF" + good,
		"```json\n" + good + "\n```", "```\n" + good + "\n```\n", "Here you are:\n```json\n" + good + "\n```\nAnything else?",
		`{ "others" : ["red"], "verdict":"\u0079es", "reason":"it is" }`,
	} {
		v, ok, problems := form.parse(reply, nil)
		if !ok || len(problems) > 0 || !reflect.DeepEqual(v, want) {
			t.Errorf("%q: %+v, %q", reply, v, problems)
		}
	}
	// A fence inside a string is no fence around the answer.
	fenced := "{\"reason\":\"write\\n```\\nx\\n```\\n\",\n\"verdict\":\"yes\",\"others\":[\"a\"]}"
	if v, ok, problems := form.parse(fenced, nil); !ok || v.Reason != "write\n```\nx\n```\n" {
		t.Errorf("%+v, %q", v, problems)
	}
}

type numbers struct {
	Count int64    `json:"count" jsonschema:"minimum=1"`
	Share float64  `json:"share" jsonschema:"maximum=1"`
	Tags  []string `json:"tags" jsonschema:"uniqueItems=true"`
}

func TestParseHostile(t *testing.T) {
	deep := strings.Repeat("[", 200_000)
	for reply, want := range map[string]string{
		"":                                "it is empty",
		"   ":                             "it is empty",
		"yes":                             "it is not JSON, from byte 1 on",
		"null":                            "the answer must be of type object, not null",
		good + " I hope this helps.":      "there is text after the JSON",
		good + good:                       "there is text after the JSON",
		good[:len(good)-1]:                "the JSON ends too early",
		`{"reason":NaN}`:                  "it is not JSON, from byte 11 on",
		`{"reason":"a",}`:                 "it is not JSON, from byte 15 on",
		`{'reason':'a'}`:                  "it is not JSON, from byte 2 on",
		deep:                              "it is not JSON, from byte 10001 on",
		deep + strings.Repeat("]", 200e3): "it is not JSON, from byte 10001 on",
		strings.Repeat("[", 99) + strings.Repeat("]", 99):               "it is nested deeper than 32 levels",
		strings.Repeat(`{"a":`, 99) + "1" + strings.Repeat("}", 99):     "it is nested deeper than 32 levels",
		strings.Repeat(" x", maxReply):                                  "it is longer than 1048576 bytes",
		strings.Replace(good, `"reason"`, `"verdict":"no","reason"`, 1): `the field "verdict" is given twice`,
		strings.Replace(good, `"verdict"`, `"\u0072eason"`, 1):          `the field "reason" is given twice`,
		strings.Replace(good, `"reason"`, `"Reason"`, 1):                `the field "Reason" was not asked for; the field "reason" is missing`,
		strings.Replace(good, `["red"]`, `"red"`, 1):                    "others must be of type array, not string",
		strings.Replace(good, `["red"]`, `["red",1]`, 1):                "others[1] must be of type string, not number",
		strings.Replace(good, `"it is"`, `null`, 1):                     "reason must be of type string, not null",
		strings.Replace(good, `"yes"`, `"Yes"`, 1):                      `verdict must be one of "yes", "no"`,
		`{"` + strings.Repeat("k", 5000) + `":1}`: `the field "` + strings.Repeat("k", 80) + `..." was not asked for; ` +
			`the field "others" is missing; the field "reason" is missing; the field "verdict" is missing`,
	} {
		_, ok, problems := form.parse(reply, nil)
		if got := strings.Join(problems, "; "); ok || got != want {
			t.Errorf("%.80q: %q, want %q", reply, got, want)
		}
	}
}

func TestParseNumbers(t *testing.T) {
	f := NewForm[numbers]("n", promptFiles, "prompts/repair.tmpl", nil)
	of := func(count, share string) string { return `{"count":` + count + `,"share":` + share + `,"tags":[]}` }
	const far = "a number in it is too large, too small or too exact"
	for reply, want := range map[string]string{
		of("3", "0.5"):                           "",
		of("3", "1e-300"):                        "",
		of("3e99999999", "0"):                    far,
		of("3", "1e-99999999999"):                far,
		of("3", "-1e+999999"):                    far,
		of("3", "0."+strings.Repeat("1", 99)):    far,
		of("0", "0"):                             "count breaks its minimum",
		of("3", "1.01"):                          "share breaks its maximum",
		of("1.5", "0"):                           "count must be of type integer, not number",
		of("1.0", "0"):                           "a value in it is not of the type that was asked for",
		of("92233720368547758080", "0"):          "a value in it is not of the type that was asked for",
		of(`"3"`, "0"):                           "count must be of type integer, not string",
		`{"count":1,"share":0,"tags":["a","a"]}`: "tags must not have the same item twice",
	} {
		v, ok, problems := f.parse(reply, nil)
		if got := strings.Join(problems, "; "); got != want || ok != (want == "") {
			t.Errorf("%s: %q, want %q", reply, got, want)
		}
		if !ok && !reflect.DeepEqual(v, numbers{}) {
			t.Errorf("%s: half a value: %+v", reply, v)
		}
	}
}

// The library checks fields in any order; what a model is told has one.
func TestViolationsHaveAnOrder(t *testing.T) {
	reply := `{"reason":1,"verdict":"x","others":[1,2,3,4],"b":1,"a":1,"c":1,"d":1,"e":1,"f":1,"g":1}`
	_, _, first := form.parse(reply, nil)
	if len(first) != most || !slices.IsSorted(first) {
		t.Fatalf("%q", first)
	}
	for range 50 {
		if _, _, again := form.parse(reply, nil); !slices.Equal(again, first) {
			t.Fatalf("%q after %q", again, first)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{good, "```\n" + good + "\n```", `{"count":1e999}`, `{"a":{"a":[]}}`, "\uFEFF{}", `{"reason":"\ud800"}`} {
		f.Add(s)
	}
	n := NewForm[numbers]("n", promptFiles, "prompts/repair.tmpl", nil)
	f.Fuzz(func(t *testing.T, reply string) {
		v, ok, problems := form.parse(reply, nil)
		if ok && (v.Verdict != "yes" && v.Verdict != "no" || len(v.Others) < 1 || len(v.Others) > 3) {
			t.Errorf("%q gave %+v", reply, v)
		}
		if !ok && len(problems) == 0 {
			t.Errorf("%q is wrong without a reason", reply)
		}
		for _, p := range problems {
			if len(p) > 1000 || strings.ContainsRune(p, '\n') {
				t.Errorf("%q: problem %q", reply, p)
			}
		}
		if v, ok, _ := n.parse(reply, nil); ok && (v.Count < 1 || v.Share > 1) {
			t.Errorf("%q gave %+v", reply, v)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		form.parse(good, nil)
	}
}

func BenchmarkNewForm(b *testing.B) {
	for b.Loop() {
		NewForm[answer]("n", promptFiles, "prompts/repair.tmpl", nil)
	}
}
