package minhash

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/minhash/minhashtest"
)

func newTest(p Params) *Signer { return New(p, rand.New(rand.NewPCG(1, 2)).Uint64) }

func words(text string) (out []string) {
	for t := range Tokens([]byte(text)) {
		out = append(out, string(t))
	}
	return out
}

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"":                     nil,
		" \t\r\n\u2003":        nil,
		"x->y_1 += 0x1F;":      {"x", "-", ">", "y_1", "+", "=", "0x1F", ";"},
		"größe e\u0301t":       {"größe", "e\u0301t"},
		"数据 = データ":             {"数", "据", "=", "デ", "ー", "タ"},
		"a\xffb\x00":           {"a", "\xff", "b", "\x00"},
		"\u00a0'it is'\u2026🙂": {"'", "it", "is", "'", "…", "🙂"},
	} {
		if got := words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte("func f(x) { return x+1 }"))
	f.Add([]byte("\xff\xfe数 \u2028é"))
	s := newTest(Params{Shingle: 3, Permutations: 7, Sketch: 16})
	f.Fuzz(func(t *testing.T, text []byte) {
		var got []byte
		n := 0
		for token := range Tokens(text) {
			if len(token) == 0 || utf8.RuneCount(token) > 1 && bytes.ContainsFunc(token, unicode.IsSpace) {
				t.Fatalf("token %q", token)
			}
			got = append(got, token...)
			n++
		}
		var want []byte
		for rest := text; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			if !unicode.IsSpace(r) {
				want = append(want, rest[:size]...)
			}
			rest = rest[size:]
		}
		if !bytes.Equal(got, want) {
			t.Errorf("tokens %q of %q", got, text)
		}
		signed := s.Sign(text)
		if signed.Tokens != n || (n > 0) != (signed.Shingles > 0) || s.CheckSketch(signed.Sketch) != nil || s.CheckMins(signed.Mins) != nil {
			t.Errorf("%d tokens: %+v", n, signed)
		}
	})
}

// shingleSet is what signatures stand for, without hashes.
func shingleSet(text string, size int) map[string]bool {
	tokens := words(text)
	out := map[string]bool{}
	for i := 0; i+size <= len(tokens); i++ {
		out[strings.Join(tokens[i:i+size], " ")] = true
	}
	if len(tokens) > 0 && len(tokens) < size {
		out[strings.Join(tokens, " ")] = true
	}
	return out
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func TestSign(t *testing.T) {
	s := newTest(Defaults())
	const text = "func f(x, y) {\n\treturn x*y + 1\n}\n"
	one := s.Sign([]byte(text))
	s.Sign([]byte(strings.Repeat("something else ", 1000))) // buffers are used again
	for _, same := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), "func f ( x,y ){ return x * y+1 }"} {
		two := newTest(Defaults()).Sign([]byte(same))
		if one.Sum != two.Sum || !bytes.Equal(one.Mins, two.Mins) || !bytes.Equal(one.Sketch, two.Sketch) || one.Tokens != 15 || one.Shingles != 11 {
			t.Errorf("%q is signed otherwise: %+v", same, two)
		}
	}
	for _, other := range []string{text + "}", strings.Replace(text, "x, y", "xy", 1), "", "x"} {
		if two := s.Sign([]byte(other)); one.Sum == two.Sum || bytes.Equal(one.Mins, two.Mins) || bytes.Equal(one.Sketch, two.Sketch) {
			t.Errorf("%q is signed the same", other)
		}
	}
	if a, b := s.Method(), New(Defaults(), rand.New(rand.NewPCG(1, 3)).Uint64).Method(); a == b {
		t.Error("other permutations have the same method")
	}
}

