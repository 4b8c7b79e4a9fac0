// Package bind says what the names of a file mean. A language describes each
// file by a [File]: its scopes, declarations and expressions, plain data and a
// function of the file's bytes alone. A [Resolver] freezes the files of a
// repository and answers, for every name and member in them, whether another
// file is needed to know it.
//
// # The question
//
// CrossCodeEval (Ding et al., 2023, section 2.2) replaces what a file imports from
// its own project by empty classes and asks a checker which names are undefined
// now. Here an import of the project is a value without members, and what a
// checker would infer is inferred: values pass through assignments, constructors,
// annotations, fields, calls of local functions, base classes, containers and
// callbacks. A member of such a value is a use of another file.
//
// [Compat] stops where the checkers stop: the result of a member that is not
// known is not known either. [Extended] follows names into the files that
// declare them and goes on.
//
// # What it over- and under-approximates
//
// Values are inferred without running anything: all assignments to a name count
// unless a later one in the same or an outer branch replaces them, conditions are
// not evaluated, and a name made at run time (setattr, reflection, macros) is not
// seen. A value with several possible types has a member unknown only where all
// of them lack it. What is not known (an external library, an unannotated
// parameter) has every member, so doubt never makes a use. Depth, the size of
// values and the number of alternatives are bounded; beyond them a value is not
// known.
package bind
