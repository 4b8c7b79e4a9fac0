package crosscodeeval

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/retrieval"
)

//go:embed retrieval.yaml
var retrievalFile []byte

var published = mustScript(retrievalFile)

// script is what the published retrieval script does its own way; see
// retrieval.yaml.
type script struct {
	Head  string                 `yaml:"head"`
	Found string                 `yaml:"found"`
	Files map[string]scriptFiles `yaml:"files"`
}

type scriptFiles struct {
	Suffixes []string `yaml:"suffixes"` // none: any
	Folder   string   `yaml:"folder"`
}

// PublishedWording is what the published script writes around pieces.
func PublishedWording() retrieval.Wording {
	return retrieval.Wording{Head: published.Head, Found: published.Found}
}

func (s script) of(language string) scriptFiles { return s.Files[language] }

// has reports whether the script searches a file.
func (f scriptFiles) has(path string) bool {
	fits := func(suffix string) bool { return strings.HasSuffix(path, suffix) }
	return strings.HasPrefix(path, f.Folder) && (f.Suffixes == nil || slices.ContainsFunc(f.Suffixes, fits))
}

func mustScript(data []byte) script {
	var s script
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil || s.Head == "" || s.Found == "" {
		panic(fmt.Sprintf("retrieval.yaml: %v", err))
	}
	return s
}
