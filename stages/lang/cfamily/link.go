package cfamily

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// maxClosure bounds the files that one includes, over others too.
const maxClosure = 4000

// linker knows the declarations of a repository by name, and what includes what.
// Files are told by their places in the list.
type linker struct {
	library  *bind.File
	standard map[string]bind.DeclID // what the library declares
	files    []*bind.File
	places   map[string]int32 // of files by path
	includes [][]int32
	names    map[string][]place // in files, namespaces and classes; files ascending
	classes  map[string][]place // those of names that are classes with a body

	closures sync.Map // file to bits
	held     atomic.Int64
}

// place is a declaration of a file.
type place struct {
	file int32
	decl bind.DeclID
}

func link(files []*bind.File, library *bind.File) bind.Linker {
	l := &linker{
		library: library, standard: map[string]bind.DeclID{}, files: files, places: make(map[string]int32, len(files)),
		includes: make([][]int32, len(files)), names: map[string][]place{}, classes: map[string][]place{},
	}
	for i := range library.Decls {
		if d := &library.Decls[i]; d.Scope == 0 {
			l.standard[d.Name] = bind.DeclID(i)
		}
	}
	paths := make([]string, 0, len(files))
	for i, f := range files {
		paths = append(paths, f.Path)
		l.places[f.Path] = int32(i)
	}
	slices.Sort(paths)
	index := NewIncludes(paths)
	for at, f := range files {
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Kind != kindPath {
				if p := index.Find(f.Path, im.Path, im.Kind == "angled" && !strings.Contains(im.Path, "/")); p != "" && p != f.Path {
					l.includes[at] = append(l.includes[at], l.places[p])
				}
			}
		}
		for i := 1; i < len(f.Decls); i++ {
			d := &f.Decls[i]
			if d.Name == "" || d.Kind == bind.Imported || d.Kind == bind.TypeParam || d.Kind == bind.Param {
				continue
			}
			if kind := f.Scopes[d.Scope].Kind; kind == bind.FileScope || kind == bind.NamespaceScope || kind == bind.ClassScope {
				t := place{int32(at), bind.DeclID(i)}
				l.names[d.Name] = append(l.names[d.Name], t)
				if d.Kind == bind.Class && d.Inner != 0 {
					l.classes[d.Name] = append(l.classes[d.Name], t)
				}
			}
		}
	}
	return l
}

// target is a declaration for others.
func (l *linker) target(p place) bind.Target {
	return bind.Target{Path: l.files[p.file].Path, Decl: p.decl}
}

// bits is a set of files.
type bits []uint64

func (b bits) has(i int32) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bits) add(i int32)      { b[i/64] |= 1 << (i % 64) }

// maxHeld bounds the words of the closures that are remembered; beyond, all are
// forgotten.
const maxHeld = 4 << 20

// closure are the files that a file includes, over others too.
func (l *linker) closure(file int32) bits {
	if c, ok := l.closures.Load(file); ok {
		return c.(bits)
	}
	seen := make(bits, (len(l.files)+63)/64)
	seen.add(file)
	queue, n := []int32{file}, 1
	for len(queue) > 0 && n < maxClosure {
		next := queue[0]
		queue = queue[1:]
		for _, p := range l.includes[next] {
			if !seen.has(p) {
				seen.add(p)
				n++
				queue = append(queue, p)
			}
		}
	}
	if l.held.Add(int64(len(seen))) > maxHeld {
		l.closures.Clear()
		l.held.Store(int64(len(seen)))
	}
	l.closures.Store(file, seen)
	return seen
}

// Import has what a qualified name stands for, in the file itself or in one it
// includes. Namespaces stand for nothing: what is in them is looked up with them.
func (l *linker) Import(from *bind.File, im *bind.Import) []bind.Target {
	if im.Kind != kindPath {
		return nil
	}
	parts := strings.Split(im.Path, "::")
	around, name := parts[:len(parts)-1], parts[len(parts)-1]
	if parts[0] == "std" {
		if d := l.standard[name]; d != 0 {
			return []bind.Target{{Path: l.library.Path, Decl: d}}
		}
		return nil
	}
	return l.visible(from, name, func(f *bind.File, d *bind.Decl) bool {
		return d.Kind != bind.Namespace && inside(f, d, around)
	})
}

