package typescript

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

//go:embed library.ts
var librarySource string

//go:embed globals.txt
var globalNames string

// Version history of the binding:
//
//	1: first version
const bindingVersion = 1

func newBinding(l *lang.Language) *lang.Binding {
	t, err := l.ParseWhole("library.ts", []byte(librarySource), treesitter.DefaultLimits)
	if err != nil {
		panic(err) // a part of this program
	}
	globals := map[string]bool{}
	for name := range strings.Lines(globalNames) {
		globals[strings.TrimSpace(name)] = true
	}
	return &lang.Binding{
		Version: bindingVersion,
		Bind:    bindFile,
		Link:    link,
		Rules: &bind.Rules{
			Names: true, Every: true, PlainStubs: true, List: "Array", Library: bindFile("library.ts", t),
			Implicit:  func(name string) bool { return slices.Contains(objectMembers, name) },
			OfClasses: func(name string) bool { return slices.Contains(functionMembers, name) },
			Absent:    func(*bind.Import) bool { return true }, // the compiler has no packages
			Tolerant:  true,
			Compat:    func(f *bind.File, u *bind.Use) bool { return compat(f, u, globals) },
		},
	}
}

// Members that every value has, and those that every function and class has.
var (
	objectMembers   = []string{"constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"}
	functionMembers = []string{"apply", "call", "bind", "prototype", "length", "arguments", "caller", "name"}
)

// compat decides whether the compiler reports a use in the words that count.
func compat(f *bind.File, u *bind.Use, globals map[string]bool) bool {
	switch ext := path.Ext(f.Path); {
	case ext != ".ts" && ext != ".tsx":
		return false // it looks at TypeScript only
	case u.Kind == bind.KindName && globals[u.Name]:
		return false // without the import it means the global
	}
	i, found := slices.BinarySearchFunc(f.Refs, u.Start, func(e bind.ExprID, at int) int { return int(f.Exprs[e].Start) - at })
	return !found || f.Exprs[f.Refs[i]].N != apart
}
