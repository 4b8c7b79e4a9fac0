package retrieval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

// naiveBM25 follows the formula chunk by chunk and word by word.
func naiveBM25(query []string, docs [][]string) []float64 {
	n := float64(len(docs))
	var total float64
	df, order := map[string]float64{}, []string{}
	for _, d := range docs {
		total += float64(len(d))
		seen := map[string]bool{}
		for _, w := range d {
			if !seen[w] {
				if seen[w] = true; df[w] == 0 {
					order = append(order, w)
				}
				df[w]++
			}
		}
	}
	idf := func(w string) float64 { return ln(n-df[w]+0.5) - ln(df[w]+0.5) }
	var sum float64
	for _, w := range order {
		sum += idf(w)
	}
	scores := make([]float64, len(docs))
	for i, d := range docs {
		for _, q := range query {
			if df[q] == 0 {
				continue
			}
			var f float64
			for _, w := range d {
				if w == q {
					f++
				}
			}
			weight := idf(q)
			if weight < 0 {
				weight = 0.25 * (sum / float64(len(order)))
			}
			part := float64(0.75*float64(len(d))) / (total / n)
			scores[i] += float64(weight * (f * 2.5 / (f + float64(1.5*(0.25+part)))))
		}
	}
	return scores
}

func naiveJaccard(query []string, docs [][]string) []float64 {
	var scores []float64
	for _, d := range docs {
		all := slices.Concat(query, d)
		slices.Sort(all)
		all = slices.Compact(all)
		both := 0
		for _, w := range all {
			if slices.Contains(query, w) && slices.Contains(d, w) {
				both++
			}
		}
		scores = append(scores, float64(both)/float64(len(all)))
	}
	return scores
}

// naiveSelect is the published walk: texts and names in two lists sorted apart.
func naiveSelect(scores []float64, chunks []Chunk, candidates, k int, next bool) []Hit {
	type pair struct {
		score float64
		text  string
	}
	descending := func(texts func(c Chunk) string) []pair {
		var out []pair
		for i, s := range scores {
			out = append(out, pair{s, texts(chunks[i])})
		}
		sort.SliceStable(out, func(i, j int) bool {
			return out[i].score > out[j].score || out[i].score == out[j].score && out[i].text > out[j].text
		})
		return out
	}
	texts := descending(func(c Chunk) string { return c.Text })
	ids := descending(func(c Chunk) string { return fmt.Sprint(c.Path, "|", c.Index) })
	byName := map[string]string{}
	for _, c := range chunks {
		byName[fmt.Sprint(c.Path, "|", c.Index)] = c.Text
	}
	var hits []Hit
	for i := range ids {
		name := ids[i].text
		bar := strings.LastIndex(name, "|")
		h := Hit{Path: name[:bar], Text: texts[i].text, Score: texts[i].score}
		if next {
			var n int
			fmt.Sscan(name[bar+1:], &n)
			if h.Text = byName[fmt.Sprint(h.Path, "|", n+1)]; h.Text == "" {
				h.Text = byName[name]
			}
			if slices.ContainsFunc(hits, func(o Hit) bool { return o.Text == h.Text }) {
				continue
			}
		}
		if hits = append(hits, h); len(hits) == min(k, candidates) {
			break
		}
	}
	return hits
}

// randomRepository has few words and copied files, for ties.
func randomRepository(r *rand.Rand) []Chunk {
	vocabulary := strings.Fields("self get set value x y return if def don't cannot é 日本 ( ) = . :")
	var chunks []Chunk
	var texts []string
	for i := range 1 + r.IntN(12) {
		var b strings.Builder
		for range r.IntN(60) {
			for range r.IntN(5) {
				b.WriteString(vocabulary[r.IntN(min(len(vocabulary), 2+r.IntN(20)))] + " ")
			}
			b.WriteString([]string{"\n", "\n\n", "\r\n", "\n \t\n"}[r.IntN(4)])
		}
		text := b.String()
		if len(texts) > 0 && r.IntN(3) == 0 {
			text = texts[r.IntN(len(texts))] // a copy
		}
		texts = append(texts, text)
		chunks = append(chunks, Lines(fmt.Sprintf("d%d/f|%d.py", i%3, i), text, 1+r.IntN(3)*4, 1+r.IntN(10))...)
	}
	return chunks
}

func TestAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ctx, ties := context.Background(), 0
	for range 300 {
		chunks := randomRepository(r)
		if len(chunks) == 0 {
			continue
		}
		query := "self value don't x x return unknown cannot é"[:r.IntN(44)]
		candidates := chunks[:min(len(chunks), 1+r.IntN(60))]
		var docs [][]string
		for _, c := range candidates {
			docs = append(docs, Words(c.Text))
		}
		for _, ranker := range []Ranker{NewBM25(), Jaccard{}} {
			want := naiveBM25(Words(query), docs)
			if ranker.Name() == "jaccard_sim" {
				want = naiveJaccard(Words(query), docs)
			}
			got, err := ranker.Scores(ctx, query, candidates)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s of %q: %v, want %v (%v)", ranker.Name(), query, got, want, err)
			}
			if distinct := slices.Compact(slices.Sorted(slices.Values(got))); len(distinct) < len(got) {
				ties++
			}
			for _, follow := range []bool{false, true} {
				o := Options{K: 5, Candidates: len(candidates), Follow: follow, UpstreamPaths: true}
				hits, err := Select(ctx, ranker, query, chunks, o)
				if want := naiveSelect(want, chunks, len(candidates), 5, follow); err != nil || !slices.Equal(hits, want) {
					t.Fatalf("%s, follow %v:\n%v\nwant\n%v (%v)", ranker.Name(), follow, hits, want, err)
				}
			}
		}
	}
	if ties < 200 {
		t.Errorf("only %d rankings with ties", ties)
	}
}

func chunksOf(texts ...string) []Chunk {
	var out []Chunk
	for i, text := range texts {
		out = append(out, Chunk{Path: "f", Index: i, Text: text, Words: Words(text)})
	}
	return out
}

// TestBM25ByHand: 3 chunks with 4 words on average. "a" is in 1: ln(2.5/1.5);
// "b" is in 2: ln(1.5/2.5), below 0, so a quarter of the mean weight, which
// is that of b and of one other in 2 against six in 1: (6-2)/8 ln(2.5/1.5).
func TestBM25ByHand(t *testing.T) {
	chunks := chunksOf("a b c d", "b c e f", "g h i j")
	// c is in 2 as well; a d e f g h i j are in 1: (8-2)/10.
	weight := math.Log(2.5 / 1.5)
	floor := 0.25 * weight * 6 / 10
	// Every chunk has the mean length, so the second factor is 2.5/(1+1.5) = 1.
	got, err := NewBM25().Scores(context.Background(), "a b b z", chunks)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{weight + 2*floor, 2 * floor, 0} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("chunk %d: %v, want %v", i, got[i], want)
		}
	}
}

func TestTFIDFByHand(t *testing.T) {
	chunks := chunksOf("A a b", "b c", "d")
	got, err := TFIDF{}.Scores(context.Background(), "a B unknown", chunks)
	if err != nil {
		t.Fatal(err)
	}
	one, two := 1+math.Log(4/2.), 1+math.Log(4/3.) // weights of words in one and in two chunks
	query := math.Hypot(one, two)
	for i, want := range []float64{
		(2*one*one + two*two) / query / math.Hypot(2*one, two),
		two * two / query / math.Hypot(two, one),
		0,
	} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("chunk %d: %v, want %v", i, got[i], want)
		}
	}
}

// What is kept from one query to the next changes no score.
func TestTFIDFKeeps(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	keeping := NewTFIDF()
	for range 30 {
		chunks := randomRepository(r)
		for _, query := range []string{"self value x", "Don't get SELF é", "", "unknown"} {
			want, _ := TFIDF{}.Scores(context.Background(), query, chunks)
			if got, err := keeping.Scores(context.Background(), query, chunks); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q: %v, want %v (%v)", query, got, want, err)
			}
		}
	}
}

// fixed is a ranker with given scores.
type fixed []float64

func (fixed) Name() string { return "fixed" }
func (f fixed) Scores(context.Context, string, []Chunk) ([]float64, error) {
	if f == nil {
		return nil, errors.New("no connection")
	}
	return f, nil
}

func texts(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s=%s:%g", h.Path, h.Text, h.Score))
	}
	return strings.Join(out, " ")
}

