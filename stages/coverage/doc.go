// Package coverage holds the stages that say how often a repository's tests ran
// each of its functions: from reports that are there, or by running the tests in
// a sandbox as a recipe says.
//
// # Which definition a row is about
//
// Reports name files as the build saw them. The longest end of such a path that
// is a file of the repository counts; a path that several files could be is
// dropped. In the file, a row is about the definition that has its name (without
// what it is in, arguments, and arguments of templates) and begins in its line;
// without one, the only definition of that name; without one, the only one that
// begins in its line, since macros make functions of other names. Lambdas count
// for nothing. Rows of one definition are added up: the instances of a template,
// clones, and copies in several object files.
//
// Reports without functions tell lines. A definition then has the hits of the
// first of its lines that is in the report. Where that line is a loop's, the hits
// are too many; whether they are more than 0 stays right.
//
// # What is not seen
//
// A definition that a report does not speak of has no row: it was not compiled,
// or nothing called it and it was left out. Names as linkers have them are not
// taken apart: such rows need a line. What runs in a process that is killed
// leaves no counts.
package coverage
