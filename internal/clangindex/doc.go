// Package clangindex makes the call graph of a built repository with libclang: it
// reads compile databases, has every translation unit parsed, and merges what they
// hold into one list of functions with their calls.
//
// What a graph holds is what the compiler saw: code in branches of #if that are off,
// and files that no database names, are not in it. A function that several units
// have (of a header, or of a file compiled twice) has the calls of the first of them,
// in the order of the database. Over-approximation: a function without a definition
// in its own unit is looked up by clang's name for it; of several definitions, as
// programs of one repository may each have, the one whose path has most in common
// with the caller's counts, and the others are alternatives. Under-approximation:
// destructors, allocation, default arguments and constructors that nobody wrote are
// no calls; in a template, a call that depends on its arguments counts only where one
// function can be meant; functions that a macro makes as a whole have no text and are
// only called.
package clangindex
