package scrub

import (
	"math"
	"regexp"
)

// isRandom tells a value drawn at random from a name: it has at least 3 bits of
// entropy a character, and somewhere a run of 8 letters and digits mixed, with
// two of each at least and changes between them. Names made of words, numbers and
// dates lack such a run. A UUID counts as drawn.
func isRandom(s string) bool {
	return uuid.MatchString(s) || entropy(s) >= 3 && hasMixedRun(s)
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func hasMixedRun(s string) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (isDigit(s[i]) || isLetter(s[i])) {
			continue
		}
		if isMixed(s[start:i]) {
			return true
		}
		start = i + 1
	}
	return false
}

// isMixed reports whether letters and digits alternate at least three times:
// "release20240102" and "sha256sum" do not.
func isMixed(run string) bool {
	if len(run) < 8 {
		return false
	}
	changes, digits := 0, 0
	for i := range len(run) {
		if isDigit(run[i]) {
			digits++
		}
		if i > 0 && isDigit(run[i]) != isDigit(run[i-1]) {
			changes++
		}
	}
	return changes >= 3 && digits >= 2 && len(run)-digits >= 2
}

// entropy is the Shannon entropy of the bytes, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var bits float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
