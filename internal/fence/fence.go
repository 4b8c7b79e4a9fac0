// Package fence takes what models put into fenced code blocks out of them.
package fence

import "regexp"

var block = regexp.MustCompile("(?ms)^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```")

// First returns what stands in the first fenced code block of a reply, its last
// line break included; ok is false where there is none.
func First(reply string) (inside string, ok bool) {
	m := block.FindStringSubmatch(reply)
	if m == nil {
		return "", false
	}
	return m[1], true
}
