// Package executortest is the conformance suite of [executor.Executor], with a
// [Kit] of small stages to build pipelines from and a [Fake] executor that passes
// the suite.
//
// The test of a new implementation is one call of [Run].
package executortest
