package ask

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
)

func TestDecide(t *testing.T) {
	panel := func(quorum string, seats int) Panel {
		return Panel{Models: make([]pipeline.ModelName, seats), Quorum: quorum}
	}
	votes := func(text string) []bool {
		out := make([]bool, len(text))
		for i, r := range text {
			out[i] = r == 'y'
		}
		return out
	}
	for _, test := range []struct {
		quorum  string
		seats   int
		votes   string
		verdict string
	}{
		{All, 1, "y", "yes"}, {All, 1, "n", "no"}, {All, 3, "yyy", "yes"}, {All, 3, "yny", "no"},
		{All, 3, "n", "no"}, {All, 3, "yy", "undecided"},
		{Any, 3, "nnn", "no"}, {Any, 3, "nny", "yes"}, {Any, 3, "y", "yes"}, {Any, 3, "nn", "undecided"},
		{Majority, 3, "yyn", "yes"}, {Majority, 3, "ynn", "no"}, {Majority, 3, "yy", "yes"}, {Majority, 3, "nn", "no"}, {Majority, 3, "yn", "undecided"},
		{Majority, 4, "yynn", "no"}, {Majority, 4, "yyyn", "yes"}, {Majority, 4, "nn", "no"}, {Majority, 4, "yyn", "undecided"},
		{Majority, 2, "yn", "no"}, {Majority, 1, "y", "yes"}, {Majority, 1, "", "undecided"}, {Any, 2, "", "undecided"},
	} {
		got, err := panel(test.quorum, test.seats).Decide(votes(test.votes))
		verdict := map[bool]string{true: "yes", false: "no"}[got]
		if errors.Is(err, ErrUndecided) {
			verdict = "undecided"
		}
		if verdict != test.verdict || err != nil && verdict != "undecided" {
			t.Errorf("%s of %d, %q: %s, %v; want %s", test.quorum, test.seats, test.votes, verdict, err, test.verdict)
		}
	}
	for _, p := range []Panel{panel("most", 3), panel("", 3), panel(All, 0)} {
		if _, err := p.Decide(nil); err == nil || errors.Is(err, ErrUndecided) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, err := panel(All, 1).Decide(votes("yy")); err == nil {
		t.Error("more verdicts than voters")
	}
}

// No vote that is missing can turn what was decided without it.
func TestDecideStands(t *testing.T) {
	for _, quorum := range []string{All, Majority, Any} {
		for seats := 1; seats <= 6; seats++ {
			p := Panel{Models: make([]pipeline.ModelName, seats), Quorum: quorum}
			for yes := range seats + 1 {
				for no := range seats + 1 - yes {
					given := append(slices.Repeat([]bool{true}, yes), slices.Repeat([]bool{false}, no)...)
					got, err := p.Decide(given)
					outcomes := map[bool]bool{}
					for more := range seats - yes - no + 1 {
						rest := append(slices.Repeat([]bool{true}, more), slices.Repeat([]bool{false}, seats-yes-no-more)...)
						whole, err := p.Decide(append(slices.Clone(given), rest...))
						if err != nil {
							t.Fatalf("%s of %d: a full panel: %v", quorum, seats, err)
						}
						outcomes[whole] = true
					}
					if decided := err == nil; decided != (len(outcomes) == 1) || decided && !outcomes[got] {
						t.Errorf("%s of %d with %d:%d: %v, %v; whole panels say %v", quorum, seats, yes, no, got, err, outcomes)
					}
				}
			}
		}
	}
}

func TestPanelValidate(t *testing.T) {
	if err := (Panel{Models: []pipeline.ModelName{"a", "a"}, Quorum: Any}).Validate(); err != nil {
		t.Error(err)
	}
	err := Panel{Models: []pipeline.ModelName{"a", ""}, Quorum: "half"}.Validate()
	for _, want := range []string{"models[1]", `"half" is none of all, majority, any`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestPoll(t *testing.T) {
	panel := Panel{Models: []pipeline.ModelName{"a", "b", "a"}, Quorum: Majority}
	w := &script{replies: []any{good, "?", "?", strings.Replace(good, "yes", "no", 1)}}
	p, _ := pass(w, pipeline.ModelSpec{})
	answers, err := form.Poll(t.Context(), p, panel, settings, question)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range answers {
		got = append(got, fmt.Sprintf("%s %s%s %d", a.Voter, a.Value.Verdict, a.Failure, a.Asked))
	}
	if want := []string{"a yes 1", "b malformed 2", "a#2 no 1"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !slices.Equal(w.models, []pipeline.ModelName{"a", "b", "b", "a"}) || w.asked[0].Subject["vote"] != "" || w.asked[3].Subject["vote"] != "2" {
		t.Errorf("%v, %+v", w.models, w.asked)
	}
	p, _ = pass(&script{replies: []any{good, errors.New("no answer")}}, pipeline.ModelSpec{})
	if _, err := form.Poll(t.Context(), p, panel, settings, question); err == nil || err.Error() != "vote of b: no answer" {
		t.Errorf("%v", err)
	}
}
