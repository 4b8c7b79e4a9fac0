package crosscodeeval

import (
	"errors"
	"time"

	"benchmill/internal/treesitter"
)

// Parsing is the part of the settings of stages that parse files.
type Parsing struct {
	ParseTimeout time.Duration `yaml:"parse_timeout" doc:"files whose syntax takes longer are dropped; a guard, far above what any file needs"`
}

func parsing() Parsing { return Parsing{treesitter.DefaultLimits.Timeout} }

// Validate refuses times in which nothing can be parsed, and 0, which the parser
// takes for no limit.
func (c Parsing) Validate() error {
	if c.ParseTimeout < time.Millisecond {
		return errors.New("parse_timeout: must be 1ms or more")
	}
	return nil
}

func (c Parsing) limits() treesitter.Limits {
	l := treesitter.DefaultLimits
	l.Timeout = c.ParseTimeout
	return l
}
