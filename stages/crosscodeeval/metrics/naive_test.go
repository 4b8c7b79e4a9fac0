package metrics

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A second implementation of the documented steps, character by character and
// without a thought for speed.

func naiveSpace(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85", r) || unicode.Is(unicode.Z, r)
}

func naiveCut(l *Language, prompt, prediction string, parses func(string) (bool, error)) string {
	text := []rune(prediction)
	for i, r := range text {
		switch {
		case l.Parse:
			if ok, _ := parses(prompt + string(text[:i+1])); !ok {
				continue
			}
			if i+1 == len(text) {
				return prediction
			}
			if text[i+1] == '\n' {
				return strings.TrimRightFunc(string(text[:i+1]), naiveSpace)
			}
		case r == ';' || r == '{' || r == '}':
			if i == 0 {
				return prediction
			}
			return string(text[:i+1])
		}
	}
	return prediction
}

var hash, slashes = regexp.MustCompile(`#[^\n]*`), regexp.MustCompile(`//[^\n]*`)

func naiveLines(code string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(code, "\n") {
		if line = strings.TrimFunc(line, naiveSpace); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func naiveES(a, b string) int {
	x, y := []rune(strings.TrimFunc(a, naiveSpace)), []rune(strings.TrimFunc(b, naiveSpace))
	if string(x) == string(y) {
		return 100
	}
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	table := make([][]int, len(x)+1) // edits with insertions and deletions
	for i := range table {
		table[i] = make([]int, len(y)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
				table[i][j] = i + j
			case x[i-1] == y[j-1]:
				table[i][j] = table[i-1][j-1]
			default:
				table[i][j] = 1 + min(table[i-1][j], table[i][j-1])
			}
		}
	}
	all := float64(len(x) + len(y))
	scaled := 100 * ((all - float64(table[len(x)][len(y)])) / all)
	down := math.Floor(scaled)
	if rest := scaled - down; rest > 0.5 || rest == 0.5 && int(down)%2 == 1 {
		down++
	}
	return int(down)
}

// naiveIdentifiers reads strings by hand: an opening quote counts where the
// string is closed.
func naiveIdentifiers(code string, keywords map[string]bool) []string {
	text := []rune(code)
	var kept []rune
	for i := 0; i < len(text); i++ {
		if text[i] == '"' || text[i] == '\'' {
			if end := naiveString(text, i); end > 0 {
				i = end
				continue
			}
		}
		kept = append(kept, text[i])
	}
	var out []string
	word := ""
	for _, r := range append(kept, ' ') {
		if r == '_' || unicode.In(r, unicode.L, unicode.N) {
			word += string(r)
			continue
		}
		if word != "" && strings.Contains("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", word[:1]) && !keywords[word] {
			out = append(out, word)
		}
		word = ""
	}
	return out
}

// naiveString is where the string that opens at i closes, 0 for nowhere.
func naiveString(text []rune, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == text[i]:
			return j
		case text[j] == '\\':
			if j++; j < len(text) && text[j] == '\n' {
				return 0
			}
		}
	}
	return 0
}

func naiveJudge(l *Language, prompt, prediction, reference string, parses func(string) (bool, error)) Score {
	s := Score{Prediction: naiveCut(l, prompt, prediction, parses), Reference: reference}
	for _, side := range []*string{&s.Prediction, &s.Reference} {
		*side = slashes.ReplaceAllString(hash.ReplaceAllString(*side, ""), "")
	}
	s.EM = naiveLines(s.Prediction) == naiveLines(s.Reference)
	s.ES = naiveES(s.Prediction, s.Reference)
	p, r := naiveIdentifiers(s.Prediction, l.Keywords), naiveIdentifiers(s.Reference, l.Keywords)
	s.IDEM = slices.Equal(p, r)
	sets := [2]map[string]bool{{}, {}}
	for _, w := range p {
		sets[0][w] = true
	}
	for _, w := range r {
		sets[1][w] = true
	}
	var hit, wrong, missed float64
	for w := range sets[0] {
		if sets[1][w] {
			hit++
		} else {
			wrong++
		}
	}
	missed = float64(len(sets[1])) - hit
	if hit > 0 {
		s.Precision, s.Recall, s.F1 = hit/(hit+wrong), hit/(hit+missed), 2*hit/(2*hit+wrong+missed)
	}
	return s
}
