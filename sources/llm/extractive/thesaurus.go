package extractive

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed thesaurus.txt
var thesaurusText string

// thesaurus holds, by class and base form, what to say instead of a word.
type thesaurus struct{ nouns, verbs, words map[string][]string }

var synonyms = sync.OnceValue(func() thesaurus {
	t, err := parseThesaurus(thesaurusText)
	if err != nil {
		panic(err) // part of the program; a test reads it
	}
	return t
})

func parseThesaurus(text string) (thesaurus, error) {
	t := thesaurus{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, alternatives, ok := strings.Cut(line, ":")
		class, word, ok2 := strings.Cut(head, " ")
		into := map[string]map[string][]string{"noun": t.nouns, "verb": t.verbs, "word": t.words}[class]
		if !ok || !ok2 || into == nil {
			return t, fmt.Errorf("thesaurus.txt:%d: not of the form \"class word: alternatives\"", n+1)
		}
		into[word] = append(into[word], list(alternatives)...)
	}
	return t, nil
}

// instead lists what may stand for a lower-case word, best first, in the word's
// own inflection. asVerb says that a verb is the likelier reading.
func (t thesaurus) instead(word string, asVerb bool) []string {
	var out []string
	out = append(out, t.words[word]...)
	if asVerb {
		return append(append(out, t.asVerb(word)...), t.asNoun(word)...)
	}
	return append(append(out, t.asNoun(word)...), t.asVerb(word)...)
}

func (t thesaurus) asNoun(word string) []string {
	if alternatives, ok := t.nouns[word]; ok {
		return alternatives
	}
	for _, base := range bases(word, "s") {
		if alternatives, ok := t.nouns[base]; ok {
			return inflectAll(alternatives, plural)
		}
	}
	return nil
}

func (t thesaurus) asVerb(word string) []string {
	if alternatives, ok := t.verbs[word]; ok {
		return alternatives
	}
	for _, ending := range []string{"s", "ed", "ing"} {
		for _, base := range bases(word, ending) {
			if alternatives, ok := t.verbs[base]; ok {
				return inflectAll(alternatives, func(v string) string { return conjugate(v, ending) })
			}
		}
	}
	return nil
}

func inflectAll(words []string, inflect func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = inflect(w)
	}
	return out
}

// bases lists what word may be without the ending.
func bases(word, ending string) []string {
	if ending == "s" {
		switch {
		case strings.HasSuffix(word, "ies"):
			return []string{word[:len(word)-3] + "y", word[:len(word)-1]}
		case strings.HasSuffix(word, "es"):
			return []string{word[:len(word)-1], word[:len(word)-2]}
		}
	}
	cut, ok := strings.CutSuffix(word, ending)
	if !ok || cut == "" {
		return nil
	}
	out := []string{cut}
	if ending != "s" {
		out = append(out, cut+"e")
		if n := len(cut); n > 2 && cut[n-1] == cut[n-2] {
			out = append(out, cut[:n-1])
		}
		if strings.HasSuffix(cut, "i") {
			out = append(out, cut[:len(cut)-1]+"y")
		}
	}
	return out
}

// plural inflects the last word of a noun phrase, or the one before an "of".
func plural(phrase string) string {
	if head, rest, ok := strings.Cut(phrase, " of "); ok {
		return plural(head) + " of " + rest
	}
	switch {
	case phrase == "information" || phrase == "material" || phrase == "whitespace" || strings.HasSuffix(phrase, "ss") && phrase != "class":
		return phrase
	case strings.HasSuffix(phrase, "vertex"):
		return strings.TrimSuffix(phrase, "ex") + "ices"
	case hasAnySuffix(phrase, "s", "x", "ch", "sh", "z"):
		if strings.HasSuffix(phrase, "s") && !hasAnySuffix(phrase, "ss", "us") {
			return phrase // already one: "facts"
		}
		return phrase + "es"
	case strings.HasSuffix(phrase, "y") && !hasAnySuffix(phrase, "ay", "ey", "oy", "uy"):
		return phrase[:len(phrase)-1] + "ies"
	}
	return phrase + "s"
}

// conjugate inflects the first word of a verb phrase.
func conjugate(phrase, ending string) string {
	verb, rest, _ := strings.Cut(phrase, " ")
	y := strings.HasSuffix(verb, "y") && !hasAnySuffix(verb, "ay", "ey", "oy", "uy")
	switch {
	case ending == "s" && hasAnySuffix(verb, "s", "x", "ch", "sh", "z", "o"):
		verb += "es"
	case ending == "s" && y:
		verb = verb[:len(verb)-1] + "ies"
	case ending == "ed" && y:
		verb = verb[:len(verb)-1] + "ied"
	case ending == "ed" && irregular[verb] != "":
		verb = irregular[verb]
	case ending != "s" && doubled[verb]:
		verb += verb[len(verb)-1:] + ending
	case ending == "ing" && strings.HasSuffix(verb, "e") && !strings.HasSuffix(verb, "ee"):
		verb = verb[:len(verb)-1] + ending
	case ending == "ed" && strings.HasSuffix(verb, "e"):
		verb += "d"
	default:
		verb += ending
	}
	if rest != "" {
		verb += " " + rest
	}
	return verb
}

// Past participles and doubled consonants among the verbs of thesaurus.txt.
var (
	irregular = map[string]string{
		"make": "made", "hold": "held", "put": "put", "choose": "chosen", "begin": "begun", "take": "taken",
		"shut": "shut", "cut": "cut", "split": "split", "draw": "drawn", "show": "shown", "stand": "stood",
		"break": "broken", "lay": "laid", "redo": "redone",
	}
	doubled = map[string]bool{"admit": true, "permit": true, "trim": true, "chop": true, "skip": true, "drop": true,
		"stop": true, "flip": true, "fit": true, "omit": true, "tag": true, "flag": true, "shut": true, "put": true,
		"cut": true, "split": true, "allot": true, "transfer": true, "transmit": true, "begin": true, "strip": true, "map": true}
)
