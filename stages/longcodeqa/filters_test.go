package longcodeqa

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

func asked(numbers ...int64) map[string]any {
	var out []schemas.Question
	for _, n := range numbers {
		out = append(out, question(n))
	}
	return map[string]any{"questions": out}
}

// kept lists the ids that came out, with their filters.
func kept(r *stagetest.Result) map[string]string {
	out := map[string]string{}
	for _, q := range stagetest.Rows[schemas.Question](r, "questions") {
		out[q.ID] = strings.Join(q.Filters, " ")
	}
	return out
}

func judgments(r *stagetest.Result) map[string]string {
	out := map[string]string{}
	for _, j := range stagetest.Rows[schemas.Judgment](r, "judgments") {
		out[fmt.Sprintf("%s|%s|%s", j.Subject, j.Question, j.Voter)] = j.Verdict + " " + j.Reason
	}
	return out
}

func panel(quorum string, names ...pipeline.ModelName) ask.Panel {
	return ask.Panel{Models: names, Quorum: quorum}
}

const (
	needed    = `{"reason":"Details.","needs_repository":true}`
	notNeeded = `{"reason":"General.","needs_repository":false}`
)

func TestSpecific(t *testing.T) {
	m := &model{script: map[string][]any{
		"specific owner__name-1": {needed},
		"specific owner__name-2": {notNeeded},
		"specific owner__name-3": {"hm", needed},
		"specific owner__name-4": {refusal, refusal},
	}}
	r, err := run(t, Specific(), &SpecificConfig{Panel: panel("all", "m"), Settings: settings}, m, asked(1, 2, 3, 4))
	if err != nil {
		t.Fatal(err)
	}
	if got := kept(r); !maps.Equal(got, map[string]string{"owner__name-1": "specific", "owner__name-3": "specific"}) {
		t.Errorf("%v", got)
	}
	if !maps.Equal(r.Reasons(), map[string]int{"not_specific": 1, "undecided": 1}) {
		t.Errorf("%v", r.Reasons())
	}
	want := map[string]string{
		"owner__name-1|specific|m": "yes Details.", "owner__name-2|specific|m": "no General.",
		"owner__name-3|specific|m": "yes Details.", "owner__name-4|specific|m": "refused the request was refused",
	}
	if got := judgments(r); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	q := question(1)
	text := m.only(t, "specific owner__name-1").Messages[0].Text
	contains(t, text, []string{"repository owner/name.", q.Question, "\nA) The sum.\nB) Nothing.\nC) An error & a number.\nD) Its first argument.\n"}, []string{"<no value>", q.Reason})
}

func TestSpecificPanel(t *testing.T) {
	for _, test := range []struct {
		quorum string
		votes  []any
		reason string // "": it stays
	}{
		{"all", []any{needed, needed, needed}, ""},
		{"all", []any{needed, notNeeded, needed}, "not_specific"},
		{"all", []any{needed, refusal, needed}, "undecided"},
		{"all", []any{notNeeded, refusal, needed}, "not_specific"},
		{"majority", []any{needed, notNeeded, needed}, ""},
		{"majority", []any{needed, notNeeded, notNeeded}, "not_specific"},
		{"any", []any{notNeeded, notNeeded, needed}, ""},
	} {
		m := &model{script: map[string][]any{}}
		for i, name := range []string{"m", "n", "o"} {
			m.script[name+": specific owner__name-1"] = []any{test.votes[i]}
		}
		c := &SpecificConfig{Panel: panel(test.quorum, "m", "n", "o"), Settings: ask.Settings{MaxTokens: 9}}
		r, err := run(t, Specific(), c, m, asked(1))
		if err != nil {
			t.Fatal(err)
		}
		if len(judgments(r)) != 3 || (test.reason == "") != (len(kept(r)) == 1) || test.reason != "" && r.Reasons()[test.reason] != 1 {
			t.Errorf("%s of %v: %v, %v", test.quorum, test.votes, kept(r), r.Reasons())
		}
	}
}

// The filters passed before stay, and rows of others are not touched.
func TestFiltersAreAppended(t *testing.T) {
	inputs := asked(1, 2)
	questions := inputs["questions"].([]schemas.Question)
	shared := append(make([]string, 0, 8), "first")
	questions[0].Filters, questions[1].Filters = shared, shared
	m := &model{script: map[string][]any{"specific owner__name-1": {needed}, "specific owner__name-2": {needed}}}
	r, err := run(t, Specific(), &SpecificConfig{Panel: panel("all", "m"), Settings: settings}, m, inputs)
	if err != nil || !maps.Equal(kept(r), map[string]string{"owner__name-1": "first specific", "owner__name-2": "first specific"}) || shared[:2][1] != "" {
		t.Errorf("%v, %v, %q", kept(r), err, shared[:2])
	}
}

func says(letter string) string { return `{"reason":"I think so.","letter":"` + letter + `"}` }

