// Package importtest holds the rules for who may import whom, and for who may
// say which names, so that a test can hold the repository to them: the core
// knows no language and no benchmark, a language knows no benchmark and no other
// language, a benchmark names no language, and stages touch no file and no
// socket.
//
// The rules speak of the packages of a program, not of their tests.
package importtest
