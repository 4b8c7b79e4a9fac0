package artifacts_test

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchmill/artifacts"
)

func TestHubFeatures(t *testing.T) {
	features := artifacts.HubFeatures(everySchema)
	asYAML, err := yaml.Marshal(features)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/features.yaml", asYAML)

	// The JSON says the same as the YAML.
	asJSON, err := json.Marshal(features)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(asJSON, &a); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(asYAML, &b); err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(a)
	two, _ := json.Marshal(b)
	if string(one) != string(two) {
		t.Fatalf("JSON: %s\nYAML: %s", one, two)
	}
}
