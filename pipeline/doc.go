// Package pipeline is the contract between everything that makes a dataset:
// what a [Stage] is, what it may touch while it runs ([Pass]), how its tables
// are described ([Schema]) and how it fails.
//
// The package imports next to nothing, knows no language and no benchmark, and
// decides nothing: package graph checks what a user wrote, package planner
// decides what has to run, package executor runs it.
package pipeline
