package graph

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"time"

	"benchmill/pipeline"
)

// document is the top of pipeline.yaml.
type document struct {
	Version       int                 `yaml:"version" doc:"Version of this format: 1."`
	Name          string              `yaml:"name" doc:"Name of the pipeline: lower-case letters, digits, '.', '_' and '-'."`
	Seed          int64               `yaml:"seed" doc:"Where all randomness comes from, together with the stage and the row."`
	AsOf          string              `yaml:"as_of" doc:"Nothing later than this exists: a time in RFC 3339 or a date. Left out, the lock sets it."`
	FailureBudget float64             `yaml:"failure_budget" doc:"Share of a stage's partitions that may be quarantined before the run fails." min:"0" max:"1"`
	Ledgers       []pipeline.FileName `yaml:"ledgers" doc:"Read-only ledgers shipped with the pipeline."`
	Mirrors       raw                 `yaml:"mirrors" doc:"Where to fetch from instead: prefix of a locator -> its replacement."`
	Models        raw                 `yaml:"models" doc:"Models that stages ask, by name."`
	Tokenizers    raw                 `yaml:"tokenizers" doc:"Tokenizers that stages count with, by name."`
	Sources       raw                 `yaml:"sources" doc:"How to reach the sources of stages, by their name."`
	Stages        raw                 `yaml:"stages" doc:"The stages, by name. Their order means nothing."`
	Releases      raw                 `yaml:"releases" doc:"Tables to publish as datasets, by name."`
}

// stageEntry is one entry of stages.
type stageEntry struct {
	Uses string `yaml:"uses" doc:"The stage to run."`
	From raw    `yaml:"from" doc:"The tables to read: a node or node.port, a list of them in any order, or a mapping from input to table."`
	With raw    `yaml:"with" doc:"The settings of the stage."`
}

