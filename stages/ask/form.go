package ask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchmill/internal/digest"
	"benchmill/internal/prompt"
)

// Form is a question whose answer has a form: a prompt template, a JSON Schema
// made from T, and checks beyond it. It is safe for concurrent use.
type Form[T any] struct {
	name       string
	ask, again *prompt.Template
	sent, full json.RawMessage // schema as models get it, and as answers are held to it
	schema     *jsonschema.Schema
	check      func(T) []string
}

var formName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// NewForm makes a form of the template at path. name is what the model is told
// the schema is called: letters, digits, "_" and "-", at most 64. check returns
// what is wrong with a value, in words for the model; nil: nothing more than
// the schema is wanted. It panics on a mistake, as forms are package variables.
//
// T is a struct of strings, booleans, integers, floats, slices and structs of
// these, with json tags that name the fields. Models answer in the order of the
// fields, so the reasoning belongs before the verdict. What a tag jsonschema says
// of a field (enum, minItems, minimum, ...) is held; enum and description are
// also told to the model, the other limits are not, since some providers refuse
// a schema with them: put them into the prompt.
func NewForm[T any](name string, files fs.FS, path string, check func(T) []string) *Form[T] {
	if !formName.MatchString(name) {
		panic(fmt.Sprintf("form %q: the name is not of the form %s", name, formName))
	}
	s, err := schemaOf(reflect.TypeFor[T]())
	if err != nil {
		panic(fmt.Sprintf("form %s: %v", name, err))
	}
	return &Form[T]{name: name, ask: prompt.MustLoad(files, path), again: repair, sent: s.sent, full: s.full, schema: compile(s.full), check: check}
}

// Again makes the form ask for mended answers with a template of its own, which
// is given Problems, and returns it.
func (f *Form[T]) Again(files fs.FS, path string) *Form[T] {
	f.again = prompt.MustLoad(files, path)
	return f
}

// Templates are the form's prompts: the question and the one that asks again.
func (f *Form[T]) Templates() []*prompt.Template { return []*prompt.Template{f.ask, f.again} }

// Schema is the JSON Schema that models are sent.
func (f *Form[T]) Schema() json.RawMessage { return f.sent }

// Identity names what decides the form's answers beside the model: its
// templates and the schema its answers are held to. It belongs into the stage's
// Identify, so that it joins the key. Checks are code: they are in the stage's
// version.
func (f *Form[T]) Identity() []string {
	return []string{f.ask.Identity(), f.again.Identity(), "schema " + f.name + "#" + digest.Of(f.full).Short()}
}

// compile cannot fail: schemaOf writes nothing but what a schema may hold.
func compile(schema json.RawMessage) *jsonschema.Schema {
	const url = "mem:///answer"
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err == nil {
		err = c.AddResource(url, doc)
	}
	if err != nil {
		panic(err)
	}
	return c.MustCompile(url)
}
