package bind

// Rules are what languages differ in. The zero value is a language in which only
// members of what is imported are uses, and nothing is known beside the file.
type Rules struct {
	// What counts as a use.

	// Names: an imported name is a use itself, since without its import it is
	// undefined: C in "import {C} from './c'; new C()". Otherwise only members of
	// it are.
	Names bool
	// Globals: so is a name that [Linker.Global] finds: C of another file of the
	// same package.
	Globals bool
	// Every: x.m is a use where one possibility of x lacks m, not only where all do:
	// x: Imported | {m: string}.
	Every bool
	// Implicit reports members that everything has, so that none is a use:
	// x.toString. Nil: none.
	Implicit func(name string) bool
	// OfClasses reports those that every class itself has: C.prototype. Nil: none.
	OfClasses func(name string) bool
	// Internal reports members that no class outside of the project gives to one
	// inside it, so that they are uses though a base class is not known: x.unexported.
	// Nil: none.
	Internal func(name string) bool
	// Silent reports classes of whose members the checkers say nothing, by the name
	// the file has for them: LogMixin. Nil: none.
	Silent func(class string) bool

	// How names are found.

	// MembersInScope: members, inherited ones too, are found by their simple names
	// inside their class: m() for this.m(). Otherwise only through the instance.
	MembersInScope bool
	// Declared: a simple name is inherited from a class of another file only where
	// that declares it, since what nothing declares may be of a library.
	Declared bool
	// Ordered: a variable of a function or block is not seen before it is declared;
	// until then its name is that of a field around.
	Ordered bool
	// Qualified: a name with dots that begins with a namespace is one that
	// [Linker.Global] knows as a whole: Company.Product.Type.
	Qualified bool
	// Aliases: what another file declares to be another name of a type is known
	// too, as are types of functions, which have no members to be without.
	Aliases bool
	// Extensions: x.f() may call a function f that [Linker.Global] finds by
	// [ExtensionPrefix] and its name.
	Extensions bool

	// How values are inferred.

	// CallConstructs: calling a class makes an instance: C() for new C().
	CallConstructs bool
	// Flow: a name has the values of the assignments that can reach it: after
	// "x = A(); x = B()" it is a B. Otherwise all its declarations count.
	Flow bool
	// ByCall: what a function returns depends on what a call gives its parameters:
	// "def same(x): return x". Members of classes that give protocols their meaning
	// (__getitem__) count, too.
	ByCall bool
	// Best: in [Extended] mode, of several functions of one name those count whose
	// parameters fit the arguments of a call best (those without a type take no
	// classes), and calling what is seen to be a class makes an instance.
	Best bool
	// PlainStubs: in Compat mode, what is imported is no generic type, so that
	// nothing is known of Imported<T>.
	PlainStubs bool
	// List is the class of Library whose instances list literals are, and tuples
	// apart from their places; its first type parameter is the element.
	List string
	// Library declares what every file sees last: containers, promises and the like,
	// with members __elem__, __index__ and __await__ for what iterating, indexing
	// and awaiting give. A class of it lacks a member only if not Opaque. Nil: none.
	Library *File

	// What the compilers report, which Compat mode does.

	// Absent says that the compiler sees the whole project once and stand-ins of its
	// types once, never a library, and that what only the second run reports are the
	// uses; see cascade.go. It reports imports of libraries which that compiler does
	// not have, or, for a name in what is imported whole, whether that is not there.
	// Nil: no such compiler.
	Absent func(im *Import) bool
	// Tolerant, of such a compiler: what a call gives does not depend on whether its
	// arguments fit, and names that nothing declares may be known to it.
	Tolerant bool
	// Compat decides, after all else, whether the compilers would report a use, so
	// that Compat mode does. Nil: they would.
	Compat func(f *File, u *Use) bool
}
