package calls

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
)

// Bounds of one file. What lies beyond is not seen.
const (
	maxQualified = 400 // bytes of a qualified name
	maxWritten   = 200 // bytes of what is called
	maxCallee    = 64  // nodes between a call and the name called
	maxName      = 300 // bytes of a name
)

// reader finds the functions and calls of a file in one pass over its tree.
type reader struct {
	*Syntax
	t     *treesitter.Tree
	file  *File
	facts *facts

	kinds   []ruleOf // by kind of node
	frames  []frame
	starts  map[int32]bool     // of functions
	heads   map[string][]int32 // anchors of declarations without a body, by qualified name
	comment comments
}

// frame is a function, class or namespace around a node.
type frame struct {
	end      int32 // index of the node after it
	function int32 // the innermost one, -1 for none
	outer    int32 // the one around that
	isFunc   bool  // the frame is that function's
	name     string
}

// ruleOf is what the syntax says of a kind of node.
type ruleOf struct {
	seen, comment, outer, opening bool

	scope    func(*treesitter.Tree, int32) string
	function func(*treesitter.Tree, int32) (Definition, bool)
	head     func(*treesitter.Tree, int32) int32
	call     func(*treesitter.Tree, int32) (Call, bool)
}

func (r *reader) rule(kind uint16) *ruleOf {
	if int(kind) >= len(r.kinds) {
		r.kinds = append(r.kinds, make([]ruleOf, int(kind)+1-len(r.kinds))...)
	}
	k := &r.kinds[kind]
	if !k.seen {
		name := r.t.Grammar.KindName(kind)
		*k = ruleOf{true, r.Comments[name], r.Outer[name], r.Opening[name], r.Scopes[name], r.Functions[name], r.Heads[name], r.Calls[name]}
	}
	return k
}

func (r *reader) read() {
	for at, c := range r.t.Source {
		if c == '\n' {
			r.facts.lines = append(r.facts.lines, int32(at)+1)
		}
	}
	r.heads, r.starts = map[string][]int32{}, map[int32]bool{}
	r.frames = []frame{{end: int32(len(r.t.Nodes)), function: -1, outer: -1}}
	past := int32(0) // the comment before
	for i := range r.t.Nodes {
		i, n := int32(i), &r.t.Nodes[i]
		if i < past {
			continue
		}
		for len(r.frames) > 1 && i >= r.frames[len(r.frames)-1].end {
			r.frames = r.frames[:len(r.frames)-1]
		}
		rule := r.rule(n.Kind)
		if rule.comment {
			r.comment.add(n)
			past = n.Next
			continue
		}
		if n.Next == i+1 && n.Start < n.End && r.t.Source[n.Start] > ' ' { // the end of a line may be a token
			r.comment.token(n)
		}
		if rule.call != nil {
			if c, ok := rule.call(r.t, i); ok {
				r.call(c)
			}
		}
		if rule.function != nil {
			if d, ok := rule.function(r.t, i); ok && d.Name >= 0 && d.Node >= 0 && d.Body >= 0 {
				r.define(i, d)
				continue
			}
		}
		switch {
		case rule.scope != nil:
			top := r.top()
			end := n.Next
			if rule.opening && n.Parent >= 0 {
				end = r.t.Nodes[n.Parent].Next
			}
			r.push(frame{end: end, function: top.function, outer: top.outer, name: r.qualified(rule.scope(r.t, i))})
		case rule.head != nil:
			if name := rule.head(r.t, i); name >= 0 {
				q := r.qualified(text(r.t, name))
				r.heads[q] = append(r.heads[q], int32(n.Start), int32(r.t.Nodes[name].Start))
			}
		case rule.outer:
			if top := r.top(); top.isFunc {
				r.push(frame{end: n.Next, function: top.outer, outer: top.outer, name: top.name})
			}
		}
	}
	r.sort()
}

// sort brings the functions into the order of their starts: decorators may have
// functions in them.
func (r *reader) sort() {
	all := r.file.Functions
	byStart := func(a, b int) int { return int(all[a].Start - all[b].Start) }
	order := make([]int, len(all)) // old indexes
	for i := range order {
		order[i] = i
	}
	if slices.IsSortedFunc(order, byStart) {
		return
	}
	slices.SortFunc(order, byStart)
	sorted, at := make([]Function, len(all)), make([]int, len(all))
	for i, old := range order {
		sorted[i], at[old] = all[old], i
	}
	r.file.Functions = sorted
	for k, old := range r.facts.anchors {
		r.facts.anchors[k] = at[old]
	}
	params := make(map[int][]string, len(r.facts.params))
	for old, types := range r.facts.params {
		params[at[old]] = types
	}
	r.facts.params = params
	for i := range r.facts.sites {
		r.facts.sites[i].caller = int32(at[r.facts.sites[i].caller])
	}
}

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

