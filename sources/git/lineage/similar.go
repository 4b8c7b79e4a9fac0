package lineage

import (
	"bytes"
	"slices"
)

const (
	fullScore = 60000         // of equal contents
	halfScore = fullScore / 2 // the least of a rename
	nameScore = 45000         // the least where the name is the same and no other candidate's is

	pieceBytes = 64     // longer lines count in pieces
	hashes     = 107927 // pieces that fall on one of these count as equal
)

// pieces is how many bytes of a content fall on each hash of its lines and pieces,
// ascending by hash.
type pieces struct {
	size   int
	counts []pieceCount
}

type pieceCount struct{ hash, bytes uint32 }

// piecesOf cuts a content up. Carriage returns before line feeds do not count, unless
// the content is binary. What follows the last line feed counts, as in git since 2.44.
func piecesOf(content []byte) *pieces {
	text := !IsBinary(content)
	var found []pieceCount
	var a, b, n uint32
	flush := func() {
		if n > 0 {
			found = append(found, pieceCount{(a + b*0x61) % hashes, n})
		}
		a, b, n = 0, 0, 0
	}
	for i, c := range content {
		if text && c == '\r' && i+1 < len(content) && content[i+1] == '\n' {
			continue
		}
		a, b = a<<7^b>>25, b<<7^a>>25
		a += uint32(c)
		if n++; n == pieceBytes || c == '\n' {
			flush()
		}
	}
	flush()
	slices.SortFunc(found, func(a, b pieceCount) int { return int(a.hash) - int(b.hash) })
	counts := found[:0]
	for _, p := range found {
		if k := len(counts) - 1; k >= 0 && counts[k].hash == p.hash {
			counts[k].bytes += p.bytes
		} else {
			counts = append(counts, p)
		}
	}
	return &pieces{len(content), slices.Clip(counts)}
}

// score is how much of the larger content the other one has, of [fullScore].
func (p *pieces) score(o *pieces) int {
	if p.size == 0 || o.size == 0 {
		return 0
	}
	shared := uint64(0)
	i, j := 0, 0
	for i < len(p.counts) && j < len(o.counts) {
		a, b := p.counts[i], o.counts[j]
		switch {
		case a.hash < b.hash:
			i++
		case a.hash > b.hash:
			j++
		default:
			shared += uint64(min(a.bytes, b.bytes))
			i++
			j++
		}
	}
	return int(shared * fullScore / uint64(max(p.size, o.size)))
}

// sizesAllow reports whether contents of such sizes can reach a score at all.
func sizesAllow(a, b, least int) bool {
	return uint64(max(a, b))*uint64(fullScore-least) >= uint64(max(a, b)-min(a, b))*fullScore
}

const binaryHead = 8000 // bytes that are looked at

// IsBinary reports whether git takes a content for binary: it has a zero byte near
// its beginning.
func IsBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), binaryHead)], 0) >= 0
}
