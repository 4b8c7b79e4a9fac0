package extractive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
)

// Name is how pipeline.yaml and replies call this provider.
const Name = "extractive"

// Model is the version of the wording. It rises whenever the same subject may
// be described otherwise.
//
//	extractive-1  the first
const Model = "extractive-1"

// Keys of a request's subject. Only the code is required.
const (
	KeyCode      = "code"      // the function's text, with or without its docstring
	KeyDoc       = "doc"       // its docstring or leading comment
	KeyName      = "name"      // its name
	KeySignature = "signature" // its first lines, up to the body
	KeyParams    = "params"    // names of its parameters, comma separated, in order
	KeyLocals    = "locals"    // names of its local variables, comma separated
	KeyReturns   = "returns"   // its return type as written
	KeyAvoid     = "avoid"     // further words to leave out, comma separated
)

// Provider is safe for concurrent use.
type Provider struct{}

// New returns the provider.
func New() Provider { return Provider{} }

// Complete implements llm.Provider. It answers from the subject alone: the JSON
// object {"purpose", "input", "output", "procedure"} when the request has a
// schema, else the four labelled lines. Other questions are a permanent error.
func (Provider) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Reply{}, err
	}
	if strings.TrimSpace(req.Subject[KeyCode]) == "" {
		return pipeline.Reply{}, errors.New("provider extractive describes functions only, and the request's subject has no code; name a model in pipeline.yaml for other questions")
	}
	d := Describe(req.Subject)
	text := d.Lines()
	if len(req.Schema) > 0 {
		if err := answers(req.Schema); err != nil {
			return pipeline.Reply{}, err
		}
		text = d.JSON()
	}
	return pipeline.Reply{Text: text, Origin: pipeline.OriginExtractive, Provider: Name, Model: Model, Finish: "stop"}, nil
}

// answers checks that a description can be what the schema asks for.
func answers(schema json.RawMessage) error {
	var s struct {
		Required []string `json:"required"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Errorf("the request's schema: %w", err)
	}
	parts := []string{"purpose", "input", "output", "procedure"}
	for _, field := range s.Required {
		if !slices.Contains(parts, field) {
			return fmt.Errorf("provider extractive describes functions only, and the schema wants %q; name a model in pipeline.yaml for other questions", field)
		}
	}
	return nil
}

// Description is what there is to say about a function; no part is empty.
type Description struct {
	Purpose   string `json:"purpose"`
	Input     string `json:"input"`
	Output    string `json:"output"`
	Procedure string `json:"procedure"`
}

// JSON is the structured form.
func (d Description) JSON() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(d) // four strings always encode
	return strings.TrimSpace(b.String())
}

// Lines is the form for people: one labelled line for each part.
func (d Description) Lines() string {
	return "**Purpose**: " + d.Purpose + "\n**Input**: " + d.Input + "\n**Output**: " + d.Output + "\n**Procedure**: " + d.Procedure
}
