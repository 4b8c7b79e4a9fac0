package ask

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// most is how many problems a model is told of at a time.
const most = 10

// violations puts what breaks a schema into words for the model, ours and in an
// order of their own: the library checks the fields of an object in any order.
func violations(err error) []string {
	if err == nil {
		return nil
	}
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		return []string{"it is not of the form that was asked for"}
	}
	var out []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			out = append(out, violation(place(e.InstanceLocation), e.ErrorKind)...)
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(broken)
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), most)]
}

// place is where in the answer something is: "choices[2].text".
func place(path []string) string {
	var b strings.Builder
	for _, step := range path {
		if _, err := strconv.Atoi(step); err == nil {
			fmt.Fprintf(&b, "[%s]", step)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

func violation(at string, k jsonschema.ErrorKind) []string {
	of, inside := "the answer", ""
	if at != "" {
		of, inside = at, at+"."
	}
	var out []string
	switch k := k.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			out = append(out, fmt.Sprintf("the field %s is missing", quote(inside+name)))
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			out = append(out, fmt.Sprintf("the field %s was not asked for", quote(inside+name)))
		}
	case *kind.Type:
		out = append(out, fmt.Sprintf("%s must be of type %s, not %s", of, strings.Join(k.Want, " or "), k.Got))
	case *kind.Enum:
		var want []string
		for _, w := range k.Want {
			want = append(want, fmt.Sprintf("%q", fmt.Sprint(w)))
		}
		out = append(out, fmt.Sprintf("%s must be one of %s", of, strings.Join(want, ", ")))
	case *kind.MinItems:
		out = append(out, fmt.Sprintf("%s must have at least %d items, not %d", of, k.Want, k.Got))
	case *kind.MaxItems:
		out = append(out, fmt.Sprintf("%s must have at most %d items, not %d", of, k.Want, k.Got))
	case *kind.UniqueItems:
		out = append(out, fmt.Sprintf("%s must not have the same item twice", of))
	case *kind.MinLength:
		out = append(out, fmt.Sprintf("%s must have at least %d characters, not %d", of, k.Want, k.Got))
	case *kind.MaxLength:
		out = append(out, fmt.Sprintf("%s must have at most %d characters, not %d", of, k.Want, k.Got))
	default: // the limits of numbers, a pattern: rare, and named by their keyword
		out = append(out, fmt.Sprintf("%s breaks its %s", of, strings.Join(k.KeywordPath(), " ")))
	}
	return out
}
