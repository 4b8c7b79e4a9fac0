package scrub

import (
	"net/netip"
	"strings"
)

// addresses finds addresses of machines on the internet. Those of private
// networks, of this machine, and those documentation uses (RFC 5737, RFC 3849)
// tell nothing about anybody and stay. Short forms of version 6 with fewer than
// three groups are not looked for: a::b is also a name in half a dozen languages.
func addresses(text string) []Finding {
	var out []Finding
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && isAddressByte(text[end]) {
			end++
		}
		if end == at {
			at++
			continue
		}
		start, stop := at, end
		for stop > start && strings.IndexByte(".:", text[stop-1]) >= 0 {
			stop-- // of the sentence
		}
		if strings.Count(text[start:stop], ":") == 1 { // a port
			stop = start + strings.IndexByte(text[start:stop], ':')
		}
		if isPublic(text[start:stop]) && !isWordAt(text, start-1) && !isWordAt(text, end) {
			out = append(out, Finding{start, stop, IP})
		}
		at = end
	}
	return out
}

func isAddressByte(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' || c == '.' || c == ':'
}

func isWordAt(text string, i int) bool {
	return i >= 0 && i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || strings.IndexByte("_-", text[i]) >= 0 || text[i] >= 0x80)
}

var documentation = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32"),
}

func isPublic(s string) bool {
	a, err := netip.ParseAddr(s)
	if err != nil || !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	if a.Is4() && a.As4()[0] == 0 || a.Is6() && (strings.Count(s, ":") < 3 || !strings.ContainsAny(s, "0123456789")) {
		return false
	}
	for _, p := range documentation {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
