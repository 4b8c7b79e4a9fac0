package graph

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"benchmill/pipeline"
)

// Kinds is what a pipeline may be made of.
type Kinds struct {
	Stages []*pipeline.Stage
	// Model returns a pointer to the settings of one entry of models with their
	// defaults: a struct that is, or embeds inline, a [pipeline.ModelSpec]. A
	// method Validate() error is asked. Nil: pipelines have no models.
	Model func() any
	// Tokenizer is the same for tokenizers, without the spec.
	Tokenizer func() any
	// Sources are the same for the entries of sources, by their name: how to reach
	// the outside world, which joins no key.
	Sources map[string]func() any
	// Schemas are those a release can be read by; nil: any.
	Schemas []*pipeline.Schema
	// Adapters are what releases can also be written as.
	Adapters []*pipeline.Adapter
}

// Validate reports what is wrong with the kinds themselves: stages that break
// their contract, and settings of a type that cannot be read, hashed or shown to
// editors. These are mistakes of programmers, not of users. Loading and
// [JSONSchema] refuse invalid kinds.
func (k Kinds) Validate() error {
	errs := []error{pipeline.Validate(k.Stages), pipeline.ValidateAdapters(k.Adapters)}
	for _, s := range k.Stages {
		what := fmt.Sprintf("stage %q", s.Name)
		var named []reflect.Type
		if s.NewConfig != nil {
			named = checkSettings(what, s.NewConfig, &errs)
		}
		for _, use := range []struct {
			uses bool
			typ  reflect.Type
		}{{s.Uses.LLM, modelType}, {s.Uses.Tokenizer, tokenizerType}} {
			if use.uses && !slices.Contains(named, use.typ) {
				errs = append(errs, fmt.Errorf("%s: uses one, but has no setting of type %s", what, use.typ))
			}
		}
	}
	if k.Model != nil {
		checkSettings("models", k.Model, &errs)
		if m := k.Model(); isStructPointer(m) {
			if _, ok := specOf(m); !ok {
				errs = append(errs, fmt.Errorf("models: %T does not embed pipeline.ModelSpec", m))
			}
		}
	}
	if k.Tokenizer != nil {
		checkSettings("tokenizers", k.Tokenizer, &errs)
	}
	for name, make := range k.Sources {
		checkSettings("sources."+name, make, &errs)
	}
	return errors.Join(errs...)
}

// checkSettings returns the types of all settings, at any depth.
func checkSettings(what string, make func() any, errs *[]error) []reflect.Type {
	settings := make()
	if !isStructPointer(settings) {
		*errs = append(*errs, fmt.Errorf("%s: settings are a %T, not a pointer to a struct", what, settings))
		return nil
	}
	ok := true
	t := reflect.TypeOf(settings).Elem()
	checkType(t, "", nil, func(format string, args ...any) {
		ok = false
		*errs = append(*errs, fmt.Errorf("%s: %s", what, fmt.Sprintf(format, args...)))
	})
	if !ok {
		return nil
	}
	return typesIn(t)
}

func isStructPointer(v any) bool {
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().Kind() == reflect.Struct
}

func typesIn(t reflect.Type) []reflect.Type {
	switch {
	case isText(t):
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return typesIn(t.Elem())
	case t.Kind() == reflect.Struct:
		var out []reflect.Type
		for _, f := range settings(t) {
			out = append(out, typesIn(f.typ)...)
		}
		return out
	}
	return []reflect.Type{t}
}

func (k Kinds) stage(name string) *pipeline.Stage {
	for _, s := range k.Stages {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (k Kinds) adapter(name string) *pipeline.Adapter {
	for _, a := range k.Adapters {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func (k Kinds) adapterNames() []string {
	out := make([]string, len(k.Adapters))
	for i, a := range k.Adapters {
		out[i] = a.Name
	}
	return out
}

func (k Kinds) stageNames() []string {
	out := make([]string, len(k.Stages))
	for i, s := range k.Stages {
		out[i] = s.Name
	}
	return out
}
