// Package journal remembers batches that were submitted, or were about to be,
// until all their answers have been taken: a batch is paid for once it is
// submitted, and a program that was killed finds it here.
//
// A batch is a file of JSON, <marker>.json, which is written whole, and a file
// <marker>.taken with a line for each answer that was taken. A line that is lost
// in a power cut costs nothing but the file's place until the batch expires.
//
// A journal holds digests of requests and names of batches: no text of a prompt
// or a reply, and no credential.
package journal
