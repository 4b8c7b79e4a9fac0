// Package ngram goes on with a text without a model and without a network: it
// looks for the longest end of the text that stands somewhere before, and says
// what followed there most often. It is a baseline: what it completes, a reader
// of the same file could have copied.
//
// Under-approximation: it knows nothing but the text of the request, so it says
// nothing that does not stand there. Over-approximation: none; a completion is
// right or it is not.
package ngram
