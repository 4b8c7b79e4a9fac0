package githubtest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// typed checks an answer against the types its query has in the schema.
type typed struct {
	schema *ast.Schema
	doc    *ast.QueryDocument
	found  map[string]bool // object types that were seen
	wrong  []string
}

func (c *typed) fail(path, format string, args ...any) {
	if len(c.wrong) < 20 {
		c.wrong = append(c.wrong, path+": "+fmt.Sprintf(format, args...))
	}
}

func (c *typed) object(set ast.SelectionSet, value any, path string) {
	object, ok := value.(map[string]any)
	if !ok {
		c.fail(path, "%T for an object", value)
		return
	}
	kind, _ := object["__typename"].(string)
	if c.schema.Types[kind] == nil || c.schema.Types[kind].Kind != ast.Object {
		c.fail(path, "%q is no object type", kind)
		return
	}
	c.found[kind] = true
	c.selection(kind, set, object, path)
}

func (c *typed) selection(kind string, set ast.SelectionSet, object map[string]any, path string) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			value, given := object[s.Alias]
			if !given {
				c.fail(path, "%s is missing", s.Alias)
			} else if s.Name != "__typename" {
				c.value(s.Definition.Type, s.SelectionSet, value, path+"/"+s.Alias)
			}
		case *ast.InlineFragment:
			if s.TypeCondition == "" || c.fits(kind, s.TypeCondition) {
				c.selection(kind, s.SelectionSet, object, path)
			}
		case *ast.FragmentSpread:
			if f := c.doc.Fragments.ForName(s.Name); c.fits(kind, f.TypeCondition) {
				c.selection(kind, f.SelectionSet, object, path)
			}
		}
	}
}

func (c *typed) fits(kind, condition string) bool {
	for _, d := range c.schema.PossibleTypes[condition] {
		if d.Name == kind {
			return true
		}
	}
	return kind == condition
}

func (c *typed) value(of *ast.Type, set ast.SelectionSet, value any, path string) {
	if value == nil {
		if of.NonNull {
			c.fail(path, "null for %s", of)
		}
		return
	}
	if of.Elem != nil {
		items, ok := value.([]any)
		if !ok {
			c.fail(path, "%T for %s", value, of)
		}
		for k, item := range items {
			c.value(of.Elem, set, item, path+"/"+strconv.Itoa(k))
		}
		return
	}
	definition := c.schema.Types[of.NamedType]
	if len(set) > 0 {
		c.object(set, value, path)
		if object, ok := value.(map[string]any); ok && !c.fits(fmt.Sprint(object["__typename"]), of.NamedType) {
			c.fail(path, "a %v for %s", object["__typename"], of)
		}
		return
	}
	var err error
	text, isText := value.(string)
	switch {
	case definition.Kind == ast.Enum:
		if definition.EnumValues.ForName(text) == nil {
			err = fmt.Errorf("not one of its values")
		}
	case of.NamedType == "Int":
		number, _ := value.(json.Number)
		var n int64
		if n, err = strconv.ParseInt(string(number), 10, 64); err == nil && (n > math.MaxInt32 || n < math.MinInt32) {
			err = fmt.Errorf("beyond 32 bits")
		}
	case of.NamedType == "Boolean":
		if _, ok := value.(bool); !ok {
			err = fmt.Errorf("not a boolean")
		}
	case !isText:
		err = fmt.Errorf("not a string")
	case of.NamedType == "DateTime":
		_, err = time.Parse(time.RFC3339, text)
	case of.NamedType == "URI":
		_, err = url.Parse(text)
	case of.NamedType == "GitObjectID" && len(text) != 40:
		err = fmt.Errorf("not 40 digits")
	}
	if err != nil {
		c.fail(path, "%v for %s: %v", value, of, err)
	}
}

// withNames adds __typename to every selection, so that the answer tells its types.
func withNames(set *ast.SelectionSet) {
	for _, s := range *set {
		switch s := s.(type) {
		case *ast.Field:
			if len(s.SelectionSet) > 0 {
				withNames(&s.SelectionSet)
			}
		case *ast.InlineFragment:
			withNames(&s.SelectionSet)
		}
	}
	*set = append(*set, &ast.Field{Alias: "__typename", Name: "__typename"})
}
