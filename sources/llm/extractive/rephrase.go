package extractive

import (
	"slices"
	"strings"
	"unicode"
)

// writer writes sentences without banned words.
type writer struct {
	banned banned
	name   string   // the function's
	params []string // names, in order
}

// say returns the first of the variants that holds no banned word, else the first
// that synonyms make sayable, else "".
func (w writer) say(variants ...string) string {
	for _, v := range variants {
		if !w.banned.hasAny(v) {
			return finish(tokenize(v))
		}
	}
	for _, v := range variants {
		if out, ok := w.rephrase(v, false); ok {
			return out
		}
	}
	return ""
}

// token is a word or what stands between two words.
type token struct {
	text   string
	word   bool
	quoted bool // a word inside backquotes
}

func tokenize(s string) []token {
	var out []token
	quoted := false
	start := 0
	inWord := false
	flush := func(end int) {
		if end > start {
			out = append(out, token{s[start:end], inWord, quoted && inWord})
		}
		start = end
	}
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' ||
			r == '\'' && inWord && i+1 < len(s) && isLetterAt(s, i+1)
		if letter != inWord {
			flush(i)
			inWord = letter
		}
		if r == '`' {
			flush(i)
			start = i + 1 // backquotes go
			quoted = !quoted
		}
	}
	flush(len(s))
	return out
}

func isLetterAt(s string, i int) bool {
	for _, r := range s[i:] {
		return unicode.IsLetter(r)
	}
	return false
}

// rephrase replaces the banned words of a sentence: a parameter's name in
// backquotes by its place among the arguments, any other word by a synonym. Where
// it finds none and cut is set, what follows the last clause before the word is
// cut off. It reports false when nothing sayable is left.
func (w writer) rephrase(sentence string, cut bool) (string, bool) {
	tokens := tokenize(sentence)
	var out []token
	placeholders := map[string]bool{}
	for i, t := range tokens {
		argument := (t.quoted || len(t.text) == 1 && t.text != "a") && slices.Contains(w.params, t.text)
		if t.word && t.text == w.name && strings.ToLower(t.text) != t.text {
			out = append(out, token{text: "it", word: true}) // a mention of itself
			continue
		}
		if !t.word || !argument && !w.banned.has(t.text) {
			out = append(out, t)
			continue
		}
		if argument {
			place := w.place(t.text)
			if w.banned.hasAny(place) || placeholders[place] {
				return cutBack(out, cut)
			}
			placeholders[place] = true
			out = append(dropDeterminer(out), token{text: place, word: true})
			continue
		}
		alternative, ok := w.synonym(tokens, i)
		if !ok {
			return cutBack(out, cut)
		}
		out = append(out, token{text: alternative, word: true})
	}
	return finish(out), true
}

// hasAny is has for every word of a phrase.
func (b banned) hasAny(phrase string) bool {
	for _, t := range tokenize(phrase) {
		if t.word && b.has(t.text) {
			return true
		}
	}
	return false
}

var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}

// place names a parameter without its name.
func (w writer) place(param string) string {
	i := slices.Index(w.params, param)
	if len(w.params) == 1 {
		return w.noun("the argument", "the input", "the parameter", "the operand")
	}
	if i < 0 || i >= len(ordinals) {
		return w.noun("a later argument", "a further input")
	}
	return w.noun("the "+ordinals[i]+" argument", "the "+ordinals[i]+" input", "the "+ordinals[i]+" parameter")
}

// noun is say that always answers: with the last resort when nothing else is left.
func (w writer) noun(variants ...string) string {
	if out := w.say(variants...); out != "" {
		return out
	}
	return "it"
}

// synonym finds a sayable one for a word in its sentence.
func (w writer) synonym(tokens []token, at int) (string, bool) {
	word := tokens[at].text
	for _, s := range synonyms().instead(strings.ToLower(word), verbLike(tokens, at)) {
		if w.banned.hasAny(s) {
			continue
		}
		if first := []rune(word)[0]; unicode.IsUpper(first) {
			s = upperFirst(s)
		}
		return s, true
	}
	return "", false
}

var beforeVerbs = set("to it and then or which that must will can may not they you")

var determiners = set("a an the its their this that these those each every any some no one first last of with from by in on new as")

// verbLike guesses whether a word is a verb where it stands: at the beginning of
// a sentence or clause, after "to" or a pronoun, or with a verb's ending.
func verbLike(tokens []token, at int) bool {
	word := strings.ToLower(tokens[at].text)
	for i := at - 1; i >= 0; i-- {
		t := tokens[i]
		if !t.word {
			if strings.ContainsAny(t.text, ",;:.") {
				return true
			}
			continue
		}
		prev := strings.ToLower(t.text)
		switch {
		case determiners[prev]:
			return false
		case beforeVerbs[prev]:
			return true
		}
		return hasAnySuffix(word, "ing", "ed")
	}
	return true
}

var argumentWords = set("argument parameter param input")

var articles = set("a an the its their this that")

func dropDeterminer(out []token) []token {
	n := len(out)
	if n >= 2 && out[n-2].word && argumentWords[strings.ToLower(out[n-2].text)] {
		out, n = out[:n-2], n-2 // "the argument x"
	}
	if n >= 2 && out[n-2].word && articles[strings.ToLower(out[n-2].text)] && strings.TrimSpace(out[n-1].text) == "" {
		return out[:n-2]
	}
	return out
}

var dangling = set("and or but with of to in on by from for as at the a an its is are that which when if while into over under without until than where be not")

var clauseWords = set("and or but so if when which where with without as then unless because since while though also including such for e i using by in after before until")

// cutBack keeps the clauses before the word that could not be said.
func cutBack(out []token, cut bool) (string, bool) {
	if !cut {
		return "", false
	}
	for i := len(out) - 1; i > 0; i-- {
		if out[i].word || !strings.ContainsAny(out[i].text, ",;:(") || strings.HasPrefix(out[i].text, "(") {
			continue
		}
		if strings.HasPrefix(out[i].text, ",") && (i+1 >= len(out) || !clauseWords[strings.ToLower(out[i+1].text)]) {
			continue // between adjectives, or the parts of a list
		}
		words, open := 0, 0
		last := ""
		for _, t := range out[:i] {
			if t.word {
				words++
				last = strings.ToLower(t.text)
			}
			open += strings.Count(t.text, "(") - strings.Count(t.text, ")")
		}
		if words >= 3 && open <= 0 && !dangling[last] {
			return finish(out[:i]), true
		}
	}
	return "", false
}

// finish joins tokens, with "a" and "an" as the next word wants them.
func finish(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		text := t.text
		if low := strings.ToLower(text); t.word && (low == "a" || low == "an") && i+2 < len(tokens) && tokens[i+2].word && strings.Trim(tokens[i+1].text, " “") == "" {
			text = text[:1]
			if wantsAn(tokens[i+2].text) {
				text += "n"
			}
		}
		b.WriteString(text)
	}
	return strings.TrimSpace(b.String())
}

func wantsAn(next string) bool {
	low := strings.ToLower(next)
	if hasPrefix(low, "uni", "uin", "use", "uti", "one", "eu") {
		return false
	}
	return hasPrefix(low, "a", "e", "i", "o", "u", "hour", "honest")
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
