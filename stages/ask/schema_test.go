package ask

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The bytes of a schema are part of keys in ledgers: they never change.
func TestSchemaBytes(t *testing.T) {
	type inner struct {
		Text  string  `json:"text" jsonschema:"minLength=1"`
		Score float64 `json:"score" jsonschema:"minimum=0,maximum=1"`
	}
	type all struct {
		Zebra  bool    `json:"zebra"`
		Apple  int64   `json:"apple" jsonschema_description:"how \"many\" <apples>"`
		Items  []inner `json:"items"`
		Letter string  `json:"letter" jsonschema:"enum=A,enum=B"`
		Inner  inner   `json:"inner"`
		Hidden string  `json:"-"`
	}
	s, err := schemaOf(reflect.TypeFor[all]())
	if err != nil {
		t.Fatal(err)
	}
	inside := `{"type":"object","additionalProperties":false,"required":["text","score"],"properties":{"text":{"type":"string"},"score":{"type":"number"}}}`
	want := `{"type":"object","additionalProperties":false,"required":["zebra","apple","items","letter","inner"],"properties":{` +
		`"zebra":{"type":"boolean"},"apple":{"type":"integer","description":"how \"many\" \u003capples\u003e"},` +
		`"items":{"type":"array","items":` + inside + `},"letter":{"type":"string","enum":["A","B"]},"inner":` + inside + `}}`
	if string(s.sent) != want {
		t.Errorf("%s\nwant\n%s", s.sent, want)
	}
	want = strings.ReplaceAll(want, `"text":{"type":"string"}`, `"text":{"type":"string","minLength":1}`)
	want = strings.ReplaceAll(want, `"score":{"type":"number"}`, `"score":{"type":"number","minimum":0,"maximum":1}`)
	if string(s.full) != want {
		t.Errorf("%s\nwant\n%s", s.full, want)
	}
	compile(s.full)
}

type loop struct {
	Next []loop `json:"next"`
}

func TestSchemaRefuses(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"an answer is a struct": reflect.TypeFor[[]string](),
		"no omitempty": reflect.TypeFor[struct {
			A string `json:"a,omitempty"`
		}](),
		"no objects but structs": reflect.TypeFor[struct {
			A map[string]string `json:"a"`
		}](),
		".a: an answer holds strings": reflect.TypeFor[struct {
			A any `json:"a"`
		}](),
		`cannot say "format"`: reflect.TypeFor[struct {
			A time.Time `json:"a"`
		}](),
		"contains itself":                    reflect.TypeFor[loop](),
		"no objects but structs with fields": reflect.TypeFor[struct{}](),
		`.a[].b: the schema of an answer cannot`: reflect.TypeFor[struct {
			A []struct {
				B string `json:"b" jsonschema:"default=x"`
			} `json:"a"`
		}](),
	} {
		if s, err := schemaOf(typ); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %s", want, err, s.full)
		}
	}
}

func TestNewFormPanics(t *testing.T) {
	for want, make := range map[string]func(){
		"of the form":    func() { NewForm[answer]("no spaces", os.DirFS("testdata"), "question.tmpl", nil) },
		"missing.tmpl":   func() { NewForm[answer]("x", os.DirFS("testdata"), "missing.tmpl", nil) },
		"form x: an ans": func() { NewForm[int]("x", os.DirFS("testdata"), "question.tmpl", nil) },
	} {
		func() {
			defer func() {
				v := recover()
				if err, ok := v.(error); ok {
					v = err.Error()
				}
				if text, ok := v.(string); !ok || !strings.Contains(text, want) {
					t.Errorf("%s: %v", want, v)
				}
			}()
			make()
		}()
	}
}
