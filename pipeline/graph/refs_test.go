package graph

import (
	"reflect"
	"testing"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

type keyed struct {
	common  `yaml:",inline"`
	Name    string                          `yaml:"name"`
	Weights map[string]float64              `yaml:"weights"`
	First   pipeline.FileName               `yaml:"first"`
	Second  pipeline.FileName               `yaml:"second"`
	More    []pipeline.FileName             `yaml:"more"`
	Model   pipeline.ModelName              `yaml:"model"`
	Models  map[string]pipeline.ModelName   `yaml:"models"`
	Tok     *pipeline.TokenizerName         `yaml:"tok"`
	Deep    []struct{ F pipeline.FileName } `yaml:"deep"`
	Timeout time.Duration                   `yaml:"timeout"`
	Workers int                             `yaml:"workers" hash:"-"`
	Log     pipeline.FileName               `yaml:"log" hash:"-"`
	Inner   string                          `yaml:"-"`
}

func keyOf(t *testing.T, cfg any) digest.Digest {
	t.Helper()
	d, _, err := CanonicalConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCanonicalConfigTellsApart(t *testing.T) {
	tok := pipeline.TokenizerName("t")
	base := func() *keyed { return &keyed{Name: "a", First: "x"} }
	seen := map[digest.Digest]string{keyOf(t, base()): "base", keyOf(t, nil): "nil"}
	for name, change := range map[string]func(c *keyed){
		"inline":     func(c *keyed) { c.Strict = true },
		"text":       func(c *keyed) { c.Name = "b" },
		"map":        func(c *keyed) { c.Weights = map[string]float64{"a": 1} },
		"map key":    func(c *keyed) { c.Weights = map[string]float64{"b": 1} },
		"no file":    func(c *keyed) { c.First = "" },
		"other file": func(c *keyed) { c.First, c.Second = "", "x" },
		"both files": func(c *keyed) { c.Second = "x" },
		"more":       func(c *keyed) { c.More = []pipeline.FileName{"x"} },
		"model":      func(c *keyed) { c.Model = "m" },
		"models":     func(c *keyed) { c.Models = map[string]pipeline.ModelName{"a": "m"} },
		"pointer":    func(c *keyed) { c.Tok = &tok },
		"duration":   func(c *keyed) { c.Timeout = time.Second },
		"unwritten":  func(c *keyed) { c.Inner = "x" },
	} {
		c := base()
		change(c)
		d := keyOf(t, c)
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
	for name, change := range map[string]func(c *keyed){
		"name of a file": func(c *keyed) { c.First = "y" },
		"not hashed":     func(c *keyed) { c.Workers, c.Log = 8, "log" },
		"empty list":     func(c *keyed) { c.More = []pipeline.FileName{} },
		"empty map":      func(c *keyed) { c.Weights = map[string]float64{} },
	} {
		c := base()
		change(c)
		if keyOf(t, c) != keyOf(t, base()) {
			t.Errorf("%s changes the digest", name)
		}
	}
}

func TestCanonicalConfigDoesNotDependOnTheOrderOfFields(t *testing.T) {
	a := struct {
		A int    `yaml:"a"`
		B string `yaml:"b"`
	}{1, "x"}
	b := struct {
		Bee string `yaml:"b"`
		Ay  int    `yaml:"a"`
	}{"x", 1}
	if keyOf(t, &a) != keyOf(t, &b) {
		t.Error("the order or the Go names of fields join the digest")
	}
}

// TestCanonicalConfigIsStable pins one digest: if it changes, so does every key
// of every cache, and the domain in CanonicalConfig must change with it.
func TestCanonicalConfigIsStable(t *testing.T) {
	const want = "sha256:2e7d70df4aa51e18fc17e4302e90981f5128c8bcfbb7c41c471596e40e56252f"
	if got := keyOf(t, newNeedles()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCanonicalConfigFields(t *testing.T) {
	_, got, err := CanonicalConfig(&keyed{Name: "a", First: "x", More: []pipeline.FileName{"y", ""}, Weights: map[string]float64{"c++": 1, "c": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	want := []ConfigField{
		{"strict", "false"}, {"name", `"a"`}, {"weights.c", "0.5"}, {`weights."c++"`, "1"},
		{"first", "a file"}, {"second", "no file"}, {"more[0]", "a file"}, {"more[1]", "no file"},
		{"model", `""`}, {"models", "{}"}, {"tok", "null"}, {"deep", "[]"}, {"timeout", "0s"}, {"Inner", `""`},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if s := got[1].String(); s != `name="a"` {
		t.Errorf("got %s", s)
	}
}

func TestCanonicalConfigRefusesWhatItCannotHash(t *testing.T) {
	for name, cfg := range map[string]any{
		"channel":   &struct{ C chan int }{make(chan int)},
		"reads":     &struct{ R readsOnly }{},
		"interface": &struct{ V any }{1},
		"opaque":    &struct{ P struct{ x int } }{},
		"keys":      &struct{ M map[int]int }{map[int]int{1: 1}},
	} {
		if d, _, err := CanonicalConfig(cfg); err == nil {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestRefs(t *testing.T) {
	tok := pipeline.TokenizerName("t")
	n := &Node{Config: &keyed{
		First: "b", Second: "a", More: []pipeline.FileName{"b", "", "c"}, Model: "m", Tok: &tok, Log: "log",
		Models: map[string]pipeline.ModelName{"z": "m", "a": "n"}, Deep: []struct{ F pipeline.FileName }{{"d"}},
	}}
	models, tokenizers, files := n.Refs()
	if want := []string{"m", "n", "m"}; !reflect.DeepEqual(models, want) {
		t.Errorf("models %v, want %v", models, want)
	}
	if want := []string{"t"}; !reflect.DeepEqual(tokenizers, want) {
		t.Errorf("tokenizers %v, want %v", tokenizers, want)
	}
	if want := []pipeline.FileName{"b", "a", "b", "c", "d"}; !reflect.DeepEqual(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	if a, b, c := new(Node).Refs(); a != nil || b != nil || c != nil {
		t.Error("a node without settings names something")
	}
}
