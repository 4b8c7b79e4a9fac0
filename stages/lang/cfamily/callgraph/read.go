package callgraph

import (
	"bytes"
	"cmp"
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

// reader describes one file in one pass over its tree, parents before children.
type reader struct {
	*unit
	t          *treesitter.Tree
	kinds      kinds
	statements statements
	names      *names
	scan       *scanner
	file       *calls.File

	frames   []frame
	caller   int32    // the innermost open function, or none
	scopes   []string // names of the open namespaces and classes
	typeIDs  map[typ]int32
	recordOf map[int32]int32 // by node
	comments []span          // in source order, as far as they have been passed
	errors   []span          // in functions, that could not be read
	defs     []definitionAt  // functions in source order
	next     int             // the first of them that has not been opened
	open     []int32         // functions around the place reached, the innermost last

	lastLocal map[int32]int32 // by name: the last local of it, counted from 1
	mentioned []int32         // by name: the last function that mentions it, counted from 1
	steps     []int32

	lost       []span  // see [lostNames]
	lostLocals []int32 // by name: the last function with a local of it of a lost type, counted from 1
}

// frame is an open node that matters to what stands in it.
type frame struct {
	next   int32 // the node behind it
	caller int32 // the function it stands in
	scopes int   // how many were open around it
	record int32 // that it is the body of, or none
	end    int32 // where its names end to be seen
}

// read describes a file.
func read(path string, t *treesitter.Tree, cpp bool) *calls.File {
	n := newNames()
	x := &reader{
		unit: &unit{cpp: cpp}, t: t, kinds: grammarOf(t.Grammar).kinds, statements: grammarOf(t.Grammar).statements, names: n, file: &calls.File{Path: path}, caller: none,
		typeIDs: map[typ]int32{}, recordOf: map[int32]int32{}, lastLocal: map[int32]int32{},
	}
	x.scan = scan(x.unit, t.Source, n)
	for at := 0; ; {
		n := bytes.IndexByte(t.Source[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		x.lines = append(x.lines, int32(at))
	}
	x.definitions()
	for i := range int32(len(t.Nodes)) {
		for len(x.frames) > 0 && i >= x.frames[len(x.frames)-1].next {
			x.leave()
		}
		x.turn(int32(t.Nodes[i].Start))
		x.node(i)
	}
	x.turn(int32(len(t.Source)))
	x.recover()
	x.outside()
	x.keep()
	x.mark()
	x.finish()
	x.file.Facts = x.unit
	return x.file
}

func (x *reader) leave() {
	f := x.frames[len(x.frames)-1]
	x.frames = x.frames[:len(x.frames)-1]
	x.scopes = x.scopes[:f.scopes]
}

// enter opens a node.
func (x *reader) enter(at int32, record int32) {
	n := &x.t.Nodes[at]
	x.frames = append(x.frames, frame{next: n.Next, caller: x.caller, scopes: len(x.scopes), record: record, end: int32(n.End)})
}

// turn opens and closes functions up to a place.
func (x *reader) turn(at int32) {
	for {
		for n := len(x.open); n > 0 && at >= x.file.Functions[x.open[n-1]].End; n = len(x.open) {
			x.open = x.open[:n-1]
		}
		x.caller = none
		if n := len(x.open); n > 0 {
			x.caller = x.open[n-1]
		}
		if x.next >= len(x.defs) || at < x.defs[x.next].start {
			break
		}
		d := &x.defs[x.next]
		x.next++
		if x.function(d) {
			x.open = append(x.open, int32(len(x.functions)-1))
		}
	}
}

// node describes a node.
func (x *reader) node(at int32) {
	n := &x.t.Nodes[at]
	switch x.kinds.of(n.Kind) {
	case commentKind:
		x.comments = append(x.comments, span{int32(n.Start), int32(n.End)})
	case declarationKind:
		x.declaration(at)
	case fieldDeclarationKind:
		x.fieldDeclaration(at)
	case parameterKind:
		x.parameter(at)
	case typedefKind:
		x.typedef(at)
	case recordKind:
		x.recordBody(at)
	case namespaceKind:
		x.enter(at, none)
		if name := x.t.Child(at, "name"); name != treesitter.NoNode {
			x.scopes = append(x.scopes, x.t.Text(name))
		}
	case compoundKind, scopeKind:
		if x.caller != none {
			x.enter(at, none)
		}
	case callKind:
		if x.caller != none {
			x.call(at)
		}
	case identifierKind, typeNameKind:
		if x.caller != none {
			x.mention(at)
		}
	case leafKind:
		if x.caller != none {
			x.losing(at)
		}
	case errorKind:
		if x.caller != none {
			x.errors = append(x.errors, span{int32(n.Start), int32(n.End)})
		}
	}
}

// id is the name that a node is.
func (x *reader) id(at int32) int32 {
	n := &x.t.Nodes[at]
	return x.names.id(x.t.Source[n.Start:n.End])
}

// mention notes a name of the open function.
func (x *reader) mention(at int32) {
	id := x.id(at)
	x.losing(at)
	x.losingName(at, id)
	x.noteMention(id, int32(x.t.Nodes[at].Start))
}

// noteMention notes a name of the open function, the first time it stands in it.
func (x *reader) noteMention(id, at int32) {
	for int(id) >= len(x.mentioned) {
		x.mentioned = append(x.mentioned, make([]int32, len(x.mentioned)+64)...)
	}
	if x.mentioned[id] == x.caller+1 {
		return
	}
	x.mentioned[id] = x.caller + 1
	x.mentions = append(x.mentions, mention{x.caller, id, at})
}

// finish keeps of the names what is needed.
func (x *reader) finish() {
	x.text, x.ends = string(x.names.text), x.names.ends
	slices.SortStableFunc(x.fields, func(a, b field) int { return cmp.Compare(a.record, b.record) })
	for i, f := range x.fields {
		r := &x.records[f.record]
		if r.to == 0 {
			r.from = int32(i)
		}
		r.to = int32(i + 1)
	}
}

// typeID is the place of a type in the file's table.
func (x *reader) typeID(t typ) int32 {
	id, ok := x.typeIDs[t]
	if !ok {
		id = int32(len(x.types))
		x.types = append(x.types, t)
		x.typeIDs[t] = id
	}
	return id
}

func (x *reader) kind(at int32) kind { return x.kinds.of(x.t.Nodes[at].Kind) }

// is reports whether a node is this text.
func (x *reader) is(at int32, text string) bool {
	n := &x.t.Nodes[at]
	return string(x.t.Source[n.Start:n.End]) == text
}
