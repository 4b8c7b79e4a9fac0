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
	reasonOddHead       = "odd_signature"
	reasonOddText       = "no_body" // the body's text cannot be told from the rest
	reasonNearDuplicate = "near_duplicate"
	reasonDuplicate     = "duplicate"
)

const ruler = "===="

// licenceWords begin texts that are no description of a function.
var licenceWords = []string{"copyright", "spdx-license-identifier", "all rights reserved", "permission is hereby granted", "redistribution and use"}

// header is a function header with braces behind it, in one comment. Upstream's has
// parameters, of which it sees those without marks other than '&' and ','.
var (
	header         = regexp.MustCompile(`(?s)\w\s*\([^()]*\)\s*\{.*\}`)
	upstreamHeader = regexp.MustCompile(`\w[ \t\r\n]?\([\w \t\r\n&,]+\)[ \t\r\n]*\{`)
)

// docReason is why a docstring describes no function, or "" ("docstring of more than
// 3 words, no licence text, no ==== ruler, no commented-out code").
func docReason(doc string, upstream bool) string {
	licence := func(words string) bool { return strings.Contains(strings.ToLower(doc), words) }
	code := header.MatchString(doc) || mostlyCode(doc)
	if upstream {
		licence = func(string) bool { return strings.Contains(doc, "Copyright") }
		code = upstreamHeader.MatchString(doc) && strings.Contains(doc, "}")
	}
	switch {
	case len(strings.Fields(doc)) <= 3:
		return reasonShortDoc
	case slices.ContainsFunc(licenceWords, licence):
		return reasonLicenceText
	case strings.Contains(doc, ruler):
		return reasonRuler
	case code:
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

// oneHead reports whether a signature is the head of a function and no more: an
// empty line or, unless the head ends with declarations of its parameters, a ';'
// outside of brackets and comments ends something else, which was not understood.
func oneHead(signature string) bool {
	declared := strings.HasSuffix(signature, ";")
	depth, blank := 0, false // blank: the line so far is
	for i := 0; i < len(signature); {
		if next := skip(signature, i); next > i {
			i, blank = next, false
			continue
		}
		switch c := signature[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1) // quotes that are none may have hidden a bracket
		case ';':
			if depth == 0 && !declared {
				return false
			}
		case '\n':
			if depth == 0 && blank {
				return false
			}
		}
		blank = signature[i] == '\n' || blank && strings.IndexByte(" \t\r", signature[i]) >= 0
		i++
	}
	return true
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
