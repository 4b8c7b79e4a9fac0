package crosscodeeval

import (
	"encoding/binary"
	"strings"

	"benchmill/schemas"
)

// occurrences are the files that hold each of many texts, the first two by the
// order of the files.
type occurrences map[string][]string

// outside returns the first file but one that holds a text.
func (o occurrences) outside(text, path string) (string, bool) {
	for _, p := range o[text] {
		if p != path {
			return p, true
		}
	}
	return "", false
}

// window is how many bytes of a text are looked up at each place of a file.
const window = 8

// findOccurrences looks for all texts in one pass over each file: their first eight
// bytes are a number, and the number at each place of a file is looked up. Shorter
// texts are looked for one by one.
func findOccurrences(files []schemas.File, texts []string) occurrences {
	out := occurrences{}
	long := map[uint64][]string{}
	var short []string
	var seen filter64
	for _, t := range texts {
		if _, again := out[t]; again {
			continue
		}
		out[t] = nil
		if len(t) < window {
			short = append(short, t)
			continue
		}
		key := binary.BigEndian.Uint64([]byte(t))
		long[key] = append(long[key], t)
		seen.add(key)
	}
	for _, f := range files {
		for _, t := range short {
			if strings.Contains(f.Text, t) {
				out.add(t, f.Path)
			}
		}
		key := uint64(0)
		for i := range len(f.Text) {
			key = key<<8 | uint64(f.Text[i])
			start := i - window + 1
			if start < 0 || !seen.has(key) {
				continue
			}
			for _, t := range long[key] {
				if strings.HasPrefix(f.Text[start:], t) {
					out.add(t, f.Path)
				}
			}
		}
	}
	return out
}

func (o occurrences) add(text, path string) {
	if p := o[text]; len(p) < 2 && (len(p) == 0 || p[0] != path) {
		o[text] = append(p, path)
	}
}

// filter64 is a set of numbers that may hold more than was added.
type filter64 [1 << 10]uint64

func (f *filter64) add(n uint64) { h := hash64(n); f[h>>6] |= 1 << (h & 63) }

func (f *filter64) has(n uint64) bool { h := hash64(n); return f[h>>6]&(1<<(h&63)) != 0 }

// hash64 spreads a number over the bits of a [filter64].
func hash64(n uint64) uint64 { return n * 0x9e3779b97f4a7c15 >> 48 }