var (
	nodeName    = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	releaseName = regexp.MustCompile(`^[a-z0-9._-]*[a-z0-9_-][a-z0-9._-]*$`)
	splitName   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// What the patterns mean, for people.
const (
	nodeNameRule    = "a lower-case letter, then lower-case letters, digits, '_' and '-'"
	releaseNameRule = "lower-case letters, digits, '.', '_' and '-'"
	splitNameRule   = "a lower-case letter, then lower-case letters, digits and '_'"
)

// reader fills a graph from a tree.
type reader struct {
	decoder
	kinds   Kinds
	g       *Graph
	defined map[string][]string // "model", "tokenizer", "stage" -> names in the order of the file
	unclear map[string]bool     // of those, the sections that could not be read: no name is unknown
	drafts  []*draft            // in the order of the file
	byName  map[string]*draft
}

// draft is a node while it is being connected.
type draft struct {
	*Node
	index int
	path  string // "stages.name"
	from  *node  // nil: not written
	// reads are the nodes that from names, those that were found.
	reads []*draft
	// broken: an input could not be connected, so what follows from inputs is
	// not known.
	broken bool
}

// usable reports that the stage is known, and with it the tables.
func (d *draft) usable() bool { return d.Stage != nil }

func (d *draft) fromPos() Pos {
	if d.from != nil {
		return d.from.pos
	}
	return d.Pos
}

func (r *reader) document(root *node) {
	if root.kind != mapping {
		r.mismatch(root, "", "a mapping with version, name and stages", "")
		return
	}
	if v := root.get("version"); v != nil && v.value.kind == scalar && v.value.tag == "!!int" {
		if n, ok := whole(v.value.text); !ok || n > FormatVersion {
			// What a later format means cannot be judged by this one.
			r.list, r.count = nil, 0
			r.add(ClassVersion, v.value.pos, "version", "", "written for a newer benchmill: format %s, and this one reads %d", clip(v.value.text), FormatVersion)
			return
		}
	}
	doc := document{FailureBudget: r.g.FailureBudget}
	r.into(reflect.ValueOf(&doc).Elem(), root, "", limits{})
	r.header(root, &doc)
	r.mirrors(doc.Mirrors)
	r.defined, r.unclear = map[string][]string{}, map[string]bool{}
	for what, s := range map[string]raw{"model": doc.Models, "tokenizer": doc.Tokenizers, "stage": doc.Stages} {
		if s.node != nil {
			r.defined[what] = s.names()
			r.unclear[what] = s.bad || s.kind != mapping && !s.isNull()
		}
	}
	r.unclear["stage"] = r.unclear["stage"] || doc.Stages.node == nil
	r.models(root, doc.Models)
	r.tokenizers(root, doc.Tokenizers)
	r.sources(root, doc.Sources)
	r.section(doc.Stages, "stages", r.stage)
	if s := doc.Stages; s.node == nil {
		r.missing(root, root.pos, "", "stages", "a pipeline has at least one stage")
	} else if s.empty() {
		r.add(ClassMissing, s.pos, "stages", "", "a pipeline has at least one stage")
	}
	r.connect()
	r.section(doc.Releases, "releases", r.release)
}

// missing reports that n has no key, unless it has one that was meant for it and
// is reported as unknown.
func (r *reader) missing(n *node, at Pos, path, key, why string) {
	for _, e := range n.entries {
		if near, ok := nearest(e.name, []string{key}); ok && near == key {
			return
		}
	}
	r.add(ClassMissing, at, join(path, key), "", "missing; %s", why)
}

func (r *reader) header(root *node, doc *document) {
	if root.get("version") == nil {
		r.missing(root, root.pos, "", "version", "write version: "+strconv.Itoa(FormatVersion))
	} else if at, ok := r.at["version"]; ok && doc.Version < FormatVersion && root.get("version").value.tag == "!!int" {
		r.add(ClassVersion, at, "version", "", "there is no format %d; write version: %d", doc.Version, FormatVersion)
	}
	if root.get("name") == nil {
		r.missing(root, root.pos, "", "name", "give the pipeline a name")
	} else if root.get("name").value.tag == "!!str" {
		r.pattern(releaseName, doc.Name, "name", r.at["name"], releaseNameRule)
	}
	if at, ok := r.at["as_of"]; ok && doc.AsOf != "" && !isTime(doc.AsOf) {
		r.add(ClassValue, at, "as_of", "", `expected a time such as "2024-06-23T00:00:00Z" or a date such as "2024-06-23", found %q`, clip(doc.AsOf))
	}
	for i, name := range doc.Ledgers {
		path := "ledgers[" + strconv.Itoa(i) + "]"
		r.file(name, path, r.at[path], true)
	}
	r.g.Version, r.g.Name, r.g.Seed, r.g.AsOf = doc.Version, doc.Name, doc.Seed, doc.AsOf
	r.g.FailureBudget, r.g.Ledgers = doc.FailureBudget, doc.Ledgers
}

func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func (r *reader) pattern(p *regexp.Regexp, name, path string, at Pos, rule string) {
	if !p.MatchString(name) {
		r.add(ClassValue, at, path, "", "%q is not a name here: %s", clip(name), rule)
	}
}

// section calls f for every entry of a mapping from names to settings.
func (r *reader) section(s raw, path string, f func(e *entry, path string)) {
	if s.node == nil || s.isNull() || s.bad {
		return
	}
	if s.kind != mapping {
		r.mismatch(s.node, path, "a mapping from names to values", "")
		return
	}
	for _, e := range s.entries {
		f(e, join(path, e.name))
	}
}

func (r *reader) mirrors(s raw) {
	r.section(s, "mirrors", func(e *entry, path string) {
		var to string
		before := r.count
		r.into(reflect.ValueOf(&to).Elem(), e.value, path, limits{min: &limit{"1", 1}})
		if e.name == "" {
			r.add(ClassValue, e.pos, "mirrors", "", "an empty prefix would replace everything")
		}
		if r.count == before {
			r.g.Mirrors = append(r.g.Mirrors, Mirror{e.name, to})
		}
	})
}

func (r *reader) models(root *node, s raw) {
	if r.kinds.Model == nil {
		r.noSection(root, "models")
		return
	}
	r.section(s, "models", func(e *entry, path string) {
		r.pattern(releaseName, e.name, path, e.pos, releaseNameRule)
		m := &Model{Name: e.name, Settings: r.kinds.Model(), Pos: e.pos}
		r.settings(m.Settings, e.value, path, e.pos)
		m.Spec, _ = specOf(m.Settings)
		r.g.Models[e.name] = m
	})
}

func (r *reader) tokenizers(root *node, s raw) {
	if r.kinds.Tokenizer == nil {
		r.noSection(root, "tokenizers")
		return
	}
	r.section(s, "tokenizers", func(e *entry, path string) {
		r.pattern(releaseName, e.name, path, e.pos, releaseNameRule)
		t := &TokenizerDef{Name: e.name, Settings: r.kinds.Tokenizer(), Pos: e.pos}
		r.settings(t.Settings, e.value, path, e.pos)
		r.g.Tokenizers[e.name] = t
	})
}

func (r *reader) sources(root *node, s raw) {
	if len(r.kinds.Sources) == 0 {
		r.noSection(root, "sources")
		return
	}
	for name, make := range r.kinds.Sources {
		r.g.Sources[name] = make()
	}
	r.section(s, "sources", func(e *entry, path string) {
		if settings, ok := r.g.Sources[e.name]; ok {
			r.settings(settings, e.value, path, e.pos)
			return
		}
		names := slices.Sorted(maps.Keys(r.kinds.Sources))
		r.add(ClassUnknownName, e.pos, path, hint(e.name, names), "no source is called %q", clip(e.name))
	})
}

func (r *reader) noSection(root *node, name string) {
	if e := root.get(name); e != nil {
		r.unknown(e, "", nil)
	}
}

// stage reads an entry of stages, all but its connections.
func (r *reader) stage(e *entry, path string) {
	d := &draft{
		Node:  &Node{Name: e.name, Pos: e.pos, In: map[string]Edge{}, at: r.at, path: path + ".with"},
		index: len(r.drafts), path: path,
	}
	r.drafts = append(r.drafts, d)
	r.byName[e.name] = d
	r.pattern(nodeName, e.name, path, e.pos, nodeNameRule)
	var s stageEntry
	r.into(reflect.ValueOf(&s).Elem(), e.value, path, limits{})
	d.from = s.From.node
	uses := e.value.get("uses")
	switch d.Stage = r.kinds.stage(s.Uses); {
	case d.Stage != nil:
		r.config(d, s.With.node, e.value.get("with"))
	case s.Uses != "":
		if !r.full() {
			r.add(ClassUnknownName, uses.value.pos, path+".uses", hint(s.Uses, r.kinds.stageNames()), "no stage is called %q", clip(s.Uses))
		}
	case uses == nil && (e.value.kind == mapping || e.value.isNull()):
		r.missing(e.value, e.pos, path, "uses", "name the stage to run")
	case uses != nil && uses.value.tag == "!!str":
		r.add(ClassValue, uses.value.pos, path+".uses", "", "empty; name the stage to run")
	}
}

// config reads the settings of a stage. What is wrong with them together is
// reported at the word with.
func (r *reader) config(d *draft, with *node, key *entry) {
	at := d.Pos
	if key != nil {
		at = key.pos
	}
	if d.Stage.NewConfig == nil {
		if with == nil || with.empty() {
			return
		}
		r.add(ClassUnknownKey, at, d.path+".with", "", "%s has no settings", d.Stage.Name)
		return
	}
	d.Config = d.Stage.NewConfig()
	if with == nil {
		with = &node{tag: "!!null", pos: d.Pos}
	}
	r.settings(d.Config, with, d.path+".with", at)
	r.at[d.path+".with"] = at
	r.named(d, at)
}
