package api

import "strings"

// link reads where the next page is. A page whose link cannot be followed is the
// problem of the reply: without it pages would be lost in silence.
func (c *Client) link(r *reply) {
	target, ok := nextLink(strings.Join(r.header.Values("Link"), ", "))
	if !ok {
		r.problem = "the links to other pages are not readable"
		return
	}
	if target == "" {
		return
	}
	u, err := r.url.Parse(target)
	switch {
	case err != nil:
		r.problem = "the link to the next page is not an address"
	case !c.below(u):
		r.problem = "the link to the next page leads out of " + c.base.String()
	case u.String() == r.url.String():
		r.problem = "the link to the next page leads to the page itself"
	default:
		r.next = u.String()
	}
}

// mostLinks bounds the length of a Link header in bytes.
const mostLinks = 64 << 10

// nextLink finds the target with the relation "next" in a Link header (RFC 8288):
//
//	<https://host/path?page=2>; rel="next", <https://host/path?page=9>; rel="last"
//
// It gives "" when there is none, and false for what is not a Link header. A
// relation may stand among others, in any case, quoted or not; only the first rel
// of a link counts.
func nextLink(header string) (string, bool) {
	if len(header) > mostLinks {
		return "", false
	}
	next := ""
	s := scanner(header)
	for s.skip(","); s != ""; s.skip(",") {
		target, ok := s.target()
		if !ok {
			return "", false
		}
		rel := ""
		for s.skip(""); strings.HasPrefix(string(s), ";"); s.skip("") {
			s = s[1:]
			name, value, ok := s.parameter()
			if !ok {
				return "", false
			}
			if rel == "" && strings.EqualFold(name, "rel") {
				rel = value
			}
		}
		if s != "" && s[0] != ',' {
			return "", false
		}
		for _, relation := range strings.Fields(rel) {
			if strings.EqualFold(relation, "next") && next == "" {
				next = target
			}
		}
	}
	return next, true
}

// scanner is what is left of a header.
type scanner string

// skip drops white space and any of the given characters.
func (s *scanner) skip(chars string) {
	*s = scanner(strings.TrimLeft(string(*s), " \t"+chars))
}

func (s *scanner) target() (string, bool) {
	rest, ok := strings.CutPrefix(string(*s), "<")
	target, rest, closed := strings.Cut(rest, ">")
	*s = scanner(rest)
	return strings.TrimSpace(target), ok && closed && strings.TrimSpace(target) != ""
}

// parameter reads name, name=token or name="text". An empty one is fine.
func (s *scanner) parameter() (name, value string, ok bool) {
	s.skip("")
	end := strings.IndexAny(string(*s), "=;, \t")
	if end < 0 {
		end = len(*s)
	}
	name, *s = string((*s)[:end]), (*s)[end:]
	s.skip("")
	if !strings.HasPrefix(string(*s), "=") {
		return name, "", true
	}
	*s = (*s)[1:]
	s.skip("")
	if strings.HasPrefix(string(*s), `"`) {
		return s.quoted(name)
	}
	end = strings.IndexAny(string(*s), ";, \t")
	if end < 0 {
		end = len(*s)
	}
	value, *s = string((*s)[:end]), (*s)[end:]
	return name, value, true
}

func (s *scanner) quoted(name string) (string, string, bool) {
	var value strings.Builder
	for i := 1; i < len(*s); i++ {
		switch ch := (*s)[i]; {
		case ch == '"':
			*s = (*s)[i+1:]
			return name, value.String(), true
		case ch == '\\' && i+1 < len(*s):
			i++
			value.WriteByte((*s)[i])
		default:
			value.WriteByte(ch)
		}
	}
	return "", "", false
}
