//go:build deps

// Package deps keeps the version of modules that are chosen but not used yet.
package deps

import (
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/google/go-github/v62/github"
	_ "github.com/google/licensecheck"
	_ "github.com/vektah/gqlparser/v2"
)
