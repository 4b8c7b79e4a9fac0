package graph

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"benchmill/pipeline"
)

// releaseEntry is one entry of releases.
type releaseEntry struct {
	Table   string `yaml:"table" doc:"The table to publish: a node that makes one table, or node.port."`
	Split   string `yaml:"split" doc:"Name of the split."`
	Configs struct {
		By string `yaml:"by" doc:"A text column: each of its values becomes a config."`
	} `yaml:"configs" doc:"How rows are divided into configs. Left out, there is one, called default."`
	Title       string   `yaml:"title" doc:"Title of the dataset card."`
	Description string   `yaml:"description" doc:"First paragraph of the dataset card."`
	Licence     string   `yaml:"licence" doc:"Licence of the dataset, as an SPDX expression where there is one."`
	Tags        []string `yaml:"tags" doc:"Tags of the dataset card."`
	Also        []string `yaml:"also" doc:"Adapters: what else the rows are written as, for programs that read something else."`
}

const defaultSplit = "test"

// release reads an entry of releases.
func (r *reader) release(e *entry, path string) {
	s := releaseEntry{Split: defaultSplit}
	r.pattern(releaseName, e.name, path, e.pos, releaseNameRule)
	r.into(reflect.ValueOf(&s).Elem(), e.value, path, limits{})
	if e.value.kind == mapping || e.value.isNull() {
		r.pattern(splitName, s.Split, path+".split", r.atOr(path+".split", e.pos), splitNameRule)
	}
	rel := &Release{
		Name: e.name, Split: s.Split, ConfigsBy: s.Configs.By, Title: s.Title, Description: s.Description,
		Licence: s.Licence, Tags: s.Tags, Pos: e.pos,
	}
	r.g.Releases = append(r.g.Releases, rel)
	r.published(rel, e, path)
	if also := e.value.get("also"); also != nil {
		r.also(rel, also.value, path+".also")
	}
}

// published finds the table of a release.
func (r *reader) published(rel *Release, e *entry, path string) {
	table := e.value.get("table")
	if table == nil {
		if e.value.kind == mapping || e.value.isNull() {
			r.missing(e.value, e.pos, path, "table", "name the table to publish")
		}
		return
	}
	if table.value.kind != scalar || table.value.tag != "!!str" {
		return // reported as a wrong type
	}
	o, _ := r.resolve(table.value, path+".table")
	switch {
	case !o.known:
		return
	case len(o.tables) > 1:
		r.add(ClassAmbiguous, o.at, o.path, "name one of them", "%q makes %d tables: %s", clip(o.text), len(o.tables), joinEdges(o.tables, ", "))
		return
	}
	rel.Table = o.tables[0]
	switch schema := rel.Table.Port.Schema; {
	case schema.Local && rel.Table.Node.Stage.Scope == pipeline.PerPartition:
		r.add(ClassSchema, o.at, o.path, "publish a table whose key names the repository",
			"rows of %s (%s) are unique only within a repository, by %s", rel.Table, schema, strings.Join(schema.Key, ", "))
	case r.kinds.Schemas != nil && !slices.Contains(r.kinds.Schemas, schema):
		r.add(ClassSchema, o.at, o.path, "add it to the registry of schemas", "nothing could read a release of %s (%s)", rel.Table, schema)
	}
	if rel.ConfigsBy != "" {
		r.configsBy(rel, path+".configs.by")
	}
}

func (r *reader) atOr(path string, otherwise Pos) Pos {
	if p, ok := r.at[path]; ok {
		return p
	}
	return otherwise
}

func (r *reader) configsBy(rel *Release, path string) {
	schema := rel.Table.Port.Schema
	columns := schema.Columns()
	i := slices.Index(columns, rel.ConfigsBy)
	var text []string
	for j, c := range columns {
		if schema.Row().Field(j).Type.Kind() == reflect.String {
			text = append(text, c)
		}
	}
	switch {
	case i < 0:
		r.add(ClassUnknownName, r.at[path], path, hint(rel.ConfigsBy, text), "%s (%s) has no column %q", rel.Table, schema, clip(rel.ConfigsBy))
	case !slices.Contains(text, rel.ConfigsBy):
		r.add(ClassValue, r.at[path], path, "text columns: "+strings.Join(text[:min(len(text), maxListed)], ", "), "column %q of %s is not text", rel.ConfigsBy, rel.Table)
	}
}

// also finds the adapters of a release; each must be for its table.
func (r *reader) also(rel *Release, list *node, path string) {
	for i, item := range list.items {
		if item.kind != scalar || item.tag != "!!str" || r.full() {
			continue // reported as a wrong type
		}
		at := path + "[" + strconv.Itoa(i) + "]"
		a := r.kinds.adapter(item.text)
		switch {
		case a == nil:
			r.add(ClassUnknownName, item.pos, at, hint(item.text, r.kinds.adapterNames()), "no adapter is called %q", clip(item.text))
		case slices.Contains(rel.Also, a):
			r.add(ClassValue, item.pos, at, "", "%q stands here twice", a.Name)
		case rel.Table.Node != nil && rel.Table.Port.Schema.String() != a.Schema.String():
			r.add(ClassSchema, item.pos, at, "", "%s writes rows of %s, and %s is %s", a.Name, a.Schema, rel.Table, rel.Table.Port.Schema)
		default:
			rel.Also = append(rel.Also, a)
		}
	}
}
