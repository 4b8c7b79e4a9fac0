package java

import (
	_ "embed"
	"sort"

	grammar "github.com/smacker/go-tree-sitter/java"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

//go:embed library.java
var librarySource string

const libraryPath = "library.java"

// library is what every file sees of the JDK, and its types by simple name.
// Interfaces in it list all their members, classes need not.
var library, libraryTypes = func() (*bind.File, map[string]bind.DeclID) {
	t := treesitter.MustParse([]byte(librarySource), treesitter.NewGrammar("java", grammar.GetLanguage()))
	b := &binder{Builder: bind.NewBuilder(libraryPath), t: t, full: map[string]bool{}, partial: true}
	f := b.file()
	types := map[string]bind.DeclID{}
	for id, name := range typesOf(f) {
		types[name] = id
	}
	return f, types
}()

var rules = &bind.Rules{
	MembersInScope: true,
	Ordered:        true,
	Library:        library,
	Implicit:       ofObject,
	Absent:         absent,
	Compat:         reported,
}

// ofObject reports members that every object has.
func ofObject(name string) bool {
	switch name {
	case "toString()", "hashCode()", "equals()", "getClass()", "clone()", "finalize()", "notify()", "notifyAll()", "wait()", "length", "class":
		return true
	}
	return false
}

// unreported marks names, by [bind.Expr.Static], of which javac does not say that
// it cannot find the symbol: elements of annotations, since a class that stands in
// for an annotation is none, and names that may be those of packages.
const unreported = true

func reported(f *bind.File, u *bind.Use) bool {
	n := sort.Search(len(f.Refs), func(i int) bool { return int(f.Exprs[f.Refs[i]].Start) >= u.Start })
	return n == len(f.Refs) || f.Exprs[f.Refs[n]].Static != unreported
}
