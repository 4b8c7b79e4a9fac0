// Package all is the registry of what a pipeline file can say of the outside
// world: models, tokenizers and sources.
package all

import (
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/sources/github"
	"benchmill/sources/llm"
	"benchmill/sources/runtime"
	"benchmill/sources/tool"
	"benchmill/sources/vocabulary"
)

// Kinds is what a pipeline may be made of: the given stages, schemas and adapters,
// and every kind of model, tokenizer and source there is.
func Kinds(stages []*pipeline.Stage, schemas []*pipeline.Schema, adapters []*pipeline.Adapter) graph.Kinds {
	return graph.Kinds{
		Stages: stages, Schemas: schemas, Adapters: adapters,
		Model:     func() any { return &llm.Settings{} },
		Tokenizer: func() any { return &vocabulary.Settings{} },
		Sources: map[string]func() any{
			github.Name:    func() any { return github.NewSettings() },
			tool.Scheme:    func() any { return tool.NewSettings() },
			runtime.Scheme: func() any { return runtime.NewSettings() },
		},
	}
}
