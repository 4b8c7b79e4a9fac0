// Package prompt keeps what models are asked as versioned data: a template file
// with its name and version in front, whose identity joins the keys of whatever
// is asked with it.
package prompt

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/digest"
)

// Template is a prompt with a name and a version. It is safe for concurrent use.
type Template struct {
	Name    string
	Version int
	Digest  digest.Digest // of the text without its head
	text    *template.Template
}

// Parse reads a template file: a YAML head with name and version between lines
// "---", then a text/template.
func Parse(data []byte) (*Template, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---\n")
	if !ok || !bytes.HasPrefix(data, []byte("---\n")) {
		return nil, fmt.Errorf("a prompt starts with a head between lines \"---\" that gives its name and version")
	}
	t := &Template{Digest: digest.Of([]byte(body))}
	d := yaml.NewDecoder(strings.NewReader(head))
	d.KnownFields(true)
	var fields struct {
		Name    string `yaml:"name"`
		Version int    `yaml:"version"`
	}
	if err := d.Decode(&fields); err != nil {
		return nil, fmt.Errorf("head of a prompt: %w", err)
	}
	if t.Name, t.Version = fields.Name, fields.Version; t.Name == "" || t.Version < 1 {
		return nil, fmt.Errorf("head of a prompt: name and a version from 1 are required")
	}
	var err error
	t.text, err = template.New(t.Name).Option("missingkey=error").Parse(body)
	return t, err
}

// MustLoad reads a template from an embedded file and panics on a mistake, as
// templates are package variables.
func MustLoad(files fs.FS, path string) *Template {
	data, err := fs.ReadFile(files, path)
	if err != nil {
		panic(err)
	}
	t, err := Parse(data)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", path, err))
	}
	return t
}

// Render fills the template in. Data that the template names and the map does
// not hold is an error.
func (t *Template) Render(data map[string]any) (string, error) {
	var b strings.Builder
	if err := t.text.Execute(&b, data); err != nil {
		return "", fmt.Errorf("prompt %s: %w", t.Identity(), err)
	}
	return strings.TrimSpace(b.String()), nil
}

// Identity is "name/version#digest": it changes with the text even where the
// version was forgotten.
func (t *Template) Identity() string {
	return fmt.Sprintf("%s/%d#%s", t.Name, t.Version, t.Digest.Short())
}
