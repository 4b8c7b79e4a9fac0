// Package yabloco holds the stages of YABLoCo: functions of large repositories with
// what they call and what calls them, of which the bodies of some are asked for.
//
//	functions   every function, with its comment, calls, last change and test hits
//	graph       the call graph both ways
//	candidates  functions that are fit for a task
//	unique      without those that nearly repeat others
//	review      without those whose docstring people rejected
//	select      some of each context level, the last changed first
//	tasks       with the functions they call, and an instruction
//
// It takes call graphs, dates and test hits as tables and does not ask how they came
// about. Score and placement of generated bodies are here too; running tests is not.
package yabloco
