//go:build deps

// Package deps keeps the version of modules that are chosen but not used yet.
package deps

import _ "github.com/google/go-github/v62/github" // the coming GitHub source
