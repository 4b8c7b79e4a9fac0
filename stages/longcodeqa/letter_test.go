package longcodeqa

import (
	"strings"
	"testing"
)

func TestLetter(t *testing.T) {
	for reply, want := range map[string]string{
		// Nothing but a letter.
		"B": "B", " b\n": "B", "(C)": "C", "**D**": "D", "D.": "D", "`a`": "A", "[A]": "A", "«C»": "C", "$\\,B$": "B",
		// Structured.
		`{"letter":"B"}`: "B", `{"reason":"A is wrong, D too","letter":"C"}`: "C", `{"letter":"C","reason":"A, B and D are wrong"}`: "C",
		"```json\n{\"letter\": \"d\", \"reason\": \"not A\"}\n```": "D", `{"letter":"B) The sum"}`: "B",
		"Here it is:\n```\n{\"letter\": \"A\"}\n```\nNot B.": "A",
		`{"letter":"B","reason":"cut off at A`:               "B",
		`{"answer": "C", "reason": "as A does"}`:             "C",
		`{"letter":""}`:                                      "",
		`{"letter":"E"}`:                                     "",
		// Called the answer.
		"Answer: B": "B", "**Answer:** C because of A": "C", "**Answer**: C, as D says": "C", "The answer is (D), not A.": "D",
		"Final Answer: **A**": "A", "answer is b": "B", "the answer is option C since B is not": "C", "Answer: \\boxed{D}": "D",
		"Answer: A because it says so, unlike B": "A", "Answer: A at first. Final answer: B. (C is wrong.)": "B",
		"Answer:\n\nB\n\nA and C are wrong": "B", "answer = `C`": "C", "ANSWER: D": "D",
		"The answer is a function, so B": "B", "The answer is a.": "A", "The answer is definitely B": "B",
		"The answer is Django": "", "The answer is C++": "", "answers B": "B",
		// A line of its own.
		"It is the second one.\n\nB\n\nOption A would need a loop.": "B", "A\nB": "B", "**C**\n\nD was close": "C",
		// Standing alone.
		"I choose B.": "B", "Not A but C": "C", "B) It returns None": "B", "A) It returns None": "A", "Between A and D: D!": "D",
		"It must be B, A function returns": "B", "so D's out, hence B": "B", "C-style loops: B": "B", "B, as in C++ or C#": "B", "Plan-D: use A.": "A",
		"B_1 and A1 and 2D, then C": "C", "ÄB is no letter, C is": "C", "D\u0301": "D", "Aé": "",
		// None.
		"": "", "No idea.": "", "A function is called": "", "E": "", "I do not know": "", "ABCD": "", "é": "", "ab": "", "DNS and CABLE": "", "none of A-D": "",
	} {
		if got := Letter(reply); got != want {
			t.Errorf("%q: %q, want %q", reply, got, want)
		}
	}
}

func FuzzLetter(f *testing.F) {
	for _, s := range []string{"B", `{"letter":"C"}`, "answer is (D", "A function\n\nB", "```\n{\"letter\":\"A\"}\n```", "C++ D’s", "\xff\xfeB\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		letter := Letter(reply)
		if letter == "" {
			return
		}
		if len(letter) != 1 || !strings.Contains("ABCD", letter) || !strings.ContainsAny(reply, letter+strings.ToLower(letter)) && !strings.Contains(reply, `\u`) {
			t.Errorf("%q of %q", letter, reply)
		}
		if again := Letter(letter); again != letter {
			t.Errorf("%q, then %q", letter, again)
		}
		if said := Letter("Final answer: " + letter + "\n"); said != letter {
			t.Errorf("%q, then %q", letter, said)
		}
	})
}
