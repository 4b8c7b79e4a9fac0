package artifacts

import (
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// boundSize is the greatest length of a text in statistics, in bytes.
const boundSize = 32

// shortBounds is a byte array type whose pages tell bounds of at most about
// [boundSize] bytes.
//
// The library copies whole texts into the statistics of a page, a column chunk
// and an index. Leaving them out (SkipPageBounds) is worse than it looks: the
// index then claims that every page runs from "" to "", and readers that skip
// pages by the index find nothing. Bounds that are cut, the lower one down and
// the upper one up, are what the format asks for.
type shortBounds struct {
	parquet.Type
	cut func(b []byte, up bool) []byte
}

// NewColumnBuffer implements [parquet.Type].
func (t shortBounds) NewColumnBuffer(columnIndex, numValues int) parquet.ColumnBuffer {
	return shortBoundsBuffer{t.Type.NewColumnBuffer(columnIndex, numValues), t.cut}
}

type shortBoundsBuffer struct {
	parquet.ColumnBuffer
	cut func(b []byte, up bool) []byte
}

func (b shortBoundsBuffer) Page() parquet.Page {
	return shortBoundsPage{b.ColumnBuffer.Page(), b.cut}
}

type shortBoundsPage struct {
	parquet.Page
	cut func(b []byte, up bool) []byte
}

func (p shortBoundsPage) Bounds() (lo, hi parquet.Value, ok bool) {
	lo, hi, ok = p.Page.Bounds()
	if ok {
		lo = parquet.ByteArrayValue(p.cut(lo.ByteArray(), false))
		hi = parquet.ByteArrayValue(p.cut(hi.ByteArray(), true))
	}
	return lo, hi, ok
}

// truncateBytes cuts b to at most [boundSize] bytes that are not greater than
// b, or not less if up is set. Where no short upper bound exists it is b itself.
func truncateBytes(b []byte, up bool) []byte {
	if len(b) <= boundSize {
		return b
	}
	if !up {
		return b[:boundSize]
	}
	for n := boundSize; n > 0; n-- {
		if b[n-1] < 0xff {
			out := append([]byte(nil), b[:n]...)
			out[n-1]++
			return out
		}
	}
	return b
}

// truncateText is truncateBytes for UTF-8: it cuts between characters and keeps
// what it returns valid.
func truncateText(b []byte, up bool) []byte {
	if len(b) <= boundSize {
		return b
	}
	n := boundSize
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	if !up {
		return b[:n]
	}
	for n > 0 {
		last, size := utf8.DecodeLastRune(b[:n])
		n -= size
		if last == 0xd7ff {
			last = 0xdfff // the surrogates are no characters
		}
		if last < utf8.MaxRune {
			return utf8.AppendRune(append([]byte(nil), b[:n]...), last+1)
		}
	}
	return b
}
