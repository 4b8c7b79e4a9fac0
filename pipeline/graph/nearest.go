package graph

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

const (
	maxCandidates = 1000 // names compared with a wrong one
	maxCompared   = 64   // characters of a name worth comparing
	maxListed     = 12   // names listed when none is near
)

// nearest returns the candidate most like name, if one is near enough to have
// been meant: one edit and another for every four characters, or the last word of a dotted
// name. Of equals the first wins.
func nearest(name string, candidates []string) (string, bool) {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > maxCompared {
		return "", false
	}
	best, found := n/4+2, ""
	folded := strings.ToLower(name)
	for _, c := range candidates[:min(len(candidates), maxCandidates)] {
		m := utf8.RuneCountInString(c)
		if c == name || m > maxCompared || max(m-n, n-m) >= best {
			continue
		}
		if d := levenshtein.ComputeDistance(folded, strings.ToLower(c)); d < best && d < max(n, m) {
			best, found = d, c
		}
	}
	if found != "" {
		return found, true
	}
	for _, c := range candidates[:min(len(candidates), maxCandidates)] {
		if strings.HasSuffix(c, "."+name) || strings.HasPrefix(c, name+".") {
			return c, true
		}
	}
	return "", false
}

// hint is what to say after a wrong name: the nearest, else all when few.
func hint(name string, candidates []string) string {
	if near, ok := nearest(name, candidates); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(candidates) == 0 || len(candidates) > maxListed {
		return ""
	}
	return "known here: " + strings.Join(candidates, ", ")
}
