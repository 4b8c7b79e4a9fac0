// Package ask is how stages ask models: a [Form] is a prompt whose answer has a
// shape that is checked, [Each] asks about many rows at a time, and a [Panel]
// has several models judge the same row. [Continue] and [Embed] are for models
// that do not talk.
//
// An answer is worth what its checks are worth, so nothing reaches a stage
// unchecked: a reply must be one JSON value, without repeated keys, of the
// form's JSON Schema, and pass the checks beyond it. What fails is sent back with
// what is wrong, a bounded number of times. What still fails is no error but an
// answer that says why; the stage drops the row by that name. Errors are what a
// provider could not do at all.
//
// Everything that decides an answer is in the request, and the request is the
// key of the reply in the ledger. So the words sent back to a model are part of
// keys: they come from this package alone, in a fixed order, never from a
// library's messages.
package ask
