// Package callgraph holds the stages that say which functions call which: from
// the text alone, by the abilities of languages, or with clang; and how far the
// two agree.
package callgraph
