package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

type file struct {
	Recipes []Recipe `yaml:"recipes"`
}

// Parse reads a file of recipes and fills in the limits that it leaves open. Every
// mistake is in the error, a line for each that begins with the name of the file
// and a line number: unknown keys, repositories without name or with two recipes,
// missing scripts.
func Parse(name string, data []byte) ([]Recipe, error) {
	var f file
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&f); err == io.EOF {
		return nil, fmt.Errorf("%s is empty; it needs a list \"recipes\"", name)
	} else if err != nil {
		return nil, located(name, err)
	}
	if err := d.Decode(&yaml.Node{}); err != io.EOF {
		return nil, fmt.Errorf("%s: more than one document", name)
	}
	lines := entryLines(data)
	var errs []error
	seen := map[string]bool{}
	for i := range f.Recipes {
		r := &f.Recipes[i]
		mistakes := r.mistakes()
		if seen[r.Repo] {
			mistakes = append(mistakes, "a second recipe for it")
		}
		seen[r.Repo] = true
		for _, m := range mistakes {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %s", name, lines[i], r.Repo, m))
		}
		r.Limits.setDefaults()
	}
	return f.Recipes, errors.Join(errs...)
}

var (
	yamlLine   = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)
	unknownKey = regexp.MustCompile(`^field (\S+) not found in type \S+$`)
)

// located gives the parser's errors the name of the file.
func located(name string, err error) error {
	texts := []string{err.Error()}
	var typed *yaml.TypeError
	if errors.As(err, &typed) {
		texts = typed.Errors
	}
	var errs []error
	for _, text := range texts {
		at := name
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			at, text = name+":"+m[1], text[len(m[0]):]
		}
		errs = append(errs, fmt.Errorf("%s: %s", at, unknownKey.ReplaceAllString(text, `unknown key "$1"`)))
	}
	return errors.Join(errs...)
}

// entryLines are the lines that the recipes of a file begin in.
func entryLines(data []byte) []int {
	var root struct{ Recipes []yaml.Node }
	_ = yaml.Unmarshal(data, &root) // it was read before
	out := make([]int, len(root.Recipes))
	for i, n := range root.Recipes {
		out[i] = n.Line
	}
	return out
}

var (
	repoName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)
	// Neither has blanks or commas, which part a [Recipe.Ref].
	imageName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}$`)
	programName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$`)
)

// maxPrograms is how many programs a runtime may have.
const maxPrograms = 64

func (r *Recipe) mistakes() []string {
	var out []string
	wrong := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	wrong(!repoName.MatchString(r.Repo), "repo is not of the form owner/name")
	wrong(len(r.Programs) == 0, "no programs")
	wrong(len(r.Programs) > maxPrograms, "%d programs; %d are the most", len(r.Programs), maxPrograms)
	wrong(r.Image != "" && !imageName.MatchString(r.Image), "image %q is no name of an image", r.Image)
	for _, p := range r.Programs {
		wrong(!programName.MatchString(p), "programs: %q is no name of a program", p)
	}
	for _, s := range r.scripts() {
		wrong(strings.Contains(s.text, "\x00"), "%s: NUL in a script", s.name)
	}
	wrong(strings.TrimSpace(r.Build) == "", "no script build")
	wrong(strings.TrimSpace(r.Test) == "", "no script test")
	l := r.Limits
	wrong(min(l.Memory, l.Disk, l.Total, l.Output, l.Processes, int64(l.Time)) < 0, "limits: a negative one")
	return append(out, r.Coverage.mistakes()...)
}

type script struct{ name, text string }

// scripts are all texts that a shell gets to see, by their names in the file.
func (r *Recipe) scripts() []script {
	return []script{
		{"build", r.Build}, {"test", r.Test}, {"rebuild", r.Rebuild}, {"compile_commands", r.CompileCommands},
		{"coverage.build", r.Coverage.Build}, {"coverage.test", r.Coverage.Test}, {"coverage.report", r.Coverage.Report},
	}
}

func (c *Coverage) mistakes() []string {
	if c.Format == "" {
		if len(c.Files) > 0 || c.Build+c.Test+c.Report != "" {
			return []string{"coverage: no format"}
		}
		return nil
	}
	var out []string
	if !slices.Contains(Formats, c.Format) {
		out = append(out, fmt.Sprintf("coverage: format %q is none of %s", c.Format, strings.Join(Formats, ", ")))
	}
	if len(c.Files) == 0 {
		out = append(out, "coverage: no files")
	}
	for _, p := range c.Files {
		if _, err := path.Match(p, ""); err != nil || p == "" || path.IsAbs(p) || slices.Contains(strings.Split(p, "/"), "..") {
			out = append(out, fmt.Sprintf("coverage: %q is no pattern for files of the folder", p))
		}
	}
	return out
}
