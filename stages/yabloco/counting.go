package yabloco

import (
	"path"
	"strings"

	"benchmill/schemas"
)

// evidence is a set of the kinds of evidence of calls.
type evidence uint8

// kinds are all there are, in the order in which rows list them.
var kinds = []string{schemas.EvidenceIndirect, schemas.EvidenceMacro, schemas.EvidenceOperator, schemas.EvidenceWritten}

func evidenceOf(names ...string) evidence {
	var out evidence
	for i, kind := range kinds {
		for _, name := range names {
			if name == kind {
				out |= 1 << i
			}
		}
	}
	return out
}

func (e evidence) String() string {
	var names []string
	for i, kind := range kinds {
		if e&(1<<i) != 0 {
			names = append(names, kind)
		}
	}
	return strings.Join(names, ",")
}

const compatUpstream = "upstream"

// Counting says which calls count.
type Counting struct {
	Evidence []string `yaml:"evidence" enum:"written|macro|operator|indirect" doc:"which calls count: those in the text, those in the bodies of macros, operators, and those through pointers, of which only the variable or field is known"`
	Compat   string   `yaml:"compat" enum:"paper|upstream" doc:"upstream: written and indirect calls count, which is what the published graphs have"`
}

// called is what a body calls, however it is written ("dependencies called in
// function body", the card's words for dep_num); a pointer is no function.
func called() Counting {
	return Counting{Evidence: []string{schemas.EvidenceWritten, schemas.EvidenceMacro, schemas.EvidenceOperator}, Compat: "paper"}
}

func (c Counting) set() evidence {
	if c.Compat == compatUpstream {
		return evidenceOf(schemas.EvidenceWritten, schemas.EvidenceIndirect)
	}
	return evidenceOf(c.Evidence...)
}

// Classes of callees that are no context levels.
const (
	classExternal   = "external_binaries"
	classUnresolved = "unresolved"
)

// class is how a callee looks from a file ("Callee classes"): what the repository
// defines or declares by where that stands, and what is outside of it by its origin.
func (t target) class(caller string) string {
	switch {
	case t.origin == schemas.OriginSystem:
		return schemas.LevelStdlib
	case t.origin == schemas.OriginExternal:
		return classExternal
	case t.origin == schemas.OriginUnresolved || t.path == "":
		return classUnresolved
	case t.path == caller:
		return schemas.LevelFile
	case path.Dir(t.path) == path.Dir(caller):
		return schemas.LevelPackage
	}
	return schemas.LevelProject
}

// count counts callees by class and sets the level: project > same_package >
// same_file > stdlib > none. A function that calls installed libraries only is at the
// level of stdlib: what it calls is outside of the repository.
func count(f *schemas.RepositoryFunction, callees []edge, g *callGraph, counted evidence) {
	for _, e := range callees {
		if e.evidence&counted == 0 {
			continue
		}
		switch g.target(e.other).class(f.File) {
		case schemas.LevelFile:
			f.SameFile++
		case schemas.LevelPackage:
			f.SamePackage++
		case schemas.LevelProject:
			f.Project++
		case schemas.LevelStdlib:
			f.Stdlib++
		case classExternal:
			f.External++
		default:
			f.Unresolved++
		}
	}
	f.DepNum = f.SameFile + f.SamePackage + f.Project + f.Stdlib + f.External
	f.Level = Level(*f)
}

// Level is the widest class of what a function calls, as its counts have it.
func Level(f schemas.RepositoryFunction) string {
	switch {
	case f.Project > 0:
		return schemas.LevelProject
	case f.SamePackage > 0:
		return schemas.LevelPackage
	case f.SameFile > 0:
		return schemas.LevelFile
	case f.Stdlib+f.External > 0:
		return schemas.LevelStdlib
	}
	return schemas.LevelNone
}