// Signatures and sketches estimate what they stand for, of short and long texts.
func TestEstimates(t *testing.T) {
	p := Params{Shingle: 5, Permutations: 256, Sketch: 256}
	s := newTest(p)
	r := rand.New(rand.NewPCG(5, 6))
	for _, functions := range []int{1, 10} {
		worst, sum, sketched, n := 0.0, 0.0, 0.0, 300
		for i := range n {
			var x, y []string
			for j := range functions {
				at := 10 * r.IntN(1e6)
				x = append(x, minhashtest.Function(1, at))
				y = append(y, x[j])
				if r.IntN(3) == 0 {
					y[j] = minhashtest.Function(1, at+1)
				}
			}
			a, b := strings.Join(x, " "), strings.Join(y, " ")
			want := jaccard(shingleSet(a, 5), shingleSet(b, 5))
			u, v := s.Sign([]byte(a)), s.Sign([]byte(b))
			got, exact := p.Jaccard(u.Sketch, v.Sketch)
			if back, _ := p.Jaccard(v.Sketch, u.Sketch); back != got {
				t.Fatalf("%g one way, %g the other", got, back)
			}
			if exact != (functions == 1) || exact && math.Abs(got-want) > 1e-9 {
				t.Fatalf("pair %d: %g (exact: %v), want %g", i, got, exact, want)
			}
			equal := 0
			for j := 0; j < len(u.Mins); j += 4 {
				if at(u.Mins, j) == at(v.Mins, j) {
					equal++
				}
			}
			worst = max(worst, math.Abs(got-want), math.Abs(float64(equal)/256-want))
			sum += float64(equal)/256 - want
			sketched += got - want
		}
		if worst > 4.5/(2*math.Sqrt(256)) || max(math.Abs(sum), math.Abs(sketched))/float64(n) > 0.006 {
			t.Errorf("%d functions: off by %g at worst, on average by %g and %g", functions, worst, sum/float64(n), sketched/float64(n))
		}
	}
}

func TestHostile(t *testing.T) {
	s := newTest(Defaults())
	for name, text := range map[string]string{
		"one token of 1 MB":    strings.Repeat("x", 1<<20),
		"1 MB of one token":    strings.Repeat("x ", 1<<19),
		"1 MB of operators":    strings.Repeat("+", 1<<20),
		"1 MB of no UTF-8":     strings.Repeat("\xff\xc0", 1<<19),
		"1 MB of white space":  strings.Repeat(" \n", 1<<19),
		"1 MB of combinations": strings.Repeat("e\u0301", 1<<18),
	} {
		signed := s.Sign([]byte(text))
		if signed.Shingles > 2 || len(signed.Mins) != 512 {
			t.Errorf("%s: %d shingles", name, signed.Shingles)
		}
	}
	var numbers strings.Builder
	r := rand.New(rand.NewPCG(1, 1))
	for numbers.Len() < 1<<20 {
		numbers.WriteString(string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26))) + " ")
	}
	if signed := s.Sign([]byte(numbers.String())); len(signed.Sketch) != 4*1024 || signed.Shingles < 300_000 {
		t.Errorf("%d shingles, a sketch of %d bytes", signed.Shingles, len(signed.Sketch))
	}
	empty, one := s.Sign(nil), s.Sign([]byte("x"))
	if similarity, ok := s.Similar(empty.Sketch, empty.Sketch, 0.1); ok || similarity != 0 {
		t.Error("empty texts are alike")
	}
	if similarity, ok := s.Similar(one.Sketch, one.Sketch, 1); !ok || similarity != 1 {
		t.Error("a text is not like itself")
	}
	for name, sketch := range map[string][]byte{"cut": {1, 2, 3}, "not ascending": {2, 0, 0, 0, 1, 0, 0, 0}, "twice": make([]byte, 8), "long": make([]byte, 4097*4)} {
		if s.CheckSketch(sketch) == nil {
			t.Errorf("a sketch that is %s is accepted", name)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		k                 int
		threshold, recall float64
		want              Bands
	}{
		{128, 0.8, 0.99, Bands{16, 6}}, {128, 0.8, 0.995, Bands{18, 6}}, {256, 0.8, 0.99, Bands{26, 8}}, {128, 0.5, 0.99, Bands{35, 3}}, {128, 1, 0.99, Bands{1, 128}},
	} {
		got, err := Choose(test.k, test.threshold, test.recall)
		if err != nil || got != test.want {
			t.Errorf("%+v: %v, %v", test, got, err)
		}
		if got.Bands*got.Rows > test.k || got.Probability(test.threshold) < test.recall {
			t.Errorf("%v finds %g", got, got.Probability(test.threshold))
		}
	}
	for _, recall := range []float64{1, 0.999999} {
		if b, err := Choose(4, 0.5, recall); err == nil || !strings.Contains(err.Error(), "4 permutations") {
			t.Errorf("recall %g: %v, %v", recall, b, err)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	var made, sources [][]byte
	for i := range 1000 {
		made = append(made, []byte(minhashtest.Function(1, i)))
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, text)
	}
	for name, texts := range map[string][][]byte{"made-up functions": made, "source files": sources} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for _, text := range texts {
				size += len(text)
			}
			s := newTest(Defaults())
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, text := range texts {
					s.Sign(text)
				}
			}
		})
	}
}
