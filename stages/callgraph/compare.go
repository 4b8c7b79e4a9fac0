package callgraph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"benchmill/schemas"
)

// Classes of evidence, as [schemas.CallAgreement] has them, with the kinds that each
// takes.
var evidenceClasses = []struct {
	name  string
	kinds []string
}{
	{"written", []string{schemas.EvidenceWritten}},
	{"written+macro", []string{schemas.EvidenceWritten, schemas.EvidenceMacro}},
	{"operator", []string{schemas.EvidenceOperator}},
	{"indirect", []string{schemas.EvidenceIndirect}},
}

// What makes edges the same, as [schemas.CallAgreement] has it.
const (
	byName      = "name"
	byQualified = "qualified"
)

// Comparison is how far a call graph agrees with that of a reference.
type Comparison struct {
	Functions schemas.FunctionAgreement
	Edges     []schemas.CallAgreement // ascending by Evidence and By
	// Missed and Extra are edges, by last names, of the class "written" that only the
	// reference has, or only the graph itself, in the order of functions.
	Missed, Extra []schemas.Call
}

// Compare compares a call graph with that of a reference, each in the order of its
// key. Only functions that both have count: what the reference did not compile is
// left out on both sides. A function is the same where the brace of its body is, or,
// with the same name, where it ends. Calls of a function to itself count; those that
// lead nowhere do not, nor those of functions that are built into a compiler, which
// the macros of its headers call. A call by a name that is a macro for another is
// written, for the graph, and of the macro for compilers: it counts among the written
// ones where the reference has it there, and with those of macros always. The rows
// name no repository.
func Compare(native, reference Rows) *Comparison {
	c := &Comparison{}
	pairs := match(native.Definitions, reference.Definitions)
	ours, theirs := byCaller(native.Calls), byCaller(reference.Calls)
	f := &c.Functions
	f.Native, f.Theirs, f.Both = int64(len(native.Definitions)), int64(len(reference.Definitions)), int64(len(pairs))
	for _, class := range evidenceClasses {
		for _, by := range []string{byName, byQualified} {
			row := schemas.CallAgreement{Evidence: class.name, By: by, Functions: int64(len(pairs))}
			for _, p := range pairs {
				e := edges{kinds: class.kinds, qualified: by == byQualified}
				e.ours, e.theirs = e.of(ours[at(p.native)]), e.of(theirs[at(p.reference)])
				if class.name == "written" {
					e.ours = slices.DeleteFunc(e.ours, func(n named) bool { return n.renamed() && !has(e.theirs, n.name) })
				}
				e.count(&row)
				if class.name == "written" && by == byName {
					c.Missed = append(c.Missed, without(e.theirs, e.ours)...)
					c.Extra = append(c.Extra, without(e.ours, e.theirs)...)
				}
			}
			row.Precision, row.Recall = share(row.Both, row.OnlyOurs), share(row.Both, row.OnlyTheirs)
			if row.Precision+row.Recall > 0 {
				row.F1 = 2 * row.Precision * row.Recall / (row.Precision + row.Recall)
			}
			c.Edges = append(c.Edges, row)
		}
	}
	slices.SortFunc(c.Edges, func(a, b schemas.CallAgreement) int {
		return cmp.Or(strings.Compare(a.Evidence, b.Evidence), strings.Compare(a.By, b.By))
	})
	for _, p := range pairs {
		a, b := p.native, p.reference
		f.SameStart += one(a.Start == b.Start)
		f.SameLine += one(a.Line == b.Line)
		f.SameEnd += one(a.End == b.End)
		f.SameName += one(a.Name == b.Name)
		f.SameQualified += one(a.Qualified == b.Qualified)
		f.SameLevel += one(level(ours[at(a)]) == level(theirs[at(b)]))
	}
	return c
}

// pair is a function as both have it.
type pair struct{ native, reference *schemas.Definition }

// match pairs functions, each at most once, in the order of the graph's own.
func match(native, reference []schemas.Definition) []pair {
	bodies, ends := map[place]*schemas.Definition{}, map[place]*schemas.Definition{}
	for i := range reference {
		d := &reference[i]
		bodies[place{d.Path, d.Body}] = d
		ends[place{d.Path, d.End}] = d
	}
	var out []pair
	taken := map[*schemas.Definition]bool{}
	for i := range native {
		d := &native[i]
		r := bodies[place{d.Path, d.Body}]
		if end := ends[place{d.Path, d.End}]; r == nil && end != nil && end.Name == d.Name {
			r = end
		}
		if r != nil && !taken[r] {
			taken[r] = true
			out = append(out, pair{d, r})
		}
	}
	return out
}

func at(d *schemas.Definition) place { return place{d.Path, d.Start} }

