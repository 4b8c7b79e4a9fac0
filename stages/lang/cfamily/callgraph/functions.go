package callgraph

import (
	"bytes"
	"math"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

// function describes a definition with a body. It reports whether it is one.
func (x *reader) function(f *definitionAt) bool {
	d := declared{name: treesitter.NoNode, function: treesitter.NoNode, typ: typ{base: noBase, fn: true}}
	if f.node != treesitter.NoNode {
		d = x.declarator(x.t.Child(f.node, "declarator"), x.typeOf(f.node))
	}
	first, last := f.first, x.scan.index(f.body)
	nameAt, name := none, ""
	if d.name != treesitter.NoNode && !d.odd && d.function != treesitter.NoNode && !notNames[x.t.Text(d.name)] {
		nameAt, name = int32(x.t.Nodes[d.name].Start), x.t.Text(d.name)
	} else if i := x.header(first, last); i >= 0 {
		nameAt, name = x.scan.starts[i], x.names.String(int32(x.scan.toks[i]))
		d.typ = typ{base: d.typ.base, tag: d.typ.tag, fn: true}
	}
	if i := x.wrapped(first, last); i >= 0 {
		nameAt, name = x.scan.starts[i], x.names.String(int32(x.scan.toks[i]))
		d = declared{function: treesitter.NoNode, typ: typ{base: noBase, fn: true}}
	}
	if name == "" || notNames[name] {
		return false
	}
	start := f.start
	qualified := clean(name)
	simple := qualified
	if i := strings.LastIndex(qualified, "::"); i >= 0 {
		simple = qualified[i+2:]
	}
	if len(x.scopes) > 0 {
		qualified = strings.Join(x.scopes, "::") + "::" + qualified
	}
	static, inline := false, false
	for i := first; i < last && x.scan.starts[i] < nameAt; i++ {
		if t := x.scan.toks[i]; t >= 0 {
			switch x.names.String(int32(t)) {
			case "static":
				static = true
			case "inline", "__inline", "__inline__", "__forceinline":
				inline = true
			}
		}
	}
	fn := function{
		name: x.names.name(simple), typ: x.typeID(d.typ), max: -1, static: static, inline: inline,
		unsure: inside(x.scan.cond.unsure, start), member: x.openRecord() != none, locals: int32(len(x.locals)), lost: x.lostHead(first, last),
	}
	if d.function != treesitter.NoNode {
		fn.min, fn.max = x.arity(d.function)
	}
	x.file.Functions = append(x.file.Functions, calls.Function{
		Name: simple, Qualified: qualified, Start: start, Body: f.body, End: f.end, Line: x.lineOf(start), EndLine: x.lineOf(f.end - 1),
		Doc: x.doc(start), Local: static && !fn.member, Inline: inline, Unsure: fn.unsure,
	})
	fn.unsure = fn.unsure || inside(x.scan.host.off, start)
	x.functions = append(x.functions, fn)
	if f.node == treesitter.NoNode {
		x.errors = append(x.errors, span{f.body, f.end})
	}
	return true
}

// wrapped is the name of a function whose whole head is the argument of a macro:
// UNUSED(static int f(int x)) {}. It is none for others.
func (x *reader) wrapped(first, last int) int {
	toks, match := x.scan.toks, x.scan.match
	if last-first < 7 || toks[first] < 0 || toks[first+1] != tokOpen || int(match[first+1]) != last-1 || toks[last-2] != tokShut {
		return int(none)
	}
	name := int(match[last-2]) - 1 // before the parameters
	if name < first+3 || toks[name] < 0 || toks[name-1] < 0 && toks[name-1] != tokStar {
		return int(none)
	}
	return name
}

// notNames are what the grammar takes for the names of functions after text that it
// could not read.
var notNames = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "return": true, "sizeof": true, "do": true, "else": true, "catch": true, "defined": true,
	"int": true, "void": true, "char": true, "long": true, "short": true, "unsigned": true, "signed": true, "double": true, "float": true, "bool": true,
	"static": true, "const": true, "struct": true, "union": true, "enum": true, "case": true, "__attribute__": true, "__attribute": true, "__declspec": true,
	"alignas": true, "typeof": true, "__typeof__": true, "decltype": true, "asm": true, "__asm__": true, "noexcept": true, "throw": true,
}

// clean is a name without blanks and template arguments.
func clean(name string) string {
	var b strings.Builder
	deep := 0
	if strings.Contains(name, "operator") {
		return strings.Join(strings.Fields(name), " ")
	}
	for _, c := range name {
		switch {
		case c == '<':
			deep++
		case c == '>':
			deep--
		case deep == 0 && c > ' ':
			b.WriteRune(c)
		}
	}
	return strings.TrimPrefix(b.String(), "::")
}

// maxHeader bounds the tokens before a body that are looked at.
const maxHeader = 2000

