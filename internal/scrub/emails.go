package scrub

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// emails finds e-mail addresses. What only looks like one stays:
//
//   - versions of packages (left-pad@1.2.3, actions/checkout@v4.1.0) and sizes of
//     images (icon@2x.png);
//   - addresses of git repositories (git@host:owner/name), which name a machine;
//   - code: what calls or indexes (a@np.dot(b)), and decorators;
//   - hosts that RFC 2606 and RFC 6761 keep free for examples: nobody's.
func emails(text string) []Finding {
	var out []Finding
	at := 0
	for {
		i := strings.IndexByte(text[at:], '@')
		if i < 0 {
			return out
		}
		sign := at + i
		start := localStart(text, at, sign)
		end := domainEnd(text, sign+1)
		if isEmail(text[start:sign], text[sign+1:end], text[end:]) {
			out = append(out, Finding{start, end, Email})
			at = end
		} else {
			at = sign + 1
		}
	}
}

// localStart goes back over what may stand before the sign, not beyond from.
func localStart(text string, from, sign int) int {
	start := sign
	for start > from {
		r, n := utf8.DecodeLastRuneInString(text[from:start])
		if !isNameRune(r) && !strings.ContainsRune("._%+-", r) {
			break
		}
		start -= n
	}
	for start < sign && strings.IndexByte(".-%", text[start]) >= 0 {
		start++ // "...bob@host", "--to=-bob@host"
	}
	return start
}

// domainEnd goes on over labels; marks at the end belong to the sentence.
func domainEnd(text string, from int) int {
	end := from
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !isNameRune(r) && r != '.' && r != '-' {
			break
		}
		end += n
	}
	for end > from && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	return end
}

// isNameRune accepts digits and the letters of alphabets in which names of
// mailboxes are set apart from the text around them by spaces.
func isNameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isDigit(byte(r)) || isLetter(byte(r))
	}
	return unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
}

func isEmail(local, domain, after string) bool {
	labels := strings.Split(strings.ToLower(domain), ".")
	top := labels[len(labels)-1]
	switch {
	case local == "" || len(labels) < 2 || slices.Contains(labels, ""):
		return false
	case utf8.RuneCountInString(top) < 2 || strings.ContainsFunc(top, func(r rune) bool { return !unicode.IsLetter(r) }) && !strings.HasPrefix(top, "xn--"):
		return false
	case slices.Contains(codeHosts, strings.ToLower(local)) && (strings.HasPrefix(after, ":") || strings.HasPrefix(after, "/")):
		return false
	case after != "" && strings.IndexByte("([_", after[0]) >= 0:
		return false
	}
	return !isVersion(labels) && !slices.Contains(suffixes, top) && !isReserved(labels)
}

// codeHosts are the users under which machines serve repositories.
var codeHosts = []string{"git", "hg", "svn", "gitlab", "gitea"}

// isVersion reports whether labels are of a version or a size: 1.0.0-rc.one, v2.x,
// 2x.png.
func isVersion(labels []string) bool {
	first := strings.TrimPrefix(labels[0], "v")
	if first == "" || strings.Trim(strings.TrimSuffix(first, "x"), "0123456789") != "" {
		return false
	}
	return len(first) > 1 && first[len(first)-1] == 'x' || strings.Trim(labels[1], "0123456789xX") == "" || isDigit(labels[1][0])
}

// suffixes are of files and modules; none is a top-level domain.
var suffixes = strings.Fields("png jpg jpeg gif svg webp ico js jsx ts tsx mjs cjs css scss html htm xml json yaml yml toml txt lock log csv exe dll jar java class kt go php rb cpp hpp swift tar tgz gz latest rc beta alpha")

// isReserved reports whether a host is kept free for examples.
func isReserved(labels []string) bool {
	n := len(labels)
	switch labels[n-1] {
	case "example", "test", "invalid", "localhost":
		return true
	case "com", "net", "org":
		return labels[n-2] == "example"
	}
	return false
}
