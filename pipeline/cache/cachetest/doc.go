// Package cachetest is the conformance suite of [cache.Cache], with a cache in
// memory that passes it.
//
// The test of a new implementation is one call of [Run].
package cachetest
