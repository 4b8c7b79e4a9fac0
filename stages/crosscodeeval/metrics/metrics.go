package metrics

import (
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchmill/internal/pytext"
)

// StripComments removes everything from the first '#' or "//" of each line, in
// every language and in strings too, as the evaluator does on both sides. Only
// "\n" ends a line.
func StripComments(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		lines[i], _, _ = strings.Cut(line, "//")
	}
	return strings.Join(lines, "\n")
}

// ExactMatch reports whether the lines that are not blank are the same, without
// white space around them.
func ExactMatch(prediction, reference string) bool {
	return slices.Equal(stripped(prediction), stripped(reference))
}

func stripped(code string) []string {
	lines := pytext.NotBlank(code)
	for i := range lines {
		lines[i] = pytext.Strip(lines[i])
	}
	return lines
}

// EditSimilarity is 100 times 2M/T, rounded half to even: M characters in a
// longest common subsequence, T in both texts together, white space around them
// not counted. It is the ratio of python-Levenshtein as fuzzywuzzy rounds it:
// with insertions and deletions alone, not the distance of Levenshtein, which
// replaces too. Two empty texts are equal. Where python-Levenshtein is missing,
// fuzzywuzzy falls back to Python's difflib, whose ratio may be lower.
func EditSimilarity(prediction, reference string) int {
	a, b := []rune(pytext.Strip(prediction)), []rune(pytext.Strip(reference))
	if len(a)+len(b) == 0 {
		return 100
	}
	ratio := float64(2*common(a, b)) / float64(len(a)+len(b))
	return int(math.RoundToEven(100 * ratio))
}

// common is the length of a longest common subsequence, 64 characters of b at a
// time (Hyyrö, 2004, "Bit-parallel LCS-length computation revisited"): bit j of
// the row is 0 where the length grows from b[:j] to b[:j+1].
func common(a, b []rune) int {
	words := (len(b) + 63) / 64
	row := make([]uint64, words)
	for i := range row {
		row[i] = math.MaxUint64
	}
	where := map[rune][]uint64{} // of each character in b
	for j, r := range b {
		if where[r] == nil {
			where[r] = make([]uint64, words)
		}
		where[r][j/64] |= 1 << (j % 64)
	}
	for _, r := range a {
		match := where[r]
		if match == nil {
			continue
		}
		var carry uint64
		for i, v := range row {
			var sum uint64
			sum, carry = bits.Add64(v, v&match[i], carry)
			row[i] = sum | v&^match[i]
		}
	}
	length := 0
	for j := range b {
		if row[j/64]>>(j%64)&1 == 0 {
			length++
		}
	}
	return length
}

// quoted are strings between equal quotes, over line ends too, with escapes of
// anything but a line end.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)

// Identifiers are the words of code in their order, repetitions included: what is
// between quotes is taken out without a trace (what stood around it may grow
// together), then runs of letters, numbers and underscores count that begin with
// an ASCII letter or an underscore and are no keyword. A prefix of a string, as
// in f"", and all words between backquotes are among them.
func Identifiers(code string, keywords map[string]bool) []string {
	var out []string
	code = quoted.ReplaceAllString(code, "")
	for _, word := range strings.FieldsFunc(code, func(r rune) bool { return !pytext.IsWord(r) }) {
		if c := word[0]; (c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z') && !keywords[word] {
			out = append(out, word)
		}
	}
	return out
}

// Overlap compares identifiers as sets, each share 0 to 1 and 0 where there is
// nothing to share: two texts without identifiers have an F1 of 0.
func Overlap(prediction, reference []string) (precision, recall, f1 float64) {
	p, r := unique(prediction), unique(reference)
	both := 0
	for _, word := range p {
		if _, ok := slices.BinarySearch(r, word); ok {
			both++
		}
	}
	return share(both, len(p)), share(both, len(r)), share(2*both, len(p)+len(r))
}

func unique(words []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Round2 rounds to two decimals as Python's round does: the nearest decimal of
// the exact value, half to even.
func Round2(x float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 2, 64), 64)
	return out
}
