package longcodeqa

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func discussed(numbers ...int64) map[string]any {
	var out []schemas.Discussion
	for _, n := range numbers {
		out = append(out, schemas.Discussion{Number: n, Title: fmt.Sprintf("Title %d", n), Text: "[author]\nWhy <so>?\n\n[maintainer]\nBecause.", Comments: 1, CreatedAt: when, ClosedAt: when})
	}
	return map[string]any{"discussions": out}
}

func TestQuestions(t *testing.T) {
	m := &model{script: map[string][]any{"convertible owner/name#12": {asJSON(t, fine())}}}
	r, err := run(t, Questions(), &QuestionsConfig{Model: "m", Settings: settings}, m, discussed(12))
	if err != nil {
		t.Fatal(err)
	}
	rows := stagetest.Rows[schemas.Question](r, "questions")
	if len(rows) != 1 || len(r.Dropped) > 0 {
		t.Fatalf("%+v, %+v", rows, r.Dropped)
	}
	q := rows[0]
	if got := correct(q.Choices, q.Answer); got != fine().CorrectAnswer {
		t.Errorf("%s of %q is %q", q.Answer, q.Choices, got)
	}
	if !slices.Equal(slices.Sorted(slices.Values(q.Choices)), slices.Sorted(slices.Values(fine().answers()))) {
		t.Errorf("%q", q.Choices)
	}
	if q.ID != "owner__name-12" || q.Repo != "owner/name" || q.Number != 12 || q.Question != fine().Question || q.Reason != fine().Reason ||
		q.CreatedAt != when || q.ClosedAt != when || q.Origin != "model" || q.Provider != "p" || q.Model != "exact-m" || !strings.HasPrefix(q.Template, "longcodeqa.convertible/1#") ||
		q.Filters != nil || q.Review != "" {
		t.Errorf("%+v", q)
	}
	want := schemas.Judgment{Subject: "12", Question: "convertible", Voter: "m", Verdict: "yes", Reason: fine().Reason, Origin: "model", Provider: "p", Model: "exact-m", Template: q.Template, Asked: 1}
	if got := stagetest.Rows[schemas.Judgment](r, "judgments"); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	req := m.only(t, "convertible owner/name#12")
	if len(req.Messages) != 1 || req.Temperature != 0 || req.MaxTokens != 99 || req.SchemaName == "" || len(req.Schema) == 0 {
		t.Errorf("%+v", req)
	}
	contains(t, req.Messages[0].Text, []string{"project owner/name", "Title: Title 12", "[author]\nWhy <so>?\n\n[maintainer]\nBecause."}, []string{"<no value>"})
	for _, category := range []string{"behaviour", "purpose", "control_flow", "wanted_error", "bug_fix", "feature", "installation", "roadmap", "library_suggestion", "practice", "other"} {
		contains(t, string(req.Schema), []string{`"` + category + `"`}, nil)
		contains(t, req.Messages[0].Text, []string{"- " + category + ": "}, nil)
	}
}

func TestQuestionsDropped(t *testing.T) {
	no := converted{Reason: "It was a defect.", Category: "bug_fix", IncorrectAnswers: []string{}}
	unclear := converted{Reason: "They do not agree.", Category: "behaviour", IncorrectAnswers: []string{}}
	leaky := fine()
	leaky.Question = "What settled this issue?"
	m := &model{script: map[string][]any{
		"convertible owner/name#1": {asJSON(t, no)},
		"convertible owner/name#2": {asJSON(t, unclear)},
		"convertible owner/name#3": {refusal, refusal},
		"convertible owner/name#4": {"Sure!", "{}"},
		"convertible owner/name#5": {asJSON(t, leaky), asJSON(t, leaky)},
		"convertible owner/name#6": {asJSON(t, leaky), asJSON(t, fine())},
		"convertible owner/name#7": {strings.Replace(asJSON(t, no), "bug_fix", "boredom", 1), asJSON(t, no)},
	}}
	r, err := run(t, Questions(), &QuestionsConfig{Model: "m", Settings: settings}, m, discussed(1, 2, 3, 4, 5, 6, 7))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range r.Dropped {
		got[d.Key] = d.Reason
	}
	want := map[string]string{"1": "not_convertible:bug_fix", "2": "not_convertible:behaviour", "3": "model_refused", "4": "malformed", "5": "unfit", "7": "not_convertible:bug_fix"}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if rows := stagetest.Rows[schemas.Question](r, "questions"); len(rows) != 1 || rows[0].Number != 6 || !strings.HasPrefix(rows[0].Template, "ask.repair/") {
		t.Errorf("%+v", rows)
	}
	verdicts := map[string]string{}
	for _, j := range stagetest.Rows[schemas.Judgment](r, "judgments") {
		verdicts[j.Subject] = fmt.Sprint(j.Verdict, " ", j.Asked)
	}
	if want := map[string]string{"1": "no 1", "2": "no 1", "3": "refused 2", "4": "malformed 2", "5": "unfit 2", "6": "yes 2", "7": "no 2"}; !maps.Equal(verdicts, want) {
		t.Errorf("%v", verdicts)
	}
	second := m.asked["convertible owner/name#6"][1]
	contains(t, second.Messages[2].Text, []string{`"this issue" is known only to those who saw the discussion`}, nil)
}

// One that fails loses none of the others, and the error says which.
func TestQuestionsError(t *testing.T) {
	m := &model{script: map[string][]any{"convertible owner/name#1": {errors.New("no route")}, "convertible owner/name#2": {asJSON(t, fine())}}}
	_, err := run(t, Questions(), &QuestionsConfig{Model: "m", Settings: settings}, m, discussed(1, 2))
	if err == nil || !strings.Contains(err.Error(), "convertible owner/name#1: no route") || len(m.asked["convertible owner/name#2"]) != 1 {
		t.Error(err)
	}
}

// Each letter is right as often as the others: chi-square with three degrees of
// freedom over 4,000 ids stays below its 99.9% quantile, and so do the places of
// the first wrong answer.
func TestShuffleIsUniform(t *testing.T) {
	const n, most = 4000, 16.27
	answers := fine().answers()
	right, wrong := map[string]int{}, map[int]int{}
	seed := pipeline.Seed{Pipeline: 20240623, Stage: Questions().Name}
	for i := range int64(n) {
		choices, letter := shuffle(seed, QuestionID("owner/name", i), answers)
		if correct(choices, letter) != answers[0] {
			t.Fatalf("%d: %s of %q", i, letter, choices)
		}
		right[letter]++
		wrong[slices.Index(choices, answers[1])]++
	}
	for what, counts := range map[string][]int{
		"right": slices.Collect(maps.Values(right)), "first wrong": slices.Collect(maps.Values(wrong)),
	} {
		chi := 0.0
		for _, c := range counts {
			d := float64(c) - n/4
			chi += d * d / (n / 4)
		}
		if len(counts) != 4 || chi > most {
			t.Errorf("%s: %v, chi-square %.2f", what, counts, chi)
		}
	}
}

// Shuffles are for good, and nothing but the seed and the id decides them.
func TestShuffleGolden(t *testing.T) {
	seed := pipeline.Seed{Pipeline: 1, Stage: Questions().Name}
	letters := ""
	for i := range int64(12) {
		_, letter := shuffle(seed, QuestionID("owner/name", i), []string{"a", "b", "c", "d"})
		letters += letter
	}
	const want = "DCCAADADDBCC"
	if letters != want {
		t.Errorf("%s, want %s", letters, want)
	}
}