func TestClosedBook(t *testing.T) {
	m := &model{script: map[string][]any{
		"closedbook owner__name-1": {says("A")},
		"closedbook owner__name-2": {says("B")}, // right
		"closedbook owner__name-3": {refusal, refusal},
		"closedbook owner__name-4": {says("E"), "none"},
		"closedbook owner__name-5": {says("b"), says("D")},
	}}
	r, err := run(t, ClosedBook(), &ClosedBookConfig{Panel: panel("any", "m"), Orders: 1, Right: 1, Settings: settings}, m, asked(1, 2, 3, 4, 5))
	if err != nil {
		t.Fatal(err)
	}
	if got := kept(r); !maps.Equal(got, map[string]string{"owner__name-1": "closedbook", "owner__name-3": "closedbook", "owner__name-5": "closedbook"}) {
		t.Errorf("%v", got)
	}
	if !maps.Equal(r.Reasons(), map[string]int{"answered_without_context": 1, "undecided": 1}) {
		t.Errorf("%v", r.Reasons())
	}
	if got := judgments(r); got["owner__name-2|closedbook|m"] != "B I think so." || len(got) != 5 {
		t.Errorf("%v", got)
	}
	contains(t, m.only(t, "closedbook owner__name-1").Messages[0].Text, []string{"\nB) Nothing.\n", "owner/name"}, []string{"<no value>", "[start of"})
}

// Each order moves the choices on by one letter, and so the right one.
func TestClosedBookOrders(t *testing.T) {
	// The right choice is B, then C, D and A.
	for _, test := range []struct {
		letters string // what the model says in each order; "-" is a refusal, "?" no answer
		right   int
		reason  string
	}{
		{"BCDA", 4, "answered_without_context"},
		{"BCDA", 1, "answered_without_context"},
		{"BBBB", 2, ""}, // a model that likes a letter
		{"BBBB", 1, "answered_without_context"},
		{"BCBB", 2, "answered_without_context"},
		{"B---", 2, ""},
		{"B??A", 2, "answered_without_context"},
		{"B??B", 2, "undecided"},
		{"AB?C", 2, ""},
		{"BC", 2, "answered_without_context"},
		{"BA", 2, ""},
	} {
		m := &model{script: map[string][]any{}}
		for i, letter := range strings.Split(test.letters, "") {
			what := "closedbook owner__name-1"
			if i > 0 {
				what += fmt.Sprintf(" order %d", i+1)
			}
			m.script[what] = []any{map[string]any{"-": refusal, "?": "no JSON"}[letter]}
			if m.script[what][0] == nil {
				m.script[what] = []any{says(letter)}
			}
		}
		c := &ClosedBookConfig{Panel: panel("any", "m"), Orders: len(test.letters), Right: test.right, Settings: ask.Settings{MaxTokens: 9}}
		r, err := run(t, ClosedBook(), c, m, asked(1))
		if err != nil {
			t.Fatal(err)
		}
		if len(judgments(r)) != len(test.letters) || (test.reason == "") != (len(kept(r)) == 1) || test.reason != "" && r.Reasons()[test.reason] != 1 {
			t.Errorf("%s, %d right: %v, %v, %v", test.letters, test.right, kept(r), r.Reasons(), judgments(r))
		}
		for i := range test.letters[1:] {
			text := m.only(t, fmt.Sprintf("closedbook owner__name-1 order %d", i+2)).Messages[0].Text
			contains(t, text, []string{"\n" + string("CDA"[i]) + ") Nothing.\n"}, nil)
		}
	}
}

func TestClosedBookPanel(t *testing.T) {
	for quorum, stays := range map[string]bool{"any": false, "majority": true, "all": true} {
		m := &model{script: map[string][]any{"m: closedbook owner__name-1": {says("B"), says("A")}, "n: closedbook owner__name-1": {says("C")}}}
		r, err := run(t, ClosedBook(), &ClosedBookConfig{Panel: panel(quorum, "m", "n", "m"), Orders: 1, Right: 1, Settings: settings}, m, asked(1))
		if err != nil {
			t.Fatal(err)
		}
		if (len(kept(r)) == 1) != stays {
			t.Errorf("%s: %v", quorum, kept(r))
		}
		if got := slices.Sorted(maps.Keys(judgments(r))); !slices.Equal(got, []string{"owner__name-1|closedbook|m", "owner__name-1|closedbook|m#2", "owner__name-1|closedbook|n"}) {
			t.Errorf("%q", got)
		}
	}
}

func TestFilterConfigs(t *testing.T) {
	for name, c := range map[string]interface{ Validate() error }{
		"no models":  &SpecificConfig{Panel: panel("all")},
		"no quorum":  &SpecificConfig{Panel: panel("", "m")},
		"none right": &ClosedBookConfig{Panel: panel("any", "m"), Orders: 2, Right: 3},
		"none named": &ClosedBookConfig{Panel: panel("any"), Orders: 1, Right: 1},
	} {
		if c.Validate() == nil {
			t.Errorf("%s passes", name)
		}
	}
	if err := (&ClosedBookConfig{Panel: panel("any", "m"), Orders: 4, Right: 4}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestRotate(t *testing.T) {
	q := question(1)
	for n, want := range []string{"B", "C", "D", "A"} {
		turned := rotate(q, n)
		if turned.Answer != want || correct(turned.Choices, turned.Answer) != "Nothing." {
			t.Errorf("%d: %s of %q", n, turned.Answer, turned.Choices)
		}
	}
	if q.Choices[0] != "The sum." {
		t.Error("the question was changed")
	}
}
