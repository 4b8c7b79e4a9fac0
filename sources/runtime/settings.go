package runtime

import (
	"cmp"
	"fmt"
	"strings"

	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
)

// Settings is sources.runtime of pipeline.yaml: where a container engine is, never
// what its programs answer. Nothing of it joins a key; versions do, by the lock.
type Settings struct {
	Engine string `yaml:"engine" hash:"-" doc:"Socket of a container engine that answers Docker's API, as DOCKER_HOST names it (unix:///path), or none. Without it DOCKER_HOST counts, or where Docker has its socket."`
}

// NewSettings are the defaults.
func NewSettings() *Settings { return &Settings{} }

// noEngine is the setting for using none, even where one answers.
const noEngine = "none"

// Validate says what is wrong with the settings.
func (s *Settings) Validate() error {
	if s.Engine != "" && s.Engine != noEngine && !strings.HasPrefix(s.Engine, "unix:///") {
		return fmt.Errorf("engine: %q is neither a socket (unix:///path) nor %q", s.Engine, noEngine)
	}
	return nil
}

// Open opens the source as a program has it: programs are looked for where tools are,
// and run in a box of this machine or in one of the container engine, which makes its
// folders in temp. Both boxes are to be closed in the end.
func Open(settings *Settings, tools *tool.Source, box *sandbox.Box, temp string, getenv func(string) string) (s *Source, images *sandbox.Box) {
	settings = cmp.Or(settings, NewSettings())
	o := Options{Programs: tools, Box: box}
	if settings.Engine != noEngine {
		engine := sandbox.NewContainers(cmp.Or(settings.Engine, getenv("DOCKER_HOST")))
		images = sandbox.With(temp, engine)
		o.Images, o.ImageBox = engine, images
	}
	return New(o), images
}
