// Package calls is the contract of call graphs: what a language says of one file,
// as plain data ([File]), and what a frozen repository answers ([Graph]).
//
// A graph holds what the text says. It over-approximates where several definitions
// of a name can be meant, which [Edge.Alternatives] counts, and where a call goes
// through a pointer, which is kept apart as [Indirect]: the edge then names the
// variable or field, not what it may point to. It under-approximates where a call
// is not written: destructors, conversions and operators of types that are not
// known, code that macros make out of pieces, reflection.
//
// [Bound] makes a graph of a language whose names package bind explains.
package calls
