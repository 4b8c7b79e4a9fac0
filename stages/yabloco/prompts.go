package yabloco

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/digest"
)

// Prompts is how many instructions of one meaning there are ("11 prompts were
// prepared and evenly distributed among the questions").
const Prompts = 11

//go:embed prompts/*.yaml
var promptFiles embed.FS

// Wordings of the instructions. The published ones are in the second's language, in
// words of their own.
const (
	wordingEnglish = "english"
	wordingRussian = "russian"
)

var wordings = map[string]*wording{
	wordingEnglish: mustWording("prompts/english.yaml"),
	wordingRussian: mustWording("prompts/russian.yaml"),
}

// wording is a set of instructions.
type wording struct {
	Name      string   `yaml:"name"`
	Version   int      `yaml:"version"`
	Templates []string `yaml:"templates"`

	digest digest.Digest
}

// identity changes with any word.
func (w *wording) identity() string {
	return fmt.Sprintf("%s/%d#%s", w.Name, w.Version, w.digest.Short())
}

// placeholders of an instruction, as the published rows have them.
var placeholders = []string{"{language}", "{signature}", "{docstring}", "{context}"}

// fill puts values, in the order of placeholders, into an instruction. What stands
// in a value is no placeholder.
func fill(instruction string, values ...string) string {
	var pairs []string
	for i, name := range placeholders {
		pairs = append(pairs, name, values[i])
	}
	return strings.NewReplacer(pairs...).Replace(instruction)
}

func mustWording(path string) *wording {
	data, err := promptFiles.ReadFile(path)
	if err != nil {
		panic(err)
	}
	w := &wording{digest: digest.Of(data)}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(w); err != nil || w.Name == "" || w.Version < 1 || len(w.Templates) != Prompts {
		panic(fmt.Sprintf("%s: name, version and %d templates are required: %v", path, Prompts, err))
	}
	for i, t := range w.Templates {
		for _, name := range placeholders {
			if strings.Count(t, name) != 1 {
				panic(fmt.Sprintf("%s: template %d has not one %s", path, i+1, name))
			}
		}
	}
	return w
}
