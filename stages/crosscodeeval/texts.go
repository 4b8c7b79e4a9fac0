package crosscodeeval

import (
	"context"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// TextsConfig configures [Texts].
type TextsConfig struct {
	Of string `yaml:"of" enum:"reference|prompt|file" doc:"what is compared; file: to find files in other datasets, since all examples of one file are duplicates of each other"`
}

// Texts hands what an example consists of to the stages that find duplicates. The
// ID of a text is that of its example.
//
// Version history:
//
//	1: first version
func Texts() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.texts", Version: 1,
		Doc:       "Hands references, prompts or whole files of examples to the stages that find duplicates.",
		In:        []pipeline.Port{{Name: "examples", Schema: schemas.CompletionExamples}},
		Out:       []pipeline.Port{{Name: "texts", Schema: schemas.Texts}},
		Flows:     []pipeline.Flow{{From: "examples", To: []string{"texts"}}},
		NewConfig: func() any { return &TextsConfig{Of: "reference"} },
		Run:       texts,
	}
}

func texts(ctx context.Context, p *pipeline.Pass) error {
	of := pipeline.ConfigOf[TextsConfig](p).Of
	for e, err := range pipeline.In[schemas.CompletionExample](ctx, p, "examples") {
		if err != nil {
			return err
		}
		row := schemas.Text{ID: e.ID, Text: e.Reference}
		switch of {
		case "prompt":
			row.Text = e.Prompt
		case "file":
			row.Text = e.Prompt + e.Reference + e.RightContext
		}
		if err := pipeline.Emit(p, "texts", row); err != nil {
			return err
		}
	}
	return nil
}
