package policy

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"benchmill/internal/spdx"
	"benchmill/schemas"
)

// annotation says which licence some paths have, as the REUSE specification 3.3
// has it in REUSE.toml, or earlier ones in .reuse/dep5. Only the REUSE.toml at the
// top of the repository is read, and its precedence "aggregate" is taken for
// "closest".
type annotation struct {
	paths    []pattern
	expr     spdx.Expr
	override bool   // counts more than what a file says itself
	from     string // path of the file it stands in
}

// Files of annotations.
const (
	reuseFile  = "REUSE.toml"
	debianFile = ".reuse/dep5"
)

// Bounds of the patterns of one repository, each of which is asked about each of
// its files.
const (
	maxPatterns = 512
	maxPattern  = 1024 // bytes of one
)

// annotations reads a file of annotations. Those read before an error come with it.
func annotations(e schemas.Entry) ([]annotation, error) {
	if len(e.Content) > maxLicence {
		return nil, errors.New("too long")
	}
	read := readDep5
	if e.Path == reuseFile {
		read = readREUSE
	}
	stated, err := read(e.Content)
	var out []annotation
	patterns := 0
	for _, s := range stated {
		a := annotation{override: s.override, from: e.Path}
		var licences []spdx.Expr
		for _, text := range s.licences {
			one, bad := spdx.Parse(text)
			err = errors.Join(err, bad)
			licences = append(licences, one)
		}
		if a.expr = spdx.And(licences...); a.expr.IsZero() {
			continue // it states a copyright only
		}
		if patterns += len(s.paths); patterns > maxPatterns {
			return out, errors.Join(err, fmt.Errorf("more than %d patterns", maxPatterns))
		}
		for _, p := range s.paths {
			a.paths = append(a.paths, newPattern(p, e.Path == debianFile))
		}
		out = append(out, a)
	}
	return out, err
}

// stated is an annotation as it is written.
type stated struct {
	paths    []string
	licences []string // all of them hold
	override bool
}

func readREUSE(data []byte) ([]stated, error) {
	var file struct {
		Annotations []struct {
			Path       any    `toml:"path"` // a text or a list of them
			Precedence string `toml:"precedence"`
			Licence    any    `toml:"SPDX-License-Identifier"`
		} `toml:"annotations"`
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	var out []stated
	for _, a := range file.Annotations {
		out = append(out, stated{texts(a.Path), texts(a.Licence), a.Precedence == "override"})
	}
	return out, nil
}

// texts reads what TOML lets be one text or a list of them.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// readDep5 reads the paragraphs of a Debian copyright file: "Files" is a list of
// patterns, the first line of "License" the licence.
func readDep5(data []byte) ([]stated, error) {
	var out []stated
	var s stated
	field := ""
	end := func() {
		if len(s.paths) > 0 {
			out = append(out, s)
		}
		s, field = stated{}, ""
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "":
			end()
		case line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if field == "files" {
				s.paths = append(s.paths, strings.Fields(line)...)
			}
		default:
			name, value, _ := strings.Cut(line, ":")
			switch field = strings.ToLower(name); field {
			case "files":
				s.paths = append(s.paths, strings.Fields(value)...)
			case "license":
				s.licences = []string{value}
			}
		}
	}
	end()
	return out, nil
}

// pattern is one pattern of paths.
type pattern struct {
	re   *regexp.Regexp
	head string // all paths that fit begin so
	cost int64  // for each byte of a path
}

func newPattern(text string, debian bool) pattern {
	head := text
	if i := strings.IndexAny(text, `*?\`); i >= 0 {
		head = text[:i]
	}
	return pattern{glob(text, debian), head, int64(len(text)) + 1}
}

// maxWork bounds what is spent on the patterns of one repository, in bytes of
// patterns times bytes of the paths they were tried on: a few minutes where
// somebody wrote them to take long, and far from what a real repository needs.
const maxWork = 32 << 30

// tooCostly is the annotation of files that were left when maxWork was spent.
var tooCostly = &annotation{override: true}

// glob compiles a pattern. A star stands for all characters but "/", two stars,
// or one in a Debian file, for all; "?" is a mark in Debian files only; a backslash
// takes the meaning from the next character.
func glob(pattern string, debian bool) *regexp.Regexp {
	if len(pattern) > maxPattern {
		return nothing
	}
	var b strings.Builder
	b.WriteString(`^(?s:`)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		case c == '*' && (debian || strings.HasPrefix(pattern[i:], "**")):
			b.WriteString(`.*`)
			for i+1 < len(pattern) && pattern[i+1] == '*' {
				i++
			}
		case c == '*':
			b.WriteString(`[^/]*`)
		case c == '?' && debian:
			b.WriteString(`.`)
		default:
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	b.WriteString(`)$`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nothing // it is not UTF-8
	}
	return re
}

var nothing = regexp.MustCompile(`$^x`)
