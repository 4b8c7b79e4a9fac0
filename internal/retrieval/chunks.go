package retrieval

import (
	"path"
	"slices"
	"strings"

	"benchmill/internal/pytext"
)

// Sizes of the published settings, in lines that are not blank.
const (
	ChunkLines = 10 // of a chunk
	Stride     = 10 // from one chunk to the next: they do not overlap
	QueryLines = 10 // of a query
)

// Lines cuts a file into chunks of size lines, one every stride lines. Blank
// lines are left out beforehand, line ends are made "\n", and a chunk without a
// single word is no chunk and takes no index. Text is UTF-8.
func Lines(file, text string, size, stride int) []Chunk {
	lines := pytext.NotBlank(pytext.Newlines(text))
	var out []Chunk
	for i := 0; i < len(lines); i += stride {
		c := Chunk{Path: file, Index: len(out), Text: strings.Join(lines[i:min(i+size, len(lines))], "\n")}
		if c.Words = Words(c.Text); len(c.Words) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// Query is the last n lines that are not blank of texts that follow each other.
// A line that goes over from one text to the next counts as two, as in the
// published script, where the reference joins the prompt as lines of its own.
func Query(n int, texts ...string) string {
	var lines []string
	for _, t := range texts {
		lines = append(lines, pytext.NotBlank(t)...)
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// MaxDistance is the published limit of [Distance], which hardly any path meets.
const MaxDistance = 100

// Near orders paths by their distance from the current file, then by bytes, and
// returns at most limit of them: not the current file, none further than
// [MaxDistance], and none whose name or folder starts with a dot, which the
// published script's search for files passes over.
func Near(current string, paths []string, limit int) []string {
	distances := make(map[string]int, len(paths))
	var out []string
	for _, p := range paths {
		if p == current || hidden(p) {
			continue
		}
		if d := Distance(current, p); d <= MaxDistance {
			distances[p] = d
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if d := distances[a] - distances[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out[:min(limit, len(out))]
}

func hidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// Distance counts the folders between two files: the separators in what is left
// of both paths after the folders they share.
func Distance(a, b string) int {
	as, bs := strings.Split(path.Clean(a), "/"), strings.Split(path.Clean(b), "/")
	shared := 0
	for shared < min(len(as), len(bs)) && as[shared] == bs[shared] {
		shared++
	}
	return max(0, len(as)-shared-1) + max(0, len(bs)-shared-1)
}
