// Package split cuts text into the pieces that a byte-level BPE tokenizer
// merges on its own: words, numbers, punctuation and runs of white space.
//
// The published tokenizers define their pieces by regular expressions with
// look-ahead, which Go's regexp does not have. Each splitter here follows one
// such expression by hand, in a single pass over the text. Letters, numbers,
// marks and white space are those of the Unicode version of the Go standard
// library ([unicode.Version]); a character assigned later counts as
// punctuation.
//
// Splitters look forward only: the first piece of a text depends on nothing
// before it. They hold no state and are safe for concurrent use.
package split
