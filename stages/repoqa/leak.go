package repoqa

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"benchmill/stages/lang"
)

// Words that appear in prose about any program: the most widespread ones in the
// documentation of two standard libraries. A description may use them though an
// identifier holds them.
//
//go:embed commonwords.txt
var commonText string

var common = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(commonText) {
		m[w] = true
	}
	return m
}()

// shortest is the length from which a word can give something away: shorter ones
// are articles and loop variables.
const shortest = 3

// Leaks lists what a text gives away of a function's identifiers: whole
// identifiers, and words that identifiers are made of when split on case,
// underscores and digits. Common words are exempt. Each leak is named once, in
// the order of the identifiers.
func Leaks(text string, names lang.Names) []string {
	whole, words := map[string]bool{}, map[string]bool{}
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		whole[strings.ToLower(strings.Trim(token, "_"))] = true
		for _, w := range Words(token) {
			words[w] = true
		}
	}
	var out []string
	leak := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, id := range append(append([]string{names.Name}, names.Params...), names.Locals...) {
		lower := strings.ToLower(strings.Trim(id, "_"))
		if len(lower) >= shortest && !common[lower] && whole[lower] {
			leak(id)
			continue
		}
		for _, w := range Words(id) {
			if len(w) >= shortest && !common[w] && words[w] {
				leak(w)
			}
		}
	}
	return out
}

// Words splits an identifier on underscores, digits and changes of case, in
// lower case: "parseHTTPHeader2" is parse, http, header.
func Words(identifier string) []string {
	var out []string
	runes := []rune(identifier)
	start := 0
	cut := func(end int) {
		if start < end {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		}
	}
	cut(len(runes))
	return out
}

// parts are the four labelled parts of a description (section 3.1).
type parts struct {
	Purpose   string `json:"purpose"`
	Input     string `json:"input"`
	Output    string `json:"output"`
	Procedure string `json:"procedure"`
}

// incomplete reports whether a part is missing or empty.
func (d parts) incomplete() bool {
	return slices.ContainsFunc([]string{d.Purpose, d.Input, d.Output, d.Procedure}, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// problems says what is wrong with a description, for the model to mend.
func (d parts) problems(names lang.Names) []string {
	var out []string
	for _, p := range []struct{ name, text string }{
		{"Purpose", d.Purpose}, {"Input", d.Input}, {"Output", d.Output}, {"Procedure", d.Procedure},
	} {
		if strings.TrimSpace(p.text) == "" {
			out = append(out, fmt.Sprintf("the part %s is missing or empty", p.name))
		}
	}
	for _, word := range Leaks(strings.Join([]string{d.Purpose, d.Input, d.Output, d.Procedure}, "\n"), names) {
		out = append(out, fmt.Sprintf("it gives %q away", word))
	}
	return out
}
