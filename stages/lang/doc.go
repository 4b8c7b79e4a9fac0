// Package lang is the contract of a programming language: what a [Language] is,
// what is known of one file ([Facts]), and how imports are resolved once the
// facts of a whole repository stand in an [Index].
//
// Analysis goes in three steps: extract facts per file, freeze an index, resolve.
// Facts are plain data, a function of the file's bytes and of the identity of
// the language alone, so an unchanged file never needs to be parsed twice.
//
// What this over- and under-approximates: facts come from syntax. Every branch
// of conditional compilation is seen; macros and code generation are not
// expanded; imports made at run time from computed names are not seen; files
// with syntax errors give what the parser recovered, judged by [Facts.ErrorShare].
package lang
