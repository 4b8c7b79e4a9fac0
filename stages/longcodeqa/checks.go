package longcodeqa

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// convertible are the categories that make questions (appendix B.1).
var convertible = []string{"behaviour", "purpose", "control_flow", "wanted_error"}

const (
	wrongAnswers     = 3
	maxQuestionChars = 4000
	maxAnswerChars   = 500
	// The longest answer may have twice the characters of the shortest and so
	// many more, or its length would give it away.
	lengthSlack = 60
)

var (
	// What only somebody who saw the discussion would understand.
	aboutDiscussion = regexp.MustCompile(`(?i)\b(?:the|this|that) (?:github )?(?:issue|discussion|bug report|pull request|commenter|maintainer)s?\b|\b(?:issue|pull request|pr) ?#\d+`)
	issueNumber     = regexp.MustCompile(`(?:^|[\s(])#\d{1,5}\b`)
	person          = regexp.MustCompile(`@(?:` + roleAuthor + `|` + roleMaintainer + `|` + roleContributor + `|` + roleOther + `)\b`)
	// Answers that make no sense once they are shuffled.
	otherAnswers = regexp.MustCompile(`(?i)\b(?:all|any|both|either|neither|none) of the (?:above|other (?:answers|choices|options))\b` +
		`|^\W*(?:all|both|neither|none) of (?:these|them|those)\W*$` +
		`|\b(?:answers?|choices?|options?|both|neither|either) \(?(?-i:[A-D])\)?(?:\W|$)`)
	ownLetter = regexp.MustCompile(`^(?:\([A-Da-d]\)|[A-Da-d][).:])(?:\s|$)`)
)

// answers are the four answers, the right one first.
func (c converted) answers() []string {
	out := make([]string, 0, 1+wrongAnswers)
	for _, a := range append([]string{c.CorrectAnswer}, c.IncorrectAnswers...) {
		out = append(out, strings.TrimSpace(a))
	}
	return out
}

// problems are what is wrong with a question beyond its form, in words for the
// model. What makes no question has none.
func (c converted) problems() []string {
	if !c.IsQA {
		return nil
	}
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if !slices.Contains(convertible, c.Category) {
		say("is_qa is true, but an issue of the category %s makes no question", c.Category)
	}
	if len(c.IncorrectAnswers) != wrongAnswers {
		say("there are %d wrong answers, not %d", len(c.IncorrectAnswers), wrongAnswers)
	}
	question := normal(c.Question)
	switch {
	case question == "":
		say("the question is empty")
	case utf8.RuneCountInString(c.Question) > maxQuestionChars:
		say("the question is longer than %d characters", maxQuestionChars)
	}
	if right := normal(c.CorrectAnswer); right != "" && strings.Contains(" "+question+" ", " "+right+" ") {
		say("the question contains the right answer")
	}
	for _, text := range append([]string{c.Question}, c.answers()...) {
		for _, pattern := range []*regexp.Regexp{aboutDiscussion, issueNumber, person} {
			if found := pattern.FindString(text); found != "" {
				say("%q is known only to those who saw the discussion", strings.TrimSpace(found))
				break
			}
		}
	}
	return append(out, problemsOf(c.answers())...)
}

// problemsOf are what is wrong with answers among themselves.
func problemsOf(answers []string) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	seen := map[string]bool{}
	shortest, longest := maxAnswerChars, 0
	for _, a := range answers {
		n := utf8.RuneCountInString(a)
		shortest, longest = min(shortest, n), max(longest, n)
		same := normal(a)
		switch {
		case same == "":
			say("an answer is empty")
		case seen[same]:
			say("two answers say the same: %q", a)
		case n > maxAnswerChars:
			say("an answer is longer than %d characters", maxAnswerChars)
		case strings.ContainsAny(a, "\r\n"):
			say("an answer is longer than one line")
		}
		seen[same] = true
		if found := otherAnswers.FindString(a); found != "" {
			say("an answer speaks of other answers: %q", found)
		}
		if found := ownLetter.FindString(a); found != "" {
			say("an answer begins with a letter of its own: %q", strings.TrimSpace(found))
		}
	}
	if longest > 2*shortest+lengthSlack {
		say("the answers differ too much in length: the shortest has %d characters, the longest %d", shortest, longest)
	}
	return out
}

// normal is a text as it is compared: words in small letters, without the
// punctuation of sentences and quotations around them.
func normal(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		if bare := strings.Trim(w, "`\"'*.,;:!?“”‘’"); bare != "" {
			words[i] = bare
		}
	}
	return strings.Join(words, " ")
}