func TestSelect(t *testing.T) {
	chunks := []Chunk{
		{Path: "a", Index: 0, Text: "m"}, {Path: "a", Index: 1, Text: "n"}, {Path: "a", Index: 2, Text: "m"},
		{Path: "b", Index: 0, Text: "o"}, {Path: "b", Index: 1, Text: "m"},
	}
	for _, c := range []struct {
		name   string
		scores fixed
		o      Options
		want   string
	}{
		{"best first", fixed{1, 2, 3, 4, 5}, Options{K: 2, Candidates: 9}, "b=m:5 b=o:4"},
		{"ties by text", fixed{0, 0, 0, 0, 0}, Options{K: 4, Candidates: 9}, "b=o:0 a=n:0 b=m:0 a=m:0"},
		{"paths apart", fixed{0, 0, 0, 0, 0}, Options{K: 4, Candidates: 9, UpstreamPaths: true}, "b=o:0 b=n:0 a=m:0 a=m:0"},
		{"next, no text twice", fixed{3, 2, 1, 0, 4}, Options{K: 5, Candidates: 9, Follow: true}, "b=m:4 a=n:3"},
		{"next of one not ranked", fixed{7}, Options{K: 5, Candidates: 1, Follow: true}, "a=n:7"},
		{"ties by name", fixed{0, 0, 0, 0, 0}, Options{K: 9, Candidates: 9, Follow: true}, "b=m:0 a=n:0"},
		{"negative zero", fixed{math.Copysign(0, -1), 0, 0, 0, 0}, Options{K: 1, Candidates: 9}, "b=o:0"},
	} {
		hits, err := Select(context.Background(), c.scores, "", chunks, c.o)
		if got := texts(hits); err != nil || got != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, got, c.want, err)
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	chunks := chunksOf("a", "b")
	for name, c := range map[string]struct {
		ranker Ranker
		o      Options
	}{
		"no connection": {fixed(nil), Defaults(true)},
		"gave 1 scores": {fixed{1}, Defaults(false)},
		"NaN":           {fixed{1, math.NaN()}, Defaults(false)},
		"+Inf":          {fixed{1, math.Inf(1)}, Defaults(true)},
		"0 hits":        {Jaccard{}, Options{Candidates: 1}},
	} {
		if _, err := Select(context.Background(), c.ranker, "a", chunks, c.o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if hits, err := Select(context.Background(), Jaccard{}, "a", nil, Defaults(true)); err != nil || len(hits) > 0 {
		t.Errorf("no chunks: %v, %v", hits, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, r := range []Ranker{NewBM25(), Jaccard{}, TFIDF{}} {
		if _, err := Select(ctx, r, "a", chunks, Defaults(true)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s went on: %v", r.Name(), err)
		}
		if scores, err := r.Scores(context.Background(), "a", []Chunk{{}, {}}); err != nil || !slices.Equal(scores, []float64{0, 0}) {
			t.Errorf("%s without words: %v, %v", r.Name(), scores, err)
		}
	}
}

func TestLn(t *testing.T) {
	for _, x := range []float64{0.5, 0.75, 1, 1.5, 2, math.E, 10, 999.5, 1e300, math.Nextafter(1, 2)} {
		got, near := ln(x), math.Log(x)
		if got != near && got != math.Nextafter(near, math.Inf(1)) && got != math.Nextafter(near, math.Inf(-1)) {
			t.Errorf("ln(%v) = %v, math.Log %v", x, got, near)
		}
	}
	// Computed with 40 digits elsewhere and rounded.
	for x, want := range map[float64]float64{2: 0x1.62e42fefa39efp-1, 10: 0x1.26bb1bbb55516p1, 1.5: 0x1.9f323ecbf984cp-2, 0.5: -0x1.62e42fefa39efp-1, 1: 0} {
		if got := ln(x); got != want {
			t.Errorf("ln(%v) = %x, want %x", x, got, want)
		}
	}
	for n := range 2000 {
		if lnHalf(n) != ln(float64(n)+0.5) || lnHalf(n) >= lnHalf(n+1) {
			t.Fatalf("ln(%d.5) = %v", n, lnHalf(n))
		}
	}
}

func BenchmarkBM25(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	var text strings.Builder
	for range 10_000 {
		for range 6 {
			fmt.Fprintf(&text, "name%d.value(", int(math.Abs(r.NormFloat64()*400)))
		}
		text.WriteString(")\n")
	}
	chunks := Lines("a.py", text.String(), ChunkLines, Stride)
	query := Query(QueryLines, text.String())
	b.Run("rank", func(b *testing.B) {
		b.ReportMetric(float64(len(chunks)), "chunks")
		for b.Loop() {
			if _, err := Select(context.Background(), NewBM25(), query, chunks, Defaults(true)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cut", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			Lines("a.py", text.String(), ChunkLines, Stride)
		}
	})
}
