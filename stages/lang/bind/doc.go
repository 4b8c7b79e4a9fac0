// Package bind says what the names of a file mean. A language describes each
// file by a [File]: its scopes, declarations and expressions, plain data and a
// function of the file's bytes alone. A [Resolver] freezes the files of a
// repository and answers, for every name and member in them, whether another
// file is needed to know it.
//
// Read [Builder], [File], [Op] and [Rules] to describe a language, [Linker] to say
// which files its imports lead to, and [Resolver.Uses] for the answer, [Use]. What an
// expression stands for, such as the function that is called, a [Reader] says.
//
// # The question
//
// CrossCodeEval (Ding et al., 2023, section 2.2) replaces what a file imports from
// its own project by empty classes and asks a checker which names are undefined
// now. Here an import of the project is a stand-in without members, and what a
// checker would infer is inferred: values pass through assignments, constructors,
// annotations, fields, calls, base classes, type parameters, containers and
// callbacks. A member of a stand-in is a use of another file. So may be the
// imported name itself, and a simple name that a base class must have.
//
// # The model
//
// A value is a set of possibilities: a class, an instance of one, a function, a
// module, a tuple, a stand-in or an instance of one; or something unknown beside
// them. A member is a use where a possibility is of another file and none may have
// it without that; with [Rules.Every] one that lacks it is enough. What is unknown
// (an external library, a parameter without a type) has every member, so doubt
// never makes a use. Type parameters are bound by matching declared types with
// arguments. Members called __elem__, __index__, __await__ say what iterating,
// indexing and awaiting give, __call__ what calling an instance gives, and __bool__
// and __len__ that its truth is not known.
//
// [Compat] stops where the checkers stop: what a member of a stand-in gives is
// unknown. Where a compiler says nothing after a first mistake, Compat does the
// same; see [Rules.Absent], [Guard] and [Shade]. [Extended] follows names into the
// files that declare them, goes on with what their members give, and knows neither
// guards nor shades. What it finds beyond may also take a use away: a member that
// the file gives a value, or that a type of the other file is seen to have. So a few
// uses are of Compat mode only.
//
// # What it over-approximates
//
// A member that the other file does not have either is a use, unless a language's
// compiler sees that ([Rules.Absent]). Assignments to a name all count unless a
// later one in the same or an outer branch replaces them ([Rules.Flow]), and
// branches count whatever their conditions, but for the few that [Test] knows.
// Assignments to a member count for all values of its class, before and after.
//
// # What it under-approximates
//
// Nothing is run: names made at run time (setattr, reflection, macros) are not
// seen. What refers to itself is unknown where it does. A value with more
// possibilities than the bounds allow, or inferred in more steps, is unknown.
// Members that everything has, or that a language calls silent, are never uses.
//
// # Bounds
//
// Depth, the size of values, the steps of a question and of all about a file, and
// what is looked through beside (bounds.go) are bounded, so that time grows with
// the size of a file and no input makes it more than seconds. What a file means
// depends on no clock, no order of files and no other call.
package bind
