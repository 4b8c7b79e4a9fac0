package yabloco

import (
	"regexp"
	"slices"
	"strings"

	"benchmill/schemas"
)

// Reasons functions are dropped under by [Candidates].
const (
	reasonNotCovered    = "not_covered"
	reasonShortDoc      = "short_docstring"
	reasonLicenceText   = "licence_text"
	reasonRuler         = "ruler"
	reasonCode          = "commented_out_code"
	reasonShortBody     = "short_body"
	reasonLongBody      = "long_body"
	reasonTest          = "test"
	reasonCallers       = "many_callers"
	reasonHeadBranches  = "branches_in_signature"
	reasonOddText       = "no_body" // the body's text cannot be told from the rest
	reasonNearDuplicate = "near_duplicate"
	reasonDuplicate     = "duplicate"
)

const ruler = "===="

// licenceWords begin texts that are no description of a function.
var licenceWords = []string{"copyright", "spdx-license-identifier", "all rights reserved", "permission is hereby granted", "redistribution and use"}

// header is a function header with braces behind it, in one comment.
var header = regexp.MustCompile(`(?s)\w\s*\([^()]*\)\s*\{.*\}`)

// docReason is why a docstring describes no function, or "" ("docstring of more than
// 3 words, no licence text, no ==== ruler, no commented-out code").
func docReason(doc string, upstream bool) string {
	licence := func(words string) bool { return strings.Contains(strings.ToLower(doc), words) }
	if upstream {
		licence = func(string) bool { return strings.Contains(doc, "Copyright") }
	}
	switch {
	case len(strings.Fields(doc)) <= 3:
		return reasonShortDoc
	case slices.ContainsFunc(licenceWords, licence):
		return reasonLicenceText
	case strings.Contains(doc, ruler):
		return reasonRuler
	case header.MatchString(doc), !upstream && mostlyCode(doc):
		return reasonCode
	}
	return ""
}

// mostlyCode reports whether more lines end as statements and blocks do than not.
func mostlyCode(doc string) bool {
	code, lines := 0, 0
	for line := range strings.Lines(doc) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		lines++
		if strings.ContainsRune(";{}", rune(line[len(line)-1])) {
			code++
		}
	}
	return 2*code > lines
}

// isTest reports whether a function is a test by its name or path. Upstream looks
// for "test" alone.
func isTest(f schemas.RepositoryFunction, upstream bool) bool {
	words := []string{"test", "Test", "TEST"}
	if upstream {
		words = words[:1]
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(f.Name, word) || strings.Contains(f.File, word)
	})
}
