package retrieval

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
)

// Scores are sums and products of float64 in a fixed order, each rounded by
// itself: the conversions below keep compilers from fusing two operations into
// one, which some processors would and others not.

// BM25 is Okapi BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance
// Framework: BM25 and Beyond") with the floor of the rank-bm25 library, which
// the published script uses: the weight ln(N-n+.5) - ln(n+.5) of a word that more
// than half of the chunks have would be negative, and is Epsilon times the mean
// weight of all words instead. A word that the query repeats counts each time.
type BM25 struct{ K1, B, Epsilon float64 }

// NewBM25 has the library's defaults.
func NewBM25() BM25 { return BM25{K1: 1.5, B: 0.75, Epsilon: 0.25} }

// Name is "bm25".
func (BM25) Name() string { return "bm25" }

// Scores ranks by Words.
func (r BM25) Scores(ctx context.Context, query string, chunks []Chunk) ([]float64, error) {
	asked := Words(query)
	v := newVocabulary(asked, chunks)
	scores := make([]float64, len(chunks))
	if v.total == 0 {
		return scores, ctx.Err()
	}
	weights := r.weights(v, len(chunks))
	mean := float64(v.total) / float64(len(chunks))
	for _, word := range asked {
		s := v.words[word]
		for _, f := range s.found {
			n := float64(f.count)
			length := float64(r.B*float64(len(chunks[f.chunk].Words))) / mean
			below := n + float64(r.K1*float64(1-r.B+length))
			scores[f.chunk] += float64(weights[s.at] * (float64(n*(r.K1+1)) / below))
		}
	}
	return scores, ctx.Err()
}

// weights are those of all words, in the order they were first seen. Words of
// the query alone have 0.
func (r BM25) weights(v *vocabulary, chunks int) []float64 {
	weights := make([]float64, len(v.all))
	var sum float64
	words := 0
	for i, s := range v.all {
		if s.chunks == 0 {
			continue
		}
		weights[i] = lnHalf(chunks-s.chunks) - lnHalf(s.chunks)
		sum += weights[i]
		words++
	}
	floor := r.Epsilon * (sum / float64(words))
	for i, w := range weights {
		if w < 0 {
			weights[i] = floor
		}
	}
	return weights
}

// vocabulary is what is known of the words of chunks.
type vocabulary struct {
	words map[string]*stat
	all   []*stat // in the order the chunks show them
	total int     // words of all chunks, with repetitions
}

type stat struct {
	at     int // in all
	chunks int // that have the word
	last   int // the last of them
	found  []count
	asked  bool // found is wanted
}

type count struct{ chunk, count int }

func newVocabulary(asked []string, chunks []Chunk) *vocabulary {
	v := &vocabulary{words: map[string]*stat{}}
	query := map[string]bool{}
	for _, word := range asked {
		query[word] = true
	}
	for i := range chunks {
		v.total += len(chunks[i].Words)
		for _, word := range chunks[i].Words {
			v.see(word, query).count(i)
		}
	}
	for _, word := range asked {
		v.see(word, query)
	}
	return v
}

func (v *vocabulary) see(word string, asked map[string]bool) *stat {
	s := v.words[word]
	if s == nil {
		s = &stat{at: len(v.all), last: -1, asked: asked[word]}
		v.words[word] = s
		v.all = append(v.all, s)
	}
	return s
}

func (s *stat) count(chunk int) {
	if s.last != chunk {
		s.last = chunk
		s.chunks++
		if s.asked {
			s.found = append(s.found, count{chunk: chunk})
		}
	}
	if s.asked {
		s.found[len(s.found)-1].count++
	}
}

// Jaccard is the share of common words among all words of query and chunk.
type Jaccard struct{}

// Name is "jaccard_sim", as released files are named.
func (Jaccard) Name() string { return "jaccard_sim" }

// Scores ranks by Words.
func (Jaccard) Scores(ctx context.Context, query string, chunks []Chunk) ([]float64, error) {
	asked := set(Words(query))
	scores := make([]float64, len(chunks))
	for i := range chunks {
		words := set(chunks[i].Words)
		common := 0
		for word := range words {
			if asked[word] {
				common++
			}
		}
		if all := len(asked) + len(words) - common; all > 0 {
			scores[i] = float64(common) / float64(all)
		}
	}
	return scores, ctx.Err()
}

func set(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, word := range words {
		out[word] = true
	}
	return out
}

// TFIDF is the cosine between vectors of word counts times 1 + ln((1+N)/(1+n)),
// with words in lower case, as scikit-learn's vectorizer weighs them by default.
// Words that no chunk has do not count. Its scores agree with that library up to
// the last digits, which there depend on the processor. It is safe for concurrent
// use.
type TFIDF struct{ known *sync.Map } // text of a chunk -> its counts; nil: nothing is kept

// NewTFIDF keeps the words of every chunk it has seen, for the next query.
func NewTFIDF() TFIDF { return TFIDF{&sync.Map{}} }

// Name is "tfidf".
func (TFIDF) Name() string { return "tfidf" }

// Scores ranks by Text.
func (r TFIDF) Scores(ctx context.Context, query string, chunks []Chunk) ([]float64, error) {
	vectors := make([][]term, len(chunks))
	weights := map[string]float64{}
	for i := range chunks {
		vectors[i] = r.counts(chunks[i].Text)
		for _, t := range vectors[i] {
			weights[t.word]++
		}
	}
	rare := map[float64]float64{} // by how many chunks have a word
	for word, n := range weights {
		if _, ok := rare[n]; !ok {
			rare[n] = 1 + ln(float64(1+len(chunks))/(1+n))
		}
		weights[word] = rare[n]
	}
	asked := unit(counts(query), weights)
	scores := make([]float64, len(chunks))
	for i := range vectors {
		scores[i] = dot(asked, unit(vectors[i], weights))
	}
	return scores, ctx.Err()
}

func (r TFIDF) counts(text string) []term {
	if r.known == nil {
		return counts(text)
	}
	if known, ok := r.known.Load(text); ok {
		return known.([]term)
	}
	out := counts(text)
	r.known.Store(text, out)
	return out
}

// term is one dimension of a sparse vector, whose terms are in ascending order.
type term struct {
	word  string
	value float64
}

// counts says how often a text has each of its words.
func counts(text string) []term {
	words := Words(strings.ToLower(text))
	slices.Sort(words)
	var out []term
	for _, word := range words {
		if last := len(out) - 1; last >= 0 && out[last].word == word {
			out[last].value++
		} else {
			out = append(out, term{word, 1})
		}
	}
	return out
}

// unit weighs a vector and makes its length 1.
func unit(v []term, weights map[string]float64) []term {
	out := make([]term, 0, len(v))
	for _, t := range v {
		if w := weights[t.word]; w > 0 {
			out = append(out, term{t.word, t.value * w})
		}
	}
	length := math.Sqrt(dot(out, out))
	for i := range out {
		out[i].value /= length
	}
	return out
}

func dot(a, b []term) float64 {
	var sum float64
	for len(a) > 0 && len(b) > 0 {
		switch strings.Compare(a[0].word, b[0].word) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			sum += float64(a[0].value * b[0].value)
			a, b = a[1:], b[1:]
		}
	}
	return sum
}
