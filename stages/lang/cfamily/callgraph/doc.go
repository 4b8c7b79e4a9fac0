// Package callgraph knows which functions of C and C++ call which, from the text
// alone: no build, no compile database, no headers of the system.
//
// A file is read once into facts ([Read]): its functions, the calls in them, the
// bodies of its macros as tokens, what it includes and declares. Link looks names up
// the way a compiler would find them: in the file itself, in what it includes, then
// in the folder and the rest of the repository among what is not static. The body of
// a macro that a function uses is expanded with the macros that its file sees; the
// calls in it are edges of their own kind.
//
// Over-approximation: every branch of #if counts that is not surely off; a name that
// has several definitions leads to the nearest, and [calls.Edge.Alternatives] counts
// the others; the last definition of a macro counts, whatever conditions it stands
// under. Under-approximation: what a pointer to a function points to is not followed;
// functions that macros of other files generate are known by name only; conversions,
// destructors and operators of C++ are, where their types are not written out,
// invisible; code that the grammar cannot read may hide its calls.
package callgraph
