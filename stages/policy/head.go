package policy

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/google/licensecheck"

	"benchmill/internal/digest"
	"benchmill/internal/spdx"
)

// Bounds of what is read of one file, in bytes.
const (
	maxHead    = 16 << 10 // a source file
	maxLicence = 1 << 20  // a licence file or an annotation file
)

// identifier is a line with an SPDX tag. Only marks of comments may stand before
// it, so that string constants and prose about tags are none.
var identifier = regexp.MustCompile("(?m)^[^A-Za-z0-9\"'`\n]*(?:(?i:rem|dnl)[ \t]+)?SPDX-License-Identifier:[ \t]*([^\r\n]*)")

// closers end comments of one line.
var closers = regexp.MustCompile(`\*/|-->|\*\)|-\}|#\}|%>|"""|'''`)

const tag = "SPDX-License-Identifier:"

// identifiers reads all SPDX tags of a text as one expression; bad is how many
// could not be read.
func identifiers(text []byte) (e spdx.Expr, bad int64) {
	if !bytes.Contains(text, []byte(tag)) {
		return e, 0
	}
	var all []spdx.Expr
	for _, m := range identifier.FindAllSubmatch(text, -1) {
		line := string(m[1])
		if at := closers.FindStringIndex(line); at != nil {
			line = line[:at[0]]
		}
		one, err := spdx.Parse(strings.TrimRight(line, " \t*/#;"))
		if err != nil {
			bad++
			continue
		}
		all = append(all, one)
	}
	return spdx.And(all...), bad
}

// scanned is what licensecheck finds in a text: all of it holds together.
// percent is the share of the text's words that belong to known licences.
func scanned(text []byte) (e spdx.Expr, percent float64) {
	found := licensecheck.Scan(text)
	var all []spdx.Expr
	for _, m := range found.Match {
		if !m.IsURL {
			all = append(all, spdx.Licence(m.ID))
		}
	}
	if len(all) == 0 {
		return spdx.Expr{}, 0
	}
	return spdx.And(all...), found.Percent
}

// knownTexts is the identity of the texts that licensecheck knows, which come with
// its module and not with a version of ours.
var knownTexts = sync.OnceValue(func() string {
	e := digest.New("benchmill/licensecheck/1")
	for _, l := range licensecheck.BuiltinLicenses() {
		e.String(l.ID)
		e.String(l.LRE)
		e.String(l.URL)
	}
	return "licensecheck#" + e.Sum().Short()
})

// headOf is the part of a file that is looked at, nil for what is no text.
func headOf(content []byte) []byte {
	head := content[:min(len(content), maxHead)]
	if bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	return head
}
