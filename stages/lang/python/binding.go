package python

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// library declares what moves values along in the standard library.
//
//go:embed library.pyi
var library string

// binding says what names mean.
//
// Version history:
//
//	1: first version
func binding(syntax *lang.Syntax) *lang.Binding {
	std := bindLibrary(syntax.Grammar)
	builtin := map[string]bool{}
	for i := range std.Decls {
		if std.Decls[i].Scope == 0 {
			builtin[std.Decls[i].Name] = true
		}
	}
	return &lang.Binding{
		Version: 1, Bind: bindFile, Link: link,
		Rules: &bind.Rules{
			CallConstructs: true, Flow: true, ByCall: true, List: "list", Library: std, Implicit: implicit,
			OfClasses: func(name string) bool { return slices.Contains(ofClasses, name) },
			Silent:    regexp.MustCompile(`^.*[Mm]ixin`).MatchString, // pylint's mixin-class-rgx
			Compat: func(_ *bind.File, u *bind.Use) bool {
				// An import of everything leaves out private names, and does not
				// matter to names that are there anyway.
				return u.Kind != bind.KindName || !strings.HasPrefix(u.Name, "_") && !builtin[u.Name]
			},
		},
	}
}

var bindLibrary = func() func(g *treesitter.Grammar) *bind.File {
	var once sync.Once
	var file *bind.File
	return func(g *treesitter.Grammar) *bind.File {
		once.Do(func() {
			t := treesitter.MustParse([]byte(library), g)
			b := &binder{Builder: bind.NewBuilder("library.pyi"), t: t, blanks: map[string]bool{}, library: true}
			file = b.file()
		})
		return file
	}
}()

// implicit reports what every object, class, function or module has.
func implicit(name string) bool {
	return strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && special[name]
}

// ofClasses are members of type, which all classes have.
var ofClasses = strings.Fields(`mro __call__ __prepare__ __base__ __or__ __ror__ __subclasscheck__ __instancecheck__
	__basicsize__ __dictoffset__ __flags__ __itemsize__ __text_signature__ __weakrefoffset__ __abstractmethods__`)

var special = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`
		__class__ __delattr__ __dict__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ __getstate__ __gt__ __hash__
		__init__ __init_subclass__ __le__ __lt__ __module__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__
		__sizeof__ __str__ __subclasshook__ __weakref__ __name__ __qualname__ __bases__ __mro__ __subclasses__
		__annotations__ __slots__`) {
		m[name] = true
	}
	return m
}()
