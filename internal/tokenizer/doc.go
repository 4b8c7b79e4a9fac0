// Package tokenizer counts and encodes text as the tokenizers of language
// models do, without any library of theirs.
//
// Four kinds exist, see [Kinds]: a small vocabulary inside the program, so that
// everything works offline, and readers of the three vocabulary formats models
// are published in. A vocabulary belongs to its makers, so only ours is shipped;
// the others are handed in as bytes. Whatever a vocabulary file asks for that is
// not implemented here is an error at [Load]: a tokenizer that loads gives the
// same ids as the original.
//
// What is left out: tokens at the beginning and end of a text, templates,
// truncation and padding, all of which belong to a model's input and not to a
// text.
//
// # Malformed text
//
// Sources are not always UTF-8. A SentencePiece model reads every byte that is
// not part of a valid character as U+FFFD, as the original library does. The
// other originals accept only valid text; here they read what Python's
// errors="replace" would have handed them: one U+FFFD for each maximal part of a
// broken character.
//
// # Limits
//
// Encoding takes O(n log n) time in the length of the longest word, and memory
// in proportion to it. A word of more than 64 MiB is merged in parts of
// that size. Letters, numbers and normal forms are those of Unicode 15.0, which
// is part of every identity that depends on it.
package tokenizer