func byCaller(calls []schemas.Call) map[place][]schemas.Call {
	out := map[place][]schemas.Call{}
	for _, c := range calls {
		if c.Origin != schemas.OriginUnresolved && !strings.HasPrefix(c.Callee, "__builtin_") {
			k := place{c.CallerPath, c.CallerStart}
			out[k] = append(out[k], c)
		}
	}
	return out
}

// edges are what one function calls, in two graphs.
type edges struct {
	kinds        []string
	qualified    bool
	ours, theirs []named // ascending by name, each name once
}

// named is all calls that count as one edge.
type named struct {
	name  string
	calls []schemas.Call
}

func (e edges) of(calls []schemas.Call) []named {
	var out []named
	index := map[string]int{}
	for _, c := range calls {
		if !slices.Contains(e.kinds, c.Evidence) {
			continue
		}
		name := c.Callee
		if !e.qualified {
			name = LastName(name)
		}
		i, found := index[name]
		if !found {
			i = len(out)
			index[name] = i
			out = append(out, named{name: name})
		}
		out[i].calls = append(out[i].calls, c)
	}
	slices.SortFunc(out, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return out
}

// renamed says that a macro made each of the names that were called this one.
func (n named) renamed() bool {
	return !slices.ContainsFunc(n.calls, func(c schemas.Call) bool { return c.Via == "" })
}

func has(list []named, name string) bool {
	_, found := find(list, name)
	return found
}

func find(list []named, name string) (named, bool) {
	i, found := slices.BinarySearchFunc(list, name, func(n named, name string) int { return strings.Compare(n.name, name) })
	if !found {
		return named{}, false
	}
	return list[i], true
}

func (e edges) count(row *schemas.CallAgreement) {
	for _, theirs := range e.theirs {
		ours, found := find(e.ours, theirs.name)
		if !found {
			row.OnlyTheirs++
			continue
		}
		row.Both++
		located, same := false, false
		for _, t := range theirs.calls {
			located = located || t.Origin == schemas.OriginDefined
			same = same || t.Origin == schemas.OriginDefined && slices.ContainsFunc(ours.calls, func(o schemas.Call) bool { return o.CalleePath == t.CalleePath })
		}
		row.Located += one(located)
		row.SameLocation += one(same)
	}
	row.OnlyOurs += int64(len(without(e.ours, e.theirs)))
}

// without is the first call of each edge that the other list has not.
func without(list, other []named) []schemas.Call {
	var out []schemas.Call
	for _, n := range list {
		if !has(other, n.name) {
			out = append(out, n.calls[0])
		}
	}
	return out
}

// LastName is the last part of a qualified name: what follows the last "::" that is
// not in brackets. The name of an operator or a conversion is one part.
func LastName(qualified string) string {
	if i := operatorAt(qualified); i >= 0 {
		return qualified[i:]
	}
	depth, from := 0, 0
	for i := 0; i < len(qualified); i++ {
		switch c := qualified[i]; {
		case c == '<' || c == '(':
			depth++
		case c == '>' || c == ')':
			depth--
		case c == ':' && depth == 0:
			from = i + 1
		}
	}
	return qualified[from:]
}

// operatorAt is where the name of an operator begins, -1 if there is none.
func operatorAt(name string) int {
	const word = "operator"
	for from := 0; ; {
		i := strings.Index(name[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		begins := i == 0 || name[i-1] == ':'
		after := name[i+len(word):]
		if begins && after != "" && !ofName(after[0]) && !strings.HasPrefix(after, "::") {
			return i
		}
		from = i + len(word)
	}
}

func ofName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// level is a function's context level: the widest class of what it calls. Calls
// through pointers count for none, as a pointer is no function.
func level(calls []schemas.Call) string {
	classes := []string{schemas.LevelNone, schemas.LevelStdlib, schemas.LevelFile, schemas.LevelPackage, schemas.LevelProject}
	widest := 0
	for _, c := range calls {
		if c.Evidence != schemas.EvidenceIndirect {
			widest = max(widest, slices.Index(classes, classOf(c)))
		}
	}
	return classes[widest]
}

func classOf(c schemas.Call) string {
	switch {
	case c.Origin == schemas.OriginSystem || c.Origin == schemas.OriginExternal:
		return schemas.LevelStdlib
	case c.Origin == schemas.OriginUnresolved || c.CalleePath == "":
		return schemas.LevelNone
	case c.CalleePath == c.CallerPath:
		return schemas.LevelFile
	case path.Dir(c.CalleePath) == path.Dir(c.CallerPath):
		return schemas.LevelPackage
	}
	return schemas.LevelProject
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// share is right among right and wrong: 1 where there is neither.
func share(right, wrong int64) float64 {
	if right+wrong == 0 {
		return 1
	}
	return float64(right) / float64(right+wrong)
}
