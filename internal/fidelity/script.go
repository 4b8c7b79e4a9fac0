package main

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"benchmill/schemas"
)

// script is the published retrieval by its documented steps, straightforwardly and
// apart from what it is to check: lists of pairs are sorted and walked, words are
// counted chunk by chunk.
type script struct {
	ids, texts []string
	words      [][]string
}

// newScript cuts the files around one. Which files of a language are searched is
// in their paths: TypeScript's below src/ only.
func newScript(files map[string]string, current string) *script {
	type pair struct {
		distance int
		path     string
	}
	var near []pair
	for p := range files {
		ext := path.Ext(p)
		if p == current || strings.HasPrefix(p, ".") || strings.Contains(p, "/.") || !slices.Contains([]string{".py", ".java", ".cs", ".ts", ".tsx"}, ext) ||
			strings.HasPrefix(ext, ".ts") && !strings.HasPrefix(p, "src/") {
			continue
		}
		a, b := p, current
		for { // the folders they share go
			x, restA, okA := strings.Cut(a, "/")
			y, restB, okB := strings.Cut(b, "/")
			if !okA || !okB || x != y {
				break
			}
			a, b = restA, restB
		}
		near = append(near, pair{strings.Count(a, "/") + strings.Count(b, "/"), p})
	}
	sort.Slice(near, func(i, j int) bool {
		return near[i].distance < near[j].distance || near[i].distance == near[j].distance && near[i].path < near[j].path
	})
	s := &script{}
	for _, f := range near[:min(1000, len(near))] {
		lines := full(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(files[f.path]))
		n := 0
		for ; len(lines) > 0; lines = lines[min(10, len(lines)):] {
			text := strings.Join(lines[:min(10, len(lines))], "\n")
			if words := scriptWords(text); len(words) > 0 {
				s.ids, s.texts, s.words = append(s.ids, fmt.Sprintf("%s|%d", f.path, n)), append(s.texts, text), append(s.words, words)
				n++
			}
		}
	}
	return s
}

func full(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

var (
	run    = regexp.MustCompile(`[\pL\pN_]+`)
	parted = []*regexp.Regexp{
		regexp.MustCompile(`([^' ])(n't|N'T)([ ;@#$%&?!()\[\]{}<>*"]|[,:]\D|--|\.\.|$)`),
		regexp.MustCompile(`(?i)\b(can)(not)\b`), regexp.MustCompile(`(?i)\b(gim|lem)(me)\b`), regexp.MustCompile(`(?i)\b(gon|wan)(na)\b`),
		regexp.MustCompile(`(?i)\b(got)(ta)\b`),
	}
)

// scriptWords are the runs of word characters, with the few words in one parted
// that code has.
func scriptWords(text string) []string {
	text = parted[0].ReplaceAllString(text, "$1 $2$3")
	for _, two := range parted[1:] {
		text = two.ReplaceAllString(text, "$1 $2")
	}
	return run.FindAllString(text, -1)
}

type ranking struct {
	hits []schemas.RetrievedChunk
	tied bool
}

type scored struct {
	score float64
	text  string
}

// retrieve ranks the first 1000 chunks and takes 5.
func (s *script) retrieve(setting, prompt, reference string) ranking {
	how, ranker, _ := strings.Cut(setting, "_")
	lines := full(prompt)
	if how == "oracle" {
		lines = append(lines, full(reference)...)
	}
	query := scriptWords(strings.Join(lines[max(0, len(lines)-10):], "\n"))
	n := min(1000, len(s.ids))
	scores := okapi(query, s.words[:n])
	if ranker == "jaccard_sim" {
		scores = jaccard(query, s.words[:n])
	}
	ids, texts := descending(scores, s.ids[:n]), descending(scores, s.texts[:n])
	var r ranking
	for i := range ids {
		at := slices.Index(s.ids, ids[i].text)
		file := ids[i].text[:strings.LastIndexByte(ids[i].text, '|')]
		text := texts[i].text
		if how == "rg1" {
			if text = s.texts[at]; at+1 < len(s.ids) && strings.HasPrefix(s.ids[at+1], file+"|") {
				text = s.texts[at+1]
			}
			if slices.ContainsFunc(r.hits, func(h schemas.RetrievedChunk) bool { return h.Text == text }) {
				continue
			}
		}
		r.hits = append(r.hits, schemas.RetrievedChunk{Text: text, Path: file, Score: ids[i].score})
		r.tied = r.tied || i+1 < n && ids[i+1].score == ids[i].score
		if len(r.hits) == min(5, n) {
			break
		}
	}
	return r
}

// descending sorts pairs of score and text, the largest first.
func descending(scores []float64, texts []string) []scored {
	out := make([]scored, len(scores))
	for i := range scores {
		out[i] = scored{scores[i], texts[i]}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].score > out[j].score || out[i].score == out[j].score && out[i].text > out[j].text
	})
	return out
}

// okapi is BM25 with k1 1.5, b 0.75, and a quarter of the mean weight in place of
// weights below 0.
func okapi(query []string, docs [][]string) []float64 {
	in, length := map[string]float64{}, 0.
	for _, d := range docs {
		length += float64(len(d))
		for w := range setOf(d) {
			in[w]++
		}
	}
	weight := func(w string) float64 { return math.Log(float64(len(docs))-in[w]+0.5) - math.Log(in[w]+0.5) }
	mean := 0.
	for w := range in {
		mean += weight(w) / float64(len(in))
	}
	scores := make([]float64, len(docs))
	for i, d := range docs {
		count := map[string]float64{}
		for _, w := range d {
			count[w]++
		}
		for _, w := range query {
			idf := weight(w)
			if idf < 0 {
				idf = 0.25 * mean
			}
			if in[w] > 0 {
				scores[i] += idf * (count[w] * 2.5 / (count[w] + 1.5*(0.25+0.75*float64(len(d))/(length/float64(len(docs))))))
			}
		}
	}
	return scores
}

func jaccard(query []string, docs [][]string) []float64 {
	scores := make([]float64, len(docs))
	for i, d := range docs {
		both := 0
		all := setOf(slices.Concat(query, d))
		for w := range all {
			if slices.Contains(query, w) && slices.Contains(d, w) {
				both++
			}
		}
		scores[i] = float64(both) / float64(len(all))
	}
	return scores
}

func setOf(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}
