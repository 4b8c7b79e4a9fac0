// Package libclang reads translation units of C and C++ with libclang, which is
// opened at run time: neither its headers nor the library are needed to build. A
// unit goes in as a compiler's arguments and comes out as a [Unit]: plain data,
// from one walk in C, of the functions that are defined below a folder and of what
// they call.
//
// The library's parser was not made for code that means harm. It runs here in the
// process, with no limit of time; who reads foreign code does it in a sandbox.
package libclang

// #cgo CFLAGS: -O2 -std=c11
// #cgo linux LDFLAGS: -ldl
// #include <stdlib.h>
// #include "index.h"
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

// Library is an open library. It is safe for concurrent use, and is never closed.
type Library struct {
	Path     string
	Version  string // as it calls itself
	Resource string // folder of the compiler's own headers

	clang *C.bm_clang
}

// Open opens the library at a path, without links, whose headers are in resource.
func Open(path, resource string) (*Library, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var wrong *C.char
	clang := C.bm_open(name, &wrong)
	if clang == nil {
		defer C.free(unsafe.Pointer(wrong))
		return nil, fmt.Errorf("libclang: %s: %s", path, C.GoString(wrong))
	}
	version := C.bm_version(clang)
	defer C.free(unsafe.Pointer(version))
	return &Library{Path: path, Version: C.GoString(version), Resource: resource, clang: clang}, nil
}

// Evidence of a [Call].
type Evidence uint32

// Kinds of evidence, as package index.h has them. The first that fits of these
// counts: indirect, operator, macro, written.
const (
	Written  Evidence = C.BM_WRITTEN
	Macro    Evidence = C.BM_MACRO
	Operator Evidence = C.BM_OPERATOR // also constructors that are called without brackets
	Indirect Evidence = C.BM_INDIRECT
)

// Place is an offset in bytes into a file of a unit, and its line, 1-based. File is
// -1 where there is none.
type Place struct {
	File         int32
	Offset, Line uint32
}

// Function is a definition with a body below the root. What a macro makes as a
// whole is none.
type Function struct {
	Start, Body   Place // of its first token, and of the brace
	End           uint32
	EndLine       uint32
	Name          string
	Qualified     string // with namespaces and classes; "(anonymous)" for what has no name
	USR           string // clang's name for it, the same in all units
	Local, Inline bool
}

// Decl is what is called: a function or, with Pointer, a variable, a parameter or a
// field, the latter called "Struct::field". Instances of a template are the
// template.
type Decl struct {
	Place      Place // of the declaration's first token
	Definition Place // in this unit
	Name       string
	Qualified  string
	USR        string
	Pointer    bool
	Builtin    bool // the compiler's own
}

// Call is one call in a function.
type Call struct {
	Function, Decl int
	Evidence       Evidence
	Via            string // with Macro, the macro that the function's text uses
	Offset, Line   uint32 // in the function's file, of the name of what is called or of the macro's use
}

// Unit is what a translation unit holds.
type Unit struct {
	Files     []string // absolute, without links
	Functions []Function
	Decls     []Decl
	Calls     []Call
	Errors    int    // that the compiler found
	Error     string // the first
}

// Command is how a translation unit is compiled.
type Command struct {
	Dir  string   // absolute; names in Args are relative to it
	File string   // absolute
	Args []string // without the compiler, the file and what it writes
}

// MaxEntries bounds each of a unit's tables.
const MaxEntries = 8 << 20

// Errors of [Library.Read].
var (
	ErrTooMany = errors.New("a unit has too many functions or calls")
	ErrTooDeep = errors.New("functions lie too deep in each other")
	ErrMemory  = errors.New("out of memory")
	ErrUnread  = errors.New("libclang could not read it")
)

