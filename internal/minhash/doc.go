// Package minhash finds texts that are nearly the same, in any language, among
// more of them than fit into memory.
//
// A text is the set of its shingles, runs of a few tokens; two texts are as
// similar as their sets: the Jaccard similarity, intersection over union (A.
// Broder, "On the resemblance and containment of documents", 1997). Three
// things are kept of a text, all of bounded size:
//
//   - its exact sum, equal for texts that differ in white space only;
//   - its signature, the smallest hash of its shingles under each of k
//     permutations. Bands of rows of signatures find candidates (Leskovec,
//     Rajaraman, Ullman, "Mining of Massive Datasets", chapter 3);
//   - its sketch, the s smallest hashes of its shingles (Broder's MIN_s). Of
//     two texts with fewer shingles it gives the similarity itself, of longer
//     ones an estimate with a standard error of at most 1/(2 sqrt s). Candidates
//     are verified by it.
//
// What is missed: pairs that no band brings together, a share that [Choose]
// bounds at the threshold and that falls quickly above it, and most pairs of a
// bucket of more than 65 texts, unless a chain of similar ones connects them; they
// are counted ([Clusters.Skipped]). What is found too much: pairs of long texts
// below the threshold by no more than the margin of the estimate. Tokens say
// nothing about meaning: with every identifier renamed it is another text.
package minhash
