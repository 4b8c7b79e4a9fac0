package rust

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// Bounds on hostile files, whose imports would be larger than themselves.
const (
	maxPath    = 512     // bytes; longer paths are not imports
	maxNesting = 64      // of braces in a use declaration
	maxImports = 1 << 16 // of a file
)

// Kinds of imports. Level says in which inline module of the file an import
// stands: 0 for none, n for the one that the n-th import of kindInline opens.
const (
	kindMod    = "mod"    // `mod x;`: Path is the name, Names are values of #[path]
	kindInline = "inline" // `mod x { ... }`, the same
	kindUse    = "use"    // one leaf of a use tree: Names is what it is renamed to, "::*" ends a glob
	kindPath   = "path"   // any other path
)

type found struct {
	start, end uint32
	im         lang.Import
}

// extractor collects imports of one file.
type extractor struct {
	tree  *treesitter.Tree
	facts *lang.Facts
	all   []found
}

func extract(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
	for i := range f.Comments { // the grammar counts the line break to a documenting comment
		c := &f.Comments[i]
		c.End = c.Start + len(bytes.TrimRight(t.Source[c.Start:c.End], "\r\n"))
	}
	x := &extractor{tree: t, facts: f}
	skip := slices.Clone(f.Comments)
	for _, i := range append(slices.Clone(m["string"]), m["import"]...) {
		skip = append(skip, lang.Span{Start: int(t.Nodes[i].Start), End: int(t.Nodes[i].End)})
	}
	for _, i := range m["import"] {
		if t.Kind(i) == "extern_crate_declaration" {
			x.add(i, kindUse, "::"+x.text(i, "name"), x.text(i, "alias"))
		} else if argument := t.Child(i, "argument"); argument != treesitter.NoNode {
			x.use(argument, "", 0)
		}
	}
	for _, i := range m["definition.module"] {
		kind := kindMod
		if t.Child(i, "body") != treesitter.NoNode {
			kind = kindInline
		}
		x.add(i, kind, x.text(i, "name"), x.pathAttributes(i, m["attribute"])...)
	}
	slices.SortFunc(skip, func(a, b lang.Span) int { return a.Start - b.Start })
	x.paths(skip)
	x.finish()
}

func (x *extractor) add(at int32, kind, path string, names ...string) {
	n := &x.tree.Nodes[at]
	x.addSpan(n.Start, n.End, kind, path, names...)
}

func (x *extractor) addSpan(start, end uint32, kind, path string, names ...string) {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if path != "" && len(path) <= maxPath && len(x.all) < maxImports {
		x.all = append(x.all, found{start, end, lang.Import{Kind: kind, Path: path, Names: names}})
	}
}

// text is that of the child in a field, or "". Raw identifiers lose their "r#".
func (x *extractor) text(at int32, field string) string {
	if c := x.tree.Child(at, field); c != treesitter.NoNode {
		return plain(x.tree.Text(c))
	}
	return ""
}

func plain(path string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(path), ""), "r#", "")
}

// use lists the leaves of a use tree.
func (x *extractor) use(at int32, prefix string, depth int) {
	if depth > maxNesting || len(prefix) > maxPath {
		return
	}
	t := x.tree
	switch t.Kind(at) {
	case "use_as_clause":
		x.add(at, kindUse, join(prefix, x.text(at, "path")), x.text(at, "alias"))
	case "use_wildcard":
		path := prefix
		for c := range t.Children(at) {
			if t.Nodes[c].Named() {
				path = join(prefix, plain(t.Text(c)))
			}
		}
		x.add(at, kindUse, path+"::*")
	case "scoped_use_list":
		if list := t.Child(at, "list"); list != treesitter.NoNode {
			x.use(list, join(prefix, x.text(at, "path")), depth+1)
		}
	case "use_list":
		for c := range t.Children(at) {
			x.use(c, prefix, depth+1)
		}
	case "identifier", "scoped_identifier", "self", "super", "crate":
		if t.Nodes[at].Named() {
			x.add(at, kindUse, join(prefix, plain(t.Text(at))))
		}
	}
}

