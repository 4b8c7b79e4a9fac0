package pytext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// AppendString appends a text as json.dumps writes it: everything but the
// printable characters of ASCII is escaped, beyond the first plane as a pair.
// Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		i := strings.IndexRune("\"\\\n\r\t\f\b", r)
		switch {
		case i >= 0:
			dst = append(dst, '\\', `"\nrtfb`[i])
		case r >= ' ' && r <= '~':
			dst = append(dst, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}

// AppendFloat appends a finite number as repr writes it: the fewest digits that
// say which it is, with a point, and with an exponent below 1e-4 and from 1e16 on.
func AppendFloat(dst []byte, x float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
	at := strings.IndexByte(string(dst[start:]), 'e')
	if exponent, err := strconv.Atoi(string(dst[start+at+1:])); err != nil || exponent < -4 || exponent >= 16 {
		return dst // both write at least two digits of an exponent
	}
	dst = strconv.AppendFloat(dst[:start], x, 'f', -1, 64)
	if !strings.ContainsRune(string(dst[start:]), '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}
