package release_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchmill/artifacts"
	"benchmill/artifacts/release"
)

// carded is a manifest as Write would have filled it in.
func carded() *release.Manifest {
	m := manifest()
	m.Version, m.Rows = "1.2.3", 3
	m.Files = []release.File{
		{Path: one, Config: "one", Split: "test", Rows: 2, Bytes: 2000},
		{Path: two, Config: "two", Split: "test", Rows: 1, Bytes: 1000},
	}
	return m
}

func TestCard(t *testing.T) {
	partial := carded()
	partial.Partial, partial.Title, partial.Models, partial.Quarantined, partial.Description = "only the first 2 partitions", "", nil, nil, ""
	partial.Files = partial.Files[:1]
	for name, m := range map[string]*release.Manifest{"card": carded(), "card-partial": partial} {
		got, err := release.Card(m, artifacts.HubFeatures(quizzes))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".md")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: run with -update and look at the difference; got\n%s", path, got)
		}
	}
}

// TestCardHead reads the head of a card with a YAML parser, as the hub does.
func TestCardHead(t *testing.T) {
	m := carded()
	m.Title, m.Tags = "Quiz: \"the\" --- # one", []string{"yes", "1.0", "a: b"}
	card, err := release.Card(m, artifacts.HubFeatures(quizzes))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(card), "---\n")
	text, _, found := strings.Cut(rest, "\n---\n")
	if !ok || !found {
		t.Fatalf("no head in\n%s", card)
	}
	var head struct {
		Name    string   `yaml:"pretty_name"`
		Licence string   `yaml:"license"`
		Tags    []string `yaml:"tags"`
		Sizes   []string `yaml:"size_categories"`
		Configs []struct {
			Name  string `yaml:"config_name"`
			Files []struct{ Split, Path string }
		} `yaml:"configs"`
		Info []struct {
			Name     string `yaml:"config_name"`
			Features []struct {
				Name, Dtype string
				List        any
			}
			Splits []struct {
				Name string
				Rows int `yaml:"num_examples"`
			}
		} `yaml:"dataset_info"`
	}
	if err := yaml.Unmarshal([]byte(text), &head); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if head.Name != m.Title || head.Licence != "mit" || strings.Join(head.Tags, "|") != "yes|1.0|a: b" || strings.Join(head.Sizes, "") != "n<1K" {
		t.Errorf("head %+v", head)
	}
	if len(head.Configs) != 2 || len(head.Info) != 2 {
		t.Fatalf("%d configs with %d infos, want 2", len(head.Configs), len(head.Info))
	}
	for i, f := range m.Files {
		if head.Configs[i].Name != f.Config || head.Info[i].Name != f.Config || head.Info[i].Splits[0].Rows != int(f.Rows) || head.Info[i].Splits[0].Name != "test" {
			t.Errorf("config %+v with %+v, want %+v", head.Configs[i], head.Info[i], f)
		}
		var names []string
		for _, feature := range head.Info[i].Features {
			names = append(names, feature.Name)
		}
		if got := strings.Join(names, " "); got != strings.Join(quizzes.Columns(), " ") {
			t.Errorf("features %s", got)
		}
	}
	if dtype := head.Info[0].Features[2].Dtype; dtype != "int64" {
		t.Errorf("size is a %s", dtype)
	}
}

func TestSizeCategories(t *testing.T) {
	for rows, want := range map[int64]string{0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10_000: "10K<n<100K", 999_999: "100K<n<1M", 1_000_000: "n>1M"} {
		m := carded()
		m.Rows = rows
		card, err := release.Card(m, nil)
		if err != nil || !strings.Contains(string(card), "- "+want+"\n") {
			t.Errorf("%d rows: no %s in\n%s", rows, want, card)
		}
	}
}