// Read reads a unit and keeps what lies below root, an absolute path without
// links. A unit with errors in it is read as far as it can be.
func (l *Library) Read(root string, c Command) (*Unit, error) {
	// The driver would take the folder for the process's own and change to it.
	folder := []string{"-Xclang", "-working-directory=" + c.Dir}
	args := slices.Concat([]string{"-resource-dir", l.Resource}, folder, c.Args)
	texts := make([]*C.char, 0, len(args)+3)
	text := func(s string) *C.char {
		p := C.CString(s)
		texts = append(texts, p)
		return p
	}
	defer func() {
		for _, p := range texts {
			C.free(unsafe.Pointer(p))
		}
	}()
	// An array that C owns, so that no pointer to Go's memory is passed.
	argv := (**C.char)(C.malloc(C.size_t(len(args)) * C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	defer C.free(unsafe.Pointer(argv))
	for i, a := range args {
		unsafe.Slice(argv, len(args))[i] = text(a)
	}
	out := (*C.bm_index)(C.calloc(1, C.sizeof_bm_index))
	defer C.free(unsafe.Pointer(out))
	defer C.bm_free(out)
	out.limit = MaxEntries
	C.bm_read(l.clang, text(root), text(c.Dir), text(c.File), argv, C.int(len(args)), out)
	switch {
	case out.parsed != 0:
		return nil, fmt.Errorf("%w: %s (code %d)", ErrUnread, c.File, int(out.parsed))
	case out.failed == C.BM_MANY:
		return nil, fmt.Errorf("%w: %s, limit %d", ErrTooMany, c.File, MaxEntries)
	case out.failed == C.BM_DEEP:
		return nil, fmt.Errorf("%w: %s", ErrTooDeep, c.File)
	case out.failed != C.BM_OK:
		return nil, fmt.Errorf("%w: %s", ErrMemory, c.File)
	}
	return unit(out), nil
}

// table is a table's entries, in C's memory.
func table[T any](t C.bm_table) []T { return unsafe.Slice((*T)(t.data), int(t.count)) }

func unit(out *C.bm_index) *Unit {
	p := pool{bytes: table[byte](out.texts), made: map[C.uint32_t]string{}}
	u := &Unit{Errors: int(out.errors), Error: p.text(out.error)}
	for _, f := range table[C.uint32_t](out.files) {
		u.Files = append(u.Files, p.text(f))
	}
	for _, f := range table[C.bm_function](out.functions) {
		u.Functions = append(u.Functions, Function{
			Start: place(f.start), Body: place(f.body), End: uint32(f.end), EndLine: uint32(f.end_line),
			Name: p.text(f.name), Qualified: p.text(f.qualified), USR: p.text(f.usr),
			Local: f.flags&C.BM_LOCAL != 0, Inline: f.flags&C.BM_INLINE != 0,
		})
	}
	for _, d := range table[C.bm_decl](out.decls) {
		u.Decls = append(u.Decls, Decl{
			Place: place(d.place), Definition: place(d.definition),
			Name: p.text(d.name), Qualified: p.text(d.qualified), USR: p.text(d.usr), Pointer: d.flags&C.BM_POINTER != 0,
			Builtin: d.flags&C.BM_BUILTIN != 0,
		})
	}
	for _, c := range table[C.bm_call](out.calls) {
		u.Calls = append(u.Calls, Call{
			Function: int(c.function), Decl: int(c.decl), Evidence: Evidence(c.evidence),
			Via: p.text(c.via), Offset: uint32(c.offset), Line: uint32(c.line),
		})
	}
	return u
}

func place(p C.bm_place) Place {
	return Place{File: int32(p.file), Offset: uint32(p.offset), Line: uint32(p.line)}
}

// pool makes strings of texts, each once.
type pool struct {
	bytes []byte
	made  map[C.uint32_t]string
}

func (p *pool) text(at C.uint32_t) string {
	if at == 0 {
		return ""
	}
	s, ok := p.made[at]
	if !ok {
		end := int(at)
		for end < len(p.bytes) && p.bytes[end] != 0 {
			end++
		}
		s = string(p.bytes[at:end])
		p.made[at] = s
	}
	return s
}
