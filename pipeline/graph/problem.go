package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Pos is a place in what the user wrote. Lines and columns start at 1; columns
// count characters. An override from the command line is a File of its own,
// "--set path=value", without a line.
type Pos struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Class is the kind of a mistake: a stable word for programs that read problems.
type Class string

// The classes of mistakes.
const (
	ClassSyntax       Class = "syntax"        // not YAML, or YAML no pipeline needs (tags, several documents)
	ClassBound        Class = "bound"         // too large, too deep, or anchors that expand without end
	ClassVersion      Class = "version"       // a format this program does not read
	ClassDuplicate    Class = "duplicate"     // one name given twice
	ClassUnknownKey   Class = "unknown_key"   // a setting that does not exist
	ClassMissing      Class = "missing"       // a setting that must be there
	ClassType         Class = "type"          // a value of the wrong type
	ClassValue        Class = "value"         // a value of the right type that is not allowed
	ClassUnknownName  Class = "unknown_name"  // no such stage, table, model, tokenizer or column
	ClassMissingFile  Class = "missing_file"  // a named file that cannot be read
	ClassConfig       Class = "config"        // settings refused by their own Validate
	ClassMissingInput Class = "missing_input" // an input nothing was given for
	ClassUnusedTable  Class = "unused_table"  // a table given to a stage that reads no such table
	ClassAmbiguous    Class = "ambiguous"     // more than one table fits
	ClassSchema       Class = "schema"        // a table of another schema than the input's
	ClassCycle        Class = "cycle"         // stages that feed each other
	ClassPartitions   Class = "partitions"    // no partitions to run over, or two kinds of them
	ClassOverride     Class = "override"      // an override that cannot be applied
)

// Problem is one mistake.
type Problem struct {
	Class   Class  `json:"class"`
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"` // what it is about: "stages.needles.with.chunks"
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do: `did you mean "chunks"?`
}

// String is "file:line:column: path: message; hint" without the absent parts.
func (p Problem) String() string {
	s := Pos{p.File, p.Line, p.Column}.String() + ": "
	if p.Path != "" {
		s += p.Path + ": "
	}
	s += p.Message
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Errors is every mistake of a pipeline file, sorted by place, none twice.
type Errors struct {
	Problems []Problem `json:"problems"`
}

// Error has one problem per line.
func (e *Errors) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// maxProblems bounds the work and the output for a hostile file. A person with
// more mistakes than this has made one big one.
const maxProblems = 500

// collector gathers problems.
type collector struct {
	file  string
	list  []Problem
	count int // problems found, kept or not
}

// full reports that more problems would not be kept, so that their hints, which
// cost a search, need not be made.
func (c *collector) full() bool { return len(c.list) >= maxProblems }

func (c *collector) add(class Class, at Pos, path, hint, format string, args ...any) {
	c.count++
	if c.full() {
		return
	}
	c.list = append(c.list, Problem{
		Class: class, File: at.File, Line: at.Line, Column: at.Column,
		Path: path, Message: printable(fmt.Sprintf(format, args...)), Hint: printable(hint),
	})
}

// printable keeps a problem on one line, and control sequences of a file away
// from terminals.
func printable(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// err is nil or an [*Errors]. Problems of the file come before those of
// overrides.
func (c *collector) err() error {
	if len(c.list) == 0 {
		return nil
	}
	full := c.full()
	slices.SortStableFunc(c.list, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(b2i(a.File != c.file), b2i(b.File != c.file)),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Hint, b.Hint),
		)
	})
	list := slices.Compact(c.list)
	if full {
		list = append(list, Problem{Class: ClassBound, File: c.file, Message: fmt.Sprintf("what comes after %d problems is not listed", maxProblems)})
	}
	return &Errors{list}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
