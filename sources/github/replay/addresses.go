package replay

import (
	"net/url"
	"regexp"
	"strings"
)

var linked = regexp.MustCompile(`<([^<>]*)>`)

// absolute puts the base of the API before relative addresses in a header.
func absolute(name, value, base string) string {
	switch name {
	case "Link":
		return linked.ReplaceAllStringFunc(value, func(link string) string {
			return "<" + absolute("Location", link[1:len(link)-1], base) + ">"
		})
	case "Location":
		if strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") {
			return base + value
		}
	}
	return value
}

// cut makes addresses below an API relative to it. Those of other hosts stay.
func cut(name, value, base string) string {
	switch name {
	case "Link":
		return linked.ReplaceAllStringFunc(value, func(link string) string {
			return "<" + cut("Location", link[1:len(link)-1], base) + ">"
		})
	case "Location":
		u, err := url.Parse(value)
		if err != nil {
			return value
		}
		if path, from := below(u); from == base {
			if u.RawQuery != "" {
				path += "?" + u.RawQuery
			}
			return path
		}
	}
	return value
}