// begin goes back from the first token of a definition over what the grammar took
// for something of its own: macros in front that stand for attributes.
func (x *reader) begin(first int) int {
	if first >= len(x.scan.starts) {
		return first
	}
	at := first
	for i := first - 1; i >= 0 && first-i < maxHeader; i-- {
		switch t := x.scan.toks[i]; {
		case t != tokShut && t != tokStar && t < 0 || x.parted(i, i+1):
			return at
		case t == tokStar:
		case t >= 0:
			if notNames[x.names.String(int32(t))] && !specifiers[x.names.String(int32(t))] {
				return at
			}
			at = i
		case t == tokShut:
			open := x.opening(i)
			if open < 1 || x.scan.toks[open-1] < 0 || !x.attribute(open, i) {
				return at
			}
			i, at = open-1, open-1
		default:
			return at
		}
	}
	return at
}

// specifiers may begin a definition.
var specifiers = map[string]bool{
	"int": true, "void": true, "char": true, "long": true, "short": true, "unsigned": true, "signed": true, "double": true, "float": true, "bool": true,
	"static": true, "const": true, "struct": true, "union": true, "enum": true, "__attribute__": true, "__attribute": true, "__declspec": true, "alignas": true,
}

// parted reports whether a directive, an empty line or more than one comment stands
// between two tokens.
func (x *reader) parted(i, j int) bool {
	text := x.t.Source[x.scan.starts[i]:x.scan.starts[j]]
	lines := 0
	for k, c := range text {
		switch {
		case c == '\n':
			lines++
		case c == '#' && lines > 0 && len(bytes.TrimSpace(text[bytes.LastIndexByte(text[:k], '\n')+1:k])) == 0:
			return true
		}
	}
	return lines > 1
}

// attribute reports whether a macro with the arguments between two parentheses looks
// like an attribute of the function behind it, and not like one that generates code
// of its own: it stands behind other names, has but constants, or one name in the
// line of what follows.
func (x *reader) attribute(open, shut int) bool {
	if specifiers[x.names.String(int32(x.scan.toks[open-1]))] || open > 1 && x.scan.toks[open-2] >= 0 && !x.parted(open-2, open-1) {
		return true
	}
	count := 0
	for _, t := range x.scan.toks[open+1 : shut] {
		if t >= 0 {
			count++
		}
	}
	return count == 0 || count == 1 && shut+1 < len(x.scan.starts) && !bytes.Contains(x.t.Source[x.scan.starts[shut]:x.scan.starts[shut+1]], []byte("\n"))
}

// opening is the parenthesis that the one at i closes, or -1.
func (x *reader) opening(i int) int { return int(x.scan.match[i]) }

// header finds the name of the function whose definition begins with token first
// and whose body with token last: what stands before the last parentheses that are
// not those of an attribute. It returns -1 if there is none.
func (x *reader) header(first, last int) int {
	for i := last - 1; i > first; i-- {
		if x.scan.toks[i] != tokShut {
			continue
		}
		open := x.opening(i)
		if open <= first {
			return -1
		}
		before := x.scan.toks[open-1]
		switch {
		case before >= 0 && !notNames[x.names.String(int32(before))]:
			return open - 1
		case before == tokShut: // the name stands in parentheses
			inner := x.opening(open - 1)
			if inner < first {
				return -1
			}
			for j := inner + 1; j < open-1; j++ {
				if t := x.scan.toks[j]; t >= 0 && (x.scan.toks[j+1] == tokOpen || x.scan.toks[j+1] == tokShut) {
					return j
				}
			}
			return -1
		}
		i = open
	}
	return -1
}

// arity is how many arguments a function takes; the largest is -1 if there is none.
func (x *reader) arity(function int32) (least, most int16) {
	list := x.t.Child(function, "parameters")
	if list == treesitter.NoNode {
		return 0, -1
	}
	for c := range x.t.Children(list) {
		switch x.t.Kind(c) {
		case "parameter_declaration":
			if x.is(c, "void") {
				continue
			}
			least++
			most++
		case "optional_parameter_declaration", "identifier":
			most++
		case "variadic_parameter", "variadic_parameter_declaration", "...":
			return least, -1
		}
		if most == math.MaxInt16 {
			return least, -1
		}
	}
	return least, most
}

// doc is the comment right above a place: line comments above each other are one.
func (x *reader) doc(start int32) calls.Span {
	var out calls.Span
	at := start
	for i := len(x.comments) - 1; i >= 0; i-- {
		c := x.comments[i]
		if c.start >= at {
			continue
		}
		between := x.t.Source[min(c.end, at):at]
		line := bytes.HasPrefix(x.t.Source[c.start:], []byte("//"))
		if len(bytes.TrimSpace(between)) > 0 || bytes.Count(between, []byte("\n")) > 1 || !x.alone(c.start) {
			break
		}
		if out.End == 0 {
			out = calls.Span{Start: c.start, End: c.end}
		} else if !line {
			break
		}
		out.Start, at = c.start, c.start
		if !line {
			break
		}
	}
	return out
}

// alone reports whether nothing stands before a place in its line.
func (x *reader) alone(at int32) bool {
	for at--; at >= 0; at-- {
		switch x.t.Source[at] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}