func join(prefix, path string) string {
	switch {
	case prefix == "":
		return path
	case path == "" || path == "self":
		return prefix
	case len(prefix)+len(path) > maxPath:
		return strings.Repeat(":", maxPath+1) // too long, whatever comes
	}
	return prefix + "::" + path
}

var pathAttribute = regexp.MustCompile(`\bpath\s*=\s*r?#*"([^"\\]+)"`)

// pathAttributes are the values of #[path = "..."] before a module, those under
// cfg_attr included. Attributes are siblings of what they belong to.
func (x *extractor) pathAttributes(module int32, attributes []int32) []string {
	var out []string
	t, at := x.tree, x.tree.Nodes[module].Start
	for {
		at = uint32(len(withoutBlanks(t.Source[:at], x.facts.Comments)))
		i, ok := slices.BinarySearchFunc(attributes, at, func(a int32, end uint32) int { return cmp.Compare(t.Nodes[a].End, end) })
		if !ok {
			return out
		}
		at = t.Nodes[attributes[i]].Start
		for _, m := range pathAttribute.FindAllSubmatch(t.Source[at:t.Nodes[attributes[i]].End], -1) {
			out = append(out, string(m[1]))
		}
	}
}

// withoutBlanks cuts blanks and comments off the end.
func withoutBlanks(text []byte, comments []lang.Span) []byte {
	for {
		text = bytes.TrimRight(text, " \t\r\n")
		i, _ := slices.BinarySearchFunc(comments, len(text), func(c lang.Span, end int) int { return c.Start - end })
		if i == 0 || comments[i-1].End < len(text) {
			return text
		}
		text = text[:comments[i-1].Start]
	}
}

// paths lists what looks like a path outside the given spans, each once per
// inline module. The text is read, not the tree, since inside macros the tree
// has no paths; what is a comment or a string is known from the tree.
func (x *extractor) paths(skip []lang.Span) {
	src := x.tree.Source
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte("::"))
		if i < 0 {
			return
		}
		i += at
		for len(skip) > 0 && skip[0].End <= i {
			skip = skip[1:]
		}
		if len(skip) > 0 && skip[0].Start <= i {
			at = skip[0].End
			continue
		}
		start, end := i, i
		for start > at && wordByte(src[start-1]) {
			start--
		}
		for bytes.HasPrefix(src[end:], []byte("::")) {
			next := end + len("::")
			if bytes.HasPrefix(src[next:], []byte("r#")) {
				next += len("r#")
			}
			word := next
			for word < len(src) && wordByte(src[word]) {
				word++
			}
			if word == next {
				break
			}
			end = word
		}
		if first := src[start:i]; startsPath(first, src[:start]) && (end > i+len("::")) {
			x.addSpan(uint32(start), uint32(end), kindPath, plain(string(src[start:end])))
		}
		at = max(end, i+len("::"))
	}
}

// startsPath reports whether a path may start with a word, given the text
// before it. Without a word it starts with "::" and must not go on from a type.
func startsPath(word, before []byte) bool {
	last := byte(' ')
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	if len(word) == 0 {
		return strings.IndexByte(" \t\r\n([{<,;&|!=*", last) >= 0
	}
	if last == '$' {
		return string(word) == "crate"
	}
	r, _ := utf8.DecodeRune(word)
	return (r == '_' || unicode.IsLetter(r)) && !unicode.IsUpper(r)
}

func wordByte(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// finish gives the imports their levels and their order, and drops repeats.
func (x *extractor) finish() {
	slices.SortStableFunc(x.all, func(a, b found) int { return cmp.Compare(a.start, b.start) })
	type open struct {
		end   uint32
		level int
	}
	type key struct {
		level int
		path  string
	}
	stack, inlines, seen := []open{{^uint32(0), 0}}, 0, map[key]bool{}
	for _, one := range x.all {
		for one.start >= stack[len(stack)-1].end {
			stack = stack[:len(stack)-1]
		}
		one.im.Level = stack[len(stack)-1].level
		switch k := (key{one.im.Level, one.im.Path}); one.im.Kind {
		case kindPath:
			if seen[k] {
				continue
			}
			seen[k] = true
		case kindInline:
			inlines++
			stack = append(stack, open{one.end, inlines})
		}
		x.facts.Imports = append(x.facts.Imports, one.im)
	}
}
