package lang

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"benchmill/internal/treesitter"
)

// Facts are what is known of one file. They depend on its path, its bytes and
// the language's identity, and are plain data.
type Facts struct {
	Path       string     `json:"path"`
	Bytes      int        `json:"bytes"`
	Lines      int        `json:"lines"`            // line breaks + 1
	ErrorShare float64    `json:"error_share"`      // of bytes inside syntax errors
	Functions  []Function `json:"functions"`        // in source order
	Comments   []Span     `json:"comments"`         // with documenting strings, in source order, not overlapping
	Imports    []Import   `json:"imports"`          // in source order
	Module     string     `json:"module,omitempty"` // the declared package, namespace or module
	// Identifiers are words of the code outside comments and strings that may
	// name another file without an import, ascending, each once. Only languages
	// that need them fill them in.
	Identifiers []string `json:"identifiers,omitempty"`
	// Declares are the types the file declares with their namespaces in front
	// ("Namespace.Type"), ascending, each once. Only languages that resolve names
	// by them fill it in.
	Declares []string `json:"declares,omitempty"`
}

// Span is a range of bytes, end exclusive.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Function is one function definition. Lines are 0-based, EndLine exclusive,
// as RepoQA counts them.
type Function struct {
	Name string `json:"name"`
	Span
	StartLine    int `json:"start_line"`
	EndLine      int `json:"end_line"`
	CommentBytes int `json:"comment_bytes"` // inside the span
}

// Import is one import as written; what the fields mean is the language's own.
type Import struct {
	Kind  string   `json:"kind,omitempty"`
	Path  string   `json:"path"`
	Names []string `json:"names,omitempty"`
	Level int      `json:"level,omitempty"` // of a relative import
}

// Reasons for a file without facts, as rows are dropped under.
const (
	ReasonTooLarge = "too_large"
	ReasonTimeout  = "parse_timeout"
	ReasonNotUTF8  = "not_utf8"
	ReasonCostly   = "too_costly"
)

// ErrNotUTF8 is returned for files that are not text in UTF-8.
var ErrNotUTF8 = errors.New("not UTF-8")

// Reason is the drop reason for an error of [Language.Analyze].
func Reason(err error) string {
	switch {
	case errors.Is(err, treesitter.ErrTooLarge), errors.Is(err, treesitter.ErrTooMany):
		return ReasonTooLarge
	case errors.Is(err, treesitter.ErrTimeout):
		return ReasonTimeout
	case errors.Is(err, ErrNotUTF8):
		return ReasonNotUTF8
	case errors.Is(err, treesitter.ErrCostly):
		return ReasonCostly
	}
	return "parse_failed"
}

// Analyze extracts the facts of one file.
func (l *Language) Analyze(path string, src []byte, limits treesitter.Limits) (*Facts, error) {
	t, s, err := l.Parse(path, src, limits)
	if err != nil {
		return nil, err
	}
	f := &Facts{Path: path, Bytes: len(src), Lines: 1, ErrorShare: t.ErrorShare()}
	for _, b := range src {
		if b == '\n' {
			f.Lines++
		}
	}
	m := Matches{}
	s.query.Matches(t, func(match treesitter.Match) {
		for _, c := range match {
			if nodes := m[c.Name]; len(nodes) == 0 || nodes[len(nodes)-1] != c.Node {
				m[c.Name] = append(nodes, c.Node)
			}
		}
		if fn, ok := match.Get("definition.function"); ok {
			if name, ok := match.Get("name"); ok {
				f.addFunction(t, fn, name)
			}
		}
	})
	for _, c := range append(slices.Clone(m["comment"]), m["comment.doc"]...) {
		f.Comments = append(f.Comments, Span{int(t.Nodes[c].Start), int(t.Nodes[c].End)})
	}
	if l.Extract != nil {
		l.Extract(t, m, f)
	}
	f.Comments = merge(f.Comments)
	f.countComments()
	return f, nil
}

// Parse parses a file with the nodes that the language's query asks for.
func (l *Language) Parse(path string, src []byte, limits treesitter.Limits) (*treesitter.Tree, *Syntax, error) {
	s, err := l.syntax(path, src, limits)
	if err != nil {
		return nil, nil, err
	}
	t, err := treesitter.Parse(src, s.Grammar, s.query.Keep, limits)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, s, nil
}

// syntax is how to parse a file, if it is text.
func (l *Language) syntax(path string, src []byte, limits treesitter.Limits) (*Syntax, error) {
	s := l.Syntax(path)
	if s == nil {
		return nil, fmt.Errorf("%s is not a %s file", path, l.Title)
	}
	if len(src) <= limits.MaxBytes && !utf8.Valid(src) {
		return nil, fmt.Errorf("%s: %w", path, ErrNotUTF8)
	}
	return s, nil
}

func (f *Facts) addFunction(t *treesitter.Tree, fn, name int32) {
	n := &t.Nodes[fn]
	if t.Nodes[name].Missing() {
		return // the parser made it up
	}
	if last := len(f.Functions) - 1; last >= 0 && f.Functions[last].Start == int(n.Start) && f.Functions[last].End == int(n.End) {
		return // two names fit one node; the first counts
	}
	f.Functions = append(f.Functions, Function{
		Name: t.Text(name), Span: Span{int(n.Start), int(n.End)},
		StartLine: int(n.StartRow), EndLine: int(n.EndRow) + 1,
	})
}

// countComments fills in the comment bytes of all functions, nested ones
// included, in one pass over sums: files of nothing but nested functions exist.
func (f *Facts) countComments() {
	sums := make([]int, 1, len(f.Comments)+1)
	for _, c := range f.Comments {
		sums = append(sums, sums[len(sums)-1]+c.End-c.Start)
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		first, _ := slices.BinarySearchFunc(f.Comments, fn.Start, func(c Span, at int) int { return c.Start - at })
		after, _ := slices.BinarySearchFunc(f.Comments, fn.End+1, func(c Span, at int) int { return c.End - at })
		if after > first {
			fn.CommentBytes = sums[after] - sums[first]
		}
	}
}

// merge sorts spans and joins those that overlap.
func merge(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
