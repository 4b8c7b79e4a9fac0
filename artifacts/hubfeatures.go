package artifacts

import (
	"bytes"
	"encoding/json"

	"benchmill/pipeline"
)

// HubFeature describes one column in the words of the Hugging Face hub, as in
// the "dataset_info: features:" list at the head of a dataset card. Exactly one
// of DType, List and Struct is set. It marshals to JSON and YAML in a fixed
// order.
type HubFeature struct {
	Name  string `json:"name,omitempty" yaml:"name,omitempty"` // "" for the element of a list
	DType string `json:"dtype,omitempty" yaml:"dtype,omitempty"`
	// List is the element of a list: its dtype as a string, a []HubFeature for a
	// struct, a HubFeature for a list in the list.
	List   any          `json:"list,omitempty" yaml:"list,omitempty"`
	Struct []HubFeature `json:"struct,omitempty" yaml:"struct,omitempty"`
}

// HubFeatures describes the columns of a schema for a dataset card, in the
// order of the declaration. The hub knows no difference between a column that
// may be null and one that may not.
func HubFeatures(schema *pipeline.Schema) []HubFeature { return hubFields(columnsOf(schema)) }

func hubFields(c *column) []HubFeature {
	out := make([]HubFeature, 0, len(c.fields))
	for _, f := range c.fields {
		feature := hubFeature(f)
		feature.Name = f.name
		out = append(out, feature)
	}
	return out
}

func hubFeature(c *column) HubFeature {
	switch c.kind {
	case kindStruct:
		return HubFeature{Struct: hubFields(c)}
	case kindList:
		switch elem := hubFeature(c.elem); {
		case elem.DType != "":
			return HubFeature{List: elem.DType}
		case elem.Struct != nil:
			return HubFeature{List: elem.Struct}
		default:
			return HubFeature{List: elem}
		}
	}
	return HubFeature{DType: hubDType(c.kind)}
}

func hubDType(k kind) string {
	switch k {
	case kindString:
		return "string"
	case kindBytes:
		return "binary"
	case kindBool:
		return "bool"
	case kindInt32:
		return "int32"
	case kindInt64:
		return "int64"
	default:
		return "float64"
	}
}

// hubMetadata is what the hub's library keeps in the footer of a file: the
// features once more, as JSON of another shape. A list is written as an array of
// its element, the one form that all versions of that library read alike.
func hubMetadata(schema *pipeline.Schema) any {
	return object{{"info", object{{"features", hubJSON(columnsOf(schema))}}}}
}

func hubJSON(c *column) any {
	switch c.kind {
	case kindStruct:
		var fields object
		for _, f := range c.fields {
			fields = append(fields, member{f.name, hubJSON(f)})
		}
		return fields
	case kindList:
		return []any{hubJSON(c.elem)}
	}
	return object{{"dtype", hubDType(c.kind)}, {"_type", "Value"}}
}

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	out := bytes.NewBufferString("{")
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