// push opens a frame. There are never more than nodes.
func (r *reader) push(f frame) { r.frames = append(r.frames, f) }

// qualified is a name with what is around it.
func (r *reader) qualified(name string) string {
	around := r.top().name
	switch {
	case around == "" || len(around)+len(name) > maxQualified:
		return name
	case name == "":
		return around
	}
	return around + r.Separator + name
}

func (r *reader) define(i int32, d Definition) {
	node, body, name := &r.t.Nodes[d.Node], &r.t.Nodes[d.Body], &r.t.Nodes[d.Name]
	called := d.Called
	if called == "" {
		called = text(r.t, d.Name)
	}
	if called == "" {
		return
	}
	q := called
	if d.Within != "" && len(d.Within) <= maxQualified {
		q = d.Within + r.Separator + called
	}
	top := r.top()
	f := Function{
		Name: called, Qualified: r.qualified(q), Start: int32(node.Start), Body: int32(body.Start), End: int32(max(node.End, r.t.Nodes[i].End)),
		Line: int32(node.StartRow), Doc: d.Doc, Local: d.Local || top.function >= 0, Inline: d.Inline,
	}
	if r.starts[f.Start] { // its decorators are another's, in broken code
		if node = &r.t.Nodes[i]; r.starts[int32(node.Start)] {
			return
		}
		f.Start, f.Line = int32(node.Start), int32(node.StartRow)
	}
	r.starts[f.Start] = true
	f.EndLine = r.facts.line(max(f.Start, f.End-1))
	if d.Doc == (Span{}) {
		f.Doc = r.comment.above(node, &r.t.Nodes[i])
	}
	index := len(r.file.Functions)
	r.file.Functions = append(r.file.Functions, f)
	for _, at := range append(r.heads[f.Qualified], int32(name.Start), int32(r.t.Nodes[i].Start), int32(node.Start)) {
		if _, taken := r.facts.anchors[at]; !taken {
			r.facts.anchors[at] = index
		}
	}
	if r.Words != nil {
		r.facts.params[index] = r.parameters(i)
	}
	if d.Own > 0 {
		r.facts.anchors[int32(r.t.Nodes[d.Own].Start)] = index
	}
	delete(r.heads, f.Qualified)
	r.push(frame{end: r.t.Nodes[i].Next, function: int32(index), outer: top.function, isFunc: true, name: f.Qualified})
}

func (r *reader) call(c Call) {
	caller := r.top().function
	if caller < 0 || c.Callee < 0 {
		return
	}
	name := r.name(c.Callee)
	if name < 0 {
		return
	}
	s := site{caller: caller, at: int32(r.t.Nodes[name].Start), args: c.Args, of: c.Of, name: text(r.t, name)}
	if s.name == "" {
		return
	}
	if r.Words != nil && c.List > 0 {
		s.words = r.words(c.List)
	}
	if n := &r.t.Nodes[c.Callee]; n.End-n.Start <= maxWritten {
		s.written = r.t.Text(c.Callee)
		if strings.ContainsFunc(s.written, unwritten) {
			s.written = ""
		}
	}
	r.facts.sites = append(r.facts.sites, s)
}

// unwritten reports what stands in no chain of names.
func unwritten(c rune) bool { return strings.ContainsRune("()[]{}<>\"'`+-*/!?&|=,; \t\r\n", c) }

// name is the node of the name of what is called, or -1.
func (r *reader) name(i int32) int32 {
	for range maxCallee {
		if i < 0 {
			return -1
		}
		field, ok := r.Callee[r.t.Kind(i)]
		switch {
		case !ok:
			return -1
		case field == "=":
			return i
		case field == "":
			i = First(r.t, i)
		case field == "<":
			i = last(r.t, i)
		case field[0] == '.':
			i = OfKind(r.t, i, field[1:])
		default:
			i = r.t.Child(i, field)
		}
	}
	return -1
}

// text is that of a name, "" where it is too long for one.
func text(t *treesitter.Tree, i int32) string {
	if n := &t.Nodes[i]; n.End-n.Start > maxName {
		return ""
	}
	return t.Text(i)
}
