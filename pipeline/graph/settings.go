package graph

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"benchmill/pipeline"
)

// settings decodes n into the struct cfg points to, looks up what it names, and
// asks its Validate, if all before was well.
func (r *reader) settings(cfg any, n *node, path string, at Pos) {
	before := r.count
	r.into(reflect.ValueOf(cfg).Elem(), n, path, limits{})
	walk(reflect.ValueOf(cfg).Elem(), path, func(f field) bool { return f.written }, func(v reflect.Value, p string) {
		pos, ok := r.at[p]
		if !ok {
			pos = at
		}
		switch name := v.Interface().(type) {
		case pipeline.ModelName:
			r.reference("model", string(name), p, pos)
		case pipeline.TokenizerName:
			r.reference("tokenizer", string(name), p, pos)
		case pipeline.FileName:
			r.file(name, p, pos, false)
		}
	})
	if r.count > before {
		return
	}
	if c, ok := cfg.(interface{ Validate() error }); ok {
		for _, err := range split(c.Validate()) {
			r.add(ClassConfig, at, path, "", "%s", err)
		}
	}
}

// split takes joined errors apart, so that each is a problem of its own.
func split(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, split(e)...)
	}
	return out
}

// reference reports a name that the section for what does not define.
func (r *reader) reference(what, name, path string, at Pos) {
	names := r.defined[what]
	if name == "" || slices.Contains(names, name) || r.unclear[what] || r.full() {
		return
	}
	h := hint(name, names)
	if len(names) == 0 {
		h = "this file defines no " + what
	}
	r.add(ClassUnknownName, at, path, h, "no %s is called %q", what, clip(name))
}

// named reports a stage that uses a model or a tokenizer and names none.
func (r *reader) named(d *draft, at Pos) {
	t := reflect.TypeOf(d.Config).Elem()
	for _, use := range []struct {
		uses bool
		typ  reflect.Type
		what string
	}{{d.Stage.Uses.LLM, modelType, "model"}, {d.Stage.Uses.Tokenizer, tokenizerType, "tokenizer"}} {
		if !use.uses {
			continue
		}
		var empty string
		some := false
		for _, f := range settings(t) {
			if f.typ != use.typ {
				some = some || slices.Contains(typesIn(f.typ), use.typ) // in a list or struct: left to Validate
				continue
			}
			v := reflect.ValueOf(d.Config).Elem().FieldByIndex(f.index)
			some = some || v.String() != "" || f.optional
			if empty == "" {
				empty = join(d.path+".with", f.name)
			}
		}
		if _, wrong := r.at[empty]; !some && empty != "" && !wrong {
			r.add(ClassMissing, at, empty, "", "missing; %s needs a %s", d.Stage.Name, use.what)
		}
	}
}

// file reports a file that is not there. An empty name is no file.
func (r *reader) file(name pipeline.FileName, path string, at Pos, folder bool) {
	if name == "" || r.full() {
		return
	}
	full := filepath.FromSlash(string(name))
	if !filepath.IsAbs(full) {
		full = filepath.Join(r.g.Dir, full)
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.add(ClassMissingFile, at, path, nearFile(full, string(name)), "there is no file %q", clip(string(name)))
	case err != nil:
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		r.add(ClassMissingFile, at, path, "", "cannot read %q: %s", clip(string(name)), err)
	case info.IsDir() && !folder:
		r.add(ClassMissingFile, at, path, "", "%q is a folder, not a file", clip(string(name)))
	}
}

// nearFile looks for a file of a similar name in the same folder.
func nearFile(full, name string) string {
	dir, err := os.Open(filepath.Dir(full))
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxCandidates)
	slices.Sort(names)
	near, ok := nearest(filepath.Base(full), names)
	if !ok {
		return ""
	}
	return "did you mean " + strconv.Quote(name[:strings.LastIndexByte(name, '/')+1]+near) + "?"
}
