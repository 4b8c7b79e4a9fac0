// Package retrieval finds the pieces of a repository that resemble a query: it
// cuts files into chunks, scores them with a [Ranker] and takes the best. Its
// defaults are those of CrossCodeEval (Ding et al., 2023, section 3.3), and
// with them its choice is the published one, ties included.
package retrieval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Chunk is a piece of a file.
type Chunk struct {
	Path  string
	Index int    // among the chunks of its file, from 0
	Text  string // lines joined by "\n", without an end after the last
	Words []string
}

// id is what ties are broken by. As text: "a|9" comes after "a|10".
func (c *Chunk) id() string { return c.Path + "|" + strconv.Itoa(c.Index) }

// Ranker scores chunks for a query, the higher the better.
type Ranker interface {
	// Name is a stable name for rows and keys.
	Name() string
	// Scores returns one finite score for each chunk, in their order. It may
	// read Text or Words, and changes neither.
	Scores(ctx context.Context, query string, chunks []Chunk) ([]float64, error)
}

// Hit is a retrieved chunk.
type Hit struct {
	Path  string
	Text  string
	Score float64
}

// Options of [Select]. The zero value is not useful; see [Defaults].
type Options struct {
	K          int // hits at most, from 1
	Candidates int // only so many chunks, the first ones, are ranked, from 1
	// Follow takes, in place of each chunk found, the one after it in its file
	// (what follows similar code is likely to be similar to what follows here),
	// the chunk itself where it is the last, and no text twice. Score is that of
	// the chunk found.
	Follow bool
	// UpstreamPaths repeats a mistake of the published script, which without
	// Follow sorts texts and paths apart: among chunks of equal score it may name
	// the path of another one.
	UpstreamPaths bool
}

// Defaults are the published settings: 5 hits of 1000 chunks.
func Defaults(follow bool) Options { return Options{K: 5, Candidates: 1000, Follow: follow} }

// Select ranks chunks and returns the best, best first. Equal scores are
// ordered by "path|index" descending with Follow, and else by text descending,
// then by "path|index"; all by bytes. Chunks of a file stand in their order.
// It may return fewer than K.
func Select(ctx context.Context, r Ranker, query string, chunks []Chunk, o Options) ([]Hit, error) {
	if o.K < 1 || o.Candidates < 1 {
		return nil, fmt.Errorf("retrieval: %d hits of %d candidates asked for", o.K, o.Candidates)
	}
	candidates := chunks[:min(len(chunks), o.Candidates)]
	if len(candidates) == 0 {
		return nil, nil
	}
	scores, err := r.Scores(ctx, query, candidates)
	if err != nil {
		return nil, fmt.Errorf("retrieval: ranker %s: %w", r.Name(), err)
	}
	if len(scores) != len(candidates) {
		return nil, fmt.Errorf("retrieval: ranker %s gave %d scores for %d chunks", r.Name(), len(scores), len(candidates))
	}
	found := make([]ranked, len(candidates))
	for i := range candidates {
		if s := scores[i]; math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("retrieval: ranker %s: score of %s is %v", r.Name(), candidates[i].id(), s)
		}
		found[i] = ranked{at: i, id: candidates[i].id(), text: candidates[i].Text, score: scores[i]}
	}
	k := min(o.K, len(candidates))
	if o.Follow {
		return follow(found, chunks, k), nil
	}
	slices.SortFunc(found, byText)
	hits := make([]Hit, k)
	for i, f := range found[:k] {
		hits[i] = Hit{Path: chunks[f.at].Path, Text: f.text, Score: f.score}
	}
	if o.UpstreamPaths {
		slices.SortFunc(found, byID)
		for i := range hits {
			hits[i].Path = chunks[found[i].at].Path
		}
	}
	return hits, nil
}

// ranked is a candidate with what it is sorted by.
type ranked struct {
	at       int
	id, text string
	score    float64
}

func byID(a, b ranked) int {
	if a.score != b.score {
		if a.score > b.score {
			return -1
		}
		return 1
	}
	return strings.Compare(b.id, a.id)
}

func byText(a, b ranked) int {
	if a.score == b.score && a.text != b.text {
		return strings.Compare(b.text, a.text)
	}
	return byID(a, b)
}

// follow looks for the next chunk among all, ranked or not.
func follow(found []ranked, chunks []Chunk, k int) []Hit {
	slices.SortFunc(found, byID)
	var hits []Hit
	seen := map[string]bool{}
	for _, f := range found {
		take := &chunks[f.at]
		if next := f.at + 1; next < len(chunks) && chunks[next].Path == take.Path {
			take = &chunks[next]
		}
		if seen[take.Text] {
			continue
		}
		seen[take.Text] = true
		if hits = append(hits, Hit{Path: take.Path, Text: take.Text, Score: f.score}); len(hits) == k {
			break
		}
	}
	return hits
}
