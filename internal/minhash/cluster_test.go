package minhash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/digest"
	"benchmill/internal/minhash/minhashtest"
)

// records is a table in memory.
type records []Record

func (r records) Len() int { return len(r) }

func (r records) Scan(ctx context.Context, yield func(Record) error) error {
	for _, record := range r {
		if err := errors.Join(ctx.Err(), yield(record)); err != nil {
			return err
		}
	}
	return nil
}

func sign(texts []string) records {
	s := newTest(Defaults())
	out := make(records, len(texts))
	for i, text := range texts {
		x := s.Sign([]byte(text))
		out[i] = Record{ID: fmt.Sprint("t", i), Sum: x.Sum, Tokens: x.Tokens, Mins: x.Mins, Sketch: x.Sketch}
	}
	return out
}

func options(t testing.TB) Options {
	t.Helper()
	bands, err := Choose(128, 0.8, 0.995)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Params: Defaults(), Bands: bands, Threshold: 0.8, Memory: 64 << 20}
}

func functions(n int) (out []string) {
	for i := range n {
		out = append(out, minhashtest.Function(1, i))
	}
	return out
}

// verdicts are the verdicts by ID.
func verdicts(t *testing.T, table records, o Options) (map[string]Verdict, *Clusters) {
	t.Helper()
	c, err := Cluster(t.Context(), table, o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Verdict{}
	for i, r := range table {
		out[r.ID] = c.Of(i)
	}
	return out, c
}

func same(t *testing.T, what string, a, b map[string]Verdict) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d and %d verdicts", what, len(a), len(b))
	}
	for id := range a {
		if a[id] != b[id] {
			t.Errorf("%s: %s is %+v or %+v", what, id, a[id], b[id])
		}
	}
}

// truth is the similarity of all pairs that share a shingle and reach a threshold,
// by counting.
func truth(texts []string, threshold float64) map[[2]int]float64 {
	where := map[string][]int32{}
	sizes := make([]int, len(texts))
	shared := make([]int32, len(texts))
	out := map[[2]int]float64{}
	for i, text := range texts {
		set := shingleSet(text, 5)
		sizes[i] = len(set)
		clear(shared[:i])
		for s := range set {
			for _, j := range where[s] {
				shared[j]++
			}
			where[s] = append(where[s], int32(i))
		}
		for j, n := range shared[:i] {
			if similarity := float64(n) / float64(sizes[i]+sizes[j]-int(n)); n > 0 && similarity >= threshold {
				out[[2]int{j, i}] = similarity
			}
		}
	}
	return out
}

func TestRecallAgainstBruteForce(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 4_000
	}
	texts := functions(n)
	pairs := truth(texts, 0.8)
	_, c := verdicts(t, sign(texts), options(t))
	set := func(i int) uint32 { return c.find(c.rank[i]) }

	found, edge, edgeFound := 0, 0, 0
	joined := map[int]int{} // sets of brute force
	var root func(i int) int
	root = func(i int) int {
		if j, ok := joined[i]; ok {
			return root(j)
		}
		return i
	}
	for p, similarity := range pairs {
		ok := set(p[0]) == set(p[1])
		if ok {
			found++
		}
		if similarity < 0.83 {
			edge++
			if ok {
				edgeFound++
			}
		}
		if a, b := root(p[0]), root(p[1]); a != b {
			joined[max(a, b)] = min(a, b)
		}
	}
	at := map[uint32]int{}
	for i := range texts {
		at[c.rank[i]] = i
	}
	duplicates, right := 0, 0
	for i := range texts {
		if kept := at[set(i)]; kept != i {
			duplicates++
			if root(i) == root(kept) {
				right++
			}
		}
	}
	recall, precision := float64(found)/float64(len(pairs)), float64(right)/float64(duplicates)
	t.Logf("%d texts: %d pairs at 0.8 and above, recall %.4f (of %d below 0.83: %.4f); %d duplicates, precision %.4f; %d reads",
		n, len(pairs), recall, edge, float64(edgeFound)/float64(edge), duplicates, precision, c.Reads)
	if len(pairs) < n/20 || edge < n/500 {
		t.Errorf("%d pairs, %d near the threshold: the corpus tests little", len(pairs), edge)
	}
	if recall < 0.99 || precision < 0.99 {
		t.Errorf("recall %g, precision %g", recall, precision)
	}
}

// Verdicts are about the texts: neither their order nor the memory counts.
func TestClusterIsStable(t *testing.T) {
	table := sign(append(functions(3000), "", " ", "x", "x", "x y"))
	o := options(t)
	want, _ := verdicts(t, table, o)
	for seed := range uint64(3) {
		shuffled := slices.Clone(table)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, _ := verdicts(t, shuffled, o)
		same(t, "in another order", want, got)
	}
	o.Memory = 64 << 10
	got, c := verdicts(t, table, o)
	same(t, "in little memory", want, got)
	if c.Reads < 10 || int64(8*c.held) > o.Memory*3/4 {
		t.Errorf("in little memory: %d reads, %d keys at a time", c.Reads, c.held)
	}
	for _, pair := range [][2]string{{"t3000", "t3001"}, {"t3002", "t3003"}} {
		a, b := want[pair[0]], want[pair[1]]
		if (a.DuplicateOf == "") == (b.DuplicateOf == "") || !a.Exact && !b.Exact {
			t.Errorf("%v: %+v, %+v", pair, a, b)
		}
	}
	if want["t3004"] != (Verdict{}) {
		t.Errorf("x y: %+v", want["t3004"])
	}
}

