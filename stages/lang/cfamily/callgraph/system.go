package callgraph

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed system.txt
var systemText string

// systemKind is what a name of the system is.
type systemKind uint8

const (
	systemFunction systemKind = iota
	systemMacro               // with arguments
	systemObject              // a macro without arguments
)

// systemEntry is a name of the system.
type systemEntry struct {
	header string
	kind   systemKind
	calls  string // the function that a macro calls, or ""
	std    bool   // it is one of C++, with "std::" in front
}

// systemNames is the table of system.txt: a line is a header and its names. A name
// with "()=" behind it is a macro with arguments, one with "=" a macro without; the
// function that it calls may follow. A name stands under the first header that has it.
var systemNames = sync.OnceValue(func() map[string]systemEntry {
	out := map[string]systemEntry{}
	for line := range strings.Lines(systemText) {
		header, names, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || header[0] == '#' {
			continue
		}
		for _, name := range strings.Fields(names) {
			e := systemEntry{header: header}
			if i := strings.Index(name, "="); i >= 0 {
				name, e.calls, e.kind = name[:i], name[i+1:], systemObject
				if n, ok := strings.CutSuffix(name, "()"); ok {
					name, e.kind = n, systemMacro
				}
			}
			name, e.std = strings.CutPrefix(name, "std::")
			if i := strings.LastIndex(name, "::"); i >= 0 {
				name = name[i+2:]
			}
			if _, ok := out[name]; !ok {
				out[name] = e
			}
		}
	}
	return out
})

// systemHeaders are the headers of the table.
var systemHeaders = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(systemText) {
		if header, _, ok := strings.Cut(line, ": "); ok && header[0] != '#' {
			out[header] = true
		}
	}
	return out
})

// systemTable is the table by the names of a repository.
func systemTable(g *graph) map[int32]systemEntry {
	out := map[int32]systemEntry{}
	for name, e := range systemNames() {
		if id, ok := g.names[name]; ok {
			out[id] = e
		}
	}
	return out
}
