package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	stages "benchmill/stages/all"
)

type stagesCmd struct {
	Stage string `arg:"" optional:"" help:"Show one stage with its settings."`
	JSON  bool   `help:"Print as JSON."`
}

func (stagesCmd) Example() string {
	return `  benchmill stages
  benchmill stages repoqa.needles`
}

type stageInfo struct {
	Name     string     `json:"name"`
	Doc      string     `json:"doc"`
	Version  int        `json:"version"`
	Scope    string     `json:"scope"`
	Uses     []string   `json:"uses"` // what it touches beside tables
	In       []portInfo `json:"in"`
	Out      []portInfo `json:"out"`
	Settings []setting  `json:"settings"`
}

// setting is one field of a stage's configuration.
type setting struct {
	Name    string   `json:"name"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"` // that are allowed; none: any
	Doc     string   `json:"doc"`
}

type portInfo struct {
	Name     string `json:"name"`
	Schema   string `json:"schema"`
	Optional bool   `json:"optional,omitempty"`
}

// Run implements the verb.
func (c *stagesCmd) Run(s *streams) error {
	r, err := stages.New()
	if err != nil {
		return err
	}
	infos := []stageInfo{}
	for _, stage := range r.Stages {
		if c.Stage == "" || c.Stage == stage.Name {
			infos = append(infos, describeStage(stage))
		}
	}
	if len(infos) == 0 {
		return wrongUsage("no stage %q; \"benchmill stages\" lists them", c.Stage)
	}
	if c.JSON {
		return printJSON(s.out, infos)
	}
	if c.Stage == "" {
		t := newTable(s.out, []int{1}, "stage", "version", "scope", "what it does")
		for _, i := range infos {
			t.AppendRow(table.Row{i.Name, i.Version, i.Scope, text.WrapSoft(i.Doc, 70)})
		}
		t.Render()
		return nil
	}
	i := infos[0]
	fmt.Fprintf(s.out, "%s, version %d, %s\n%s\n", i.Name, i.Version, i.Scope, i.Doc)
	fmt.Fprintf(s.out, "\nin:  %s\nout: %s\n", ports(i.In), ports(i.Out))
	if len(i.Uses) > 0 {
		fmt.Fprintf(s.out, "uses: %s\n", strings.Join(i.Uses, ", "))
	}
	if len(i.Settings) > 0 {
		fmt.Fprintln(s.out)
		t := newTable(s.out, nil, "setting", "default", "")
		for _, d := range i.Settings {
			doc := text.WrapSoft(d.Doc, 70)
			if d.Values != nil {
				doc += "\nvalues: " + strings.Join(d.Values, ", ")
			}
			t.AppendRow(table.Row{d.Name, d.Default, doc})
		}
		t.Render()
	}
	return nil
}

func describeStage(st *pipeline.Stage) stageInfo {
	i := stageInfo{Name: st.Name, Doc: st.Doc, Version: st.Version, Scope: st.Scope.String(), In: portInfos(st.In), Out: portInfos(st.Out)}
	i.Uses = uses(st.Uses)
	i.Settings = []setting{}
	if st.NewConfig == nil {
		return i
	}
	config := reflect.ValueOf(st.NewConfig()).Elem()
	for _, f := range reflect.VisibleFields(config.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" {
			continue
		}
		s := setting{Name: name, Default: fmt.Sprint(config.FieldByIndex(f.Index).Interface()), Doc: f.Tag.Get("doc")}
		if values := f.Tag.Get("enum"); values != "" {
			s.Values = strings.Split(values, "|")
		}
		i.Settings = append(i.Settings, s)
	}
	return i
}

// uses names what a stage touches beside tables.
func uses(u pipeline.Uses) []string {
	out := []string{}
	for _, use := range []struct {
		name string
		is   bool
	}{
		{"network", u.Network}, {"models", u.LLM}, {"tokenizer", u.Tokenizer}, {"programs in a sandbox", u.Sandbox},
		{"seed", u.Seed}, {"as-of time", u.AsOf},
	} {
		if use.is {
			out = append(out, use.name)
		}
	}
	return out
}

func portInfos(ps []pipeline.Port) []portInfo {
	out := []portInfo{}
	for _, p := range ps {
		out = append(out, portInfo{p.Name, p.Schema.String(), p.Optional})
	}
	return out
}

func ports(ps []portInfo) string {
	var out []string
	for _, p := range ps {
		word := p.Name + " (" + p.Schema + ")"
		if p.Optional {
			word += " optional"
		}
		out = append(out, word)
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

type languagesCmd struct {
	JSON bool `help:"Print as JSON."`
}

func (languagesCmd) Example() string { return "  benchmill languages" }

type languageInfo struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Doc       string   `json:"doc"`
	Version   int      `json:"version"`
	Suffixes  []string `json:"suffixes"`
	Abilities []string `json:"abilities"`
	Identity  string   `json:"identity"`
}

// Run implements the verb.
func (c *languagesCmd) Run(s *streams) error {
	r, err := stages.New()
	if err != nil {
		return err
	}
	infos := []languageInfo{}
	for _, l := range r.Languages.Languages {
		i := languageInfo{Name: l.Name, Title: l.Title, Doc: l.Doc, Version: l.Version, Identity: string(l.Identity()), Abilities: []string{"functions", "comments"}}
		for _, syntax := range l.Syntaxes {
			i.Suffixes = append(i.Suffixes, syntax.Suffixes...)
		}
		if l.NewResolver != nil {
			i.Abilities = append(i.Abilities, "imports")
		}
		if l.Names != nil {
			i.Abilities = append(i.Abilities, "names")
		}
		infos = append(infos, i)
	}
	if c.JSON {
		return printJSON(s.out, infos)
	}
	t := newTable(s.out, []int{1}, "language", "version", "files", "abilities", "rules")
	for _, i := range infos {
		t.AppendRow(table.Row{i.Name, i.Version, strings.Join(i.Suffixes, " "), strings.Join(i.Abilities, ", "), text.WrapSoft(i.Doc, 60)})
	}
	t.Render()
	return nil
}

type schemaCmd struct {
	JSON bool `help:"Accepted for symmetry; the schema is always JSON."`
}

func (schemaCmd) Example() string {
	return `  benchmill schema > pipeline.schema.json
  and at the top of pipeline.yaml:  # yaml-language-server: $schema=pipeline.schema.json`
}

// Run implements the verb.
func (c *schemaCmd) Run(s *streams) error {
	r, err := stages.New()
	if err != nil {
		return err
	}
	data, err := graph.JSONSchema(kinds(r))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, strings.TrimSpace(string(data)))
	return err
}
