// Package tool is the source of installed programs: compilers and checkers that
// stages run over the files of a repository. A ref's locator is the name of a
// tool, and its pin's version is what the tool says of itself, so that the lock
// holds it. Programs are looked up where the pipeline file says, where "make deps"
// puts them, then in PATH. Whatever is run, the version too, is run in a sandbox.
package tool

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Scheme of refs and pins, and how pipeline.yaml calls the settings below sources.
const Scheme = "tool"

// Settings is sources.tool of pipeline.yaml: where programs are, never what they
// answer. Nothing of it joins a key; versions do, by the lock.
type Settings struct {
	Paths map[string]string `yaml:"paths" hash:"-" doc:"Where a tool is, by its name: a program, beside the pipeline file or absolute."`
	See   []string          `yaml:"see" hash:"-" doc:"Further folders that tools may read, absolute: what they were installed with elsewhere. A program's own folder need not be named."`
}

// NewSettings are the defaults.
func NewSettings() *Settings { return &Settings{} }

// Validate reports everything wrong with the settings, one line for each.
func (s *Settings) Validate() error {
	var errs []error
	for name := range s.Paths {
		if !slices.Contains(Names(), name) {
			errs = append(errs, fmt.Errorf("paths: no tool is called %q; known are %s", name, strings.Join(Names(), ", ")))
		}
	}
	for _, dir := range s.See {
		if !filepath.IsAbs(dir) || filepath.Clean(dir) == "/" {
			errs = append(errs, fmt.Errorf("see: %q is not the absolute path of a folder", dir))
		}
	}
	return errors.Join(errs...)
}