// One more text leaves what it does not resemble alone, and what it does but for
// the set it joins.
func TestClusterWithOneMore(t *testing.T) {
	texts := functions(500)
	table := sign(texts)
	before, _ := verdicts(t, table, options(t))
	for i := range 40 {
		more := sign([]string{texts[i] + " and more"})[0]
		more.ID = "more"
		after, _ := verdicts(t, append(slices.Clone(table), more), options(t))
		of := func(v map[string]Verdict, id string) string {
			if v[id].DuplicateOf != "" {
				return v[id].DuplicateOf
			}
			return id
		}
		joins := of(after, "more")
		for id, v := range before {
			if v != after[id] && of(after, id) != joins {
				t.Fatalf("text %d: %s was %+v and is %+v", i, id, v, after[id])
			}
		}
		if of(after, fmt.Sprint("t", i)) != joins {
			t.Errorf("text %d is not like itself with two tokens more", i)
		}
	}
}

// Chains are one set, and the similarity is that to the text that stays.
func TestClusterChain(t *testing.T) {
	tokens := strings.Fields(strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v w x y z ", 1))
	for i := range 300 {
		tokens = append(tokens, fmt.Sprint("v", i))
	}
	var texts []string
	for i := range 12 {
		for j := range 5 {
			tokens[26*i+5*j] += "'"
		}
		texts = append(texts, strings.Join(tokens, " "))
	}
	table := sign(texts)
	got, c := verdicts(t, table, options(t))
	kept, low := 0, 0
	for i, r := range table {
		v := got[r.ID]
		if v.DuplicateOf == "" {
			kept++
			continue
		}
		j := slices.IndexFunc(table, func(o Record) bool { return o.ID == v.DuplicateOf })
		if want := jaccard(shingleSet(texts[i], 5), shingleSet(texts[j], 5)); v.Similarity != want || v.Exact {
			t.Errorf("%s: %+v, want %g", r.ID, v, want)
		}
		if v.Similarity < 0.8 {
			low++
		}
	}
	if kept != 1 || low == 0 {
		t.Errorf("%d stay, %d are far from what stays; %d reads", kept, low, c.Reads)
	}
}

// A bucket of a thousand that are not alike costs no square of comparisons.
func TestLargeBucket(t *testing.T) {
	table := sign(functions(1000))
	for i := range table {
		table[i].Mins = table[0].Mins
	}
	got, c := verdicts(t, table, options(t))
	if c.Skipped == 0 {
		t.Error("all pairs were compared")
	}
	table[0], table[999] = table[999], table[0]
	again, _ := verdicts(t, table, options(t))
	same(t, "large bucket", got, again)
}

func TestClusterRefuses(t *testing.T) {
	good := sign(functions(20))
	for name, spoil := range map[string]func(r *Record){
		"digest":                func(r *Record) { r.Sum = digest.Digest("sha256:x") },
		"signature of 3 bytes":  func(r *Record) { r.Mins = r.Mins[:3] },
		"sketch of 5 bytes":     func(r *Record) { r.Sketch = r.Sketch[:5] },
		"does not ascend":       func(r *Record) { r.Sketch = slices.Repeat(r.Sketch[:4], 2) },
		"sketch of 40000 bytes": func(r *Record) { r.Sketch = make([]byte, 40000) },
	} {
		table := slices.Clone(good)
		spoil(&table[7])
		_, err := Cluster(t.Context(), table, options(t))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "t7") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Cluster(ctx, good, options(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Cluster(t.Context(), records{}, options(t)); err != nil {
		t.Errorf("no texts: %v", err)
	}
}

// The index names for each text what brute force names.
func TestIndex(t *testing.T) {
	texts := functions(2000)
	s := newTest(Defaults())
	var there []Signature
	for _, text := range texts[:1000] {
		there = append(there, s.Sign([]byte(text)))
	}
	o := options(t)
	x := NewIndex(o.Params, o.Bands, 0.8, there)
	if m, ok := x.Find(s.Sign([]byte(" "))); ok {
		t.Errorf("an empty text is %+v", m)
	}
	matches := 0
	for i := range 1000 {
		text := texts[i] + fmt.Sprint(" more", i)
		var best Match
		for j := range there {
			if similarity := jaccardOf(texts[j], text, i, j); similarity > best.Similarity {
				best = Match{Item: j, Similarity: similarity}
			}
		}
		got, ok := x.Find(s.Sign([]byte(text)))
		if !ok || got != best {
			t.Errorf("%d: %+v, want %+v", i, got, best)
		}
		if exact, ok := x.Find(s.Sign([]byte(texts[i]))); !ok || !exact.Exact || exact.Item > i || there[exact.Item].Sum != there[i].Sum {
			t.Errorf("%d: %+v is not itself", i, exact)
		}
		matches++
	}
	for i, text := range texts[1000:] {
		if m, ok := x.Find(s.Sign([]byte(text))); ok && m.Similarity < 0.8 {
			t.Errorf("%d: %+v", i, m)
		}
	}
	if matches != 1000 {
		t.Error(matches)
	}
}

// jaccardOf compares what lies within a group of the corpus; nothing else is alike.
func jaccardOf(a, b string, i, j int) float64 {
	if i/10 != j/10 {
		return 0
	}
	return jaccard(shingleSet(a, 5), shingleSet(b, 5))
}
