package github

import (
	"errors"
	"fmt"

	"benchmill/sources/github/api"
)

// Settings is sources.github of pipeline.yaml: how GitHub is asked, never what is
// answered. Nothing of it joins a key.
type Settings struct {
	api.Settings `yaml:",inline"`

	Refresh string `yaml:"refresh" hash:"-" enum:"incremental|full" doc:"incremental: ask only for what changed since the last time; full: collect everything again, which also notices what was deleted."`

	SearchTolerance int64 `yaml:"search_tolerance" hash:"-" min:"0" doc:"Most repositories that a search may count without ever showing them; more is an error."`
}

// Name is how pipeline.yaml calls these settings, below sources.
const Name = "github"

// Ways to bring a mirror up to date.
const (
	Incremental = "incremental"
	Full        = "full"
)

// NewSettings are the defaults.
func NewSettings() *Settings { return &Settings{Refresh: Incremental} }

// Validate reports everything wrong with the settings, one line for each.
func (s *Settings) Validate() error {
	err := s.Settings.Validate()
	if s.Refresh != Incremental && s.Refresh != Full {
		err = errors.Join(err, fmt.Errorf("refresh: %q is neither %s nor %s", s.Refresh, Incremental, Full))
	}
	return err
}
