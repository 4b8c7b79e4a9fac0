package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	b, err := JSONSchema(testKinds())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.(map[string]any)["$schema"]; got != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("the schema is of %v", got)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("pipeline.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("pipeline.json")
	if err != nil {
		t.Fatalf("the schema does not compile: %v", err)
	}
	return s
}

// validate decodes YAML as an editor would and applies the schema.
func validate(t *testing.T, s *jsonschema.Schema, data string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(data), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestSchemaAccepts holds the schema to what the parser accepts. (A key without
// a value, which the parser takes for an empty section, editors may mark.)
func TestSchemaAccepts(t *testing.T) {
	s := compileSchema(t)
	if err := validate(t, s, good); err != nil {
		t.Errorf("good: %v", err)
	}
	for _, name := range []string{"full", "anchors", "optional", "set"} {
		if err := validate(t, s, pipelineOf(t, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func pipelineOf(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		if f.Name == "pipeline.yaml" {
			return string(f.Data)
		}
	}
	t.Fatalf("no pipeline.yaml in %s", name)
	return ""
}

// TestSchemaRefuses changes one thing in a good pipeline at a time; the parser
// must refuse it too.
func TestSchemaRefuses(t *testing.T) {
	s := compileSchema(t)
	for name, test := range map[string]struct{ old, new, path string }{
		"unknown top key":       {"seed: 7", "sed: 7", ""},
		"wrong type at the top": {"seed: 7", "seed: seven", "/seed"},
		"newer version":         {"version: 1", "version: 2", "/version"},
		"bad name":              {"name: repoqa", "name: Repo QA", "/name"},
		"no stages":             {"stages:", "models2:", ""},
		"unknown stage":         {"uses: code.functions", "uses: code.function", "/stages/functions/uses"},
		"unknown stage key":     {"{uses: code.functions, from", "{uses: code.functions, form", "/stages/functions"},
		"unknown setting":       {"chunks: 32", "chnks: 32", "/stages/needles/with"},
		"wrong type":            {"chunks: 32", "chunks: many", "/stages/needles/with/chunks"},
		"below min":             {"chunks: 32", "chunks: 0", "/stages/needles/with/chunks"},
		"above max":             {"chunks: 32", "chunks: 1025", "/stages/needles/with/chunks"},
		"enum":                  {"chunks: 32", "mode: none", "/stages/needles/with/mode"},
		"enum in a list":        {"chunks: 32", "languages: [java]", "/stages/needles/with/languages/0"},
		"too many items":        {"chunks: 32", "languages: [c, c, go, go]", "/stages/needles/with/languages"},
		"too long":              {"chunks: 32", "label: more than twenty characters", "/stages/needles/with/label"},
		"duration":              {"chunks: 32", "timeout: 30", "/stages/needles/with/timeout"},
		"duration without unit": {"chunks: 32", `timeout: "30"`, "/stages/needles/with/timeout"},
		"negative":              {"chunks: 32", "budget: -1", "/stages/needles/with/budget"},
		"nested":                {"{name: tests}", "{nam: tests}", "/stages/needles/with/filters/0"},
		"nested enum":           {"{name: tests}", "{name: test}", "/stages/needles/with/filters/0/name"},
		"behind a pointer":      {"chunks: 32", "last: {most: 0}", "/stages/needles/with/last"},
		"behind a number":       {"chunks: 32", "window: 0", "/stages/needles/with/window"},
		"enum in a map":         {"chunks: 32", "roles: {a: admin}", "/stages/needles/with/roles/a"},
		"too many keys":         {"chunks: 32", "roles: {a: user, b: user, c: user}", "/stages/needles/with/roles"},
		"too few items":         {"chunks: 32", "steps: []", "/stages/needles/with/steps"},
		"map of numbers":        {"chunks: 32", "weights: {c: x}", "/stages/needles/with/weights/c"},
		"settings of none":      {"from: snapshot}", "from: snapshot, with: {chunks: 1}}", "/stages/functions/with"},
		"unknown input":         {"from: snapshot}", "from: {file: snapshot}}", "/stages/functions/from"},
		"missing input":         {"from: snapshot}", "from: {}}", "/stages/functions/from"},
		"missing from":          {", from: snapshot}", "}", "/stages/functions"},
		"from of none":          {"{uses: repos.list}", "{uses: repos.list, from: snapshot}", "/stages/repositories/from"},
		"not a table":           {"from: snapshot}", "from: Snap Shot}", "/stages/functions/from"},
		"missing uses":          {"{uses: repos.list}", "{with: {file: go.mod}}", "/stages/repositories"},
		"model setting":         {"{provider: openai, model: gpt-4}", "{provider: openai, modl: gpt-4}", "/models/annotator"},
		"model type":            {"{provider: openai, model: gpt-4}", "{provider: openai, seed: x}", "/models/annotator/seed"},
		"tokenizer setting":     {"{kind: sentencepiece}", "{kind: piece}", "/tokenizers/codellama/kind"},
		"release without table": {"table: tasks, ", "", "/releases/repoqa"},
		"release split":         {"split: test", "split: Test", "/releases/repoqa/split"},
		"release key":           {"configs: {by: language}", "configs: {bye: language}", "/releases/repoqa/configs"},
		"release name":          {"\n  repoqa: {table", "\n  Repoqa: {table", ""}, // the validator puts names nowhere
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, test.old, test.new, 1)
			if bad == good {
				t.Fatalf("nothing to replace: %q", test.old)
			}
			err := validate(t, s, bad)
			var invalid *jsonschema.ValidationError
			if !errors.As(err, &invalid) {
				t.Fatalf("accepted: %v", err)
			}
			if !blames(invalid, test.path) {
				t.Errorf("blames something else than %s:\n%#v", test.path, invalid)
			}
			if _, err := Parse("pipeline.yaml", []byte(bad), testKinds(), nil); err == nil {
				t.Error("the parser accepts it")
			}
		})
	}
}

// blames reports that some cause of the error is at the path.
func blames(e *jsonschema.ValidationError, path string) bool {
	at := ""
	for _, s := range e.InstanceLocation {
		at += "/" + s
	}
	if at == path && (path != "" || len(e.Causes) == 0) {
		return true
	}
	for _, c := range e.Causes {
		if blames(c, path) {
			return true
		}
	}
	return false
}

func TestSchemaIsGolden(t *testing.T) {
	got, err := JSONSchema(testKinds())
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if again, _ := JSONSchema(testKinds()); !bytes.Equal(again, got) {
			t.Fatal("two schemas of the same kinds")
		}
	}
	path := filepath.Join("testdata", "schema.json")
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the schema changed; run with -update and look at the difference:\n%s", got)
	}
}

func TestSchemaWithoutModels(t *testing.T) {
	b, err := JSONSchema(Kinds{Stages: testKinds().Stages})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Properties["models"] != nil || doc.Properties["tokenizers"] != nil || doc.Properties["stages"] == nil {
		t.Errorf("properties: %v", doc.Properties)
	}
}
