// Package extractive describes a function without a model: from its comment and
// from the shape of its text. It is what the tool shows to those who try it
// without a key, and it makes whole pipelines run offline.
//
// It works on text alone and knows no grammar: keywords, brackets and
// indentation that most languages share. It over-approximates (a call inside a
// macro counts like any other) and under-approximates (a loop hidden in a library
// call is a call); it never claims what no keyword or word of the text supports.
//
// Descriptions use no word of the function's name, parameters or locals:
// identifiers are split on case and underscore, and a word counts in all its
// simple inflections. Where such a word is needed, a synonym of thesaurus.txt
// stands in; where there is none, the phrase falls away, and in the end a
// description from the bare structure remains. Articles, the commonest
// prepositions, conjunctions, pronouns and auxiliary verbs are exempt.
//
// The same subject gives the same answer, everywhere and for ever, as long as
// [Model] stays the same.
package extractive