// Global has the declarations of a name in files that a file includes, whatever
// namespaces they are in.
func (l *linker) Global(from *bind.File, name string) []bind.Target {
	return l.visible(from, name, func(f *bind.File, d *bind.Decl) bool {
		return d.Kind != bind.Namespace && f.Scopes[d.Scope].Kind != bind.ClassScope
	})
}

// maxTargets bounds the declarations of one name.
const maxTargets = 32

// visible are the declarations of a name that a file sees: its own first, then
// classes, and what defines something before what only declares it.
func (l *linker) visible(from *bind.File, name string, match func(f *bind.File, d *bind.Decl) bool) []bind.Target {
	candidates := l.names[name]
	if len(candidates) == 0 {
		return nil
	}
	home, ok := l.places[from.Path]
	if !ok {
		return nil // the library
	}
	closure := l.closure(home)
	var own, classes, defined, declared []bind.Target
	for _, p := range candidates {
		if !closure.has(p.file) {
			continue
		}
		f := l.files[p.file]
		d := &f.Decls[p.decl]
		if !match(f, d) {
			continue
		}
		t := l.target(p)
		switch {
		case d.Kind == bind.Class && d.Inner == 0:
			declared = append(declared, t)
		case p.file == home:
			own = append(own, t)
		case d.Kind == bind.Class: // before what looks like functions: its constructors
			classes = append(classes, t)
		default:
			defined = append(defined, t)
		}
	}
	for _, list := range [][]bind.Target{own, classes, defined, declared} {
		if len(list) > 0 {
			return list[:min(len(list), maxTargets)]
		}
	}
	return nil
}

// inside reports whether a declaration stands in namespaces and classes whose
// names end with those given.
func inside(f *bind.File, d *bind.Decl, names []string) bool {
	sc := d.Scope
	for _, name := range slices.Backward(names) {
		for f.Scopes[sc].Kind == bind.BlockScope && sc != 0 { // of template parameters
			sc = f.Scopes[sc].Parent
		}
		owner := &f.Decls[f.Scopes[sc].Decl]
		if sc == 0 || strings.TrimSuffix(owner.Name, extension) != name {
			return false
		}
		sc = f.Scopes[sc].Parent
	}
	return true
}

// Version history:
//
//	1: first version
//	2: operators that classes declare, calls of constructors, overloads by their
//	arguments, names of operators and destructors
const bindingVersion = 2

// Binding is what the languages of the family have in common, given a library in
// one of them.
func Binding(library *bind.File) *lang.Binding {
	return &lang.Binding{
		Version: bindingVersion,
		Rules: &bind.Rules{
			Names: true, Globals: true, MembersInScope: true, Declared: true, Best: true, List: classPointer, Library: library,
		},
		Bind: Bind,
		Link: func(files []*bind.File, _ map[string]string) bind.Linker { return link(files, library) },
	}
}

// Statements end with the marks that completions are cut at.
var Statements = lang.Statements{Marks: ";{}"}

// Pointers is a library that knows nothing but pointers and arrays: an index or a
// star gives __index__, and the members of what they point to are theirs.
func Pointers() *bind.File {
	b := bind.NewBuilder("library")
	class := b.Declare(bind.Decl{Name: classPointer, Kind: bind.Class})
	b.Open(bind.ClassScope, class)
	param := b.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam})
	of := b.Expr(bind.Expr{Op: bind.Name, Name: "T", Scope: b.Scope()})
	for _, name := range []string{"__index__", "__elem__"} {
		b.Declare(bind.Decl{Name: name, Kind: bind.Member, Type: of})
	}
	b.Close()
	d := b.Decl(class)
	d.TypeParams, d.Bases = []bind.DeclID{param}, []bind.ExprID{of}
	return b.Done()
}
