package all

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/sources/llm"
	"benchmill/sources/vocabulary"
)

// TestPromise2Settings: every setting there is either joins the key or is
// declared not to. A field that is neither fails, and so does one that is said to
// join and has no effect.
func TestPromise2Settings(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func() any{
		"models":     func() any { return &llm.Settings{} },
		"tokenizers": func() any { return &vocabulary.Settings{} },
	}
	for _, s := range r.Stages {
		if s.NewConfig != nil {
			kinds[s.Name] = s.NewConfig
		}
	}
	if len(kinds) < 8 {
		t.Errorf("only %d kinds of settings", len(kinds))
	}
	for name, settings := range kinds {
		for _, p := range undeclared(settings) {
			t.Errorf("%s: %s", name, p)
		}
	}
}

// undeclared lists what is wrong with the declarations of settings.
func undeclared(settings func() any) []string {
	var out []string
	t := reflect.TypeOf(settings()).Elem()
	base, _, err := graph.CanonicalConfig(settings())
	if err != nil {
		return []string{err.Error()}
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			continue // its fields follow
		}
		if !f.IsExported() {
			out = append(out, f.Name+" is not exported: it can neither be set nor join the key")
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name == "" || name == "-" {
			out = append(out, f.Name+" has no name in yaml")
		}
		tag, declared := f.Tag.Lookup("hash")
		if declared && tag != "-" {
			out = append(out, fmt.Sprintf("%s is tagged hash:%q, which says nothing", f.Name, tag))
			continue
		}
		changed := settings()
		if !change(reflect.ValueOf(changed).Elem().FieldByIndex(f.Index)) {
			out = append(out, fmt.Sprintf("%s is a %s, which this test cannot change", f.Name, f.Type))
			continue
		}
		d, _, err := graph.CanonicalConfig(changed)
		if err != nil {
			out = append(out, err.Error())
		} else if joins := d != base; joins == declared {
			out = append(out, fmt.Sprintf("%s joins the key: %v; it is tagged hash:\"-\": %v", f.Name, joins, declared))
		}
	}
	return out
}

// change gives a value another one.
func change(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		v.Set(p)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	default:
		return false
	}
	return true
}

// The test above fails when it should.
func TestUndeclaredIsFound(t *testing.T) {
	type half struct {
		Good   int    `yaml:"good"`
		Run    int    `yaml:"run" hash:"-"`
		NoName string `hash:"-"`
		Odd    string `yaml:"odd" hash:"yes"`
		secret int
	}
	got := strings.Join(undeclared(func() any { return &half{secret: 1} }), "\n")
	for _, name := range []string{"NoName has no name", "Odd is tagged", "secret is not exported"} {
		if !strings.Contains(got, name) {
			t.Errorf("%q does not tell %q", got, name)
		}
	}
	if strings.Contains(got, "Good") || strings.Contains(got, "Run ") {
		t.Errorf("%q", got)
	}
}

// TestPromise2Models: what decides answers joins the key of a model, what says
// how to reach it does not.
func TestPromise2Models(t *testing.T) {
	hashed := map[string]bool{}
	for _, f := range digest.Fields(reflect.TypeFor[llm.Settings]()) {
		hashed[f.Name] = true
	}
	var spec []string
	for _, f := range digest.Fields(reflect.TypeFor[pipeline.ModelSpec]()) {
		spec = append(spec, f.Name)
		if !hashed[f.Name] {
			t.Errorf("%s of the spec does not join the key", f.Name)
		}
	}
	if len(hashed) != len(spec) {
		t.Errorf("settings %v join the key, the spec has %v", hashed, spec)
	}
}

func TestRegistry(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	known := map[*pipeline.Schema]bool{}
	for _, s := range Schemas() {
		if known[s] || Schema(s.Name, s.Version) != s {
			t.Errorf("schema %s is there twice, or is not found", s)
		}
		known[s] = true
	}
	for _, s := range r.Stages {
		for _, p := range append(append([]pipeline.Port(nil), s.In...), s.Out...) {
			if !known[p.Schema] {
				t.Errorf("%s: schema %s is not in the registry", s.Name, p.Schema)
			}
		}
	}
	if Schema("needles", 99) != nil {
		t.Error("a schema that does not exist")
	}
	if len(r.Identities()) != len(r.Languages.Languages) {
		t.Errorf("%q", r.Identities())
	}
}
