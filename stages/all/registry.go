package all

import (
	"fmt"

	"benchmill/pipeline"
	"benchmill/stages/lang"
	languages "benchmill/stages/lang/all"
)

// Registry is everything a program can build with, checked.
type Registry struct {
	Languages *lang.Set
	Stages    []*pipeline.Stage
}

// New checks the registry: names are unique, docs present, queries compile.
func New() (*Registry, error) {
	l, err := languages.Languages()
	if err != nil {
		return nil, err
	}
	r := &Registry{Languages: l, Stages: Stages(l)}
	return r, pipeline.Validate(r.Stages)
}

// Schema finds a schema by "name/version", or nil.
func Schema(name string, version int) *pipeline.Schema {
	for _, s := range Schemas() {
		if s.Name == name && s.Version == version {
			return s
		}
	}
	return nil
}

// Identities are what beside the stages decides rows: the languages.
func (r *Registry) Identities() []string {
	var out []string
	for _, l := range r.Languages.Languages {
		out = append(out, fmt.Sprintf("%s %s", l.Name, l.Identity()))
	}
	return out
}
