package minhash

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"benchmill/internal/digest"
)

// Params say how texts are signed. Only what was signed alike can be compared.
type Params struct {
	Shingle      int `yaml:"shingle" min:"1" max:"100" doc:"tokens of a shingle; a shorter text is one shingle"`
	Permutations int `yaml:"permutations" min:"1" max:"4096" doc:"numbers in a signature"`
	Sketch       int `yaml:"sketch" min:"16" max:"65535" doc:"most shingle hashes kept of a text; the similarity of texts with fewer shingles is exact"`
}

// Defaults are shingles of 5 tokens, long enough that common idioms of a
// programming language are no likeness, 128 permutations, and sketches that hold
// functions of some 100 lines whole.
func Defaults() Params { return Params{Shingle: 5, Permutations: 128, Sketch: 1024} }

// Signature is what is kept of a text.
type Signature struct {
	Sum      digest.Digest // of the tokens, one space between two
	Tokens   int
	Shingles int    // different ones, but for two in 2^32 that share a hash
	Mins     []byte // Permutations numbers of 32 bits, little-endian
	Sketch   []byte // up to Sketch hashes of 32 bits, little-endian, ascending, none twice
}

// Signer signs texts. It keeps buffers and serves one goroutine.
type Signer struct {
	Params
	method string
	power  uint64   // what the token that leaves a shingle is multiplied by
	a, b   []uint64 // of the permutations x -> a*x + b modulo 2^64, a odd; filled up to full blocks

	hashes     []uint64    // of the shingles, in their order
	halves     [2][]uint32 // for sorting
	window     []uint64
	normalised []byte
	mins       []uint64
}

// base is the odd factor of the rolling hash.
const base = 0x9e3779b97f4a7c15

// block is how many permutations are computed side by side.
const block = 4

// New returns a Signer whose permutations are drawn from draw, 64 bits a call.
func New(p Params, draw func() uint64) *Signer {
	s := &Signer{Params: p, power: 1, window: make([]uint64, p.Shingle)}
	for range p.Shingle {
		s.power *= base
	}
	e := digest.New("benchmill/minhash/permutations/1")
	n := (p.Permutations + block - 1) / block * block
	for range n {
		a, b := draw()|1, draw()
		s.a, s.b = append(s.a, a), append(s.b, b)
		e.Int(int64(a))
		e.Int(int64(b))
	}
	s.mins = make([]uint64, n)
	s.method = fmt.Sprintf("minhash/1 shingle=%d permutations=%d sketch=%d seed=%s", p.Shingle, p.Permutations, p.Sketch, e.Sum().Short())
	return s
}

// Method names everything that decides a signature. Signatures with different
// methods cannot be compared.
func (s *Signer) Method() string { return s.method }

// Sign signs a text of any size.
func (s *Signer) Sign(text []byte) Signature {
	tokens := s.shingles(text)
	kept := s.distinct()
	out := Signature{Sum: digest.Of(s.normalised), Tokens: tokens, Shingles: len(kept), Mins: s.minima(s.hashes)}
	kept = kept[:min(len(kept), s.Params.Sketch)]
	out.Sketch = make([]byte, 0, 4*len(kept))
	for _, h := range kept {
		out.Sketch = binary.LittleEndian.AppendUint32(out.Sketch, h)
	}
	return out
}

// distinct are the upper halves of the hashes, ascending, none twice. They are
// sorted by one byte after the other, which is faster than to compare them.
func (s *Signer) distinct() []uint32 {
	from, to := s.halves[0][:0], slices.Grow(s.halves[1][:0], len(s.hashes))[:len(s.hashes)]
	for _, h := range s.hashes {
		from = append(from, uint32(h>>32))
	}
	for shift := 0; shift < 32; shift += 8 {
		var start [257]int
		for _, h := range from {
			start[h>>shift&0xff+1]++
		}
		for i := range 256 {
			start[i+1] += start[i]
		}
		for _, h := range from {
			place := &start[h>>shift&0xff]
			to[*place] = h
			*place++
		}
		from, to = to, from
	}
	s.halves = [2][]uint32{from, to}
	return slices.Compact(from)
}

// shingles fills hashes and normalised, and counts the tokens.
func (s *Signer) shingles(text []byte) (tokens int) {
	s.hashes, s.normalised = s.hashes[:0], s.normalised[:0]
	var rolling uint64
	for token := range Tokens(text) {
		if tokens > 0 {
			s.normalised = append(s.normalised, ' ')
		}
		s.normalised = append(s.normalised, token...)
		h := hash(token)
		rolling = rolling*base + h
		place := &s.window[tokens%s.Shingle]
		if tokens >= s.Shingle {
			rolling -= *place * s.power
		}
		*place = h
		if tokens++; tokens >= s.Shingle {
			s.hashes = append(s.hashes, mix(rolling))
		}
	}
	if tokens > 0 && tokens < s.Shingle {
		s.hashes = append(s.hashes, mix(rolling))
	}
	return tokens
}

// minima computes a block of permutations at a time, which keeps everything but x
// in registers: half of the time of going through all permutations for each x.
func (s *Signer) minima(x []uint64) []byte {
	for i := 0; i < len(s.mins); i += block {
		a0, a1, a2, a3 := s.a[i], s.a[i+1], s.a[i+2], s.a[i+3]
		b0, b1, b2, b3 := s.b[i], s.b[i+1], s.b[i+2], s.b[i+3]
		m0, m1, m2, m3 := uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64)
		for _, x := range x {
			m0, m1 = min(m0, a0*x+b0), min(m1, a1*x+b1)
			m2, m3 = min(m2, a2*x+b2), min(m3, a3*x+b3)
		}
		s.mins[i], s.mins[i+1], s.mins[i+2], s.mins[i+3] = m0, m1, m2, m3
	}
	out := make([]byte, 0, 4*s.Permutations)
	for _, m := range s.mins[:s.Permutations] {
		out = binary.LittleEndian.AppendUint32(out, uint32(m>>32))
	}
	return out
}

// hash is FNV-1a of 64 bits, mixed.
func hash(token []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range token {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return mix(h)
}

// mix is the finaliser of SplitMix64: every bit in decides every bit out.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
