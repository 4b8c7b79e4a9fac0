package yabloco

import (
	"context"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// oracle holds the definitions that tasks are shown.
type oracle struct {
	g       *callGraph
	counted evidence
	prefix  string // what a comment begins with
	folder  string // what paths are shown below: the repository's own name
	texts   map[int]shown
	blobs   map[string]string // git's ids of files
}

// shown is a definition as a context has it.
type shown struct{ code, doc string }

// callees are the functions of the repository that a function calls, in the order of
// their first calls, each once, itself left out.
func (o *oracle) callees(i int) []int {
	var out []int
	for _, e := range o.g.callees[i] {
		if e.evidence&o.counted != 0 && e.other >= 0 && e.other != i {
			out = append(out, e.other)
		}
	}
	return out
}

// read keeps the texts of the definitions that targets call.
func (o *oracle) read(ctx context.Context, p *pipeline.Pass, targets []int) error {
	o.texts, o.blobs = map[int]shown{}, map[string]string{}
	files := map[string]bool{}
	for _, i := range targets {
		files[o.g.defs[i].Path] = true
		for _, callee := range o.callees(i) {
			o.texts[callee] = shown{}
		}
	}
	return o.g.eachFile(ctx, p, func(file schemas.File, from, to int) error {
		if files[file.Path] {
			o.blobs[file.Path] = file.Blob
		}
		for i := from; i < to; i++ {
			if _, wanted := o.texts[i]; wanted {
				d := &o.g.defs[i]
				o.texts[i] = shown{strings.Clone(file.Text[d.Start:d.End]), Docstring(d.Doc, docColumn(file.Text, d))}
			}
		}
		return nil
	})
}

// context is what a target is shown: the definitions of its callees, each under the
// name of its file and its comment, with an empty line between them ("functions
// extracted from call graph that the original code calls"). It stops with ok false
// where the text would be longer than most.
func (o *oracle) context(target, most int) (text string, functions []schemas.ContextFunction, ok bool) {
	var b strings.Builder
	for i, callee := range o.callees(target) {
		d, s := &o.g.defs[callee], o.texts[callee]
		if b.Len()+len(s.code)+2*len(s.doc) > most {
			return "", nil, false
		}
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(o.prefix + " File name: " + o.folder + "/" + d.Path + "\n")
		b.WriteString(o.prefix + " Comment: " + strings.ReplaceAll(s.doc, "\n", "\n"+o.prefix+" ") + "\n")
		b.WriteString(s.code)
		functions = append(functions, schemas.ContextFunction{ID: o.g.ids[callee], File: d.Path, Name: d.Qualified})
	}
	return b.String(), functions, true
}
