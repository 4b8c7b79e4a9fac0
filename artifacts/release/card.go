package release

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"benchmill/artifacts"
)

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"counts": counts, "drops": drops, "cell": cell, "usd": func(micro int64) string { return fmt.Sprintf("%.2f", float64(micro)/1e6) },
}).Parse(cardText))

// The head of a card as the hub reads it.
type cardHead struct {
	PrettyName string       `yaml:"pretty_name,omitempty"`
	Licence    string       `yaml:"license,omitempty"`
	Tags       []string     `yaml:"tags,omitempty"`
	Sizes      []string     `yaml:"size_categories"`
	Configs    []cardConfig `yaml:"configs"`
	Info       []cardInfo   `yaml:"dataset_info"`
}

type cardConfig struct {
	Name  string `yaml:"config_name"`
	Files []struct {
		Split string `yaml:"split"`
		Path  string `yaml:"path"`
	} `yaml:"data_files"`
}

type cardInfo struct {
	Name     string                 `yaml:"config_name"`
	Features []artifacts.HubFeature `yaml:"features"`
	Splits   []cardSplit            `yaml:"splits"`
	Download int64                  `yaml:"download_size"`
}

type cardSplit struct {
	Name string `yaml:"name"`
	Rows int64  `yaml:"num_examples"`
}

// Card writes the dataset card: a YAML head that the hub understands, then what
// a reader wants to know, all of it from the manifest.
func Card(m *Manifest, features []artifacts.HubFeature) ([]byte, error) {
	head := cardHead{PrettyName: m.Title, Licence: m.Licence, Tags: m.Tags, Sizes: []string{sizeCategory(m.Rows)}}
	for _, f := range m.Files {
		config := cardConfig{Name: f.Config}
		config.Files = append(config.Files, struct {
			Split string `yaml:"split"`
			Path  string `yaml:"path"`
		}{f.Split, f.Path})
		head.Configs = append(head.Configs, config)
		head.Info = append(head.Info, cardInfo{
			Name: f.Config, Features: features, Download: f.Bytes, Splits: []cardSplit{{f.Split, f.Rows}},
		})
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(head); err != nil {
		return nil, err
	}
	b.WriteString("---\n\n")
	err := cardTemplate.Execute(&b, m)
	return b.Bytes(), err
}

func sizeCategory(rows int64) string {
	sizes := []struct {
		below int64
		name  string
	}{{1_000, "n<1K"}, {10_000, "1K<n<10K"}, {100_000, "10K<n<100K"}, {1_000_000, "100K<n<1M"}}
	i := slices.IndexFunc(sizes, func(s struct {
		below int64
		name  string
	}) bool {
		return rows < s.below
	})
	if i < 0 {
		return "n>1M"
	}
	return sizes[i].name
}

func counts(cs []Count) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, fmt.Sprintf("%d %s", c.Rows, c.Table))
	}
	return strings.Join(parts, ", ")
}

func drops(s Stage) string {
	var parts []string
	for _, d := range s.Drops {
		parts = append(parts, fmt.Sprintf("%d %s", d.Rows, d.Reason))
	}
	return strings.Join(parts, ", ")
}

// cell makes a text fit for a table cell.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}
