package importtest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Benchmarks are words that name a benchmark. A language knows none of them.
var Benchmarks = []string{"repoqa", "swebench", "swe-bench", "crosscodeeval", "yabloco", "longcodebench"}

// Names lists the names that a file must not say in its strings and identifiers:
// of languages in the core and in benchmarks, of benchmarks in languages and in
// the core. languages are the names and titles of the registry.
func Names(f *File, languages []string) []string {
	p := f.Package()
	core := within(p, "pipeline/...") || within(p, "artifacts/...")
	benchmark := within(p, "stages/...") && !within(p, "stages/lang/...")
	var out []string
	say := func(what, name, where string) {
		out = append(out, fmt.Sprintf("%s: names the %s %s: %q", f.Name, what, name, where))
	}
	if core || benchmark || p == "schemas" {
		for _, l := range languages {
			for _, s := range f.Literals {
				if mentions(s, l) {
					say("language", l, s)
				}
			}
			for _, id := range f.Names {
				if len(l) > 2 && slices.Contains(words(id), strings.ToLower(l)) {
					say("language", l, id)
				}
			}
		}
	}
	if core || within(p, "stages/lang/...") {
		for _, b := range Benchmarks {
			for _, s := range append(slices.Clone(f.Literals), f.Names...) {
				if strings.Contains(strings.ToLower(s), b) {
					say("benchmark", b, s)
				}
			}
		}
	}
	return out
}

// mentions reports whether a text names a language: the whole text does, or a
// word of it where the name is no word of English as well.
func mentions(text, language string) bool {
	if strings.EqualFold(text, language) {
		return true
	}
	if len(language) <= 2 {
		return false // "c" and "go"
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '+' && r != '#'
	}), func(w string) bool { return strings.EqualFold(w, language) })
}

// words splits an identifier where its case changes, in lower case.
func words(identifier string) []string {
	var out []string
	start := 0
	for i, r := range identifier {
		if i > start && unicode.IsUpper(r) {
			out = append(out, strings.ToLower(identifier[start:i]))
			start = i
		}
	}
	return append(out, strings.ToLower(identifier[start:]))
}
