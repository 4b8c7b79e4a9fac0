package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const title = "benchmill conversation 1"

// file is one conversation.
type file struct {
	date      time.Time
	exchanges []*exchange
}

// print writes a file in canonical form.
func (f *file) print() []byte {
	var b bytes.Buffer
	b.WriteString(title + "\n")
	if !f.date.IsZero() {
		b.WriteString("date: " + f.date.UTC().Format(time.RFC3339) + "\n")
	}
	sorted := slices.SortedFunc(slices.Values(f.exchanges), func(a, b *exchange) int { return strings.Compare(a.key(), b.key()) })
	for _, e := range sorted {
		e.print(&b)
	}
	return b.Bytes()
}

func (e *exchange) print(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n-- %s %s --\n", e.method, e.target)
	if e.method == http.MethodPost {
		fmt.Fprintf(b, "variables: %s\n", e.vars)
	}
	fmt.Fprintf(b, "status: %d\n", e.status)
	for _, name := range kept {
		if value := e.header.Get(name); value != "" {
			fmt.Fprintf(b, "%s: %s\n", strings.ToLower(name), value)
		}
	}
	kind, body := encodeBody(e.body)
	if kind != "json" {
		b.WriteString("body: " + kind + "\n")
	}
	if e.method == http.MethodPost {
		b.WriteByte('\n')
		for line := range strings.SplitSeq(e.query, "\n") {
			if line != "" {
				line = " " + line
			}
			b.WriteString(">" + line + "\n")
		}
	}
	if len(body) > 0 {
		b.WriteString("\n" + string(body) + "\n")
	}
}

// encodeBody is a body as text without an empty line, and how it was made.
func encodeBody(body []byte) (kind string, text []byte) {
	if len(body) == 0 {
		return "none", nil
	}
	var compact, indented bytes.Buffer
	if json.Compact(&compact, body) == nil && bytes.Equal(compact.Bytes(), body) && json.Indent(&indented, body, "", "  ") == nil {
		return "json", indented.Bytes()
	}
	if utf8.Valid(body) {
		text, _ = json.Marshal(string(body))
		return "text", text
	}
	text, _ = json.Marshal(base64.StdEncoding.EncodeToString(body))
	return "base64", text
}

func decodeBody(kind string, text []byte) ([]byte, error) {
	if kind == "none" {
		if len(text) > 0 {
			return nil, errors.New("a body, and the head says there is none")
		}
		return nil, nil
	}
	if kind == "json" {
		var out bytes.Buffer
		err := json.Compact(&out, text)
		return out.Bytes(), err
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	switch kind {
	case "text":
		return []byte(s), nil
	case "base64":
		return base64.StdEncoding.DecodeString(s)
	}
	return nil, fmt.Errorf("body: %q is not known", kind)
}

// scanner reads a file by lines and counts them.
type scanner struct {
	rest []byte
	line int
}

func (s *scanner) next() (string, bool) {
	if len(s.rest) == 0 {
		return "", false
	}
	line, rest, _ := bytes.Cut(s.rest, []byte("\n"))
	s.rest = rest
	s.line++
	return string(line), true
}

// block is the lines up to an empty one or the end.
func (s *scanner) block() []string {
	var out []string
	for {
		line, ok := s.next()
		if !ok || line == "" {
			return out
		}
		out = append(out, line)
	}
}

func (s *scanner) skipEmpty() {
	for len(s.rest) > 0 && s.rest[0] == '\n' {
		s.next()
	}
}

// parse reads a file. Errors name the line.
func parse(data []byte) (*file, error) {
	s := &scanner{rest: data}
	fail := func(err error) (*file, error) { return nil, fmt.Errorf("line %d: %w", s.line, err) }
	head := s.block()
	if len(head) == 0 || head[0] != title {
		return fail(fmt.Errorf("the first line is not %q", title))
	}
	f := &file{}
	for _, line := range head[1:] {
		value, ok := strings.CutPrefix(line, "date: ")
		at, err := time.Parse(time.RFC3339, value)
		if !ok || err != nil {
			return fail(fmt.Errorf("%q is not a date", shorten(line, 80)))
		}
		f.date = at.UTC()
	}
	seen := map[string]bool{}
	for s.skipEmpty(); len(s.rest) > 0; s.skipEmpty() {
		e, err := s.exchange()
		if err != nil {
			return fail(err)
		}
		if seen[e.key()] {
			return fail(fmt.Errorf("%s is there twice", e.name()))
		}
		seen[e.key()] = true
		f.exchanges = append(f.exchanges, e)
	}
	return f, nil
}

func (s *scanner) exchange() (*exchange, error) {
	lines := s.block()
	asked, ok := strings.CutPrefix(lines[0], "-- ")
	asked, end := strings.CutSuffix(asked, " --")
	e := &exchange{header: http.Header{}}
	e.method, e.target, _ = strings.Cut(asked, " ")
	if !ok || !end || e.method == "" || !strings.HasPrefix(e.target, "/") || strings.ContainsAny(e.target, " \t\r") {
		return nil, fmt.Errorf("%q is not a request such as \"-- GET /user --\"", shorten(lines[0], 80))
	}
	kind, err := e.head(lines[1:])
	if err != nil {
		return nil, err
	}
	if e.method == http.MethodPost {
		var query []string
		for _, line := range s.block() {
			text, ok := strings.CutPrefix(line, ">")
			if !ok {
				return nil, fmt.Errorf("%q is not a line of a query, which begin with >", shorten(line, 80))
			}
			query = append(query, strings.TrimPrefix(text, " "))
		}
		if e.query = strings.Join(query, "\n"); !utf8.ValidString(e.query) {
			return nil, errors.New("the query is not UTF-8")
		}
	}
	var text []string
	if kind != "none" {
		text = s.block()
	}
	e.body, err = decodeBody(kind, []byte(strings.Join(text, "\n")))
	return e, err
}

// head reads the lines of an answer's head; kind is how the body is written.
func (e *exchange) head(lines []string) (kind string, err error) {
	kind = "json"
	given := map[string]bool{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ": ")
		at := slices.IndexFunc(kept, func(k string) bool { return strings.ToLower(k) == name })
		if !ok || given[name] || strings.ContainsRune(value, '\r') {
			return "", fmt.Errorf("%q is not \"name: value\", or is there twice", shorten(line, 80))
		}
		given[name] = true
		switch {
		case at >= 0 && value != "":
			e.header.Set(kept[at], value)
		case name == "status":
			e.status, err = strconv.Atoi(value)
			if err != nil || e.status < 100 || e.status > 599 {
				return "", fmt.Errorf("%q is no status", shorten(value, 80))
			}
		case name == "body":
			kind = value
		case name == "variables" && e.method == http.MethodPost:
			if e.vars, err = canonical([]byte(value)); err != nil {
				return "", err
			}
		default:
			return "", fmt.Errorf("%q is not known here", shorten(name, 80))
		}
	}
	if !given["status"] || e.method == http.MethodPost && !given["variables"] {
		return "", errors.New("no status, or a query without variables")
	}
	return kind, nil
}
