package longcodeqa

import (
	"encoding/json"
	"strings"
	"testing"
)

// fine is a question that passes all checks.
func fine() converted {
	return converted{
		Reason: "A maintainer explains it.", IsQA: true, Category: "behaviour",
		Question:      "What does `Pool.get` do when no connection is free?",
		CorrectAnswer: "It waits for `timeout` seconds, then raises `Empty`.",
		IncorrectAnswers: []string{
			"It returns `None` at once.", "It opens one connection more than `limit`.", "It closes the oldest connection and reuses it.",
		},
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestProblems(t *testing.T) {
	right := func(s string) func(*converted) { return func(c *converted) { c.CorrectAnswer = s } }
	wrong := func(s string) func(*converted) { return func(c *converted) { c.IncorrectAnswers[1] = s } }
	asks := func(s string) func(*converted) { return func(c *converted) { c.Question = s } }
	for name, test := range map[string]struct {
		change func(*converted)
		says   string // "": nothing
	}{
		"fine":                  {func(*converted) {}, ""},
		"no question":           {func(c *converted) { *c = converted{Category: "bug_fix"} }, ""},
		"a category that is no": {func(c *converted) { c.Category = "feature" }, "category feature makes no question"},
		"two wrong answers":     {func(c *converted) { c.IncorrectAnswers = c.IncorrectAnswers[:2] }, "2 wrong answers, not 3"},
		"four wrong answers":    {func(c *converted) { c.IncorrectAnswers = append(c.IncorrectAnswers, "It stops.") }, "4 wrong answers"},
		"empty question":        {asks(" \n"), "the question is empty"},
		"long question":         {asks(strings.Repeat("why ", 1001)), "longer than 4000"},
		"question with code":    {asks("What does this print?\n\n```\nf(1) # 2\n```"), ""},
		"empty answer":          {wrong(" "), "an answer is empty"},
		"empty right answer":    {right(""), "an answer is empty"},
		"same answers":          {wrong("it returns  \"None\" at once"), "two answers say the same"},
		"right again":           {wrong("It waits for `timeout` seconds, then raises `Empty`!"), "two answers say the same"},
		"signs count":           {func(c *converted) { c.CorrectAnswer, c.IncorrectAnswers = "-1", []string{"1", "+1", "f()"} }, ""},
		"two lines":             {wrong("It stops.\nThen it goes on."), "longer than one line"},
		"long answer":           {wrong(strings.Repeat("x", 501)), "longer than 500"},
		"lengths":               {right(strings.Repeat("very ", 30) + "long"), "too much in length: the shortest has 26 characters, the longest 154"},
		"quoted answer":         {asks("Does `get` raise, or does it (as I think) it waits for `timeout` seconds, then raises `Empty`?"), "contains the right answer"},
		"part of a word":        {func(c *converted) { c.CorrectAnswer = "con" }, ""},
		"the issue":             {asks("What caused the issue?"), `"the issue" is known only`},
		"this discussion":       {wrong("It was settled in This Discussion."), `"This Discussion" is known only`},
		"a number":              {asks("Why does #12 fail?"), `"#12" is known only`},
		"a pull request":        {wrong("It came with PR #7."), `"PR #7" is known only`},
		"a role":                {wrong("As @maintainer said."), `"@maintainer" is known only`},
		"a colour":              {wrong("It draws in #123456."), ""},
		"a decorator":           {asks("What does @property do on `Pool.size`?"), ""},
		"an issue tracker":      {asks("What does `IssueTracker.issue` return?"), ""},
		"all of the above":      {wrong("All of the above"), "speaks of other answers"},
		"none of these":         {wrong("None of these."), "speaks of other answers"},
		"both":                  {wrong("Both A and C."), "speaks of other answers"},
		"any of these names":    {wrong("It raises when any of these names is free."), ""},
		"two variables":         {wrong("It adds both a and b to it."), ""},
		"a letter":              {wrong("B) It returns."), `begins with a letter of its own: "B)"`},
		"a letter in brackets":  {wrong("(b) It returns."), "letter of its own"},
		"a word with a point":   {wrong("a.b returns it."), ""},
	} {
		c := fine()
		test.change(&c)
		got := strings.Join(c.problems(), "; ")
		if test.says == "" && got != "" || !strings.Contains(got, test.says) {
			t.Errorf("%s: %q, want %q", name, got, test.says)
		}
	}
}

// What people and models write is never too odd to be judged.
func FuzzProblems(f *testing.F) {
	f.Add("Why?", "Because.", "Not so.", "Never.", "Always.")
	f.Add("", "\xff", "`", "A) x", "\n")
	f.Fuzz(func(t *testing.T, question, right, a, b, c string) {
		v := converted{IsQA: true, Category: "purpose", Question: question, CorrectAnswer: right, IncorrectAnswers: []string{a, b, c}}
		if v.problems() != nil {
			return
		}
		seen := map[string]bool{}
		for _, answer := range v.answers() {
			if answer == "" || seen[answer] || strings.Contains(answer, "\n") {
				t.Errorf("%q passed", v.answers())
			}
			seen[answer] = true
		}
	})
}
