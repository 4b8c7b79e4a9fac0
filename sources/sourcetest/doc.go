// Package sourcetest tests implementations of [sources.Source]: [Run] is what
// every one of them must pass, [Fake] is one to test the wrappers around them with.
package sourcetest
